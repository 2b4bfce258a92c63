// The planners of all topics, for engines.
#ifndef DNNSPEC_IMPL_VULKAN_PLANNERS_H_
#define DNNSPEC_IMPL_VULKAN_PLANNERS_H_

#include "impl_vulkan/model/planners.h"

namespace impl_vulkan {

Planners AllPlanners();

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PLANNERS_H_
