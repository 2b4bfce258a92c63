// Finds the compiled shader of a convolution kernel.
#ifndef DNNSPEC_IMPL_VULKAN_CONVOLUTION_SHADERS_H_
#define DNNSPEC_IMPL_VULKAN_CONVOLUTION_SHADERS_H_

#include "impl_vulkan/convolution/convolution.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/pipelines.h"

namespace impl_vulkan {

const ShaderCode& ConvolutionShaderOf(ConvolutionKernel kernel, bool extras, Tier tier);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_CONVOLUTION_SHADERS_H_
