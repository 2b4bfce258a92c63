// From pieces to dispatches: tiles, constants, parameters.
#include <algorithm>
#include <utility>

#include "impl_vulkan/convolution/convolution.h"
#include "impl_vulkan/convolution/pieces.h"
#include "impl_vulkan/product/pieces.h"

namespace impl_vulkan {
namespace {

using spi::DataType;

constexpr uint32_t kInvocations = 64;
// Of what an invocation computes, along each of m and n: the more, the less often a factor is read,
// as long as there are invocations enough.
constexpr uint32_t kTile = 4;
constexpr int64_t kBusyElements = 1 << 13;

uint32_t Low(int64_t value) { return static_cast<uint32_t>(value); }

int64_t TilesOf(int64_t extent, uint32_t tile) { return (extent + tile - 1) / tile; }

void AddUses(const Convolution& convolution, const ConvolutionPiece& piece, int64_t first_channel,
             int64_t channels, ConvolutionDispatch* dispatch) {
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
  const auto scale_bytes = static_cast<uint64_t>(sizeof(float));
  const bool many = convolution.epilogue.scale_of_channel;
  const ByteRange table = {many ? static_cast<uint64_t>(first_channel) * scale_bytes : 0,
                           many ? static_cast<uint64_t>(channels) * scale_bytes : scale_bytes};
  uses.push_back(convolution.epilogue.scales
                     ? BufferUse{convolution.scales_position, Access::kRead, table, sizeof(float)}
                     : a);
  const Access access = piece.begins ? Access::kWrite
                        : piece.ends ? Access::kRead
                                     : Access::kReadWrite;
  // Of those that a shader may write, as C is.
  uses.push_back(dispatch->partial ? use(kPartial, access) : c);
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
    axis.extent = Low(piece.ExtentOf(kX0 + d));
    axis.extent_divisor = DivisorOf(axis.extent);
    axis.base = Low(gather.base);
    axis.row_step = Low(gather.row_step);
    axis.tap_step = Low(gather.tap_step);
    axis.taps = Low(piece.ExtentOf(kT0 + d));
    // What fits is below 2^31.
    constexpr int64_t kMost = (int64_t{1} << 31) - 1;
    axis.limit = extent > 0 && gather.stride <= kMost / extent
                     ? Low((extent - 1) * gather.stride + 1)
                     : Low(kMost);
    axis.stride = Low(std::min(gather.stride, kMost));
    axis.stride_divisor = DivisorOf(axis.stride);
  }
}

void SetTiles(const ConvolutionPiece& piece, uint32_t tile_m, uint32_t tile_n, uint32_t invocations,
              const Limits& limits, ConvolutionDispatch* dispatch) {
  ConvolutionParameters& parameters = dispatch->parameters;
  const int64_t rows = TilesOf(parameters.m, tile_m), columns = TilesOf(parameters.n, tile_n),
                all_columns = columns * piece.ExtentOf(kGroup);
  parameters.rows = Low(rows);
  parameters.columns = Low(columns);
  parameters.columns_divisor = DivisorOf(parameters.columns);
  parameters.tiles = Low(rows * all_columns);
  // Neighbours write side by side.
  const auto stride_of = [&](ChainOf chain) {
    return parameters.links[parameters.chains[chain].first].stride;
  };
  parameters.along_m = parameters.m > 1 && stride_of(kCM) < stride_of(kCN) ? 1 : 0;
  if (all_columns == 1) parameters.along_m = 1;
  parameters.inner = Low(parameters.along_m != 0 ? rows : all_columns);
  parameters.inner_divisor = DivisorOf(parameters.inner);
  const int64_t groups = TilesOf(rows * all_columns, invocations);
  const int64_t x = std::min<int64_t>(groups, limits.groups);
  dispatch->step.groups = {Low(x), Low((groups + x - 1) / x), 1};
}

void SetParameters(const Convolution& convolution, const ConvolutionPiece& piece,
                   ConvolutionParameters* parameters) {
  parameters->m = Low(piece.ExtentOfFour(kOuter));
  parameters->n = Low(piece.ExtentOf(kChannel));
  parameters->k = Low(piece.ExtentOf(kInner));
  parameters->taps = piece.reaches ? Low(piece.ExtentOfFour(kInner) / piece.ExtentOf(kInner)) : 0;
  parameters->scale_stride = convolution.epilogue.scale_of_channel ? 1 : 0;
  parameters->steps = Low(static_cast<int64_t>(convolution.epilogue.steps.size()));
  std::copy(convolution.epilogue.steps.begin(), convolution.epilogue.steps.end(),
            parameters->epilogue);
  const auto full = [&](int loop) {
    return Low(convolution.ranges[static_cast<size_t>(loop)].extent);
  };
  parameters->n_of_group = full(kChannel);
  (convolution.a_channel == kOuter ? parameters->a_m_of_group : parameters->a_k_of_group) =
      full(convolution.a_channel);
  AddChains(piece, parameters);
  AddAxes(piece, parameters);
}

ConvolutionDispatch DispatchOf(const Convolution& convolution, const ConvolutionPiece& piece,
                               const Limits& limits) {
  ConvolutionDispatch dispatch;
  dispatch.partial = !piece.begins || !piece.ends;
  dispatch.extras = dispatch.partial || convolution.epilogue.scales;
  const LoopRange &group = piece.ranges[kGroup], &channel = piece.ranges[kChannel];
  const int64_t channels = group.extent * channel.extent;
  AddUses(convolution, piece, group.first * convolution.ranges[kChannel].extent + channel.first,
          channels, &dispatch);
  SetParameters(convolution, piece, &dispatch.parameters);
  const bool busy = piece.ExtentOfFour(kOuter) * channels >= kBusyElements;
  const uint32_t m = busy && dispatch.parameters.m >= kTile ? kTile : 1,
                 n = busy && dispatch.parameters.n >= kTile ? kTile : 1;
  const uint32_t invocations = std::min(limits.invocations, kInvocations);
  SetTiles(piece, m, n, invocations, limits, &dispatch);
  const auto type = [&](OperandOf which) {
    const ConvolutionOperand& operand = piece.operands[which];
    return operand.present() ? static_cast<uint32_t>(operand.layout.type) : 0;
  };
  dispatch.constants = {
      type(kA),
      type(kB),
      type(kC),
      invocations,
      static_cast<uint32_t>(piece.ends ? convolution.epilogue.old_type : DataType::kUndef),
      type(kBias),
      (piece.begins ? 0u : 1u) | (piece.ends ? 0u : 2u),
      IsPlain(dispatch.parameters) ? 1u : 0u,
      1,
      m,
      n,
  };
  return dispatch;
}

}  // namespace

absl::StatusOr<std::vector<ConvolutionDispatch>> DispatchesOf(const Convolution& convolution,
                                                              const Limits& limits) {
  const absl::StatusOr<std::vector<ConvolutionPiece>> pieces = CutConvolution(convolution, limits);
  if (!pieces.ok()) return pieces.status();
  std::vector<ConvolutionDispatch> dispatches;
  for (const ConvolutionPiece& piece : *pieces) {
    dispatches.push_back(DispatchOf(convolution, piece, limits));
    // Partial sums are read by the piece that goes on.
    ConvolutionDispatch& last = dispatches.back();
    if (last.partial) last.step.pass = static_cast<int>(dispatches.size()) - 1;
  }
  return dispatches;
}

}  // namespace impl_vulkan
