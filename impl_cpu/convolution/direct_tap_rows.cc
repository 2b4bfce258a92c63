// First layers of bytes: a row of taps reads all its channels side by side, so that pairs go on
// from one place to the next, and only where places would not begin with a pair is a channel added.
// Rows of what is read are copied with zeros around them, and a row of taps is a single one of all
// its channels.
#include <algorithm>
#include <array>
#include <cstring>

#include "api/spi/layout.h"
#include "impl_cpu/convolution/direct.h"
#include "impl_cpu/convolution/weights_layout.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/panels.h"
#include "impl_cpu/product/product_plan.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

using spi::DataType;

// Pairs of a row of taps, at most; and what one of them and a float take.
constexpr int64_t kMostPairs = 32;
constexpr int64_t kPairTime = 4, kFloatTime = 3;
// Rows are not made longer than twice what they are.
constexpr int64_t kMostLonger = 2;
// Of a row, and of all rows: what else is counted fits.
constexpr int64_t kMostInput = int64_t{1} << 40, kMostHalves = int64_t{1} << 56;
// Rows that a thread copies at a time.
constexpr int64_t kRowsAtOnce = 32;

}  // namespace

// Plans rows of taps; false, and nothing is planned, where they are not worth it.
bool DirectConvolution::PlanTapRows(const spi::ConvolutionView& view) {
  const spi::ConvolutionAxis& along = view.axes[2];
  if (groups_ > 1 || along.kernel == 1 || along.kernel > 2 * kMostPairs || along.step != 1 ||
      along.output < 1 || along.input > kMostInput || spi::IsEmpty(view.src))
    return false;
  TapRows rows;
  // Places begin with a pair.
  rows.side = depth_ * (along.stride % 2) % 2 == 0 ? depth_ : depth_ + 1;
  rows.taps = along.kernel;
  const int64_t pairs = CeilDiv(rows.taps * rows.side, 2);
  if (pairs > kMostPairs || pairs * kPairTime > rows.taps * depth_ * kFloatTime) return false;
  const int64_t longest = kMostLonger * along.input;
  if (along.padding > longest || along.output > longest / along.stride) return false;
  rows.before = along.padding * rows.side;
  rows.step = along.stride * rows.side;
  rows.row = (along.output - 1) * rows.step + 2 * pairs;
  if (rows.row > longest * rows.side) return false;
  rows.count = view.batch * view.axes[0].input * view.axes[1].input;
  if (rows.count > kMostHalves / rows.row) return false;
  rows.inputs = {view.axes[0].input, view.axes[1].input, along.input * rows.side};
  rows.channels = depth_;
  tap_rows_ = rows;
  depth_ = pairs;
  axes_[2].kernel = 1;
  return true;
}

void DirectConvolution::PlanTapRowSource(const spi::Layout& layout) {
  spi::Layout read = layout;
  if (tap_rows_.side != tap_rows_.channels || !HasChannelRows(layout, &tap_rows_.source) ||
      tap_rows_.source.spatial[2] != tap_rows_.side) {
    read = ChannelsLast(layout, tap_rows_.side == tap_rows_.channels ? 1 : tap_rows_.side);
    source_copy_ = TensorCopy(layout, read);
    HasChannelRows(read, &tap_rows_.source);
  }
  source_offset_ = read.offset;
  const int64_t row = tap_rows_.row / 2;
  source_.type = layout.type;
  source_.offset = 0;
  source_.spatial = {tap_rows_.inputs[1] * row, row, tap_rows_.step / 2};
  source_.batch = tap_rows_.inputs[0] * source_.spatial[0];
  source_halves_ = tap_rows_.count * tap_rows_.row;
}

// Each place of a row reads all of what follows it.
void DirectConvolution::JoinTaps(Walk* walk) const {
  WalkAxis& along = walk->axes[2];
  along.step = 1;
  along.extent = along.count;
  along.taps.assign(1, {0, 0});
  along.lowest = along.highest = 0;
}

void DirectConvolution::ReadTapRows(const std::byte* from, int16_t* to) const {
  const TapRows& rows = tap_rows_;
  const int64_t count = std::clamp<int64_t>(rows.row - rows.before, 0, rows.inputs[2]);
  const int64_t before = std::min(rows.before, rows.row), behind = rows.row - before - count;
  ParallelFor(CeilDiv(rows.count, kRowsAtOnce), threads_, [&](int64_t piece) {
    const int64_t end = std::min(rows.count, (piece + 1) * kRowsAtOnce);
    for (int64_t r = piece * kRowsAtOnce; r < end; ++r) {
      const int64_t plane = r / rows.inputs[1];
      const int64_t at = r % rows.inputs[1] * rows.source.spatial[1] +
                         plane % rows.inputs[0] * rows.source.spatial[0] +
                         plane / rows.inputs[0] * rows.source.batch;
      int16_t* const row = to + r * rows.row;
      std::fill_n(row, before, int16_t{0});
      source_pairs_.widen(from + at, count, row + before);
      std::fill_n(row + before + count, behind, int16_t{0});
    }
  });
}

void DirectConvolution::PlanTapRowWeights(const spi::ConvolutionView& view) {
  const WeightsAxes axes = AxesOf(view, false);
  const spi::Layout wanted = PanelsOf(view, false, view.weights.type, 1);
  const bool fits =
      PanelDepth(view.weights, axes.rows, axes.cols) == 1 && wanted.strides == view.weights.strides;
  weights_offset_ = TakeWeights(view.weights, wanted, fits).offset;
  weights_tap_ = depth_ * kPanel;
  weights_panel_ = view.axes[0].kernel * view.axes[1].kernel * weights_tap_;
  weight_halves_ = CeilDiv(columns_, kPanel) * weights_panel_ * 2;
}

void DirectConvolution::ReadTapRowWeights(const std::byte* from, int16_t* to) const {
  const auto place = static_cast<size_t>(tap_rows_.channels * kPanel);
  const auto padded = static_cast<size_t>(tap_rows_.side * kPanel);
  // Channels of no tap stay 0.
  std::array<std::byte, size_t{2 * kMostPairs * kPanel}> lines{};
  const int64_t halves = 2 * weights_tap_;
  for (int64_t row = 0; row < weight_halves_ / halves; ++row, to += halves) {
    for (int64_t t = 0; t < tap_rows_.taps; ++t, from += place)
      std::memcpy(lines.data() + static_cast<size_t>(t) * padded, from, place);
    weight_pairs_.interleave(lines.data(), kPanel, 2 * depth_, to);
  }
}

}  // namespace impl_cpu
