#include "impl_vulkan/device/device.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/device/failure.h"

namespace impl_vulkan {

absl::Status Queue::Submit(Device& device, const VkSubmitInfo& submit) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (guard_.lock != nullptr) guard_.lock(guard_.user);
  const VkResult result = device.vk().vkQueueSubmit(handle_, 1, &submit, VK_NULL_HANDLE);
  if (guard_.unlock != nullptr) guard_.unlock(guard_.user);
  return device.Check("vkQueueSubmit", result);
}

absl::Status Queue::Adopt(const QueueGuard& guard) {
  if (guard.is_null()) return absl::OkStatus();
  std::lock_guard<std::mutex> lock(mutex_);
  if (guard_.is_null()) guard_ = guard;
  if (guard_.lock == guard.lock && guard_.unlock == guard.unlock && guard_.user == guard.user) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("vulkan: the queue has another guard already (INTEROP-007)");
}

void Queue::Settle(Device& device) {
  // Unlike vkWaitSemaphores, this call is promised to return when the device is lost.
  std::lock_guard<std::mutex> lock(mutex_);
  if (guard_.lock != nullptr) guard_.lock(guard_.user);
  device.vk().vkQueueWaitIdle(handle_);
  if (guard_.unlock != nullptr) guard_.unlock(guard_.user);
}

Device::Device(std::shared_ptr<const Instance> instance, VkPhysicalDevice physical,
               const DeviceSnapshot& snapshot, const DevicePlan& plan)
    : instance_(std::move(instance)), physical_(physical), snapshot_(snapshot), plan_(plan) {}

absl::StatusOr<std::shared_ptr<Device>> Device::Open(std::shared_ptr<const Instance> instance,
                                                     VkPhysicalDevice physical,
                                                     const DeviceSnapshot& snapshot,
                                                     const DevicePlan& plan) {
  const absl::Status entered = EnterProcess();
  if (!entered.ok()) return entered;
  const absl::Status verdict = instance->Verdict();
  if (!verdict.ok()) return verdict;
  std::shared_ptr<Device> device(new Device(std::move(instance), physical, snapshot, plan));

  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueFamilyIndex = plan.queue_family;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkPhysicalDeviceVulkan12Features features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features.timelineSemaphore = VK_TRUE;
  features.storageBuffer8BitAccess = plan.byte_stores ? VK_TRUE : VK_FALSE;
  features.shaderInt8 = plan.byte_stores ? VK_TRUE : VK_FALSE;
  VkDeviceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  create.pNext = &features;
  create.queueCreateInfoCount = 1;
  create.pQueueCreateInfos = &queue;

  const InstanceFunctions& vk = device->instance_->vk();
  VkDevice handle = VK_NULL_HANDLE;
  const VkResult result = vk.vkCreateDevice(physical, &create, nullptr, &handle);
  if (result != VK_SUCCESS) return Failure("vkCreateDevice", result);
  device->owned_ = true;
  device->handle_ = handle;
  const absl::StatusOr<DeviceFunctions> functions = LoadDeviceFunctions(vk, handle);
  if (!functions.ok()) return functions.status();
  device->vk_ = *functions;
  VkQueue found = VK_NULL_HANDLE;
  device->vk_.vkGetDeviceQueue(handle, plan.queue_family, 0, &found);
  device->queue_ = std::make_shared<Queue>(found, QueueGuard{});
  return device;
}

absl::StatusOr<std::shared_ptr<Device>> Device::Adopt(std::shared_ptr<const Instance> instance,
                                                      const ExternalDevice& external,
                                                      const DeviceSnapshot& snapshot,
                                                      const DevicePlan& plan) {
  const absl::Status entered = EnterProcess();
  if (!entered.ok()) return entered;
  std::shared_ptr<Device> device(
      new Device(std::move(instance), external.physical_device, snapshot, plan));
  device->handle_ = external.device;
  const absl::StatusOr<DeviceFunctions> functions =
      LoadDeviceFunctions(device->instance_->vk(), external.device);
  if (!functions.ok()) return functions.status();
  device->vk_ = *functions;
  device->queue_ = std::make_shared<Queue>(external.queue, external.guard);
  return device;
}

Device::~Device() {
  if (forked()) return;
  if (owned_ && vk_.vkDestroyDevice != nullptr) vk_.vkDestroyDevice(handle_, nullptr);
}

absl::Status Device::Check(const char* call, VkResult result) {
  if (result == VK_SUCCESS) return absl::OkStatus();
  Note(call, result);
  return Failure(call, result);
}

void Device::Note(const char* call, VkResult result) {
  if (result != VK_ERROR_DEVICE_LOST) return;
  std::lock_guard<std::mutex> lock(mutex_);
  if (lost_in_ == nullptr) lost_in_ = call;
  lost_.store(true, std::memory_order_release);
}

absl::Status Device::Alive() const {
  if (forked()) return CheckProcess();
  if (lost()) {
    std::lock_guard<std::mutex> lock(mutex_);
    return absl::InternalError(
        absl::StrCat("vulkan: ", snapshot_.properties.deviceName, " was lost in ", lost_in_));
  }
  return instance_->Verdict();
}

}  // namespace impl_vulkan
