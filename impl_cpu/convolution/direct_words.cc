// Bytes and bf16 as words that kernels of panels multiply: what is read and weights, planned and
// made.
#include <algorithm>

#include "api/spi/layout.h"
#include "impl_cpu/convolution/direct.h"
#include "impl_cpu/convolution/weights_layout.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/panels.h"
#include "impl_cpu/product/product_plan.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

using spi::DataType;

// Bytes of a word, if these are not widened.
constexpr int kQuad = 4;

size_t BytesOfPairs(int64_t halves) {
  return RoundUp(static_cast<size_t>(halves) * sizeof(int16_t), kCacheLine);
}

}  // namespace

// Which words a kernel serves, if any, for what is read: depth_ counts them then.
void DirectConvolution::PlanWords(const spi::ConvolutionView& view) {
  if (bf16_) {
    words_ = Words::kBf16;
    depth_ = CeilDiv(depth_, Side());
    return;
  }
  const bool whole = depth_ % kQuad == 0;
  if (!integers_ || (groups_ > 1 && !whole)) return;
  const PanelRowKernel quads = FindQuadPanelRowKernel(), pairs = FindPairPanelRowKernel();
  if (quads.run != nullptr && view.src.type == DataType::kU8) {
    words_ = Words::kQuads;
  } else if (pairs.run != nullptr && (whole || PlanTapRows(view))) {
    // Pairs of fewer channels than four, but for rows of taps, take as long as floats.
    words_ = Words::kPairs;
    source_pairs_ = FindPairKernels(view.src.type);
    weight_pairs_ = FindPairKernels(DataType::kS8);
  } else {
    return;
  }
  if (tap_rows_.taps > 0) return;
  depth_ = CeilDiv(depth_, kQuad) * (words_ == Words::kQuads ? 1 : 2);
}

void DirectConvolution::PlanSourceWords(const spi::Layout& layout) {
  if (tap_rows_.taps > 0) return PlanTapRowSource(layout);
  const int64_t side = Side();
  const auto whole = [side](int64_t stride) { return stride % side == 0; };
  const bool fits = layout.dims[1] % side == 0 && HasChannelRows(layout, &source_) &&
                    whole(source_.batch) &&
                    std::all_of(source_.spatial.begin(), source_.spatial.end(), whole);
  spi::Layout read = ChannelsLast(layout);
  // What is widened lies without gaps.
  const bool dense = fits && layout.strides == read.strides;
  if (fits && (words_ != Words::kPairs || dense)) {
    read = layout;
  } else {
    read = ChannelsLast(layout, side);
    source_copy_ = TensorCopy(layout, read);
    HasChannelRows(read, &source_);
  }
  source_offset_ = read.offset * spi::SizeOf(read.type);
  source_.offset = 0;
  source_.batch /= OfWord();
  for (int64_t& stride : source_.spatial) stride /= OfWord();
  spi::SizeInBytes(read, &source_halves_);
  source_halves_ -= source_offset_;
}

void DirectConvolution::PlanWeightWords(const spi::ConvolutionView& view) {
  if (tap_rows_.taps > 0) return PlanTapRowWeights(view);
  const bool data = view.prop == spi::PropKind::kBackwardData;
  const auto side = static_cast<int>(Side());
  const WeightsAxes axes = AxesOf(view, data);
  const spi::Layout wanted = PanelsOf(view, data, view.weights.type, side);
  const bool fits = PanelDepth(view.weights, axes.rows, axes.cols) == side &&
                    (words_ != Words::kPairs || wanted.strides == view.weights.strides);
  const spi::Layout& taken = TakeWeights(view.weights, wanted, fits);
  weights_offset_ = taken.offset * spi::SizeOf(taken.type);
  int64_t bytes = 0;
  spi::SizeInBytes(taken, &bytes);
  weight_halves_ = (bytes - weights_offset_) / (kPanel * kQuad) * (kPanel * kQuad);
  weights_tap_ = depth_ * kPanel;
  weights_panel_ = taken.strides[static_cast<size_t>(axes.cols[0])] / OfWord();
  weights_group_ = view.grouped ? taken.strides[0] / OfWord() : 0;
}

size_t DirectConvolution::pair_bytes() const {
  if (words_ != Words::kPairs) return 0;
  return BytesOfPairs(source_halves_) + BytesOfPairs(weight_halves_);
}

const std::byte* DirectConvolution::ReadSource(spi::Buffers buffers, std::byte** scratchpad) const {
  const std::byte* const from = source_copy_.Read(DataOf(source_buffer_, buffers), scratchpad);
  if (words_ != Words::kPairs) return from + source_offset_;
  std::byte* const pairs = *scratchpad;
  *scratchpad += BytesOfPairs(source_halves_);
  if (tap_rows_.taps > 0) {
    ReadTapRows(from + source_offset_, reinterpret_cast<int16_t*>(pairs));
    return pairs;
  }
  constexpr int64_t kPiece = 1 << 16;
  ParallelFor(CeilDiv(source_halves_, kPiece), threads_, [&](int64_t piece) {
    const int64_t first = piece * kPiece;
    source_pairs_.widen(from + source_offset_ + first, std::min(kPiece, source_halves_ - first),
                        reinterpret_cast<int16_t*>(pairs + 2 * first));
  });
  return pairs;
}

const std::byte* DirectConvolution::ReadWeights(spi::Buffers buffers,
                                                std::byte** scratchpad) const {
  const std::byte* const from = weights_copy_.Read(DataOf(weights_buffer_, buffers), scratchpad);
  if (words_ == Words::kFloats) return from + weights_offset_ * spi::SizeOf(DataType::kF32);
  if (words_ != Words::kPairs) return from + weights_offset_;
  std::byte* const pairs = *scratchpad;
  *scratchpad += BytesOfPairs(weight_halves_);
  if (tap_rows_.taps > 0) {
    ReadTapRowWeights(from + weights_offset_, reinterpret_cast<int16_t*>(pairs));
    return pairs;
  }
  SplitLines(weight_pairs_, from + weights_offset_, weight_halves_ / (kPanel * kQuad), threads_,
             reinterpret_cast<int16_t*>(pairs));
  return pairs;
}

}  // namespace impl_cpu
