// Finds the compiled shader of a kernel that moves.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_SHADERS_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_SHADERS_H_

#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/pipelines.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

// `kernel` is not kCopy.
const ShaderCode& ShaderOf(Kernel kernel, Work work, Tier tier);

// That computes a function; `kernel` is kRow or kGeneric.
const ShaderCode& ShaderOf(Kernel kernel, const Function& function, Tier tier);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_SHADERS_H_
