#include "api/plugin/translate.h"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "api/spi/signatures.h"
#include "api/spi/types.h"

namespace spi {
namespace {

// The two headers name the same numbers.
template <class T>
constexpr bool Same(T ours, int c) {
  return static_cast<int>(ours) == c;
}
static_assert(kMaxRank == DNNSPEC_MAX_RANK && kMaxBlocks == DNNSPEC_MAX_BLOCKS);
static_assert(Same(DataType::kF16, DNNSPEC_F16) && Same(DataType::kBF16, DNNSPEC_BF16));
static_assert(Same(DataType::kF32, DNNSPEC_F32) && Same(DataType::kS32, DNNSPEC_S32));
static_assert(Same(DataType::kS8, DNNSPEC_S8) && Same(DataType::kU8, DNNSPEC_U8));
static_assert(Same(EngineKind::kCpu, DNNSPEC_ENGINE_CPU));
static_assert(Same(EngineKind::kGpu, DNNSPEC_ENGINE_GPU));
static_assert(Same(kInOrder, DNNSPEC_IN_ORDER) && Same(kOutOfOrder, DNNSPEC_OUT_OF_ORDER));
static_assert(Same(LayoutKind::kNone, DNNSPEC_LAYOUT_NONE));
static_assert(Same(LayoutKind::kStrided, DNNSPEC_LAYOUT_STRIDED));
static_assert(Same(LayoutKind::kAny, DNNSPEC_LAYOUT_ANY));
static_assert(Same(LayoutKind::kOpaque, DNNSPEC_LAYOUT_OPAQUE));
static_assert(Same(Access::kRead, DNNSPEC_READ) && Same(Access::kWrite, DNNSPEC_WRITE));
static_assert(Same(Access::kReadWrite, DNNSPEC_READ_WRITE));
static_assert(Same(PrimitiveKind::kReorder, DNNSPEC_REORDER));
static_assert(Same(PrimitiveKind::kShuffle, DNNSPEC_SHUFFLE));
static_assert(Same(PrimitiveKind::kConvolution, DNNSPEC_CONVOLUTION));
static_assert(Same(PrimitiveKind::kEltwise, DNNSPEC_ELTWISE));
static_assert(Same(PrimitiveKind::kInnerProduct, DNNSPEC_INNER_PRODUCT));
static_assert(Same(PropKind::kForwardTraining, DNNSPEC_FORWARD_TRAINING));
static_assert(Same(PropKind::kForwardInference, DNNSPEC_FORWARD_INFERENCE));
static_assert(Same(PropKind::kBackward, DNNSPEC_BACKWARD));
static_assert(Same(PropKind::kBackwardData, DNNSPEC_BACKWARD_DATA));
static_assert(Same(PropKind::kBackwardWeights, DNNSPEC_BACKWARD_WEIGHTS));
static_assert(Same(kArgSrc, DNNSPEC_ARG_SRC) && Same(kArgDst, DNNSPEC_ARG_DST));
static_assert(Same(kArgWorkspace, DNNSPEC_ARG_WORKSPACE));
static_assert(Same(kArgScratchpad, DNNSPEC_ARG_SCRATCHPAD));
static_assert(Same(kArgDiffSrc, DNNSPEC_ARG_DIFF_SRC));
static_assert(Same(kArgDiffDst, DNNSPEC_ARG_DIFF_DST));
static_assert(Same(kArgOutputScales, DNNSPEC_ARG_OUTPUT_SCALES));
static_assert(Same(kArgZeroPoints, DNNSPEC_ARG_ZERO_POINTS));
static_assert(Same(kArgSrcZeroPoint, DNNSPEC_ARG_SRC_ZERO_POINT));
static_assert(Same(kArgDstZeroPoint, DNNSPEC_ARG_DST_ZERO_POINT));

CPostOp InWords(const SumOp& op) {
  CPostOp c = {};
  c.sum = {sizeof(c.sum), DNNSPEC_POST_OP_SUM, op.scale, static_cast<int32_t>(op.type)};
  return c;
}

CPostOp InWords(const EltwiseOp& op) {
  CPostOp c = {};
  c.eltwise = {sizeof(c.eltwise),
               DNNSPEC_POST_OP_ELTWISE,
               static_cast<int32_t>(op.algorithm),
               op.scale,
               op.alpha,
               op.beta};
  return c;
}

std::optional<PostOp> FromC(const dnnspec_post_op& c) {
  dnnspec_sum sum;
  dnnspec_eltwise eltwise;
  if (c.kind == DNNSPEC_POST_OP_SUM && dnnspec_read(&c, &sum, sizeof(sum)) != 0)
    return SumOp{sum.scale, static_cast<DataType>(sum.data_type)};
  if (c.kind == DNNSPEC_POST_OP_ELTWISE && dnnspec_read(&c, &eltwise, sizeof(eltwise)) != 0)
    return EltwiseOp{static_cast<Algorithm>(eltwise.algorithm), eltwise.scale, eltwise.alpha,
                     eltwise.beta};
  return std::nullopt;
}

// False where there is something that this program does not know.
bool FromC(const dnnspec_attributes& given, Attributes* attributes) {
  dnnspec_attributes c;
  bool known = dnnspec_read(&given, &c, sizeof(c)) != 0;
  for (uint32_t k = 0; k < c.scales_count; ++k) {
    dnnspec_scales scales;
    known &= dnnspec_read(c.scales[k], &scales, sizeof(scales)) != 0;
    Scales& made = attributes->scales.emplace_back();
    made.argument = scales.argument;
    made.mask = scales.mask;
    made.run_time = scales.run_time != 0;
    if (scales.count > 0) made.values.assign(scales.values, scales.values + scales.count);
  }
  for (uint32_t k = 0; k < c.zero_point_count; ++k) {
    dnnspec_zero_point zero;
    known &= dnnspec_read(c.zero_points[k], &zero, sizeof(zero)) != 0;
    attributes->zero_points.push_back({zero.value, zero.run_time != 0, zero.argument});
  }
  for (uint32_t k = 0; known && k < c.post_op_count; ++k) {
    const std::optional<PostOp> op = FromC(*c.post_ops[k]);
    if (!op.has_value()) return false;
    attributes->post_ops.push_back(*op);
  }
  return known;
}

// Reads the parameters of the primitive at a place of Params.
template <size_t kIndex>
bool ReadParams(const void* given, Params* params) {
  using P = std::variant_alternative_t<kIndex, Params>;
  P& made = params->emplace<kIndex>();
  if constexpr (std::is_empty_v<P>) {
    uint32_t bytes;
    return given == nullptr || dnnspec_read(given, &bytes, sizeof(bytes)) != 0;
  } else {
    typename P::C c;
    if (given == nullptr || dnnspec_read(given, &c, sizeof(c)) == 0) return false;
    FromC(c, &made);
    return true;
  }
}

using ParamsReader = bool (*)(const void*, Params*);

template <size_t... kIndex>
constexpr std::array<ParamsReader, sizeof...(kIndex)> Readers(std::index_sequence<kIndex...>) {
  return {&ReadParams<kIndex>...};
}
constexpr auto kReaders = Readers(std::make_index_sequence<std::variant_size_v<Params>>());

// Of the kind of `c`; false where there is no such kind here.
bool ReadParams(const dnnspec_operation& c, Params* params) {
  for (size_t i = 0; i < kReaders.size(); ++i)
    if (static_cast<int32_t>(kSignatures[i]->kind) == c.kind) return kReaders[i](c.params, params);
  return false;
}

// Whether blocks can be computed with: they have axes and sizes, and whole ones fit 63 bits.
bool HasSoundBlocks(const Layout& layout) {
  for (int k = 0; k < layout.block_count; ++k) {
    const Block block = layout.blocks[k];
    if (block.axis < 0 || block.axis >= layout.rank || block.size < 2) return false;
  }
  for (int j = 0; j < layout.rank; ++j) {
    int64_t size = 1, padded = 0;
    for (int k = 0; k < layout.block_count; ++k)
      if (layout.blocks[k].axis == j && __builtin_mul_overflow(size, layout.blocks[k].size, &size))
        return false;
    if (__builtin_add_overflow(layout.dims[j], size, &padded)) return size == 1;
  }
  return true;
}

}  // namespace

dnnspec_layout ToC(const Layout& layout) {
  dnnspec_layout c = {};
  c.kind = static_cast<int32_t>(layout.kind);
  c.data_type = static_cast<int32_t>(layout.type);
  c.rank = layout.rank;
  c.block_count = layout.block_count;
  std::copy(layout.dims.begin(), layout.dims.end(), c.dims);
  std::copy(layout.strides.begin(), layout.strides.end(), c.strides);
  for (int k = 0; k < layout.block_count; ++k)
    c.blocks[k] = {layout.blocks[k].axis, layout.blocks[k].size};
  c.owner = layout.owner;
  c.opaque_format = layout.opaque_format;
  (layout.kind == LayoutKind::kOpaque ? c.opaque_bytes : c.offset) = layout.offset;
  return c;
}

std::optional<Layout> FromC(const dnnspec_layout& c) {
  if (c.kind < DNNSPEC_LAYOUT_NONE || c.kind > DNNSPEC_LAYOUT_OPAQUE ||
      c.data_type < DNNSPEC_UNDEF || c.data_type > DNNSPEC_U8 || c.rank < 0 || c.rank > kMaxRank)
    return std::nullopt;
  Layout layout;
  layout.kind = static_cast<LayoutKind>(c.kind);
  layout.type = static_cast<DataType>(c.data_type);
  layout.rank = static_cast<uint8_t>(c.rank);
  std::copy_n(c.dims, c.rank, layout.dims.begin());
  for (int j = 0; j < c.rank; ++j)
    if (c.dims[j] < 0) return std::nullopt;
  if (layout.kind == LayoutKind::kOpaque) {
    if (c.opaque_format < 0 || c.opaque_format > std::numeric_limits<uint16_t>::max())
      return std::nullopt;
    layout.opaque_format = static_cast<uint16_t>(c.opaque_format);
    layout.opaque_bytes = c.opaque_bytes;
  } else if (layout.kind == LayoutKind::kStrided) {
    if (c.block_count < 0 || c.block_count > kMaxBlocks) return std::nullopt;
    for (int j = 0; j < c.rank; ++j)
      if (c.strides[j] == kRunTimeValue) return std::nullopt;
    std::copy_n(c.strides, c.rank, layout.strides.begin());
    layout.offset = c.offset;
    layout.block_count = static_cast<uint8_t>(c.block_count);
    for (int k = 0; k < c.block_count; ++k) layout.blocks[k] = {c.blocks[k].axis, c.blocks[k].size};
    if (!HasSoundBlocks(layout)) return std::nullopt;
  }
  return layout;
}

std::string ToString(const dnnspec_layout& c) {
  std::string text = "layout of kind " + std::to_string(c.kind) + ", data type " +
                     std::to_string(c.data_type) + ", rank " + std::to_string(c.rank) + ", " +
                     std::to_string(c.block_count) + " blocks";
  for (int k = 0; k < std::min(c.block_count, kMaxBlocks); ++k)
    text += " " + std::to_string(c.blocks[k].size) + "@" + std::to_string(c.blocks[k].axis);
  return text;
}

COperation::COperation(const Operation& operation) {
  for (const TensorArg& tensor : operation.tensors) {
    dnnspec_tensor& c = tensors_.Add();
    c.bytes = sizeof(c);
    c.argument = tensor.argument;
    c.access = static_cast<int32_t>(tensor.access);
    c.layout = ToC(tensor.layout);
  }
  operation_.bytes = sizeof(operation_);
  operation_.kind = static_cast<int32_t>(operation.kind);
  operation_.prop_kind = static_cast<int32_t>(operation.prop);
  operation_.tensor_count = tensors_.size();
  operation_.tensors = tensors_.data();
  std::visit(
      [this](const auto& params) {
        using P = std::decay_t<decltype(params)>;
        if constexpr (!std::is_empty_v<P>) {
          auto& c = params_.template emplace<typename P::C>();
          ToC(params, &c);
          c.bytes = sizeof(c);
          operation_.params = &c;
        }
      },
      operation.params);
  if (operation.attributes != nullptr) SetAttributes(*operation.attributes);
}

void COperation::SetAttributes(const Attributes& attributes) {
  for (const Scales& scales : attributes.scales)
    scales_.Add() = {sizeof(dnnspec_scales),
                     scales.argument,
                     scales.mask,
                     scales.run_time ? 1 : 0,
                     scales.values.empty() ? nullptr : scales.values.data(),
                     static_cast<int64_t>(scales.values.size())};
  for (const ZeroPoint& zero : attributes.zero_points)
    zero_points_.Add() = {sizeof(dnnspec_zero_point), zero.argument, zero.value,
                          zero.run_time ? 1 : 0};
  for (const PostOp& op : attributes.post_ops)
    post_ops_.Add() = std::visit([](const auto& one) { return InWords(one); }, op);
  attributes_ = {sizeof(attributes_), scales_.size(),      zero_points_.size(), post_ops_.size(),
                 scales_.data(),      zero_points_.data(), post_ops_.data()};
  operation_.attributes = &attributes_;
}

std::optional<Operation> FromC(const dnnspec_operation& given) {
  dnnspec_operation c;
  Operation operation;
  if (dnnspec_read(&given, &c, sizeof(c)) == 0 || !ReadParams(c, &operation.params))
    return std::nullopt;
  operation.kind = static_cast<PrimitiveKind>(c.kind);
  operation.prop = static_cast<PropKind>(c.prop_kind);
  for (uint32_t k = 0; k < c.tensor_count; ++k) {
    dnnspec_tensor tensor;
    if (dnnspec_read(c.tensors[k], &tensor, sizeof(tensor)) == 0) return std::nullopt;
    const std::optional<Layout> layout = FromC(tensor.layout);
    if (!layout.has_value()) return std::nullopt;
    operation.tensors.push_back({tensor.argument, static_cast<Access>(tensor.access), *layout});
    operation.tensors.back().layout.owner = static_cast<uint16_t>(tensor.layout.owner);
  }
  if (c.attributes == nullptr) return operation;
  auto attributes = std::make_shared<Attributes>();
  if (!FromC(*c.attributes, attributes.get())) return std::nullopt;
  operation.attributes = std::move(attributes);
  return operation;
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
    case DNNSPEC_FAILED:
      return absl::InternalError(text.empty() ? "failed" : text);
    default:
      return absl::InternalError("status " + std::to_string(status) +
                                 ", which the plug-in table does not define" +
                                 (text.empty() ? "" : ": " + text));
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
