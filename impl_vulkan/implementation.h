// Every topic of the library on Vulkan devices: an implementation of api/spi.
#ifndef DNNSPEC_IMPL_VULKAN_IMPLEMENTATION_H_
#define DNNSPEC_IMPL_VULKAN_IMPLEMENTATION_H_

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/vulkan_native.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/instance.h"
#include "impl_vulkan/model/engine.h"

namespace impl_vulkan {

// Engines are devices, in the order of RankDevices. A device is opened at the first request and
// kept until this is destroyed; one that was lost is opened anew. Thread-safe.
class Implementation final : public spi::Implementation, public spi::vulkan::NativeImplementation {
 public:
  explicit Implementation(const Preferences& preferences) : preferences_(preferences) {}

  const char* name() const override { return "vulkan"; }
  spi::EngineKind kind() const override { return spi::EngineKind::kGpu; }
  size_t EngineCount() override;
  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngine(size_t index) override;

  absl::StatusOr<std::shared_ptr<spi::Engine>> MakeEngineFrom(
      const spi::vulkan::DeviceInfo& info) override;

  // Why there is no engine; Ok if there is one.
  absl::Status Reason();

 private:
  struct Candidate {
    VkPhysicalDevice device = VK_NULL_HANDLE;
    DeviceSnapshot snapshot;
    std::shared_ptr<Engine> engine;
  };

  // What this process finds, once.
  struct Found {
    std::shared_ptr<const Instance> instance;
    absl::Status reason;
    std::vector<Candidate> devices;
  };
  Found Look() const;
  // Not std::call_once: an exception that passes through it ends the process where memory is short.
  // In a child of fork() only where CheckLook is Ok: the lock may be that of a thread of the
  // parent.
  Found& Devices();
  absl::Status CheckLook() const;

  const Preferences preferences_;
  class Looker;
  std::atomic<pid_t> looking_{0};  // the process of which a thread looks first, or has
  std::atomic<int> lookers_{0};    // its threads that do, or are about to
  std::mutex look_mutex_;          // of the first look
  std::atomic<bool> looked_{false};
  Found found_;
  std::mutex mutex_;  // of the engines
};

// The one of this process, with preferences from the environment. Never destroyed: drivers keep
// threads that outlive main.
spi::Implementation& GetImplementation();

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_IMPLEMENTATION_H_
