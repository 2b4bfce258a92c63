// The Vulkan functions in use, found at run time: nothing links against a Vulkan library.
//
//   LibraryFunctions -> InstanceFunctions -> DeviceFunctions
//
// Each table holds plain function pointers under their own names: d.vkQueueSubmit(...). A table is
// complete or it is not made at all, so no caller tests a pointer.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_FUNCTIONS_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_FUNCTIONS_H_

#include <vulkan/vulkan.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace impl_vulkan {

// clang-format off
#define IMPL_VULKAN_LIBRARY_FUNCTIONS(X) \
  X(vkCreateInstance)                    \
  X(vkEnumerateInstanceLayerProperties)  \
  X(vkEnumerateInstanceVersion)

#define IMPL_VULKAN_INSTANCE_FUNCTIONS(X)      \
  X(vkCreateDevice)                            \
  X(vkDestroyInstance)                         \
  X(vkEnumeratePhysicalDevices)                \
  X(vkGetDeviceProcAddr)                       \
  X(vkGetPhysicalDeviceFeatures2)              \
  X(vkGetPhysicalDeviceMemoryProperties)       \
  X(vkGetPhysicalDeviceProperties)             \
  X(vkGetPhysicalDeviceProperties2)            \
  X(vkGetPhysicalDeviceQueueFamilyProperties)

#define IMPL_VULKAN_DEVICE_FUNCTIONS(X) \
  X(vkAllocateCommandBuffers)           \
  X(vkAllocateDescriptorSets)           \
  X(vkAllocateMemory)                   \
  X(vkBeginCommandBuffer)               \
  X(vkBindBufferMemory)                 \
  X(vkCmdBindDescriptorSets)            \
  X(vkCmdBindPipeline)                  \
  X(vkCmdCopyBuffer)                    \
  X(vkCmdDispatch)                      \
  X(vkCmdPipelineBarrier)               \
  X(vkCmdPushConstants)                 \
  X(vkCreateBuffer)                     \
  X(vkCreateCommandPool)                \
  X(vkCreateComputePipelines)           \
  X(vkCreateDescriptorPool)             \
  X(vkCreateDescriptorSetLayout)        \
  X(vkCreatePipelineCache)              \
  X(vkCreatePipelineLayout)             \
  X(vkCreateSemaphore)                  \
  X(vkCreateShaderModule)               \
  X(vkDestroyBuffer)                    \
  X(vkDestroyCommandPool)               \
  X(vkDestroyDescriptorPool)            \
  X(vkDestroyDescriptorSetLayout)       \
  X(vkDestroyDevice)                    \
  X(vkDestroyPipeline)                  \
  X(vkDestroyPipelineCache)             \
  X(vkDestroyPipelineLayout)            \
  X(vkDestroySemaphore)                 \
  X(vkDestroyShaderModule)              \
  X(vkEndCommandBuffer)                 \
  X(vkFreeMemory)                       \
  X(vkGetBufferMemoryRequirements)      \
  X(vkGetDeviceQueue)                   \
  X(vkGetPipelineCacheData)             \
  X(vkGetSemaphoreCounterValue)         \
  X(vkMapMemory)                        \
  X(vkQueueSubmit)                      \
  X(vkQueueWaitIdle)                    \
  X(vkResetCommandBuffer)               \
  X(vkResetDescriptorPool)              \
  X(vkUpdateDescriptorSets)             \
  X(vkWaitSemaphores)
// clang-format on

#define IMPL_VULKAN_MEMBER(function) PFN_##function function = nullptr;

// What can be called before there is an instance.
struct LibraryFunctions {
  PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
  IMPL_VULKAN_LIBRARY_FUNCTIONS(IMPL_VULKAN_MEMBER)
};

struct InstanceFunctions {
  IMPL_VULKAN_INSTANCE_FUNCTIONS(IMPL_VULKAN_MEMBER)
};

struct DeviceFunctions {
  IMPL_VULKAN_DEVICE_FUNCTIONS(IMPL_VULKAN_MEMBER)
};

#undef IMPL_VULKAN_MEMBER

// Opens the Vulkan loader: `path` or, when it is empty, the system's. It is never closed again:
// drivers and layers keep threads and exit handlers. Not found: kNotFound, with the reason.
absl::StatusOr<LibraryFunctions> OpenLibrary(const std::string& path);

absl::StatusOr<InstanceFunctions> LoadInstanceFunctions(PFN_vkGetInstanceProcAddr get,
                                                        VkInstance instance);
absl::StatusOr<DeviceFunctions> LoadDeviceFunctions(const InstanceFunctions& instance,
                                                    VkDevice device);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_FUNCTIONS_H_
