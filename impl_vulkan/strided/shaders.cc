#include "impl_vulkan/strided/shaders.h"

#include "impl_vulkan/strided/kernels.h"

namespace impl_vulkan {

#define IMPL_VULKAN_CODE(name) \
  { #name, shaders::name, sizeof shaders::name, 3 }

const ShaderCode& ShaderOf(Kernel kernel, Work work, Flavour flavour) {
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
  return kCodes[static_cast<int>(kernel) - 1][static_cast<int>(work)][static_cast<int>(flavour)];
}

const ShaderCode& ShaderOf(Kernel kernel, const Function& function, Flavour flavour) {
#define IMPL_VULKAN_FUNCTIONS(name)                                                             \
  {                                                                                             \
    {IMPL_VULKAN_CODE(name), IMPL_VULKAN_CODE(name##_rich), IMPL_VULKAN_CODE(name##_hardware)}, \
        {IMPL_VULKAN_CODE(name##_curves), IMPL_VULKAN_CODE(name##_curves_rich),                 \
         IMPL_VULKAN_CODE(name##_curves_rich)},                                                 \
  }
  static const ShaderCode kCodes[2][2][2][kFlavours] = {
      {IMPL_VULKAN_FUNCTIONS(row_forward), IMPL_VULKAN_FUNCTIONS(row_backward)},
      {IMPL_VULKAN_FUNCTIONS(generic_forward), IMPL_VULKAN_FUNCTIONS(generic_backward)},
  };
#undef IMPL_VULKAN_FUNCTIONS
  return kCodes[kernel == Kernel::kRow ? 0 : 1][function.backward ? 1 : 0][function.piece() ? 0 : 1]
               [static_cast<int>(flavour)];
}

#undef IMPL_VULKAN_CODE

}  // namespace impl_vulkan
