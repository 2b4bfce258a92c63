// Convolution on one device.
#ifndef DNNSPEC_IMPL_VULKAN_CONVOLUTION_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_CONVOLUTION_PLAN_H_

#include <memory>

#include "api/spi/implementation.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/model/planners.h"

namespace impl_vulkan {

// As model/planners.h says. What was left open becomes row-major. Candidates: the best kernel;
// where the convolution is a product of matrices, then the other one that the device can run.
PlanResult PlanConvolution(const std::shared_ptr<Context>& context, const spi::Request& request);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_CONVOLUTION_PLAN_H_
