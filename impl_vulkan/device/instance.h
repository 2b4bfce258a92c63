// One VkInstance: the way to devices.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_INSTANCE_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_INSTANCE_H_

#include <vulkan/vulkan.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/functions.h"
#include "impl_vulkan/device/process.h"

namespace impl_vulkan {

// Thread-safe. Whoever opens a device keeps its instance.
class Instance {
 public:
  // kNotFound where there is no loader, no driver or none that speaks Vulkan 1.2.
  static absl::StatusOr<std::shared_ptr<Instance>> Create(const Preferences& preferences);

  // Over an instance that the application made and keeps. `get` is asked for nothing that could be
  // had without it.
  static absl::StatusOr<std::shared_ptr<Instance>> Adopt(PFN_vkGetInstanceProcAddr get,
                                                         VkInstance handle);

  ~Instance();

  VkInstance handle() const { return handle_; }
  const InstanceFunctions& vk() const { return vk_; }

  absl::StatusOr<std::vector<VkPhysicalDevice>> Devices() const;

  // Under validation: kInternal with the first message that the layer had, and how many followed.
  // kFailedPrecondition if validation was asked for and the layer is not installed.
  absl::Status Verdict() const;

 private:
  Instance() = default;
  absl::Status Make(const LibraryFunctions& library, const Preferences& preferences);
  // Calls OnMessage for this instance.
  VkDebugUtilsMessengerCreateInfoEXT Listener();
  static VKAPI_ATTR VkBool32 VKAPI_CALL OnMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                  VkDebugUtilsMessageTypeFlagsEXT types,
                                                  const VkDebugUtilsMessengerCallbackDataEXT* data,
                                                  void* user);

  PFN_vkGetInstanceProcAddr get_ = nullptr;
  InstanceFunctions vk_;
  VkInstance handle_ = VK_NULL_HANDLE;
  const Process process_;
  bool owned_ = false;

  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
  bool layer_missing_ = false;
  mutable std::mutex mutex_;
  std::string first_message_;
  int message_count_ = 0;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_INSTANCE_H_
