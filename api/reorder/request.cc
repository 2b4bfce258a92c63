#include "api/reorder/request.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/memory/tags.h"
#include "api/model/operation_attributes.h"
#include "api/reorder/operation.h"
#include "api/spi/signatures.h"
#include "oneapi/dnnl/types/arguments.h"

namespace api {
namespace {

namespace state = dnnl::state;

absl::Status CheckSide(const char* what, const dnnl_memory_desc_t& desc) {
  if (desc.ndims == 0) return absl::InvalidArgumentError(absl::StrCat(what, " is zero (REO-023)"));
  absl::Status status = CheckDesc(what, desc);
  if (status.ok() && desc.format_kind == dnnl_format_kind_any)
    return absl::InvalidArgumentError(absl::StrCat(what, " is `any` and has no layout (REO-022)"));
  return status;
}

absl::Status Unserved(const std::string& what, const char* id = "REO-061") {
  return absl::UnimplementedError(absl::StrCat("reorder: ", what, " (", id, ")"));
}

// Common ones of the two tensors.
absl::Status TakeZeroPoints(const state::primitive_attr& attr, spi::Attributes* attributes) {
  for (const auto& [arg, given] : attr.argument_zero_points) {
    if (given.neutral()) continue;
    const auto unserved = [arg = arg](const std::string& what, const char* id) {
      return Unserved(absl::StrCat("zero points of argument ", arg, what), id);
    };
    if (arg != DNNL_ARG_SRC && arg != DNNL_ARG_DST)
      return unserved(", which is neither DNNL_ARG_SRC nor DNNL_ARG_DST", "REO-ZP-015");
    if (given.mask != 0)
      return unserved(absl::StrCat(": mask = ", given.mask, " is not 0"), "REO-ZP-013");
    if (given.values.size() != 1)
      return unserved(absl::StrCat(": ", given.values.size(), " values are not 1"), "REO-ZP-014");
    const bool run_time = IsRunTime(given);
    attributes->zero_points.push_back({run_time ? 0 : given.values[0], run_time, arg});
  }
  return absl::OkStatus();
}

absl::Status TakeAttributes(const state::primitive_attr& attr, const spi::Operation& operation,
                            spi::Attributes* attributes) {
  absl::Status status = CheckAttributes("reorder", spi::kReorderSignature.attributes, attr);
  if (status.ok()) status = TakeZeroPoints(attr, attributes);
  if (!status.ok()) return status;
  TakeScales(attr, attributes);
  if (attr.post_ops.empty()) return absl::OkStatus();
  if (attr.post_ops.size() > 1)
    return Unserved(absl::StrCat(attr.post_ops.size(), " post-ops, more than 1"));
  const auto* sum = std::get_if<state::sum_op>(&attr.post_ops[0]);
  if (sum == nullptr) return Unserved("post-op 0 is not a sum");
  if (sum->zero_point != 0)
    return Unserved(absl::StrCat("sum zero point = ", sum->zero_point, " is not 0"), "REO-ZP-022");
  return TakePostOps("reorder", attr, LayoutOf(operation, spi::kArgDst).type, attributes);
}

absl::Status AddAttributes(const state::primitive_attr& attr, spi::Operation* operation) {
  auto attributes = std::make_shared<spi::Attributes>();
  absl::Status status = TakeAttributes(attr, *operation, attributes.get());
  if (status.ok()) spi::SetAttributes(std::move(attributes), operation);
  return status;
}

}  // namespace

absl::Status FillReorderRequest(const dnnl_memory_desc_t& src, const dnnl_memory_desc_t& dst,
                                const state::primitive_attr* attr, spi::Operation* operation) {
  absl::Status status = CheckSide("reorder: src_md", src);
  if (status.ok()) status = CheckSide("reorder: dst_md", dst);
  if (!status.ok()) return status;
  operation->kind = spi::PrimitiveKind::kReorder;
  operation->params = spi::ReorderParams();
  operation->tensors.resize(2);
  spi::TensorArg &from = operation->tensors[0], &to = operation->tensors[1];
  from.argument = spi::kArgSrc;
  FillLayout(src, &from.layout);
  to.argument = spi::kArgDst;
  to.access = spi::Access::kWrite;
  FillLayout(dst, &to.layout);
  if (attr != nullptr) status = AddAttributes(*attr, operation);
  return status;
}

absl::StatusOr<spi::Operation> WithoutRunTimeValues(const spi::Operation& request) {
  const spi::ReorderView given(request);
  spi::Layout src = given.src, dst = given.dst;
  spi::Layout* const sides[] = {&src, &dst};
  bool counts_known = true;
  int absent = -1;  // a dim that may turn out to be 0
  for (int j = 0; j < src.rank && j < dst.rank; ++j) {
    for (int side = 0; side < 2; ++side) {
      int64_t& dim = sides[side]->dims[j];
      if (dim == DNNL_RUNTIME_DIM_VAL) dim = sides[1 - side]->dims[j];
      if (dim != DNNL_RUNTIME_DIM_VAL) continue;
      dim = 1;
      if (given.scale_mask >> j & 1) {
        counts_known = false;
      } else {
        absent = j;
      }
    }
  }
  // Nothing has checked how many bytes the dims that are known make.
  for (spi::Layout* side : sides) {
    side->block_count = 0;
    side->blocks = {};
    side->offset = 0;
    side->strides.fill(0);
    absl::Status status =
        CheckExtent(side == &src ? "reorder: src_md" : "reorder: dst_md", DescOf(*side));
    if (status.ok()) continue;
    if (absent < 0) return status;
    src.dims[absent] = dst.dims[absent] = 0;  // what fits has no elements
  }
  for (spi::Layout* side : sides) {
    absl::Status status = RowMajorStrides(side->rank, side->dims.data(), side->strides.data());
    if (!status.ok()) return status;
  }
  // What repeats an element of the destination is wrong already.
  for (int j = 0; j < dst.rank; ++j)
    if (given.dst.strides[j] == 0) dst.strides[j] = 0;
  auto attributes = std::make_shared<spi::Attributes>();
  if (request.attributes != nullptr) *attributes = *request.attributes;
  for (spi::Scales& scales : attributes->scales) {
    if (counts_known) continue;
    scales.run_time = true;
    scales.values.clear();
  }
  spi::Operation known = spi::MakeReorder(src, dst, std::move(attributes));
  absl::Status status = spi::CheckRequest(known);
  if (!status.ok()) return status;
  return known;
}

}  // namespace api
