// An order of submissions: a timeline semaphore that counts them, and what each keeps alive.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_TIMELINE_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_TIMELINE_H_

#include <vulkan/vulkan.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "impl_vulkan/device/device.h"

namespace impl_vulkan {

// A semaphore, and its value if it is a timeline (ignored for a binary one).
struct SyncPoint {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
};

// What a submission keeps until it is done.
using Keep = absl::InlinedVector<std::shared_ptr<const void>, 4>;

// One thread at a time submits; every other function may be called from any thread.
class Timeline {
 public:
  // Of submissions to `queue`.
  static absl::StatusOr<std::shared_ptr<Timeline>> Create(std::shared_ptr<Device> device,
                                                          std::shared_ptr<Queue> queue);

  // Waits for what was submitted.
  ~Timeline();

  VkSemaphore semaphore() const { return semaphore_; }

  // Submits `commands` (null: none). They start after all of `waits` and after what was
  // submitted before; `signals` are raised when they are done. The answer is the value that the
  // semaphore then has. On failure nothing was submitted.
  absl::StatusOr<uint64_t> Submit(VkCommandBuffer commands, Keep keep,
                                  absl::Span<const SyncPoint> waits = {},
                                  absl::Span<const SyncPoint> signals = {});

  // The value of the last submission; 0 before the first.
  uint64_t last() const;

  // Returns when the submission with this value is done.
  absl::Status WaitFor(uint64_t value);

  // Whether it is done, without waiting. False also where the device cannot be asked; a loss is
  // remembered.
  bool Done(uint64_t value);

  // For destructors: returns when everything submitted is done, or lost with the device. Allocates
  // nothing.
  void Settle();

  // Lets go of what finished submissions kept.
  void Retire();

 private:
  Timeline(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue);

  void MakeRoom();  // in the ring, for one submission more
  VkResult Await(uint64_t value, const char** call);

  struct Kept {
    uint64_t value;
    Keep keep;
  };

  const std::shared_ptr<Device> device_;
  const std::shared_ptr<Queue> queue_;
  VkSemaphore semaphore_ = VK_NULL_HANDLE;
  mutable std::mutex mutex_;
  uint64_t last_ = 0;
  uint64_t done_ = 0;       // the greatest value seen
  std::vector<Kept> kept_;  // a ring: kept_count_ entries from kept_first_, oldest first
  size_t kept_first_ = 0;
  size_t kept_count_ = 0;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_TIMELINE_H_
