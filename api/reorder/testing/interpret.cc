#include "api/reorder/testing/interpret.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/reorder/operation.h"
#include "api/spi/attributes.h"
#include "api/spi/layout.h"
#include "api/spi/types.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/convert.h"
#include "spec/reorder/oracle.h"

namespace spi {
namespace {

using spec::Bits;

class RightReorder final : public Right {
 public:
  explicit RightReorder(const spec::ReorderElement& element) : element_(element) {}

  Bits value() const override { return spec::Expected(element_); }
  bool Allows(Bits got) const override {
    const spec::ReorderElement& e = element_;
    if (e.scaled || e.sum || e.src_zero || e.dst_zero) return spec::SameValue(e.to, value(), got);
    return spec::AcceptsCopy(e.from, e.to, e.source, got, spec::Strictness::kProject);
  }
  std::string Text() const override {
    return spec::ExpectedText(element_, spec::Strictness::kProject);
  }

 private:
  const spec::ReorderElement& element_;
};

std::optional<int32_t> ZeroOf(const ZeroPoint& point, int argument, const Tensors& tensors) {
  if (!point.present()) return std::nullopt;
  return point.run_time ? static_cast<int32_t>(tensors[argument][0]) : point.value;
}

}  // namespace

void InterpretReorder(const Tensors& tensors, Use use) {
  const ReorderView view(tensors.operation);
  const Tensor src = tensors[kArgSrc];
  Tensor dst = tensors[kArgDst];
  std::vector<float> scales(view.scales.begin(), view.scales.end());
  if (view.run_time_scales) {
    const std::vector<double> given = tensors.Numbers(kArgOutputScales);
    scales.assign(given.begin(), given.end());
  }
  spec::ReorderElement element = {};
  element.from = src.type;
  element.to = dst.type;
  element.scaled =
      view.run_time_scales || (!scales.empty() && !(view.scale_mask == 0 && scales[0] == 1));
  element.sum = view.has_sum;
  element.beta = view.beta;
  element.old_type = view.sum_type == DataType::kUndef ? dst.type : TypeOf(view.sum_type);
  element.src_zero = ZeroOf(view.src_zero_point, kArgSrcZeroPoint, tensors);
  element.dst_zero = ZeroOf(view.dst_zero_point, kArgDstZeroPoint, tensors);
  const spec::Dims dims(view.dst.dims.begin(), view.dst.dims.begin() + view.dst.rank);
  spec::Dims x(dims.size());
  for (int64_t k = 0; k < dst.size(); ++k, spec::Next(dims, &x)) {
    element.source = src[k];
    element.old = dst[k];
    if (element.scaled)
      element.alpha = scales[static_cast<size_t>(spec::ScaleIndex(view.scale_mask, dims, x))];
    use(kArgDst, dst, k, RightReorder(element));
  }
  dst.ClearPadding();
}

}  // namespace spi
