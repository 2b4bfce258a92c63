#include "impl_vulkan/reorder/shaders.h"

#include "impl_vulkan/reorder/kernels.h"

namespace impl_vulkan {

const ShaderCode& ShaderOf(Kernel kernel, Flavour flavour) {
#define IMPL_VULKAN_CODE(name) \
  { #name, shaders::name, sizeof shaders::name }
#define IMPL_VULKAN_FLAVOURS(name) \
  { IMPL_VULKAN_CODE(name), IMPL_VULKAN_CODE(name##_rich), IMPL_VULKAN_CODE(name##_hardware) }
  static const ShaderCode kCodes[kKernels - 1][kFlavours] = {
      IMPL_VULKAN_FLAVOURS(row),
      IMPL_VULKAN_FLAVOURS(tile),
      IMPL_VULKAN_FLAVOURS(packed),
      IMPL_VULKAN_FLAVOURS(generic),
  };
#undef IMPL_VULKAN_FLAVOURS
#undef IMPL_VULKAN_CODE
  return kCodes[static_cast<int>(kernel) - 1][static_cast<int>(flavour)];
}

}  // namespace impl_vulkan
