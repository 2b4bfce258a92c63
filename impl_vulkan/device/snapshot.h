// One physical device as plain values: what the decisions in device_plan.h are made from.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_SNAPSHOT_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_SNAPSHOT_H_

#include <vulkan/vulkan.h>

#include <vector>

#include "impl_vulkan/device/functions.h"

namespace impl_vulkan {

struct DeviceSnapshot {
  VkPhysicalDeviceProperties properties{};  // name, type, versions, limits
  VkPhysicalDeviceMemoryProperties memory{};
  std::vector<VkQueueFamilyProperties> queue_families;

  // Features of Vulkan 1.2, core or extension.
  bool timeline_semaphore = false;
  bool storage_8bit = false;  // storageBuffer8BitAccess
  bool shader_int8 = false;

  // Float controls for 32-bit floats: what a shader module may demand.
  bool rounds_to_nearest = false;         // RoundingModeRTE
  bool preserves_denormals = false;       // DenormPreserve
  bool preserves_special_values = false;  // SignedZeroInfNanPreserve
};

DeviceSnapshot TakeSnapshot(const InstanceFunctions& functions, VkPhysicalDevice device);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_SNAPSHOT_H_
