#include "impl_cpu/negation/plan.h"

#include <utility>

#include "api/spi/types.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/plan.h"

namespace impl_cpu {

absl::StatusOr<spi::Planned> PlanNegation(const spi::Request& request) {
  const auto& tensors = request.operation.tensors;
  Problem problem;
  problem.arithmetic.src = problem.arithmetic.dst = spi::DataType::kF32;
  problem.arithmetic.scale = Arithmetic::Scale::kOne;
  problem.arithmetic.scales = {-1.0f};
  problem.arithmetic.computed = true;
  PlanNests(tensors[0].layout, tensors[1].layout, {}, &problem);
  return PlanStrided(std::move(problem), request.candidate);
}

}  // namespace impl_cpu
