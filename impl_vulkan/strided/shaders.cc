#include "impl_vulkan/strided/shaders.h"

#include "impl_vulkan/strided/kernels.h"

namespace impl_vulkan {

#define IMPL_VULKAN_CODE(name) \
  { #name, shaders::name, sizeof shaders::name, 3 }
// Those that compute have zero points beside.
#define IMPL_VULKAN_COMPUTES(name) \
  { #name, shaders::name, sizeof shaders::name, 4 }

const ShaderCode& ShaderOf(Kernel kernel, Work work, Tier tier) {
// Hardware arithmetic is nothing to shaders that do not compute.
#define IMPL_VULKAN_TIERS(name) \
  { IMPL_VULKAN_CODE(name), IMPL_VULKAN_CODE(name##_int8), IMPL_VULKAN_CODE(name##_int8) }
#define IMPL_VULKAN_WORK(name)                                                           \
  {                                                                                      \
    IMPL_VULKAN_TIERS(name##_moves), IMPL_VULKAN_TIERS(name##_converts), {               \
      IMPL_VULKAN_COMPUTES(name##_computes), IMPL_VULKAN_COMPUTES(name##_computes_int8), \
          IMPL_VULKAN_COMPUTES(name##_computes_float_controls)                           \
    }                                                                                    \
  }
  static const ShaderCode kCodes[kKernels - 1][kWorks][kTiers] = {
      IMPL_VULKAN_WORK(row),
      IMPL_VULKAN_WORK(tile),
      IMPL_VULKAN_WORK(packed),
      IMPL_VULKAN_WORK(generic),
  };
#undef IMPL_VULKAN_WORK
#undef IMPL_VULKAN_TIERS
  return kCodes[static_cast<int>(kernel) - 1][static_cast<int>(work)][static_cast<int>(tier)];
}

const ShaderCode& ShaderOf(Kernel kernel, const Function& function, Tier tier) {
#define IMPL_VULKAN_FUNCTIONS(name)                                             \
  {                                                                             \
    {IMPL_VULKAN_CODE(name), IMPL_VULKAN_CODE(name##_int8),                     \
     IMPL_VULKAN_CODE(name##_float_controls)},                                  \
        {IMPL_VULKAN_CODE(name##_curves), IMPL_VULKAN_CODE(name##_curves_int8), \
         IMPL_VULKAN_CODE(name##_curves_int8)},                                 \
  }
  static const ShaderCode kCodes[2][2][2][kTiers] = {
      {IMPL_VULKAN_FUNCTIONS(row_forward), IMPL_VULKAN_FUNCTIONS(row_backward)},
      {IMPL_VULKAN_FUNCTIONS(generic_forward), IMPL_VULKAN_FUNCTIONS(generic_backward)},
  };
#undef IMPL_VULKAN_FUNCTIONS
  return kCodes[kernel == Kernel::kRow ? 0 : 1][function.backward ? 1 : 0][function.piece() ? 0 : 1]
               [static_cast<int>(tier)];
}

#undef IMPL_VULKAN_COMPUTES
#undef IMPL_VULKAN_CODE

}  // namespace impl_vulkan
