// One device and all that is shared on it. Engines, streams, buffers and plans keep it.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_CONTEXT_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_CONTEXT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "impl_vulkan/device/device.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/pipelines.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/device/submitter.h"

namespace impl_vulkan {

// What a shader does to an element; each includes the one before.
enum class Work {
  kMove,     // from a type to the same
  kConvert,  // to another type
  kCompute,  // with scales or the old value
};
constexpr int kWorks = 3;

// What a device has proved that shaders may rely on; each step includes the one before.
enum class Tier {
  kBaseline,       // integers and whole words only
  kInt8,           // stores of single bytes, fast conversions
  kFloatControls,  // float instructions that behave as IEEE 754 says
};
constexpr int kTiers = 3;

// Thread-safe.
class Context {
 public:
  static absl::StatusOr<std::shared_ptr<Context>> Create(std::shared_ptr<Device> device,
                                                         const Preferences& preferences);
  ~Context();

  Device& device() { return *device_; }
  Pipelines& pipelines() { return *pipelines_; }
  const std::shared_ptr<Pipelines>& shared_pipelines() const { return pipelines_; }
  const MemoryPool& memory() const { return *memory_; }

  // A region; when the device is out of memory, after letting go of what finished work kept.
  absl::StatusOr<std::shared_ptr<const Region>> Allocate(uint64_t bytes, Purpose purpose);

  // At least `bytes` that the host sees, for a while: what KeepStaging got last, if that is enough.
  absl::StatusOr<std::shared_ptr<const Region>> TakeStaging(uint64_t bytes);
  // Nobody uses it any more.
  void KeepStaging(std::shared_ptr<const Region> region);

  // A submitter that WaitForAll knows of, on the device's own queue or on an external one:
  // kInvalidArgument for a queue that is known to be of another device or has another guard.
  absl::StatusOr<std::unique_ptr<Submitter>> MakeSubmitter();
  absl::StatusOr<std::unique_ptr<Submitter>> MakeSubmitter(VkQueue queue, const QueueGuard& guard);

  // Returns when everything that was submitted before is done.
  absl::Status WaitForAll();

  // Runs `program` and returns when it is done.
  absl::Status Serve(const std::shared_ptr<const Program>& program, const Bindings& bindings);

  // The tier of shaders for `work`. Asks the device until it has answered; where it cannot, for
  // want of memory say, nothing is taken as proved this time.
  Tier TierFor(Work work);

 private:
  explicit Context(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  absl::StatusOr<std::unique_ptr<Submitter>> MakeSubmitter(std::shared_ptr<Queue> queue);
  std::vector<std::shared_ptr<Timeline>> Timelines();

  const std::shared_ptr<Device> device_;
  std::shared_ptr<MemoryPool> memory_;
  std::shared_ptr<Pipelines> pipelines_;

  std::mutex timelines_mutex_;
  std::vector<std::weak_ptr<Timeline>> timelines_;
  std::map<VkQueue, std::weak_ptr<Queue>> external_queues_;

  std::mutex staging_mutex_;
  std::shared_ptr<const Region> staging_;  // null: none is kept

  std::mutex service_mutex_;
  std::unique_ptr<Submitter> service_;

  std::mutex probes_mutex_;
  std::optional<bool> fast_conversions_, hardware_arithmetic_;  // what the device has answered
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_CONTEXT_H_
