#include "impl_vulkan/convolution/pieces.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "impl_vulkan/product/pieces.h"

namespace impl_vulkan {
namespace {

// Of an invocation.
constexpr int64_t kMostRows = 4;
// Gathered places are told from those below 0 by their sign.
constexpr int64_t kFarthest = (int64_t{1} << 31) - 1;

// The least and the largest v of a gather.
std::pair<int64_t, int64_t> ReachOf(const Gather& gather, const LoopRange& x, const LoopRange& t) {
  const auto add = [](int64_t step, const LoopRange& range, std::pair<int64_t, int64_t>* reach) {
    const int64_t first = step * range.first, last = step * (range.first + range.extent - 1);
    reach->first += std::min(first, last);
    reach->second += std::max(first, last);
  };
  std::pair<int64_t, int64_t> reach{gather.base, gather.base};
  add(gather.row_step, x, &reach);
  add(gather.tap_step, t, &reach);
  return reach;
}

// The coordinates [first, last) of an axis, or fewer of those before `first` as blocks allow.
// Returns the first one of the slice.
int64_t Slice(int axis, int64_t first, int64_t last, spi::Layout* layout) {
  const auto at = static_cast<size_t>(axis);
  const int64_t block = spi::BlockAlong(*layout, axis), begin = first / block;
  layout->offset += begin * layout->strides[at];
  layout->dims[at] = last - begin * block;
  return begin * block;
}

int64_t SumsOf(const ConvolutionPiece& piece) {
  return piece.ExtentOf(kGroup) * piece.ExtentOf(kChannel) * piece.ExtentOfFour(kOuter);
}

class Cutter {
 public:
  Cutter(const Convolution& convolution, const Limits& limits)
      : convolution_(convolution), limits_(limits) {
    ConvolutionPiece whole;
    whole.ranges = convolution.ranges;
    limits_.terms = MostTerms(SumsOf(whole), whole.ExtentOfFour(kInner), limits);
  }

  absl::StatusOr<std::vector<ConvolutionPiece>> Run() const;

 private:
  struct Cut {
    int loop = kNoLoop;
    int64_t extent = 0, grain = 1;
    int64_t reach = 0;  // bytes from the first to the last, or what else is too much
  };

  // Fills in what follows from the ranges.
  void Complete(ConvolutionPiece* piece) const;
  void GatherAxis(int axis, int d, ConvolutionPiece* piece) const;
  int64_t FullOf(int loop) const { return convolution_.ranges[static_cast<size_t>(loop)].extent; }

  bool Fits(const ConvolutionPiece& piece, int which) const;
  bool FitsElements(const ConvolutionPiece& piece) const;
  bool FitsRounds(const ConvolutionPiece& piece) const;
  bool FitsTerms(const ConvolutionPiece& piece) const;
  bool FitsGather(const ConvolutionPiece& piece, int d) const;
  bool Fits(const ConvolutionPiece& piece) const;

  Cut BestCut(const ConvolutionPiece& piece) const;
  std::optional<std::pair<ConvolutionPiece, ConvolutionPiece>> Halve(
      const ConvolutionPiece& piece) const;
  int64_t GrainOf(int loop) const;
  int64_t ReachOf(const ConvolutionPiece& piece, int loop) const;

