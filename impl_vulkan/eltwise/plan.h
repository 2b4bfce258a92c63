// Eltwise on Vulkan devices: none yet.
#ifndef DNNSPEC_IMPL_VULKAN_ELTWISE_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_ELTWISE_PLAN_H_

#include <memory>

#include "api/spi/implementation.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/model/planners.h"

namespace impl_vulkan {

// As model/planners.h says.
PlanResult PlanEltwise(const std::shared_ptr<Context>& context, const spi::Request& request);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_ELTWISE_PLAN_H_
