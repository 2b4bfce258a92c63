// The layer's entry points. It sits between the loader and what lies below: each function here
// takes the place of one of Vulkan's and, unless told otherwise, calls the next one of the same
// name.
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

#include "impl_vulkan/testing/fault_layer/control.h"
#include "impl_vulkan/testing/fault_layer/faults.h"
#include "impl_vulkan/testing/layer_link.h"

namespace fault_layer {
namespace {

struct InstanceBelow {
  VkInstance handle = VK_NULL_HANDLE;
  PFN_vkGetInstanceProcAddr get = nullptr;
  // Fetched while the instance is made: asked later, the loader answers with the top of the chain,
  // which is this layer again.
  std::map<std::string, PFN_vkVoidFunction> functions;
};

struct Memory {
  uint32_t type = 0;  // that was asked for
  VkDeviceSize size = 0;
};

struct DeviceBelow {
  VkDevice handle = VK_NULL_HANDLE;
  PFN_vkGetDeviceProcAddr get = nullptr;
  bool lost = false;
  uint32_t visible_type = 0;  // of the real ones, the first that the host sees
  std::map<VkDeviceMemory, Memory> memory;
};

std::mutex mutex;
std::unordered_map<void*, InstanceBelow> instances;
std::unordered_map<void*, DeviceBelow> devices;

// Handles of one instance or device begin with the same pointer: the loader's table.
template <typename Handle>
void* KeyOf(Handle handle) {
  return *reinterpret_cast<void**>(handle);
}

template <typename Handle>
InstanceBelow& InstanceOf(Handle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  return instances[KeyOf(handle)];
}

template <typename Handle>
DeviceBelow& DeviceOf(Handle handle) {
  std::lock_guard<std::mutex> lock(mutex);
  return devices[KeyOf(handle)];
}

// The next function of a name.
template <typename Function, typename Handle>
Function NextOfInstance(Handle handle, const char* name) {
  return reinterpret_cast<Function>(InstanceOf(handle).functions.at(name));
}

template <typename Function, typename Handle>
Function NextOfDevice(Handle handle, const char* name) {
  const DeviceBelow& below = DeviceOf(handle);
  return reinterpret_cast<Function>(below.get(below.handle, name));
}

#define NEXT_OF_INSTANCE(object, function) NextOfInstance<PFN_##function>(object, #function)
#define NEXT_OF_DEVICE(object, function) NextOfDevice<PFN_##function>(object, #function)

constexpr VkMemoryPropertyFlags kVisible =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

bool IsDiscrete() { return Faults::Get().Pretends("discrete"); }

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* callbacks,
                                              VkInstance* made) {
  const VkResult fault = Faults::Get().Next("vkCreateInstance");
  if (fault != VK_SUCCESS) return fault;
  const PFN_vkGetInstanceProcAddr get = layer::TakeNext(*info);
  if (get == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = reinterpret_cast<PFN_vkCreateInstance>(
      get(VK_NULL_HANDLE, "vkCreateInstance"))(info, callbacks, made);
  if (result != VK_SUCCESS) return result;
  std::lock_guard<std::mutex> lock(mutex);
  InstanceBelow& below = instances[KeyOf(*made)];
  below.handle = *made;
  below.get = get;
  for (const char* name : {"vkDestroyInstance", "vkEnumeratePhysicalDevices",
                           "vkGetPhysicalDeviceFeatures2", "vkGetPhysicalDeviceMemoryProperties",
                           "vkGetPhysicalDeviceProperties", "vkGetPhysicalDeviceProperties2"}) {
    below.functions[name] = get(*made, name);
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyInstance(VkInstance instance,
                                           const VkAllocationCallbacks* callbacks) {
  const auto next = NEXT_OF_INSTANCE(instance, vkDestroyInstance);
  void* const key = KeyOf(instance);
  next(instance, callbacks);
  std::lock_guard<std::mutex> lock(mutex);
  instances.erase(key);
}

VKAPI_ATTR VkResult VKAPI_CALL EnumeratePhysicalDevices(VkInstance instance, uint32_t* count,
                                                        VkPhysicalDevice* found) {
  const VkResult fault = Faults::Get().Next("vkEnumeratePhysicalDevices");
  if (fault != VK_SUCCESS) return fault;
  if (Faults::Get().Pretends("no_device")) {
    *count = 0;
    return VK_SUCCESS;
  }
  return NEXT_OF_INSTANCE(instance, vkEnumeratePhysicalDevices)(instance, count, found);
}

void Lower(VkPhysicalDeviceProperties* properties) {
  VkPhysicalDeviceLimits& limits = properties->limits;
  const auto lower = [](const char* name, auto* limit) {
    using Limit = std::remove_reference_t<decltype(*limit)>;
    if (const auto value = Faults::Get().Value(name)) *limit = static_cast<Limit>(*value);
  };
  lower("maxStorageBufferRange", &limits.maxStorageBufferRange);
  lower("maxMemoryAllocationCount", &limits.maxMemoryAllocationCount);
  lower("minStorageBufferOffsetAlignment", &limits.minStorageBufferOffsetAlignment);
  lower("minUniformBufferOffsetAlignment", &limits.minUniformBufferOffsetAlignment);
  lower("maxComputeSharedMemorySize", &limits.maxComputeSharedMemorySize);
  lower("maxComputeWorkGroupInvocations", &limits.maxComputeWorkGroupInvocations);
  lower("maxComputeWorkGroupSize", &limits.maxComputeWorkGroupSize[0]);
  lower("maxComputeWorkGroupCount", &limits.maxComputeWorkGroupCount[0]);
  if (IsDiscrete()) properties->deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

VKAPI_ATTR void VKAPI_CALL GetProperties(VkPhysicalDevice device,
                                         VkPhysicalDeviceProperties* properties) {
  NEXT_OF_INSTANCE(device, vkGetPhysicalDeviceProperties)(device, properties);
  Lower(properties);
}

VKAPI_ATTR void VKAPI_CALL GetProperties2(VkPhysicalDevice device,
                                          VkPhysicalDeviceProperties2* properties) {
  NEXT_OF_INSTANCE(device, vkGetPhysicalDeviceProperties2)(device, properties);
  Lower(&properties->properties);
}

VKAPI_ATTR void VKAPI_CALL GetFeatures2(VkPhysicalDevice device,
                                        VkPhysicalDeviceFeatures2* features) {
  NEXT_OF_INSTANCE(device, vkGetPhysicalDeviceFeatures2)(device, features);
  const auto lower = [](const char* name, VkBool32* feature) {
    if (Faults::Get().Value(name) == uint64_t{0}) *feature = VK_FALSE;
  };
  for (auto* link = static_cast<VkBaseOutStructure*>(features->pNext); link != nullptr;
       link = link->pNext) {
    if (link->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) continue;
    auto& of12 = *reinterpret_cast<VkPhysicalDeviceVulkan12Features*>(link);
    lower("storageBuffer8BitAccess", &of12.storageBuffer8BitAccess);
    lower("shaderInt8", &of12.shaderInt8);
    lower("timelineSemaphore", &of12.timelineSemaphore);
  }
}

// Two types instead of what there is: 0 is the device's alone, 1 the host's. Where there is to be a
// window, 2 is the device's and the host sees it. Type and heap have the same number.
VKAPI_ATTR void VKAPI_CALL GetMemoryProperties(VkPhysicalDevice device,
                                               VkPhysicalDeviceMemoryProperties* memory) {
  NEXT_OF_INSTANCE(device, vkGetPhysicalDeviceMemoryProperties)(device, memory);
  if (!IsDiscrete()) return;
  const VkDeviceSize size = memory->memoryHeaps[0].size;
  const auto window = Faults::Get().Value("window_heap");
  memory->memoryTypeCount = memory->memoryHeapCount = window ? 3 : 2;
  memory->memoryTypes[0] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0};
  memory->memoryTypes[1] = {kVisible, 1};
  memory->memoryTypes[2] = {VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | kVisible, 2};
  memory->memoryHeaps[0] = {Faults::Get().Value("local_heap").value_or(size),
                            VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  memory->memoryHeaps[1] = {size, 0};
  memory->memoryHeaps[2] = {window.value_or(0), VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
}

uint32_t VisibleTypeOf(VkPhysicalDevice device) {
  VkPhysicalDeviceMemoryProperties memory;
  NEXT_OF_INSTANCE(device, vkGetPhysicalDeviceMemoryProperties)(device, &memory);
  uint32_t type = 0;
  while ((memory.memoryTypes[type].propertyFlags & kVisible) != kVisible) ++type;  // there is one
  return type;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* callbacks,
                                            VkDevice* made) {
  const VkResult fault = Faults::Get().Next("vkCreateDevice");
  if (fault != VK_SUCCESS) return fault;
  const layer::NextForDevice next = layer::TakeNext(*info);
  if (next.of_device == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = reinterpret_cast<PFN_vkCreateDevice>(next.of_instance(
      InstanceOf(physical).handle, "vkCreateDevice"))(physical, info, callbacks, made);
  if (result != VK_SUCCESS) return result;
  const uint32_t visible_type = VisibleTypeOf(physical);
  std::lock_guard<std::mutex> lock(mutex);
  DeviceBelow& below = devices[KeyOf(*made)];
  below = DeviceBelow();
  below.visible_type = visible_type;
  below.handle = *made;
  below.get = next.of_device;
  return result;
}

VKAPI_ATTR void VKAPI_CALL DestroyDevice(VkDevice device, const VkAllocationCallbacks* callbacks) {
  const auto next = NEXT_OF_DEVICE(device, vkDestroyDevice);
  void* const key = KeyOf(device);
  next(device, callbacks);
  std::lock_guard<std::mutex> lock(mutex);
  devices.erase(key);
}

VKAPI_ATTR void VKAPI_CALL GetRequirements(VkDevice device, VkBuffer buffer,
                                           VkMemoryRequirements* needs) {
  NEXT_OF_DEVICE(device, vkGetBufferMemoryRequirements)(device, buffer, needs);
  if (IsDiscrete()) needs->memoryTypeBits = Faults::Get().Value("window_heap") ? 7 : 3;
}

VKAPI_ATTR VkResult VKAPI_CALL AllocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                                              const VkAllocationCallbacks* callbacks,
                                              VkDeviceMemory* made) {
  const VkResult fault = Faults::Get().Next("vkAllocateMemory");
  if (fault != VK_SUCCESS) return fault;
  DeviceBelow& below = DeviceOf(device);
  {
    std::lock_guard<std::mutex> lock(mutex);
    const auto most = Faults::Get().Value("maxMemoryAllocationCount");
    if (most && below.memory.size() >= *most) return VK_ERROR_TOO_MANY_OBJECTS;
    const auto largest = Faults::Get().Value("largest_allocation");
    if (largest && info->allocationSize > *largest) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    if (IsDiscrete() && info->memoryTypeIndex == 2) {
      VkDeviceSize used = info->allocationSize;
      for (const auto& [handle, memory] : below.memory) used += memory.type == 2 ? memory.size : 0;
      if (used > Faults::Get().Value("window_heap")) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
  }
  VkMemoryAllocateInfo real = *info;
  if (IsDiscrete()) real.memoryTypeIndex = below.visible_type;
  const VkResult result = NEXT_OF_DEVICE(device, vkAllocateMemory)(device, &real, callbacks, made);
  if (result != VK_SUCCESS) return result;
  std::lock_guard<std::mutex> lock(mutex);
  below.memory[*made] = {info->memoryTypeIndex, info->allocationSize};
  return result;
}

VKAPI_ATTR void VKAPI_CALL FreeMemory(VkDevice device, VkDeviceMemory memory,
                                      const VkAllocationCallbacks* callbacks) {
  {
    DeviceBelow& below = DeviceOf(device);
    std::lock_guard<std::mutex> lock(mutex);
    below.memory.erase(memory);
  }
  NEXT_OF_DEVICE(device, vkFreeMemory)(device, memory, callbacks);
}

VKAPI_ATTR VkResult VKAPI_CALL MapMemory(VkDevice device, VkDeviceMemory memory,
                                         VkDeviceSize offset, VkDeviceSize size,
                                         VkMemoryMapFlags flags, void** mapped) {
  const VkResult fault = Faults::Get().Next("vkMapMemory");
  if (fault != VK_SUCCESS) return fault;
  DeviceBelow& below = DeviceOf(device);
  if (IsDiscrete()) {
    std::lock_guard<std::mutex> lock(mutex);
    if (below.memory[memory].type == 0) return VK_ERROR_MEMORY_MAP_FAILED;
  }
  return NEXT_OF_DEVICE(device, vkMapMemory)(device, memory, offset, size, flags, mapped);
}

// For calls that wait or submit: the fault of `function`, or the loss of the device. A device is
// lost when nothing runs on it any more, as with a real one.
template <typename Handle>
VkResult FaultOf(Handle handle, const char* function) {
  DeviceBelow& below = DeviceOf(handle);
  VkResult fault = Faults::Get().Next(function);
  if (below.lost) fault = VK_ERROR_DEVICE_LOST;
  if (fault == VK_ERROR_DEVICE_LOST && !below.lost) {
    below.lost = true;
    NEXT_OF_DEVICE(handle, vkDeviceWaitIdle)(below.handle);
  }
  return fault;
}

VKAPI_ATTR VkResult VKAPI_CALL QueueSubmit(VkQueue queue, uint32_t count,
                                           const VkSubmitInfo* submits, VkFence fence) {
  const VkResult fault = FaultOf(queue, "vkQueueSubmit");
  if (fault != VK_SUCCESS) return fault;
  return NEXT_OF_DEVICE(queue, vkQueueSubmit)(queue, count, submits, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL QueueWaitIdle(VkQueue queue) {
  const VkResult fault = FaultOf(queue, "vkQueueWaitIdle");
  const VkResult result = NEXT_OF_DEVICE(queue, vkQueueWaitIdle)(queue);
  return fault != VK_SUCCESS ? fault : result;
}

VKAPI_ATTR VkResult VKAPI_CALL WaitSemaphores(VkDevice device, const VkSemaphoreWaitInfo* info,
                                              uint64_t timeout) {
  const VkResult fault = FaultOf(device, "vkWaitSemaphores");
  if (fault != VK_SUCCESS) return fault;
  if (Faults::Get().Pretends("stuck")) return VK_TIMEOUT;
  return NEXT_OF_DEVICE(device, vkWaitSemaphores)(device, info, timeout);
}

VKAPI_ATTR VkResult VKAPI_CALL GetCounter(VkDevice device, VkSemaphore semaphore, uint64_t* value) {
  const VkResult fault = FaultOf(device, "vkGetSemaphoreCounterValue");
  if (fault != VK_SUCCESS) return fault;
  return NEXT_OF_DEVICE(device, vkGetSemaphoreCounterValue)(device, semaphore, value);
}

// Calls that can fail and are otherwise passed on. Types and lists take no parentheses:
// NOLINTBEGIN(bugprone-macro-parentheses)
#define PASS_ON(function, parameters, handle, arguments)      \
  VKAPI_ATTR VkResult VKAPI_CALL Fail_##function parameters { \
    const VkResult fault = Faults::Get().Next(#function);     \
    if (fault != VK_SUCCESS) return fault;                    \
    return NEXT_OF_DEVICE(handle, function) arguments;        \
  }
#define CREATE(function, Info, Made)                                                               \
  PASS_ON(function,                                                                                \
          (VkDevice device, const Info* info, const VkAllocationCallbacks* callbacks, Made* made), \
          device, (device, info, callbacks, made))
// NOLINTEND(bugprone-macro-parentheses)

CREATE(vkCreateBuffer, VkBufferCreateInfo, VkBuffer)
CREATE(vkCreateCommandPool, VkCommandPoolCreateInfo, VkCommandPool)
CREATE(vkCreateDescriptorPool, VkDescriptorPoolCreateInfo, VkDescriptorPool)
CREATE(vkCreateDescriptorSetLayout, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout)
CREATE(vkCreatePipelineCache, VkPipelineCacheCreateInfo, VkPipelineCache)
CREATE(vkCreatePipelineLayout, VkPipelineLayoutCreateInfo, VkPipelineLayout)
CREATE(vkCreateSemaphore, VkSemaphoreCreateInfo, VkSemaphore)
CREATE(vkCreateShaderModule, VkShaderModuleCreateInfo, VkShaderModule)
PASS_ON(vkCreateComputePipelines,
        (VkDevice device, VkPipelineCache cache, uint32_t count,
         const VkComputePipelineCreateInfo* info, const VkAllocationCallbacks* callbacks,
         VkPipeline* made),
        device, (device, cache, count, info, callbacks, made))
PASS_ON(vkBindBufferMemory,
        (VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset), device,
        (device, buffer, memory, offset))
PASS_ON(vkAllocateDescriptorSets,
        (VkDevice device, const VkDescriptorSetAllocateInfo* info, VkDescriptorSet* made), device,
        (device, info, made))
PASS_ON(vkAllocateCommandBuffers,
        (VkDevice device, const VkCommandBufferAllocateInfo* info, VkCommandBuffer* made), device,
        (device, info, made))
PASS_ON(vkResetCommandBuffer, (VkCommandBuffer commands, VkCommandBufferResetFlags flags), commands,
        (commands, flags))
PASS_ON(vkResetDescriptorPool,
        (VkDevice device, VkDescriptorPool pool, VkDescriptorPoolResetFlags flags), device,
        (device, pool, flags))
PASS_ON(vkBeginCommandBuffer, (VkCommandBuffer commands, const VkCommandBufferBeginInfo* info),
        commands, (commands, info))
PASS_ON(vkEndCommandBuffer, (VkCommandBuffer commands), commands, (commands))
#undef CREATE
#undef PASS_ON

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceFunction(VkInstance instance, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceFunction(VkDevice device, const char* name);

struct Entry {
  const char* name;
  PFN_vkVoidFunction function;
  bool of_device;
  bool can_fail;
};

#define ENTRY(name, function, of_device, can_fail) \
  { #name, reinterpret_cast < PFN_vkVoidFunction>(function), of_device, can_fail }
const Entry kEntries[] = {
    ENTRY(vkGetInstanceProcAddr, GetInstanceFunction, false, false),
    ENTRY(vkGetDeviceProcAddr, GetDeviceFunction, true, false),
    ENTRY(vkCreateInstance, CreateInstance, false, false),
    ENTRY(vkDestroyInstance, DestroyInstance, false, false),
    ENTRY(vkEnumeratePhysicalDevices, EnumeratePhysicalDevices, false, false),
    ENTRY(vkGetPhysicalDeviceProperties, GetProperties, false, false),
    ENTRY(vkGetPhysicalDeviceProperties2, GetProperties2, false, false),
    ENTRY(vkGetPhysicalDeviceFeatures2, GetFeatures2, false, false),
    ENTRY(vkGetPhysicalDeviceMemoryProperties, GetMemoryProperties, false, false),
    ENTRY(vkCreateDevice, CreateDevice, false, true),
    ENTRY(vkDestroyDevice, DestroyDevice, true, false),
    ENTRY(vkGetBufferMemoryRequirements, GetRequirements, true, false),
    ENTRY(vkFreeMemory, FreeMemory, true, false),
    ENTRY(vkQueueWaitIdle, QueueWaitIdle, true, false),
    ENTRY(vkGetSemaphoreCounterValue, GetCounter, true, false),
    ENTRY(vkAllocateMemory, AllocateMemory, true, true),
    ENTRY(vkMapMemory, MapMemory, true, true),
    ENTRY(vkQueueSubmit, QueueSubmit, true, true),
    ENTRY(vkWaitSemaphores, WaitSemaphores, true, true),
    ENTRY(vkAllocateCommandBuffers, Fail_vkAllocateCommandBuffers, true, true),
    ENTRY(vkAllocateDescriptorSets, Fail_vkAllocateDescriptorSets, true, true),
    ENTRY(vkBeginCommandBuffer, Fail_vkBeginCommandBuffer, true, true),
    ENTRY(vkBindBufferMemory, Fail_vkBindBufferMemory, true, true),
    ENTRY(vkCreateBuffer, Fail_vkCreateBuffer, true, true),
    ENTRY(vkCreateCommandPool, Fail_vkCreateCommandPool, true, true),
    ENTRY(vkCreateComputePipelines, Fail_vkCreateComputePipelines, true, true),
    ENTRY(vkCreateDescriptorPool, Fail_vkCreateDescriptorPool, true, true),
    ENTRY(vkCreateDescriptorSetLayout, Fail_vkCreateDescriptorSetLayout, true, true),
    ENTRY(vkCreatePipelineCache, Fail_vkCreatePipelineCache, true, true),
    ENTRY(vkCreatePipelineLayout, Fail_vkCreatePipelineLayout, true, true),
    ENTRY(vkCreateSemaphore, Fail_vkCreateSemaphore, true, true),
    ENTRY(vkCreateShaderModule, Fail_vkCreateShaderModule, true, true),
    ENTRY(vkEndCommandBuffer, Fail_vkEndCommandBuffer, true, true),
    ENTRY(vkResetCommandBuffer, Fail_vkResetCommandBuffer, true, true),
    ENTRY(vkResetDescriptorPool, Fail_vkResetDescriptorPool, true, true),
};
#undef ENTRY

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceFunction(VkDevice device, const char* name) {
  for (const Entry& entry : kEntries) {
    if (entry.of_device && std::strcmp(entry.name, name) == 0) return entry.function;
  }
  return DeviceOf(device).get(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceFunction(VkInstance instance,
                                                             const char* name) {
  for (const Entry& entry : kEntries) {
    if (std::strcmp(entry.name, name) == 0) return entry.function;
  }
  return instance == VK_NULL_HANDLE ? nullptr : InstanceOf(instance).get(instance, name);
}

const char* FailingFunction(int index) {
  for (const Entry& entry : kEntries) {
    if (entry.can_fail && index-- == 0) return entry.name;
  }
  return nullptr;
}

}  // namespace
}  // namespace fault_layer

extern "C" {

__attribute__((visibility("default"))) VkResult vkNegotiateLoaderLayerInterfaceVersion(
    VkNegotiateLayerInterface* version) {
  if (version->loaderLayerInterfaceVersion > 2) version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = fault_layer::GetInstanceFunction;
  version->pfnGetDeviceProcAddr = fault_layer::GetDeviceFunction;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}

__attribute__((visibility("default"))) extern const fault_layer::Control dnnspec_fault_layer;
const fault_layer::Control dnnspec_fault_layer = {
    [](const char* words) { fault_layer::Faults::Get().Pretend(words); },
    [](const char* function, int nth, bool onwards, VkResult result) {
      fault_layer::Faults::Get().Arm(function, nth, onwards, result);
    },
    [] { fault_layer::Faults::Get().Disarm(); },
    [](const char* function) { return fault_layer::Faults::Get().Calls(function); },
    fault_layer::FailingFunction,
};
}
