// Eltwise: the algorithms that XNNPACK's operators of f32 make up.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_ELTWISE_H_
#define DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_ELTWISE_H_

#include <memory>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/plugin.h"

namespace plugin {

// Forward, f32 in plain layouts, without attributes.
dnnspec_status PlanEltwise(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* plan);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_XNNPACK_ELTWISE_H_
