#include "api/reorder/testing/reorder_operation.h"

#include <memory>
#include <utility>

#include "api/spi/types.h"

namespace spi {

ReorderOperation::operator Operation() const {
  auto made = std::make_shared<Attributes>();
  Attributes& attributes = *made;
  if (scale_mask != 0 || !scales.empty() || run_time_scales) {
    Scales output;
    output.mask = scale_mask;
    output.run_time = run_time_scales;
    output.values.assign(scales.begin(), scales.end());
    attributes.scales.push_back(std::move(output));
  }
  for (const auto& [argument, zero] :
       {std::pair(kArgSrc, src_zero_point), std::pair(kArgDst, dst_zero_point)})
    if (zero.present()) attributes.zero_points.push_back({zero.value, zero.run_time, argument});
  if (has_sum) attributes.post_ops.push_back(SumOp{beta, sum_type});
  Operation operation = MakeReorder(src, dst, std::move(made));
  if (run_time_scales) operation.tensors[2].layout = Strided(DataType::kF32, {scale_count});
  return operation;
}

}  // namespace spi
