#include "api/reorder/operation.h"

#include <cmath>
#include <memory>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace spi {
namespace {

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("reorder: ", args...));
}

absl::Status CheckShapes(const Layout& src, const Layout& dst) {
  if (src.rank != dst.rank)
    return Invalid("src.rank = ", src.rank, " is not dst.rank = ", dst.rank, " (REO-011)");
  for (int j = 0; j < src.rank; ++j) {
    if (src.dims[j] == dst.dims[j]) continue;
    const bool broadcast = src.dims[j] == 1 || dst.dims[j] == 1;
    return Invalid("src.dims[", j, "] = ", src.dims[j], " is not dst.dims[", j, "] = ", dst.dims[j],
                   broadcast ? " (REO-012)" : " (REO-011)");
  }
  return absl::OkStatus();
}

absl::Status CheckSum(const ReorderView& operation) {
  if (!operation.has_sum || std::isfinite(operation.beta)) return absl::OkStatus();
  return Invalid("sum scale = ", operation.beta, " is not finite (REO-052)");
}

absl::Status Validate(const Operation& request) {
  const ReorderView operation(request);
  const absl::Status status = CheckShapes(operation.src, operation.dst);
  return status.ok() ? CheckSum(operation) : status;
}

constexpr ArgumentRule kArguments[] = {
    {kArgSrc, "src", static_cast<uint8_t>(Access::kRead), 0, 0, false, "REO-022"},
    {kArgDst, "dst", static_cast<uint8_t>(Access::kWrite), 0, 0, false, "REO-022"},
};
constexpr InPlace kInPlace[] = {{kArgDst, kArgSrc}};

}  // namespace

constexpr Signature kReorderSignature = {
    PrimitiveKind::kReorder,
    "reorder",
    kArguments,
    "REO-023",
    "REO-015",
    {AttributeSupport::kOutputScales | AttributeSupport::kZeroPoints | AttributeSupport::kPostOps |
         AttributeSupport::kFpmathMode,
     "REO-061"},
    kInPlace,
    nullptr,
    Validate,
    nullptr,
};

Operation MakeReorder(const Layout& src, const Layout& dst,
                      std::shared_ptr<const Attributes> attributes) {
  Operation operation;
  operation.kind = PrimitiveKind::kReorder;
  operation.params = ReorderParams();
  operation.tensors = {{kArgSrc, Access::kRead, src}, {kArgDst, Access::kWrite, dst}};
  SetAttributes(std::move(attributes), &operation);
  return operation;
}

ReorderView::ReorderView(const Operation& operation)
    : src(operation.tensors[0].layout), dst(operation.tensors[1].layout) {
  if (operation.attributes == nullptr) return;
  for (const Scales& of : operation.attributes->scales) {
    scale_mask = of.mask;
    scales = of.values;
    run_time_scales = of.run_time;
    if (of.run_time) scale_count = LayoutOf(operation, kArgOutputScales).dims[0];
  }
  for (const ZeroPoint& zero : operation.attributes->zero_points)
    (zero.argument == kArgSrc ? src_zero_point : dst_zero_point) = zero;
  for (const PostOp& op : operation.attributes->post_ops) {
    const auto& sum = std::get<SumOp>(op);
    has_sum = true;
    beta = sum.scale;
    sum_type = sum.type;
  }
}

}  // namespace spi
