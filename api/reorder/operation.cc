#include "api/reorder/operation.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace spi {
namespace {

template <typename... Args>
absl::Status Invalid(const Args&... args) {
  return absl::InvalidArgumentError(absl::StrCat("reorder: ", args...));
}

absl::Status CheckSide(const char* name, const Layout& layout) {
  if (layout.rank < 1 || layout.rank > kMaxRank)
    return Invalid(name, ".rank = ", layout.rank, " is not in [1, ", kMaxRank, "] (REO-023)");
  if (SizeOf(layout.type) == 0)
    return Invalid(name, ".type = ", static_cast<int>(layout.type), " is no data type (MD-020)");
  return absl::OkStatus();
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
  if (IsEmpty(dst)) return absl::OkStatus();
  for (int j = 0; j < dst.rank; ++j)
    if (dst.strides[j] == 0 && StepsAlong(dst, j) > 1)
      return Invalid("dst.strides[", j, "] = 0 repeats one element dst.dims[", j,
                     "] = ", dst.dims[j], " times (REO-015)");
  return absl::OkStatus();
}

// The product of the masked dims, or an error.
absl::Status CheckScales(const ReorderOperation& operation) {
  if (operation.scale_mask < 0)
    return Invalid("output scale mask = ", operation.scale_mask, " is negative (ATTR-026)");
  if (operation.scale_mask >> operation.dst.rank != 0)
    return Invalid("output scale mask = ", operation.scale_mask,
                   " has bits beyond dst.rank = ", operation.dst.rank, " (ATTR-025)");
  int64_t count = 1;
  bool overflow = false;
  for (int j = 0; j < operation.dst.rank; ++j)
    if (operation.scale_mask >> j & 1)
      overflow |= __builtin_mul_overflow(count, operation.dst.dims[j], &count);
  const int64_t given = operation.run_time_scales ? operation.scale_count
                                                  : static_cast<int64_t>(operation.scales.size());
  const bool none = !operation.run_time_scales && given == 0 && operation.scale_mask == 0;
  if (none || (!overflow && given == count)) return absl::OkStatus();
  return Invalid("output scales has ", given, " values for ",
                 overflow ? "more than 64 bits count" : absl::StrCat(count), " of mask ",
                 operation.scale_mask, " (ATTR-024)");
}

absl::Status CheckSum(const ReorderOperation& operation) {
  if (!operation.has_sum) return absl::OkStatus();
  if (SizeOf(operation.sum_type) != SizeOf(operation.dst.type))
    return Invalid("sum data type ", NameOf(operation.sum_type), " has ",
                   SizeOf(operation.sum_type), " bytes, not ", SizeOf(operation.dst.type), " of ",
                   NameOf(operation.dst.type), " (ATTR-050)");
  if (!std::isfinite(operation.beta))
    return Invalid("sum scale = ", operation.beta, " is not finite (REO-052)");
  return absl::OkStatus();
}

std::string ToString(const ZeroPoint& zero) {
  return zero.run_time ? "run-time" : absl::StrCat(zero.value);
}

}  // namespace

absl::Status Validate(const ReorderOperation& operation) {
  absl::Status status = CheckSide("src", operation.src);
  if (status.ok()) status = CheckSide("dst", operation.dst);
  if (status.ok()) status = CheckShapes(operation.src, operation.dst);
  if (status.ok()) status = CheckScales(operation);
  if (status.ok()) status = CheckSum(operation);
  return status;
}

std::string ToString(const ReorderOperation& operation) {
  std::string text =
      absl::StrCat("reorder ", ToString(operation.src), " -> ", ToString(operation.dst));
  if (operation.run_time_scales) absl::StrAppend(&text, " run-time");
  if (operation.run_time_scales || !operation.scales.empty())
    absl::StrAppend(&text, " scale mask ", operation.scale_mask);
  if (operation.has_sum) {
    absl::StrAppend(&text, " sum ", operation.beta);
    if (operation.sum_type != operation.dst.type)
      absl::StrAppend(&text, " as ", NameOf(operation.sum_type));
  }
  if (operation.src_zero_point.present())
    absl::StrAppend(&text, " src zero ", ToString(operation.src_zero_point));
  if (operation.dst_zero_point.present())
    absl::StrAppend(&text, " dst zero ", ToString(operation.dst_zero_point));
  return text;
}

}  // namespace spi
