#include "api/reorder/request.h"

#include <string>
#include <variant>

#include "absl/strings/str_cat.h"
#include "api/memory/checks.h"
#include "api/memory/layout.h"
#include "api/memory/tags.h"
#include "oneapi/dnnl/model/arguments.h"

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
absl::Status TakeZeroPoints(const state::primitive_attr& attr, spi::ReorderOperation* operation) {
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
    spi::ZeroPoint& zero =
        arg == DNNL_ARG_SRC ? operation->src_zero_point : operation->dst_zero_point;
    zero.run_time = IsRunTime(given);
    zero.value = zero.run_time ? 0 : given.values[0];
  }
  return absl::OkStatus();
}

absl::Status TakeAttributes(const state::primitive_attr& attr, spi::ReorderOperation* operation) {
  if (const char* name = FirstUncommonAttribute(attr))
    return Unserved(absl::StrCat("attribute ", name, " is not served"));
  absl::Status status = TakeZeroPoints(attr, operation);
  if (!status.ok()) return status;
  if (!attr.output.neutral()) {
    operation->scale_mask = attr.output.mask;
    operation->run_time_scales = IsRunTime(attr.output);
    if (!operation->run_time_scales) operation->scales = attr.output.values;
  }
  if (attr.post_ops.empty()) return absl::OkStatus();
  if (attr.post_ops.size() > 1)
    return Unserved(absl::StrCat(attr.post_ops.size(), " post-ops, more than 1"));
  const auto* sum = std::get_if<state::sum_op>(&attr.post_ops[0]);
  if (sum == nullptr) return Unserved("post-op 0 is not a sum");
  if (sum->zero_point != 0)
    return Unserved(absl::StrCat("sum zero point = ", sum->zero_point, " is not 0"), "REO-ZP-022");
  operation->has_sum = true;
  operation->beta = sum->scale;
  operation->sum_type =
      sum->type == dnnl_data_type_undef ? operation->dst.type : DataTypeOf(sum->type);
  return absl::OkStatus();
}

}  // namespace

absl::Status FillReorderRequest(const dnnl_memory_desc_t& src, const dnnl_memory_desc_t& dst,
                                const state::primitive_attr* attr,
                                spi::ReorderOperation* operation) {
  absl::Status status = CheckSide("reorder: src_md", src);
  if (status.ok()) status = CheckSide("reorder: dst_md", dst);
  if (!status.ok()) return status;
  FillLayout(src, &operation->src);
  FillLayout(dst, &operation->dst);
  if (attr != nullptr) status = TakeAttributes(*attr, operation);
  if (!status.ok()) return status;
  // How many run-time scales there are; with unknown dims among them, that is unknown too.
  for (int j = 0; operation->run_time_scales && j < operation->dst.rank; ++j) {
    if (!(operation->scale_mask >> j & 1)) continue;
    const int64_t dim = operation->dst.dims[j];
    if (dim == DNNL_RUNTIME_DIM_VAL ||
        __builtin_mul_overflow(operation->scale_count, dim, &operation->scale_count)) {
      operation->scale_count = DNNL_RUNTIME_DIM_VAL;
      break;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<spi::ReorderOperation> WithoutRunTimeValues(const spi::ReorderOperation& request) {
  spi::ReorderOperation known = request;
  spi::Layout* const sides[] = {&known.src, &known.dst};
  bool counts_known = true;
  int absent = -1;  // a dim that may turn out to be 0
  for (int j = 0; j < request.src.rank && j < request.dst.rank; ++j) {
    for (int side = 0; side < 2; ++side) {
      int64_t& dim = sides[side]->dims[j];
      if (dim == DNNL_RUNTIME_DIM_VAL) dim = sides[1 - side]->dims[j];
      if (dim != DNNL_RUNTIME_DIM_VAL) continue;
      dim = 1;
      if (request.scale_mask >> j & 1) {
        counts_known = false;
      } else {
        absent = j;
      }
    }
  }
  const spi::Dims dst_strides = request.dst.strides;
  // Nothing has checked how many bytes the dims that are known make.
  for (spi::Layout* side : sides) {
    side->block_count = 0;
    side->blocks = {};
    side->offset = 0;
    side->strides.fill(0);
    absl::Status status =
        CheckExtent(side == &known.src ? "reorder: src_md" : "reorder: dst_md", DescOf(*side));
    if (status.ok()) continue;
    if (absent < 0) return status;
    known.src.dims[absent] = known.dst.dims[absent] = 0;  // what fits has no elements
  }
  for (spi::Layout* side : sides) {
    absl::Status status = RowMajorStrides(side->rank, side->dims.data(), side->strides.data());
    if (!status.ok()) return status;
  }
  // What repeats an element of the destination is wrong already.
  for (int j = 0; j < known.dst.rank; ++j)
    if (dst_strides[j] == 0) known.dst.strides[j] = 0;
  if (known.run_time_scales || !(counts_known || known.scales.empty())) {
    known.scales.clear();
    known.run_time_scales = true;
    known.scale_count = 1;
    for (int j = 0; j < known.dst.rank; ++j)
      if (known.scale_mask >> j & 1)
        if (__builtin_mul_overflow(known.scale_count, known.dst.dims[j], &known.scale_count))
          known.scale_count = 0;  // Validate says so
  }
  absl::Status status = spi::Validate(known);
  if (!status.ok()) return status;
  return known;
}

}  // namespace api