  const Convolution& convolution_;
  Limits limits_;
};

void Cutter::GatherAxis(int axis, int d, ConvolutionPiece* piece) const {
  spi::Layout& layout = piece->operands[kA].layout;
  Gather& gather = piece->gathers[static_cast<size_t>(d)];
  const auto [least, most] =
      impl_vulkan::ReachOf(gather, piece->ranges[static_cast<size_t>(kX0 + d)],
                           piece->ranges[static_cast<size_t>(kT0 + d)]);
  const int64_t stride = gather.stride;
  const int64_t first = least <= 0 ? 0 : (least + stride - 1) / stride,
                last = most < 0
                           ? 0
                           : std::min(layout.dims[static_cast<size_t>(axis)], most / stride + 1);
  if (first >= last) {
    piece->reaches = false;
    return;
  }
  gather.base -= Slice(axis, first, last, &layout) * stride;
}

void Cutter::Complete(ConvolutionPiece* piece) const {
  piece->operands = convolution_.operands;
  piece->gathers = convolution_.gathers;
  piece->reaches = piece->ExtentOfFour(kInner) > 0;
  for (ConvolutionOperand& operand : piece->operands) {
    if (!operand.present()) continue;
    for (size_t i = 0; i < operand.axes.size(); ++i) {
      const LoopsOf& loops = operand.axes[i];
      const int axis = static_cast<int>(i);
      if (loops.spatial >= 0) {
        if (piece->reaches) GatherAxis(axis, loops.spatial, piece);
        continue;
      }
      const LoopRange& range = piece->ranges[static_cast<size_t>(loops.loop)];
      int64_t first = range.first, last = first + range.extent;
      if (loops.outer != kNoLoop) {
        // Of several groups all channels.
        const LoopRange& outer = piece->ranges[static_cast<size_t>(loops.outer)];
        first += outer.first * FullOf(loops.loop);
        last += (outer.first + outer.extent - 1) * FullOf(loops.loop);
      }
      Slice(axis, first, last, &operand.layout);
    }
  }
  // Rows and taps begin where the ranges do.
  for (size_t d = 0; d < 3; ++d) {
    Gather& gather = piece->gathers[d];
    gather.base += gather.row_step * piece->ranges[kX0 + d].first +
                   gather.tap_step * piece->ranges[kT0 + d].first;
  }
}

bool Cutter::Fits(const ConvolutionPiece& piece, int which) const {
  const ConvolutionOperand& operand = piece.operands[static_cast<size_t>(which)];
  if (!operand.present() || (which == kA && !piece.reaches)) return true;
  // Of whole sums nothing is kept.
  if (which == kPartial && piece.begins && piece.ends) return true;
  return SpanOf(operand.layout) <= RoomOf(limits_) / spi::SizeOf(operand.layout.type);
}

bool Cutter::FitsElements(const ConvolutionPiece& piece) const {
  const int64_t channels = piece.ExtentOf(kGroup) * piece.ExtentOf(kChannel);
  return channels <= RoomOf(limits_) / int64_t{sizeof(float)} &&
         piece.ExtentOfFour(kOuter) <= kMostElements / channels;
}

// Counts as llvmpipe does: a loop goes round once more than it has work, and no branch spares it
// one.
bool Cutter::FitsRounds(const ConvolutionPiece& piece) const {
  if (!piece.reaches) return true;
  const auto links = [](const ConvolutionOperand& operand, const Axes& axes) {
    return operand.layout.block_count + static_cast<int64_t>(axes.size());
  };
  const ConvolutionOperand &a = piece.operands[kA], &b = piece.operands[kB];
  const int64_t of_a = links(a, AxesOf(a, {kInner})), of_b = links(b, AxesOf(b, {kInner}));
  int64_t of_axes = 0, most = std::max(of_a, of_b);
  for (int d = 0; d < 3; ++d) {
    const int64_t of_axis = links(a, GatheredAxis(a, d));
    of_axes += of_axis + 1;
    most = std::max(most, of_axis);
  }
  // Chains of one link have no loops.
  const bool plain = most <= 1;
  const int64_t term = 1 + (plain ? 0 : of_a + of_b + 2);
  const int64_t tap =
      3 + links(b, AxesOf(b, {kT0, kT0 + 1, kT0 + 2})) + (plain ? 0 : kMostRows * of_axes);
  const int64_t taps = piece.ExtentOfFour(kInner) / piece.ExtentOf(kInner);
  return piece.ExtentOf(kInner) <= limits_.rounds / term &&
         taps <= limits_.rounds / (tap + piece.ExtentOf(kInner) * term);
}

bool Cutter::FitsTerms(const ConvolutionPiece& piece) const {
  return !piece.reaches ||
         impl_vulkan::FitsTerms(SumsOf(piece), piece.ExtentOfFour(kInner), limits_);
}

bool Cutter::FitsGather(const ConvolutionPiece& piece, int d) const {
  if (!piece.reaches) return true;
  const auto at = static_cast<size_t>(d);
  const auto [least, most] = impl_vulkan::ReachOf(
      piece.gathers[at], {0, piece.ranges[at + kX0].extent}, {0, piece.ranges[at + kT0].extent});
  return -kFarthest < least && most < kFarthest;
}

bool Cutter::Fits(const ConvolutionPiece& piece) const {
  for (int which = 0; which < kOperands; ++which) {
    if (!Fits(piece, which)) return false;
  }
  for (int d = 0; d < 3; ++d) {
    if (!FitsGather(piece, d)) return false;
  }
  return FitsElements(piece) && FitsRounds(piece) && FitsTerms(piece);
}

// Of what the place of a cut is a multiple: whole blocks.
int64_t Cutter::GrainOf(int loop) const {
  int64_t grain = 1;
  for (const ConvolutionOperand& operand : convolution_.operands) {
    if (!operand.present()) continue;
    for (size_t i = 0; i < operand.axes.size(); ++i) {
      const LoopsOf& loops = operand.axes[i];
      const int64_t block = spi::BlockAlong(operand.layout, static_cast<int>(i));
      if (loops.loop == loop) grain = std::lcm(grain, block);
      if (loops.outer != loop) continue;
      grain = std::lcm(grain, block / std::gcd(block, FullOf(loops.loop)));
    }
  }
  return grain;
}

// How far apart the first and the last of a loop are, where that is most among the operands that do
// not fit; 0 where cutting it helps nothing that does not fit.
int64_t Cutter::ReachOf(const ConvolutionPiece& piece, int loop) const {
  int64_t reach = 0;
  for (int which = 0; which < kOperands; ++which) {
    if (Fits(piece, which)) continue;
    const ConvolutionOperand& operand = piece.operands[static_cast<size_t>(which)];
    for (size_t i = 0; i < operand.axes.size(); ++i) {
      const LoopsOf& loops = operand.axes[i];
      const bool gathered =
          loops.spatial >= 0 && (loop == kX0 + loops.spatial || loop == kT0 + loops.spatial);
      if (loops.loop != loop && loops.outer != loop && !gathered) continue;
      int64_t steps = spi::StepsAlong(operand.layout, static_cast<int>(i)) - 1;
      if (gathered) {
        const Gather& gather = piece.gathers[static_cast<size_t>(loops.spatial)];
        const int64_t step = loop < kInner ? gather.row_step : gather.tap_step;
        steps = std::min(steps, (piece.ExtentOf(loop) - 1) * std::abs(step) / gather.stride + 1);
      }
      reach = std::max(reach, steps * operand.layout.strides[i] * spi::SizeOf(operand.layout.type));
    }
  }
  if (reach > 0) return reach;
  const int64_t extent = piece.ExtentOf(loop);
  if (!(FitsElements(piece) && FitsTerms(piece)) && loop < kInner) return extent;
  if (!FitsRounds(piece) && loop >= kInner) return extent;
  const int d = loop >= kT0 ? loop - kT0 : loop - kX0;
  if ((loop >= kT0 || (loop >= kX0 && loop < kInner)) && !FitsGather(piece, d)) return extent;
  return 0;
}

// What is cut best: nothing, with an extent of 0, where blocks are all there is.
Cutter::Cut Cutter::BestCut(const ConvolutionPiece& piece) const {
  Cut best;
  const bool groups = piece.ExtentOf(kGroup) > 1;
  for (int loop = 0; loop < kLoops; ++loop) {
    // Of several groups none is cut.
    if (groups && (loop == kChannel || loop == convolution_.a_channel)) continue;
    const Cut cut{loop, piece.ExtentOf(loop), GrainOf(loop), ReachOf(piece, loop)};
    if (cut.extent > cut.grain && cut.reach > 0 &&
        std::tie(cut.reach, cut.extent) > std::tie(best.reach, best.extent)) {
      best = cut;
    }
  }
  return best;
}

using Halves = std::optional<std::pair<ConvolutionPiece, ConvolutionPiece>>;

Halves Cutter::Halve(const ConvolutionPiece& piece) const {
  const Cut cut = BestCut(piece);
  if (cut.extent == 0) return std::nullopt;
  const auto loop = static_cast<size_t>(cut.loop);
  const int64_t half = (cut.extent / 2 + cut.grain - 1) / cut.grain * cut.grain;
  Halves halves = std::make_pair(piece, piece);
  auto& [first, second] = *halves;
  first.ranges[loop].extent = half;
  second.ranges[loop].first += half;
  second.ranges[loop].extent -= half;
  if (cut.loop >= kInner) first.ends = second.begins = false;
  return halves;
}

absl::StatusOr<std::vector<ConvolutionPiece>> Cutter::Run() const {
  ConvolutionPiece whole;
  whole.ranges = convolution_.ranges;
  std::optional<std::vector<ConvolutionPiece>> pieces = Halved(
      std::move(whole),
      [&](ConvolutionPiece* piece) {
        Complete(piece);
        return Fits(*piece);
      },
      [&](const ConvolutionPiece& piece) { return Halve(piece); });
  if (pieces) return *std::move(pieces);
  const auto& operands = convolution_.operands;
  return TooManyPieces("convolution", limits_, operands[kA].layout, operands[kB].layout,
                       operands[kC].layout);
}

}  // namespace

absl::StatusOr<std::vector<ConvolutionPiece>> CutConvolution(const Convolution& convolution,
                                                             const Limits& limits) {
  return Cutter(convolution, limits).Run();
}

Axes AxesOf(const ConvolutionOperand& operand, std::initializer_list<int> loops) {
  Axes axes;
  for (const int loop : loops) {
    for (size_t i = 0; i < operand.axes.size(); ++i) {
      const LoopsOf& of = operand.axes[i];
      if (of.loop == loop && of.spatial < 0) axes.push_back(static_cast<int>(i));
    }
  }
  return axes;
}

Axes GatheredAxis(const ConvolutionOperand& operand, int spatial) {
  for (size_t i = 0; i < operand.axes.size(); ++i) {
    if (operand.axes[i].spatial == spatial) return {static_cast<int>(i)};
  }
  return {};
}

}  // namespace impl_vulkan
