#include "impl_vulkan/strided/shaders.h"

#include "impl_vulkan/strided/kernels.h"

namespace impl_vulkan {

const ShaderCode& ShaderOf(Kernel kernel, Work work, Flavour flavour) {
#define IMPL_VULKAN_CODE(name) \
  { #name, shaders::name, sizeof shaders::name, 3 }
// Hardware arithmetic is nothing to shaders that do not compute.
#define IMPL_VULKAN_FLAVOURS(name) \
  { IMPL_VULKAN_CODE(name), IMPL_VULKAN_CODE(name##_rich), IMPL_VULKAN_CODE(name##_rich) }
#define IMPL_VULKAN_WORK(name)                                                   \
  {                                                                              \
    IMPL_VULKAN_FLAVOURS(name##_moves), IMPL_VULKAN_FLAVOURS(name##_converts), { \
      IMPL_VULKAN_CODE(name##_computes), IMPL_VULKAN_CODE(name##_computes_rich), \
          IMPL_VULKAN_CODE(name##_computes_hardware)                             \
    }                                                                            \
  }
  static const ShaderCode kCodes[kKernels - 1][kWorks][kFlavours] = {
      IMPL_VULKAN_WORK(row),
      IMPL_VULKAN_WORK(tile),
      IMPL_VULKAN_WORK(packed),
      IMPL_VULKAN_WORK(generic),
  };
#undef IMPL_VULKAN_WORK
#undef IMPL_VULKAN_FLAVOURS
#undef IMPL_VULKAN_CODE
  return kCodes[static_cast<int>(kernel) - 1][static_cast<int>(work)][static_cast<int>(flavour)];
}

}  // namespace impl_vulkan
