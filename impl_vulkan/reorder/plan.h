// Reorder as a move, and its plans: on one device, and between a device and another or a host.
#ifndef DNNSPEC_IMPL_VULKAN_REORDER_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_REORDER_PLAN_H_

#include <memory>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/model/planners.h"
#include "impl_vulkan/strided/move.h"

namespace impl_vulkan {

// The scales themselves are not part of a move: kMany reads them from a table. Fails as AddNests.
absl::StatusOr<Move> MoveOfReorder(const spi::Operation& operation);

// As model/planners.h says.
PlanResult PlanReorder(const std::shared_ptr<Context>& context, const spi::Request& request);
PlanResult PlanTransfer(const std::shared_ptr<Context>& source,
                        const std::shared_ptr<Context>& destination, const spi::Request& request);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_REORDER_PLAN_H_
