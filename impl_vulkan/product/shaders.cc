#include "impl_vulkan/product/shaders.h"

#include "impl_vulkan/product/kernels.h"

namespace impl_vulkan {

const ShaderCode& ShaderOf(ProductKernel kernel, bool extras, Tier tier) {
#define IMPL_VULKAN_CODE(name, buffers) \
  { #name, shaders::name, sizeof shaders::name, buffers }
#define IMPL_VULKAN_TIERS(name, buffers)                                     \
  {                                                                          \
    IMPL_VULKAN_CODE(name, buffers), IMPL_VULKAN_CODE(name##_int8, buffers), \
        IMPL_VULKAN_CODE(name##_float_controls, buffers)                     \
  }
  static const ShaderCode kCodes[3][2][kTiers] = {
      {IMPL_VULKAN_TIERS(product_direct, 4), IMPL_VULKAN_TIERS(product_direct_extras, 6)},
      {IMPL_VULKAN_TIERS(product_tile, 4), IMPL_VULKAN_TIERS(product_tile_extras, 6)},
      {IMPL_VULKAN_TIERS(product_vector, 4), IMPL_VULKAN_TIERS(product_vector_extras, 6)},
  };
#undef IMPL_VULKAN_TIERS
#undef IMPL_VULKAN_CODE
  return kCodes[static_cast<int>(kernel)][extras ? 1 : 0][static_cast<int>(tier)];
}

}  // namespace impl_vulkan
