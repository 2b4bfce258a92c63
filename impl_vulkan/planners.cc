#include "impl_vulkan/planners.h"

#include <variant>

#include "api/spi/operation.h"
#include "impl_vulkan/planner_table.h"
#include "impl_vulkan/reorder/plan.h"
#include "impl_vulkan/strided/program.h"

namespace impl_vulkan {

Planners AllPlanners() {
  static_assert(kPlanners.size() == std::variant_size_v<spi::Params>);
  return {kPlanners, PlanTransfer, CopyBytes};
}

}  // namespace impl_vulkan
