#include "impl_cpu/reorder/plan.h"

#include <cstdint>

#include "api/reorder/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/numeric/element.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/plan.h"

namespace impl_cpu {
namespace {

Arithmetic PlanArithmetic(const spi::ReorderView& operation) {
  Arithmetic arithmetic;
  arithmetic.src = operation.src.type;
  arithmetic.dst = operation.dst.type;
  const bool neutral = operation.scale_mask == 0 && !operation.run_time_scales &&
                       (operation.scales.empty() || operation.scales[0] == 1.0f);
  if (!neutral && (operation.run_time_scales || !operation.scales.empty())) {
    arithmetic.scale =
        operation.scale_mask == 0 ? Arithmetic::Scale::kOne : Arithmetic::Scale::kMany;
    arithmetic.run_time_scales = operation.run_time_scales;
    arithmetic.scales.assign(operation.scales.begin(), operation.scales.end());
  }
  arithmetic.sum = operation.has_sum && operation.beta != 0;
  if (arithmetic.sum) {
    arithmetic.beta = operation.beta;
    arithmetic.sum_type =
        operation.sum_type == spi::DataType::kUndef ? operation.dst.type : operation.sum_type;
  }
  arithmetic.shifted = operation.has_zero_points();
  arithmetic.run_time_src_zero = operation.src_zero_point.run_time;
  arithmetic.run_time_dst_zero = operation.dst_zero_point.run_time;
  if (operation.src_zero_point.present())
    arithmetic.zeros.src = Widen(operation.src_zero_point.value);
  if (operation.dst_zero_point.present())
    arithmetic.zeros.dst = Widen(operation.dst_zero_point.value);
  arithmetic.computed =
      arithmetic.shifted || arithmetic.scale != Arithmetic::Scale::kNone || operation.has_sum;
  return arithmetic;
}

}  // namespace

Problem ReorderProblem(const spi::Operation& request) {
  const spi::ReorderView operation(request);
  const spi::Layout& dst = operation.dst;
  Problem problem;
  problem.arithmetic = PlanArithmetic(operation);
  // The scales are row-major over the axes in the mask (ORC-SCALE).
  spi::AxisMap map;
  if (problem.arithmetic.scale == Arithmetic::Scale::kMany) {
    int64_t stride = 1;
    for (int j = dst.rank; j-- > 0;) {
      if ((operation.scale_mask >> j & 1) == 0) continue;
      map.scale_strides[j] = stride;
      stride *= dst.dims[j];
    }
  }
  PlanNests(operation.src, dst, map, &problem);
  return problem;
}

absl::StatusOr<spi::Planned> PlanReorder(const spi::Request& request) {
  return PlanStrided(ReorderProblem(request.operation), request.candidate);
}

}  // namespace impl_cpu
