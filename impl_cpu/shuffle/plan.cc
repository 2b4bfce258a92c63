#include "impl_cpu/shuffle/plan.h"

#include "api/shuffle/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/plan.h"

namespace impl_cpu {

Problem ShuffleProblem(const spi::Operation& request) {
  const spi::ShuffleView operation(request);
  const spi::Layout& to = operation.to;
  Problem problem;
  // Elements move bit for bit, whatever their type (SHU-030).
  problem.arithmetic.src = problem.arithmetic.dst = to.type;
  if (spi::IsEmpty(to)) return problem;
  const int64_t extent = to.dims[operation.axis];
  const int64_t cols = operation.forward ? operation.group_size : extent / operation.group_size;
  spi::AxisMap map;
  map.transposed = operation.axis;
  map.columns = cols;
  PlanNests(operation.from, to, map, &problem);
  return problem;
}

absl::StatusOr<spi::Planned> PlanShuffle(const spi::Request& request) {
  return PlanStrided(ShuffleProblem(request.operation), request.candidate);
}

}  // namespace impl_cpu
