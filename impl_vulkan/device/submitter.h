// A way of running programs in order on one queue.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_SUBMITTER_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_SUBMITTER_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "impl_vulkan/device/command_buffer_cache.h"
#include "impl_vulkan/device/device.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/device/timeline.h"

namespace impl_vulkan {

// Used by one thread at a time; its timeline may be asked by any.
class Submitter {
 public:
  static absl::StatusOr<std::unique_ptr<Submitter>> Create(std::shared_ptr<Device> device,
                                                           std::shared_ptr<Queue> queue);

  // Returns when the work is done, or lost with the device.
  ~Submitter();

  // Submits `program` over `bindings`; returns before it is done. Program and regions are kept
  // until then.
  absl::Status Submit(const std::shared_ptr<const Program>& program, const Bindings& bindings);

  // Lets what is submitted next wait for `waits`; raises `signals` when all that was submitted
  // before is done.
  absl::Status Synchronise(absl::Span<const SyncPoint> waits, absl::Span<const SyncPoint> signals);

  // Returns when everything submitted is done.
  absl::Status Wait();

  Queue& queue() { return *queue_; }
  const std::shared_ptr<Timeline>& timeline() const { return timeline_; }

 private:
  Submitter(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue,
            std::shared_ptr<Timeline> timeline);

  const std::shared_ptr<Device> device_;
  const std::shared_ptr<Queue> queue_;
  const std::shared_ptr<Timeline> timeline_;
  CommandBufferCache command_buffers_;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_SUBMITTER_H_
