#include "impl_vulkan/device/functions.h"

#include <dlfcn.h>

#include "absl/strings/str_cat.h"

namespace impl_vulkan {
namespace {

absl::Status Missing(const char* name) {
  return absl::NotFoundError(absl::StrCat("vulkan: the driver has no function ", name));
}

}  // namespace

absl::StatusOr<LibraryFunctions> OpenLibrary(const std::string& path) {
  void* library = nullptr;
  if (!path.empty()) {
    library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  } else {
    for (const char* name : {"libvulkan.so.1", "libvulkan.so"}) {
      library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (library != nullptr) break;
    }
  }
  if (library == nullptr) {
    const char* why = dlerror();
    return absl::NotFoundError(
        absl::StrCat("vulkan: no loader: ", why == nullptr ? "unknown reason" : why));
  }
  const auto get =
      reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  if (get == nullptr) return Missing("vkGetInstanceProcAddr");
  LibraryFunctions functions;
  functions.vkGetInstanceProcAddr = get;
#define IMPL_VULKAN_LOAD(function)                                                       \
  functions.function = reinterpret_cast<PFN_##function>(get(VK_NULL_HANDLE, #function)); \
  if (functions.function == nullptr) return Missing(#function);
  IMPL_VULKAN_LIBRARY_FUNCTIONS(IMPL_VULKAN_LOAD)
#undef IMPL_VULKAN_LOAD
  return functions;
}

absl::StatusOr<InstanceFunctions> LoadInstanceFunctions(PFN_vkGetInstanceProcAddr get,
                                                        VkInstance instance) {
  InstanceFunctions functions;
#define IMPL_VULKAN_LOAD(function)                                                 \
  functions.function = reinterpret_cast<PFN_##function>(get(instance, #function)); \
  if (functions.function == nullptr) return Missing(#function);
  IMPL_VULKAN_INSTANCE_FUNCTIONS(IMPL_VULKAN_LOAD)
#undef IMPL_VULKAN_LOAD
  return functions;
}

absl::StatusOr<DeviceFunctions> LoadDeviceFunctions(const InstanceFunctions& instance,
                                                    VkDevice device) {
  DeviceFunctions functions;
#define IMPL_VULKAN_LOAD(function)                                                       \
  functions.function =                                                                   \
      reinterpret_cast<PFN_##function>(instance.vkGetDeviceProcAddr(device, #function)); \
  if (functions.function == nullptr) return Missing(#function);
  IMPL_VULKAN_DEVICE_FUNCTIONS(IMPL_VULKAN_LOAD)
#undef IMPL_VULKAN_LOAD
  return functions;
}

}  // namespace impl_vulkan
