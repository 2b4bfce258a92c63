// One VkDevice with one way of submitting work to it.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_DEVICE_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_DEVICE_H_

#include <vulkan/vulkan.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/functions.h"
#include "impl_vulkan/device/instance.h"
#include "impl_vulkan/device/process.h"
#include "impl_vulkan/device/snapshot.h"

namespace impl_vulkan {

class Device;

// Called around every use of an external queue: VkQueue is externally synchronised, and its owner
// may use it as well. Null functions lock nothing.
struct QueueGuard {
  void (*lock)(void* user) = nullptr;
  void (*unlock)(void* user) = nullptr;
  void* user = nullptr;

  bool is_null() const { return lock == nullptr && unlock == nullptr; }
};

// A VkQueue that several threads may submit to.
class Queue {
 public:
  Queue(VkQueue handle, const QueueGuard& guard) : handle_(handle), guard_(guard) {}

  VkQueue handle() const { return handle_; }

  // From here on every use is inside `guard`, for good. Does nothing where `guard` is null;
  // kInvalidArgument where there is another one already.
  absl::Status Adopt(const QueueGuard& guard);

  absl::Status Submit(Device& device, const VkSubmitInfo& submit);

  // For destructors: returns when nothing of this queue runs any more, also on a lost device.
  void Settle(Device& device);

 private:
  const VkQueue handle_;
  QueueGuard guard_;
  std::mutex mutex_;
};

// A device of the application, which keeps it until everything made on it is gone.
struct ExternalDevice {
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  QueueGuard guard;
};

// Thread-safe. A device that was lost stays lost: Alive() and every Check() then give that failure.
class Device {
 public:
  static absl::StatusOr<std::shared_ptr<Device>> Open(std::shared_ptr<const Instance> instance,
                                                      VkPhysicalDevice physical,
                                                      const DeviceSnapshot& snapshot,
                                                      const DevicePlan& plan);
  static absl::StatusOr<std::shared_ptr<Device>> Adopt(std::shared_ptr<const Instance> instance,
                                                       const ExternalDevice& external,
                                                       const DeviceSnapshot& snapshot,
                                                       const DevicePlan& plan);
  ~Device();

  const Instance& instance() const { return *instance_; }
  VkPhysicalDevice physical() const { return physical_; }
  VkDevice handle() const { return handle_; }
  bool owned() const { return owned_; }
  const DeviceFunctions& vk() const { return vk_; }
  const DeviceSnapshot& snapshot() const { return snapshot_; }
  const DevicePlan& plan() const { return plan_; }
  const std::shared_ptr<Queue>& queue() const { return queue_; }

  // Ok, or why `call`, a literal, failed. Remembers a loss.
  absl::Status Check(const char* call, VkResult result);

  // Remembers a loss, and allocates nothing.
  void Note(const char* call, VkResult result);

  // Ok, or why nothing more will work: the device was lost, or this is another process than the one
  // that opened it.
  absl::Status Alive() const;

  // Whether this process is a child of the one that opened the device. Then nothing of it may be
  // touched: destructors leave behind what they would destroy.
  bool forked() const { return !process_.is_this(); }
  bool lost() const { return lost_.load(std::memory_order_acquire); }

 private:
  Device(std::shared_ptr<const Instance> instance, VkPhysicalDevice physical,
         const DeviceSnapshot& snapshot, const DevicePlan& plan);

  const std::shared_ptr<const Instance> instance_;
  const VkPhysicalDevice physical_;
  const DeviceSnapshot snapshot_;
  const DevicePlan plan_;
  const Process process_;
  VkDevice handle_ = VK_NULL_HANDLE;
  bool owned_ = false;
  DeviceFunctions vk_;
  std::shared_ptr<Queue> queue_;

  std::atomic<bool> lost_{false};
  mutable std::mutex mutex_;
  const char* lost_in_ = nullptr;  // the call that found the loss
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_DEVICE_H_
