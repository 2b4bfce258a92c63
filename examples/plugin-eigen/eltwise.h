// Eltwise: each algorithm as two functions of one number.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_EIGEN_ELTWISE_H_
#define DNNSPEC_EXAMPLES_PLUGIN_EIGEN_ELTWISE_H_

#include <memory>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-eigen/plans.h"

namespace plugin_eigen {

// f32 in plain layouts, without attributes.
dnnspec_status PlanEltwise(const dnnspec_operation& operation, dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* plan);

}  // namespace plugin_eigen

#endif  // DNNSPEC_EXAMPLES_PLUGIN_EIGEN_ELTWISE_H_
