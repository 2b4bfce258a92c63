// From pieces to dispatches: tiles, constants, parameters.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "impl_vulkan/convolution/convolution.h"
#include "impl_vulkan/convolution/pieces.h"
#include "impl_vulkan/convolution/window.h"
#include "impl_vulkan/product/pieces.h"
#include "impl_vulkan/product/tile.h"

namespace impl_vulkan {
namespace {

using spi::DataType;

constexpr uint32_t kInvocations = 64;
// Of what an invocation computes, along each of m and n: the more, the less often a factor is read,
// as long as there are invocations enough.
constexpr uint32_t kTile = 4;
constexpr int64_t kBusyElements = 1 << 13;
// Counting terms through all taps costs some instructions each, and is worth while where otherwise
// a kGain-th more would be filled up.
constexpr int64_t kGain = 4, kMostTermsCounted = int64_t{1} << 30;

void AddUses(const Convolution& convolution, const ConvolutionPiece& piece, int64_t first_channel,
             int64_t channels, int64_t parts, ConvolutionDispatch* dispatch) {
  const auto use = [&](OperandOf which, Access access) {
    return UseOf(piece.operands[which].position, piece.operands[which].layout, access);
  };
  auto& uses = dispatch->step.uses;
  // Where no tap lies in A nothing is read, but something is bound.
  const BufferUse a = piece.reaches ? use(kA, Access::kRead)
                                    : BufferUse{kConstants, Access::kRead, {0, sizeof(uint32_t)}};
  const bool read = convolution.epilogue.old_type != DataType::kUndef;
  const BufferUse c = use(kC, read ? Access::kReadWrite : Access::kWrite);
  uses.push_back(a);
  uses.push_back(piece.reaches ? use(kB, Access::kRead) : a);
  uses.push_back(c);
  uses.push_back(piece.operands[kBias].present() ? use(kBias, Access::kRead) : a);
  if (!dispatch->extras) return;
  const ConvolutionOperand& partial = piece.operands[kPartial];
  AddExtraUses(
      {convolution.epilogue, convolution.scales_position, first_channel, channels, partial.position,
       partial.layout, dispatch->partial, piece.begins, piece.ends, parts},
      a, c, &dispatch->step);
}

void AddChains(const ConvolutionPiece& piece, ConvolutionParameters* parameters) {
  uint32_t links = 0;
  const auto add = [&](OperandOf which, const Axes& axes, int chain) {
    parameters->chains[chain] =
        AddChain(piece.operands[which].layout, axes, parameters->links, &links);
  };
  const auto add_loops = [&](OperandOf which, std::initializer_list<int> loops, int chain) {
    add(which, AxesOf(piece.operands[which], loops), chain);
  };
  add_loops(kA, {kOuter}, kAM);
  add_loops(kA, {kInner}, kAK);
  for (int d = 0; d < 3; ++d) add(kA, GatheredAxis(piece.operands[kA], d), kAAxes + d);
  add_loops(kB, {kGroup, kChannel}, kBN);
  add_loops(kB, {kInner}, kBK);
  add_loops(kB, {kT0, kT0 + 1, kT0 + 2}, kBTaps);
  add_loops(kC, {kOuter, kX0, kX0 + 1, kX0 + 2}, kCM);
  add_loops(kC, {kGroup, kChannel}, kCN);
  add_loops(kPartial, {kOuter, kX0, kX0 + 1, kX0 + 2}, kPartialM);
  add_loops(kPartial, {kGroup, kChannel}, kPartialN);
  add_loops(kBias, {kGroup, kChannel}, kBiasN);
}

// Whether the chains that are followed most have one link each.
bool IsPlain(const ConvolutionParameters& parameters) {
  for (const int chain : {int{kAK}, int{kBK}, int{kAAxes}, kAAxes + 1, kAAxes + 2}) {
    if (parameters.chains[chain].links != 1) return false;
  }
  return true;
}

void AddAxes(const ConvolutionPiece& piece, ConvolutionParameters* parameters) {
  for (int d = 0; d < 3; ++d) {
    AxisParameters& axis = parameters->axes[d];
    const Gather& gather = piece.gathers[static_cast<size_t>(d)];
    const Axes gathered = GatheredAxis(piece.operands[kA], d);
    const int64_t extent =
        gathered.empty() ? 1 : piece.operands[kA].layout.dims[static_cast<size_t>(gathered[0])];
    axis.rows = axis.extent = ToUint32(piece.ExtentOf(kX0 + d));
    axis.extent_divisor = DivisorOf(axis.extent);
    axis.base = ToUint32(gather.base);
    axis.row_step = ToUint32(gather.row_step);
    axis.tap_step = ToUint32(gather.tap_step);
    axis.taps = ToUint32(piece.ExtentOf(kT0 + d));
    // What fits is below 2^31.
    constexpr int64_t kMost = (int64_t{1} << 31) - 1;
    axis.limit = extent > 0 && gather.stride <= kMost / extent
                     ? ToUint32((extent - 1) * gather.stride + 1)
                     : ToUint32(kMost);
    axis.stride = ToUint32(std::min(gather.stride, kMost));
    axis.stride_divisor = DivisorOf(axis.stride);
  }
}

// Of `m` rows, and of n in one group. Neighbours have the columns of all groups.
void SetTiles(const ConvolutionPiece& piece, uint32_t m, uint32_t tile_m, uint32_t tile_n,
              ConvolutionParameters* parameters) {
  const int64_t rows = TilesOf(m, tile_m), columns = TilesOf(parameters->n, tile_n),
                all_columns = columns * piece.ExtentOf(kGroup);
  parameters->rows = ToUint32(rows);
  parameters->columns = ToUint32(columns);
  parameters->columns_divisor = DivisorOf(parameters->columns);
  parameters->tiles = ToUint32(rows * all_columns);
  parameters->inner = ToUint32(all_columns);
  parameters->inner_divisor = DivisorOf(parameters->inner);
}

// A tile for each invocation; neighbours write side by side.
void SetInvocations(const Limits& limits, ConvolutionDispatch* dispatch) {
  ConvolutionParameters& parameters = dispatch->parameters;
  const bool closer = !IsCloser(parameters.links, parameters.chains[kCN], parameters.chains[kCM]);
  parameters.along_m = (parameters.m > 1 && closer) || parameters.inner == 1 ? 1 : 0;
  if (parameters.along_m != 0) {
    parameters.inner = parameters.rows;
    parameters.inner_divisor = DivisorOf(parameters.inner);
  }
  const uint32_t invocations = std::min(limits.invocations, kInvocations);
  dispatch->constants[3] = invocations;
  dispatch->step.groups = GroupsOf(TilesOf(parameters.tiles, invocations), limits);
}

void SetDirect(const ConvolutionPiece& piece, const Limits& limits, ConvolutionDispatch* dispatch) {
  ConvolutionParameters& parameters = dispatch->parameters;
  const bool busy = int64_t{parameters.m} * parameters.n * piece.ExtentOf(kGroup) >= kBusyElements;
  const uint32_t m = busy && parameters.m >= kTile ? kTile : 1,
                 n = busy && parameters.n >= kTile ? kTile : 1;
  SetTiles(piece, parameters.m, m, n, &parameters);
  SetInvocations(limits, dispatch);
  dispatch->constants.insert(dispatch->constants.end(), {m, n});
}

void SetWindow(const ConvolutionPiece& piece, const Window& window, const Limits& limits,
               ConvolutionDispatch* dispatch) {
  ConvolutionParameters& parameters = dispatch->parameters;
  AxisParameters& along = parameters.axes[window.axis];
  along.extent = ToUint32(TilesOf(along.rows, ToUint32(window.rows)));
  along.extent_divisor = DivisorOf(along.extent);
  along.base += ToUint32(window.before());
  along.row_step *= ToUint32(window.rows);
  SetTiles(piece, parameters.m / along.rows * along.extent, 1, 1, &parameters);
  SetInvocations(limits, dispatch);
  dispatch->kernel = ConvolutionKernel::kWindow;
  dispatch->constants[8] = parameters.chains[kBTaps].links == 1 ? 1 : 0;
  dispatch->constants.insert(
      dispatch->constants.end(),
      {ToUint32(window.axis), ToUint32(window.rows), ToUint32(window.taps),
       ToUint32(window.row_step), ToUint32(window.tap_step), window.backwards ? 1u : 0u,
       ToUint32(window.stride), ToUint32(window.first)});
}

// Whether of the two that walk along the innermost axis of A, taps go further than rows.
bool IsLongInTaps(const ConvolutionParameters& parameters) {
  return parameters.axes[2].taps > parameters.axes[2].rows;
}

// ALL_TERMS of terms.glsl for tiles that are `depth` deep: counts terms through all taps and
// channels where that leaves out much of what would be filled up at each tap.
uint32_t AllTermsOf(const ConvolutionParameters& parameters, uint32_t depth) {
  const bool simple = IsPlain(parameters) && parameters.chains[kBTaps].links == 1 &&
                      std::all_of(std::begin(parameters.axes), std::end(parameters.axes),
                                  [](const AxisParameters& axis) { return axis.stride == 1; });
  const int64_t terms = int64_t{parameters.taps} * parameters.k,
                filled = parameters.taps * TilesOf(parameters.k, depth);
  if (!simple || terms > kMostTermsCounted) return 0;
  // Taps follow one another where their factors of B lie closer than those of channels.
  const auto are_closer_than = [&](int chain) {
    return IsCloser(parameters.links, parameters.chains[kBTaps], parameters.chains[chain]);
  };
  const bool by_taps = parameters.k == 1 || are_closer_than(kBK);
  // Then both factors are read side by side that otherwise lie apart: gradients of weights.
  const bool apart = by_taps && are_closer_than(kBN) && IsLongInTaps(parameters);
  if (!apart && kGain * filled < (kGain + 1) * TilesOf(terms, depth)) return 0;
  return by_taps ? 2 : 1;
}

void SetAllTerms(bool by_taps, ConvolutionParameters* parameters) {
  parameters->terms = parameters->part = parameters->taps * parameters->k;
  parameters->fast = by_taps ? parameters->taps : parameters->k;
  parameters->fast_divisor = DivisorOf(parameters->fast);
  for (int d = 0; d < 2; ++d) {
    parameters->tap_divisors[d] = DivisorOf(parameters->axes[d + 1].taps);
  }
}

void SetTile(const ConvolutionPiece& piece, const TileShape& shape, const Limits& limits,
             ConvolutionDispatch* dispatch) {
  ConvolutionParameters& parameters = dispatch->parameters;
  const auto is_closer = [&](int along, int across) {
    return IsCloser(parameters.links, parameters.chains[along], parameters.chains[across]) ? 1u
                                                                                           : 0u;
  };
  dispatch->kernel = ConvolutionKernel::kTile;
  SetTiles(piece, parameters.m, shape.tile_m, shape.tile_n, &parameters);
  const uint32_t all = AllTermsOf(parameters, shape.k);
  const bool by_taps = all == 2;
  if (all != 0) SetAllTerms(by_taps, &parameters);
  const uint32_t a_along_k = by_taps ? IsLongInTaps(parameters) : is_closer(kAK, kAAxes + 2);
  dispatch->constants[3] = shape.invocations();
  dispatch->constants.insert(
      dispatch->constants.end(),
      {shape.m, shape.n, shape.tile_m, shape.tile_n, shape.k, a_along_k,
       is_closer(by_taps ? int{kBTaps} : int{kBK}, kBN), is_closer(kCN, kCM) ^ 1, all});
  dispatch->step.groups = GroupsOf(parameters.tiles, limits);
}

void SetParameters(const Convolution& convolution, const ConvolutionPiece& piece,
                   ConvolutionParameters* parameters) {
  parameters->m = ToUint32(piece.ExtentOfFour(kOuter));
  parameters->n = ToUint32(piece.ExtentOf(kChannel));
  parameters->k = ToUint32(piece.ExtentOf(kInner));
  parameters->taps =
      piece.reaches ? ToUint32(piece.ExtentOfFour(kInner) / piece.ExtentOf(kInner)) : 0;
  parameters->part = parameters->terms = parameters->taps;
  parameters->scale_stride = convolution.epilogue.scale_of_channel ? 1 : 0;
  parameters->steps = ToUint32(static_cast<int64_t>(convolution.epilogue.steps.size()));
  std::copy(convolution.epilogue.steps.begin(), convolution.epilogue.steps.end(),
            parameters->epilogue);
  const auto full = [&](int loop) {
    return ToUint32(convolution.ranges[static_cast<size_t>(loop)].extent);
  };
  parameters->n_of_group = full(kChannel);
  (convolution.a_channel == kOuter ? parameters->a_m_of_group : parameters->a_k_of_group) =
      full(convolution.a_channel);
  AddChains(piece, parameters);
  AddAxes(piece, parameters);
}

ConvolutionDispatch DispatchOf(const Convolution& convolution, const ConvolutionPiece& piece,
                               const Limits& limits, ConvolutionKernel kernel, int64_t parts) {
  ConvolutionDispatch dispatch;
  dispatch.partial = !piece.begins || !piece.ends || parts > 1;
  dispatch.extras = dispatch.partial || convolution.epilogue.scales;
  const LoopRange &group = piece.ranges[kGroup], &channel = piece.ranges[kChannel];
  const int64_t channels = group.extent * channel.extent;
  AddUses(convolution, piece, group.first * convolution.ranges[kChannel].extent + channel.first,
          channels, parts, &dispatch);
  SetParameters(convolution, piece, &dispatch.parameters);
  const auto type = [&](OperandOf which) {
    const ConvolutionOperand& operand = piece.operands[which];
    return operand.present() ? static_cast<uint32_t>(operand.layout.type) : 0;
  };
  dispatch.constants = {
      type(kA),
      type(kB),
      type(kC),
      0,  // invocations: the kernel's
      static_cast<uint32_t>(piece.ends ? convolution.epilogue.old_type : DataType::kUndef),
      type(kBias),
      (piece.begins ? 0u : 1u) | (piece.ends ? 0u : 2u),
      IsPlain(dispatch.parameters) ? 1u : 0u,
      1,
  };
  const TileShape* const shape =
      TileFor(parts * piece.ExtentOf(kGroup), dispatch.parameters.m, dispatch.parameters.n, limits);
  const std::optional<Window> window = WindowFor(piece.ranges, piece.gathers);
  if (kernel == ConvolutionKernel::kTile && piece.reaches && shape != nullptr) {
    SetTile(piece, *shape, limits, &dispatch);
  } else if (kernel == ConvolutionKernel::kWindow && piece.reaches && window.has_value()) {
    SetWindow(piece, *window, limits, &dispatch);
  } else {
    SetDirect(piece, limits, &dispatch);
  }
  if (parts > 1)
    SetParts(dispatch.parameters.terms, SpanOf(piece.operands[kPartial].layout), parts, &dispatch);
  return dispatch;
}

struct Extents {
  int64_t groups, rows, channels, taps, inner;
};

Extents ExtentsOf(const Convolution& convolution) {
  const auto extent = [&](int loop) {
    return convolution.ranges[static_cast<size_t>(loop)].extent;
  };
  Extents all = {extent(kGroup), extent(kOuter), extent(kChannel), 1, extent(kInner)};
  for (int d = 0; d < 3; ++d) {
    all.rows *= extent(kX0 + d);
    all.taps *= extent(kT0 + d);
  }
  return all;
}

bool CanTile(const Convolution& convolution, const Limits& limits) {
  return TileFor(1, 1, 1, limits) != nullptr && convolution.ranges[kInner].extent > 0;
}

bool ShouldTile(const Convolution& convolution, const Limits& limits) {
  const Extents all = ExtentsOf(convolution);
  return limits.stages && CanTile(convolution, limits) &&
         std::min({all.rows, all.channels, all.taps * all.inner}) >= kLeastTiled;
}

}  // namespace

const char* NameOf(ConvolutionKernel kernel) {
  constexpr const char* kNames[] = {"direct", "tile", "window"};
  return kNames[static_cast<int>(kernel)];
}

std::vector<ConvolutionKernel> KernelsOf(const Convolution& convolution, const Limits& limits) {
  if (WindowFor(convolution.ranges, convolution.gathers).has_value())
    return {ConvolutionKernel::kWindow, ConvolutionKernel::kDirect};
  if (!CanTile(convolution, limits)) return {ConvolutionKernel::kDirect};
  if (ShouldTile(convolution, limits))
    return {ConvolutionKernel::kTile, ConvolutionKernel::kDirect};
  return {ConvolutionKernel::kDirect, ConvolutionKernel::kTile};
}

int64_t PartsOf(const Convolution& convolution, const Limits& limits) {
  if (!ShouldTile(convolution, limits) ||
      !CanTotal(convolution.epilogue, convolution.operands[kBias].layout) ||
      spi::SizeOf(convolution.operands[kA].layout.type) == 1) {
    return 1;
  }
  const Extents all = ExtentsOf(convolution);
  const int64_t span = SpanOf(convolution.operands[kPartial].layout);
  int64_t most = std::min(all.taps, MostParts(all.taps * all.inner, kLeastPart, span));
  if (most < 2) return 1;
  const TileShape& shape = *TileFor(most * all.groups, all.rows, all.channels, limits);
  const int64_t busy = all.groups * InvocationsFor(shape, all.rows, all.channels);
  most = std::min(most, kBusyInvocations / busy);
  if (most < 2) return 1;
  const absl::StatusOr<std::vector<ConvolutionPiece>> pieces = CutConvolution(convolution, limits);
  return pieces.ok() && pieces->size() == 1 && pieces->front().reaches ? most : 1;
}

absl::StatusOr<std::vector<ConvolutionDispatch>> DispatchesOf(const Convolution& convolution,
                                                              const Limits& limits,
                                                              ConvolutionKernel kernel,
                                                              int64_t parts) {
  const absl::StatusOr<std::vector<ConvolutionPiece>> pieces = CutConvolution(convolution, limits);
  if (!pieces.ok()) return pieces.status();
  std::vector<ConvolutionDispatch> dispatches;
  for (const ConvolutionPiece& piece : *pieces) {
    dispatches.push_back(DispatchOf(convolution, piece, limits, kernel, parts));
    // Partial sums are read by the piece that goes on.
    ConvolutionDispatch& last = dispatches.back();
    if (last.partial) last.step.pass = static_cast<int>(dispatches.size()) - 1;
  }
  return dispatches;
}

}  // namespace impl_vulkan
