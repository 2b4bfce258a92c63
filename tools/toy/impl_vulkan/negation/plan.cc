#include "impl_vulkan/negation/plan.h"

#include <utility>

#include "absl/status/status.h"
#include "api/spi/types.h"
#include "impl_vulkan/strided/move.h"
#include "impl_vulkan/strided/move_plan.h"

namespace impl_vulkan {

PlanResult PlanNegation(const std::shared_ptr<Context>& context, const spi::Request& request) {
  const spi::Layout& src = request.operation.tensors[0].layout;
  const spi::Layout& dst = request.operation.tensors[1].layout;
  absl::Status status = Fit(*context, {&src, &dst});
  if (!status.ok()) return status;
  Move move;
  move.from = move.to = spi::DataType::kF32;
  move.arithmetic.scales = Arithmetic::Scales::kOne;
  move.arithmetic.alpha = -1;
  if (!spi::IsEmpty(dst)) status = AddNests(src, dst, {}, &move);
  if (!status.ok()) return status;
  return MovePlan::Create(context, std::move(move), {}, request.candidate);
}

}  // namespace impl_vulkan
