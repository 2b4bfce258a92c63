// Gives a Vulkan layer the functions of what lies below it. Each of these takes the layer's own
// link out of the chain that the loader handed down, so that the next layer finds its own: call it
// once for each vkCreateInstance and vkCreateDevice.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_LAYER_LINK_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_LAYER_LINK_H_

#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

namespace layer {

template <typename Link, VkStructureType kType>
Link* LinkIn(const void* chain) {
  auto* link = static_cast<Link*>(const_cast<void*>(chain));
  while (link != nullptr && !(link->sType == kType && link->function == VK_LAYER_LINK_INFO)) {
    link = static_cast<Link*>(const_cast<void*>(link->pNext));
  }
  return link;
}

// Null where the loader gave no link.
inline PFN_vkGetInstanceProcAddr TakeNext(const VkInstanceCreateInfo& info) {
  auto* const link =
      LinkIn<VkLayerInstanceCreateInfo, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO>(info.pNext);
  if (link == nullptr) return nullptr;
  const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  return next;
}

// Both are null where the loader gave no link.
struct NextForDevice {
  PFN_vkGetInstanceProcAddr of_instance = nullptr;
  PFN_vkGetDeviceProcAddr of_device = nullptr;
};

inline NextForDevice TakeNext(const VkDeviceCreateInfo& info) {
  auto* const link =
      LinkIn<VkLayerDeviceCreateInfo, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO>(info.pNext);
  if (link == nullptr) return {};
  const NextForDevice next = {link->u.pLayerInfo->pfnNextGetInstanceProcAddr,
                              link->u.pLayerInfo->pfnNextGetDeviceProcAddr};
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  return next;
}

}  // namespace layer

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_LAYER_LINK_H_
