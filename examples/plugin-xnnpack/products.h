// Inner product and convolution, forward: XNNPACK is for inference.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_PRODUCTS_H_
#define DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_PRODUCTS_H_

#include <memory>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/plugin.h"

namespace plugin {

// f32, plain layouts, no attributes; `chosen` as in MakePlan.
dnnspec_status PlanInnerProduct(const dnnspec_operation& operation, dnnspec_layout* chosen,
                                std::unique_ptr<dnnspec_plan>* plan);
// All groups, strides, dilations and padding of one to three axes.
dnnspec_status PlanConvolution(const dnnspec_operation& operation, dnnspec_layout* chosen,
                               std::unique_ptr<dnnspec_plan>* plan);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_PRODUCTS_H_
