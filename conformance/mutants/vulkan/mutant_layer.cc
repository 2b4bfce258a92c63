// A Vulkan layer that hands mutated shaders on in place of the implementation's own. The probes
// that a device must pass stay as they are, so a wrong conversion is not noticed by them.
//
// VK_LAYER_PATH=<this folder>  VK_INSTANCE_LAYERS=VK_LAYER_DNNSPEC_mutant
#include <dlfcn.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "conformance/mutants/vulkan/mutated.h"
#include "impl_vulkan/convolution/kernels.h"
#include "impl_vulkan/product/kernels.h"
#include "impl_vulkan/strided/kernels.h"
#include "impl_vulkan/testing/layer_link.h"

namespace mutant_layer {
namespace {

// As in the sources of the mutated shaders.
constexpr uint32_t kConstant = 31;

struct Code {
  const uint32_t* words;
  size_t bytes;
};

struct Pair {
  Code original, mutated;
};

#define PAIR(name)                                                   \
  {                                                                  \
    {impl_vulkan::shaders::name, sizeof impl_vulkan::shaders::name}, \
        {mutated::name, sizeof mutated::name},                       \
  }
#define PAIRS(work) PAIR(work), PAIR(work##_int8)
#define KERNEL(name)                                                   \
  PAIRS(name##_moves), PAIRS(name##_converts), PAIRS(name##_computes), \
      PAIR(name##_computes_float_controls)
#define PRODUCT(name) PAIRS(name), PAIR(name##_float_controls)
#define FUNCTIONS(name)                                                                     \
  PAIRS(name##_forward), PAIRS(name##_forward_curves), PAIR(name##_forward_float_controls), \
      PAIRS(name##_backward), PAIRS(name##_backward_curves), PAIR(name##_backward_float_controls)
const Pair kPairs[] = {
    KERNEL(generic),
    KERNEL(packed),
    KERNEL(row),
    KERNEL(tile),
    FUNCTIONS(generic),
    FUNCTIONS(row),
    PRODUCT(product_direct),
    PRODUCT(product_direct_extras),
    PRODUCT(product_tile),
    PRODUCT(product_tile_extras),
    PRODUCT(product_vector),
    PRODUCT(product_vector_extras),
    PRODUCT(convolution_direct),
    PRODUCT(convolution_direct_extras),
    PRODUCT(convolution_tile),
    PRODUCT(convolution_tile_extras),
    PRODUCT(convolution_window),
    PRODUCT(convolution_window_extras),
};
#undef FUNCTIONS
#undef PRODUCT
#undef KERNEL
#undef PAIRS
#undef PAIR

// One instance and the devices made from it: the suite has no more at a time that matter here.
struct Below {
  PFN_vkGetInstanceProcAddr of_instance = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  PFN_vkGetDeviceProcAddr of_device = nullptr;
  std::set<VkShaderModule> mutated;
};

std::mutex mutex;
Below below;

int ActiveMutant() {
  const auto ask = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "dnnspec_active_mutant"));
  if (ask == nullptr) {
    std::fprintf(stderr, "mutant layer: the program does not tell which mutant is active\n");
    std::abort();
  }
  return ask();
}

VKAPI_ATTR VkResult VKAPI_CALL CreateInstance(const VkInstanceCreateInfo* info,
                                              const VkAllocationCallbacks* callbacks,
                                              VkInstance* made) {
  const PFN_vkGetInstanceProcAddr get = layer::TakeNext(*info);
  if (get == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = reinterpret_cast<PFN_vkCreateInstance>(
      get(VK_NULL_HANDLE, "vkCreateInstance"))(info, callbacks, made);
  std::lock_guard<std::mutex> lock(mutex);
  below.of_instance = get;
  if (result == VK_SUCCESS) below.instance = *made;
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateDevice(VkPhysicalDevice physical,
                                            const VkDeviceCreateInfo* info,
                                            const VkAllocationCallbacks* callbacks,
                                            VkDevice* made) {
  const layer::NextForDevice next = layer::TakeNext(*info);
  if (next.of_device == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
  const VkResult result = reinterpret_cast<PFN_vkCreateDevice>(
      next.of_instance(below.instance, "vkCreateDevice"))(physical, info, callbacks, made);
  std::lock_guard<std::mutex> lock(mutex);
  below.of_device = next.of_device;
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateShaderModule(VkDevice device,
                                                  const VkShaderModuleCreateInfo* info,
                                                  const VkAllocationCallbacks* callbacks,
                                                  VkShaderModule* made) {
  VkShaderModuleCreateInfo real = *info;
  bool mutated = false;
  for (const Pair& pair : kPairs) {
    if (pair.original.bytes != info->codeSize ||
        std::memcmp(pair.original.words, info->pCode, info->codeSize) != 0) {
      continue;
    }
    real.codeSize = pair.mutated.bytes;
    real.pCode = pair.mutated.words;
    mutated = true;
  }
  const VkResult result = reinterpret_cast<PFN_vkCreateShaderModule>(
      below.of_device(device, "vkCreateShaderModule"))(device, &real, callbacks, made);
  std::lock_guard<std::mutex> lock(mutex);
  if (result == VK_SUCCESS && mutated) below.mutated.insert(*made);
  if (result == VK_SUCCESS && !mutated) below.mutated.erase(*made);  // a handle may come again
  return result;
}

VKAPI_ATTR VkResult VKAPI_CALL CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                      uint32_t count,
                                                      const VkComputePipelineCreateInfo* info,
                                                      const VkAllocationCallbacks* callbacks,
                                                      VkPipeline* made) {
  const auto next = reinterpret_cast<PFN_vkCreateComputePipelines>(
      below.of_device(device, "vkCreateComputePipelines"));
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (count != 1 || below.mutated.count(info->stage.module) == 0) {
      return next(device, cache, count, info, callbacks, made);
    }
  }
  const VkSpecializationInfo& given = *info->stage.pSpecializationInfo;
  std::vector<char> data(static_cast<const char*>(given.pData),
                         static_cast<const char*>(given.pData) + given.dataSize);
  std::vector<VkSpecializationMapEntry> entries(given.pMapEntries,
                                                given.pMapEntries + given.mapEntryCount);
  const auto active = static_cast<int32_t>(ActiveMutant());
  entries.push_back({kConstant, static_cast<uint32_t>(data.size()), sizeof active});
  data.resize(data.size() + sizeof active);
  std::memcpy(data.data() + given.dataSize, &active, sizeof active);
  VkSpecializationInfo more{};
  more.mapEntryCount = static_cast<uint32_t>(entries.size());
  more.pMapEntries = entries.data();
  more.dataSize = data.size();
  more.pData = data.data();
  VkComputePipelineCreateInfo real = *info;
  real.stage.pSpecializationInfo = &more;
  return next(device, cache, 1, &real, callbacks, made);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceFunction(VkInstance instance, const char* name);
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceFunction(VkDevice device, const char* name);

PFN_vkVoidFunction OwnFunction(const char* name) {
  static const std::map<std::string, PFN_vkVoidFunction>* const own =
      new std::map<std::string, PFN_vkVoidFunction>{
          {"vkGetInstanceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(GetInstanceFunction)},
          {"vkGetDeviceProcAddr", reinterpret_cast<PFN_vkVoidFunction>(GetDeviceFunction)},
          {"vkCreateInstance", reinterpret_cast<PFN_vkVoidFunction>(CreateInstance)},
          {"vkCreateDevice", reinterpret_cast<PFN_vkVoidFunction>(CreateDevice)},
          {"vkCreateShaderModule", reinterpret_cast<PFN_vkVoidFunction>(CreateShaderModule)},
          {"vkCreateComputePipelines",
           reinterpret_cast<PFN_vkVoidFunction>(CreateComputePipelines)},
      };
  const auto found = own->find(name);
  return found == own->end() ? nullptr : found->second;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetDeviceFunction(VkDevice device, const char* name) {
  const PFN_vkVoidFunction own = OwnFunction(name);
  return own != nullptr ? own : below.of_device(device, name);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL GetInstanceFunction(VkInstance instance,
                                                             const char* name) {
  const PFN_vkVoidFunction own = OwnFunction(name);
  if (own != nullptr) return own;
  return instance == VK_NULL_HANDLE ? nullptr : below.of_instance(instance, name);
}

}  // namespace
}  // namespace mutant_layer

extern "C" __attribute__((visibility("default"))) VkResult vkNegotiateLoaderLayerInterfaceVersion(
    VkNegotiateLayerInterface* version) {
  if (version->loaderLayerInterfaceVersion > 2) version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = mutant_layer::GetInstanceFunction;
  version->pfnGetDeviceProcAddr = mutant_layer::GetDeviceFunction;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
