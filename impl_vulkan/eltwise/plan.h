// Eltwise as a move on one device: each element goes to its place as its image under a function.
#ifndef DNNSPEC_IMPL_VULKAN_ELTWISE_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_ELTWISE_PLAN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/model/planners.h"
#include "impl_vulkan/strided/move.h"

namespace impl_vulkan {

// kUnimplemented for gradients of integers, for two gradients of different layouts, for functions
// that are not known, and where blocks do not nest as Move says.
absl::StatusOr<Move> MoveOfEltwise(const spi::Operation& operation);

// As model/planners.h says.
PlanResult PlanEltwise(const std::shared_ptr<Context>& context, const spi::Request& request);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_ELTWISE_PLAN_H_
