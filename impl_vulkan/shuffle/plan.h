// Shuffle as a move: a reorder whose axis is split in two, read in one order and written in the
// other. Backward exchanges the two extents, so one kind of loop serves both.
#ifndef DNNSPEC_IMPL_VULKAN_SHUFFLE_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_SHUFFLE_PLAN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/model/planners.h"
#include "impl_vulkan/strided/move.h"

namespace impl_vulkan {

// Fails as AddNests.
absl::StatusOr<Move> MoveOfShuffle(const spi::Operation& operation);

// As model/planners.h says.
PlanResult PlanShuffle(const std::shared_ptr<Context>& context, const spi::Request& request);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_SHUFFLE_PLAN_H_
