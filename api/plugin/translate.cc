#include "api/plugin/translate.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "api/reorder/operation.h"
#include "api/shuffle/operation.h"
#include "api/spi/types.h"

namespace spi {
namespace {

// The two headers name the same numbers.
template <class T>
constexpr bool Same(T ours, int c) {
  return static_cast<int>(ours) == c;
}
static_assert(kMaxRank == DNNSPEC_MAX_RANK);
static_assert(Same(DataType::kF16, DNNSPEC_F16) && Same(DataType::kBF16, DNNSPEC_BF16));
static_assert(Same(DataType::kF32, DNNSPEC_F32) && Same(DataType::kS32, DNNSPEC_S32));
static_assert(Same(DataType::kS8, DNNSPEC_S8) && Same(DataType::kU8, DNNSPEC_U8));
static_assert(Same(EngineKind::kCpu, DNNSPEC_ENGINE_CPU));
static_assert(Same(EngineKind::kGpu, DNNSPEC_ENGINE_GPU));
static_assert(Same(kInOrder, DNNSPEC_IN_ORDER) && Same(kOutOfOrder, DNNSPEC_OUT_OF_ORDER));
static_assert(Same(kArgSrc, DNNSPEC_ARG_SRC) && Same(kArgDst, DNNSPEC_ARG_DST));
static_assert(Same(kArgScratchpad, DNNSPEC_ARG_SCRATCHPAD));
static_assert(Same(kArgDiffSrc, DNNSPEC_ARG_DIFF_SRC));
static_assert(Same(kArgDiffDst, DNNSPEC_ARG_DIFF_DST));
static_assert(Same(kArgOutputScales, DNNSPEC_ARG_OUTPUT_SCALES));
static_assert(Same(kArgSrcZeroPoint, DNNSPEC_ARG_SRC_ZERO_POINT));
static_assert(Same(kArgDstZeroPoint, DNNSPEC_ARG_DST_ZERO_POINT));

dnnspec_layout ToC(const Layout& layout) {
  dnnspec_layout c = {};
  c.data_type = static_cast<int32_t>(layout.type);
  c.rank = layout.rank;
  std::copy(layout.dims.begin(), layout.dims.end(), c.dims);
  for (int j = 0; j < layout.rank; ++j) c.padded_dims[j] = PaddedDim(layout, j);
  std::copy(layout.strides.begin(), layout.strides.end(), c.strides);
  c.offset = layout.offset;
  c.block_count = layout.block_count;
  for (int k = 0; k < layout.block_count; ++k)
    c.blocks[k] = {layout.blocks[k].axis, 0, layout.blocks[k].size};
  return c;
}

Layout FromC(const dnnspec_layout& c) {
  Layout layout;
  layout.type = static_cast<DataType>(c.data_type);
  layout.kind = LayoutKind::kStrided;
  layout.rank = static_cast<uint8_t>(c.rank);
  std::copy(c.dims, c.dims + kMaxRank, layout.dims.begin());
  std::copy(c.strides, c.strides + kMaxRank, layout.strides.begin());
  layout.offset = c.offset;
  layout.block_count = static_cast<uint8_t>(c.block_count);
  for (int k = 0; k < c.block_count; ++k)
    layout.blocks[k] = {c.blocks[k].dim, static_cast<int32_t>(c.blocks[k].size)};
  return layout;
}

}  // namespace

COperation::COperation(const Operation& operation) {
  if (const auto reorder = AsReorder(operation)) {
    reorder_.src = ToC(reorder->src);
    reorder_.dst = ToC(reorder->dst);
    reorder_.scale_mask = reorder->scale_mask;
    reorder_.run_time_scales = reorder->run_time_scales;
    reorder_.scales = reorder->scales.empty() ? nullptr : reorder->scales.data();
    reorder_.scale_count = reorder->run_time_scales ? reorder->scale_count
                                                    : static_cast<int64_t>(reorder->scales.size());
    reorder_.has_sum = reorder->has_sum;
    reorder_.beta = reorder->beta;
    reorder_.sum_type = static_cast<int32_t>(reorder->sum_type);
    reorder_.src_zero_point = reorder->src_zero_point.value;
    reorder_.dst_zero_point = reorder->dst_zero_point.value;
    reorder_.run_time_src_zero_point = reorder->src_zero_point.run_time;
    reorder_.run_time_dst_zero_point = reorder->dst_zero_point.run_time;
    operation_.kind = DNNSPEC_REORDER;
    operation_.bytes = sizeof(reorder_);
    operation_.reorder = &reorder_;
  } else if (const auto shuffle = AsShuffle(operation)) {
    shuffle_.from = ToC(shuffle->from);
    shuffle_.to = ToC(shuffle->to);
    shuffle_.forward = shuffle->forward;
    shuffle_.axis = shuffle->axis;
    shuffle_.group_size = shuffle->group_size;
    operation_.kind = DNNSPEC_SHUFFLE;
    operation_.bytes = sizeof(shuffle_);
    operation_.shuffle = &shuffle_;
  }
}

std::optional<Operation> FromC(const dnnspec_operation& operation) {
  if (operation.kind == DNNSPEC_REORDER) {
    const dnnspec_reorder& c = *operation.reorder;
    auto made = std::make_shared<Attributes>();
    Attributes& attributes = *made;
    if (c.scales != nullptr || c.run_time_scales != 0) {
      Scales& scales = attributes.scales.emplace_back();
      scales.mask = c.scale_mask;
      scales.run_time = c.run_time_scales != 0;
      if (c.scales != nullptr) scales.values.assign(c.scales, c.scales + c.scale_count);
    }
    if (operation.bytes >= sizeof(c)) {  // an older host knows no zero points
      for (const ZeroPoint& zero :
           {ZeroPoint{c.src_zero_point, c.run_time_src_zero_point != 0, kArgSrc},
            ZeroPoint{c.dst_zero_point, c.run_time_dst_zero_point != 0, kArgDst}})
        if (zero.present()) attributes.zero_points.push_back(zero);
    }
    if (c.has_sum != 0)
      attributes.post_ops.push_back(SumOp{c.beta, static_cast<DataType>(c.sum_type)});
    return MakeReorder(FromC(c.src), FromC(c.dst), std::move(made));
  }
  if (operation.kind == DNNSPEC_SHUFFLE) {
    const dnnspec_shuffle& c = *operation.shuffle;
    return MakeShuffle(c.forward != 0 ? PropKind::kForwardTraining : PropKind::kBackwardData,
                       FromC(c.from), FromC(c.to), {c.axis, c.group_size});
  }
  return std::nullopt;
}

std::string OneLine(const char* text) {
  constexpr size_t kLongest = 500;
  std::string line;
  for (; *text != '\0'; ++text) {
    if (line.size() == kLongest) return line + "...";
    const auto byte = static_cast<unsigned char>(*text);
    line += byte < 0x20 || byte == 0x7f ? ' ' : *text;
  }
  return line;
}

absl::Status FromC(dnnspec_status status, const char* message) {
  const std::string text = message == nullptr ? "" : OneLine(message);
  switch (status) {
    case DNNSPEC_OK:
      return absl::OkStatus();
    case DNNSPEC_OUT_OF_MEMORY:
      return absl::ResourceExhaustedError(text.empty() ? "out of memory" : text);
    case DNNSPEC_UNIMPLEMENTED:
      return absl::UnimplementedError(text.empty() ? "unimplemented" : text);
    default:
      return absl::InternalError(text.empty() ? "failed with status " + std::to_string(status)
                                              : text);
  }
}

dnnspec_status ToC(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return DNNSPEC_OK;
    case absl::StatusCode::kResourceExhausted:
      return DNNSPEC_OUT_OF_MEMORY;
    case absl::StatusCode::kUnimplemented:
      return DNNSPEC_UNIMPLEMENTED;
    default:
      return DNNSPEC_FAILED;
  }
}

}  // namespace spi
