// Convolution as a matrix product for each tap of the kernel.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_EIGEN_CONVOLUTION_H_
#define DNNSPEC_EXAMPLES_PLUGIN_EIGEN_CONVOLUTION_H_

#include <memory>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/plugin.h"

namespace plugin {

// f32, plain layouts, no attributes; all directions, groups, strides, dilation and padding.
// `chosen` as in MakePlan.
dnnspec_status PlanConvolution(const dnnspec_operation& operation, dnnspec_layout* chosen,
                               std::unique_ptr<dnnspec_plan>* plan);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_EIGEN_CONVOLUTION_H_
