// Which terms the dispatches of a convolution sum, found as the shaders find them.
#ifndef DNNSPEC_IMPL_VULKAN_CONVOLUTION_TESTING_TERMS_H_
#define DNNSPEC_IMPL_VULKAN_CONVOLUTION_TESTING_TERMS_H_

#include <cstddef>

#include "api/convolution/operation.h"
#include "impl_vulkan/convolution/convolution.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {
namespace testing {

// Expects that the dispatches of `operation` sum each of its terms once, in the places that layouts
// say, and fit `limits`. Returns how many there are; 0: refused.
size_t Check(const spi::Operation& operation, const Limits& limits,
             ConvolutionKernel kernel = ConvolutionKernel::kDirect);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_CONVOLUTION_TESTING_TERMS_H_
