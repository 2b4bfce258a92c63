#include "impl_vulkan/convolution/shaders.h"

#include "impl_vulkan/convolution/kernels.h"

namespace impl_vulkan {

const ShaderCode& ConvolutionShaderOf(bool extras, Flavour flavour) {
#define IMPL_VULKAN_CODE(name, buffers) \
  { #name, shaders::name, sizeof shaders::name, buffers }
#define IMPL_VULKAN_FLAVOURS(name, buffers)                                  \
  {                                                                          \
    IMPL_VULKAN_CODE(name, buffers), IMPL_VULKAN_CODE(name##_rich, buffers), \
        IMPL_VULKAN_CODE(name##_hardware, buffers)                           \
  }
  static const ShaderCode kCodes[2][kFlavours] = {
      IMPL_VULKAN_FLAVOURS(convolution_direct, 4),
      IMPL_VULKAN_FLAVOURS(convolution_direct_extras, 6),
  };
#undef IMPL_VULKAN_FLAVOURS
#undef IMPL_VULKAN_CODE
  return kCodes[extras ? 1 : 0][static_cast<int>(flavour)];
}

}  // namespace impl_vulkan
