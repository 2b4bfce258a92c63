#include "impl_vulkan/device/snapshot.h"

namespace impl_vulkan {

DeviceSnapshot TakeSnapshot(const InstanceFunctions& functions, VkPhysicalDevice device) {
  DeviceSnapshot snapshot;
  functions.vkGetPhysicalDeviceProperties(device, &snapshot.properties);
  functions.vkGetPhysicalDeviceMemoryProperties(device, &snapshot.memory);
  uint32_t count = 0;
  functions.vkGetPhysicalDeviceQueueFamilyProperties(device, &count, nullptr);
  snapshot.queue_families.resize(count);
  functions.vkGetPhysicalDeviceQueueFamilyProperties(device, &count,
                                                     snapshot.queue_families.data());

  // The structures below are defined from 1.2 on.
  if (snapshot.properties.apiVersion < VK_API_VERSION_1_2) return snapshot;

  VkPhysicalDeviceVulkan12Features features12{};
  features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &features12;
  functions.vkGetPhysicalDeviceFeatures2(device, &features);
  snapshot.timeline_semaphore = features12.timelineSemaphore == VK_TRUE;
  snapshot.storage_8bit = features12.storageBuffer8BitAccess == VK_TRUE;
  snapshot.shader_int8 = features12.shaderInt8 == VK_TRUE;

  VkPhysicalDeviceVulkan12Properties properties12{};
  properties12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES;
  VkPhysicalDeviceProperties2 properties{};
  properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
  properties.pNext = &properties12;
  functions.vkGetPhysicalDeviceProperties2(device, &properties);
  snapshot.rounds_to_nearest = properties12.shaderRoundingModeRTEFloat32 == VK_TRUE;
  snapshot.preserves_denormals = properties12.shaderDenormPreserveFloat32 == VK_TRUE;
  snapshot.preserves_special_values = properties12.shaderSignedZeroInfNanPreserveFloat32 == VK_TRUE;
  return snapshot;
}

}  // namespace impl_vulkan
