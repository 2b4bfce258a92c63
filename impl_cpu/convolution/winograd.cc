#include "impl_cpu/convolution/winograd.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "api/spi/layout.h"
#include "api/spi/types.h"
#include "impl_cpu/convolution/weights_layout.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/even_cut.h"
#include "impl_cpu/product/panels.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/product/tile_rows.h"
#include "impl_cpu/threads/parallel_for.h"
#include "impl_cpu/threads/task_shares.h"

namespace impl_cpu {
namespace {

using spi::DataType;

constexpr int64_t kF32Bytes = 4;
// What a block reads, transformed: much of a core's own cache. Weights come through it.
constexpr int64_t kBlockBytes = 384 << 10;
constexpr int64_t kLeastTiles = 24, kMostTiles = 96;
// Channels that are summed before sums are stored: a group of panels is half of L1 then.
constexpr int64_t kChunkLines = 256;
// Tiles that are finished together.
constexpr int64_t kFinishTiles = 24;
constexpr int64_t kGroupColumns = int64_t{kMaxGroup} * kPanel;
// Some microseconds of work.
constexpr double kThreadFlops = 1 << 19;
// All weights are transformed.
constexpr int64_t kMostChannels = 1 << 16;
// Channels on both sides, and places, from which transforms are a small part of the work.
constexpr int64_t kLeastChannels = 32, kLeastPlaces = 196;

}  // namespace

bool IsForWinograd(const spi::ConvolutionView& view) {
  if (view.prop == spi::PropKind::kBackwardWeights || view.groups != 1) return false;
  if (std::max(view.ic, view.oc) > kMostChannels) return false;
  for (const spi::Layout* layout : {&view.src, &view.weights, &view.dst})
    if (layout->type != DataType::kF32) return false;
  const spi::ConvolutionAxis& depth = view.axes[0];
  if (depth.input != 1 || depth.kernel != 1 || depth.output != 1 || depth.padding != 0)
    return false;
  return std::all_of(view.axes.begin() + 1, view.axes.end(), [](const spi::ConvolutionAxis& axis) {
    return axis.kernel == kKernelSide && axis.stride == 1 && axis.step == 1;
  });
}

bool PaysAsWinograd(const spi::ConvolutionView& view) {
  return IsForWinograd(view) && std::min(view.ic, view.oc) >= kLeastChannels &&
         view.batch * view.axes[1].output * view.axes[2].output >= kLeastPlaces;
}

bool WinogradConvolution::Plan(const spi::Operation& operation, int max_threads) {
  const spi::ConvolutionView view(operation);
  transforms_ = FindWinogradKernels();
  kernels_ = FindTileKernels();
  finish_kernel_ = FindFinishKernel();
  if (transforms_.patch == nullptr || kernels_.max_rows == 0 || finish_kernel_ == nullptr)
    return false;
  const bool data = view.prop == spi::PropKind::kBackwardData;
  batch_ = view.batch;
  channels_ = data ? view.oc : view.ic;
  columns_ = data ? view.ic : view.oc;
  for (size_t a = 0; a < 2; ++a) {
    const spi::ConvolutionAxis& axis = view.axes[a + 1];
    const int64_t results = data ? axis.input : axis.output;
    axes_[a] = {data ? axis.output : axis.input, results, CeilDiv(results, kResultSide),
                data ? axis.padding - (kKernelSide - 1) : -axis.padding};
  }
  const spi::Layout& source = data ? view.dst : view.src;
  source_buffer_ = PositionOf(operation, source);
  source_copy_ = CopyToChannelRows(source, &source_rows_);
  PlanWeights(operation, view);
  const spi::Layout& result = data ? view.src : view.dst;
  result_buffer_ = PositionOf(operation, result);
  result_type_ = result.type;
  result_offset_ = result.offset;
  result_batch_ = Index(result, {0});
  result_channels_ = Index(result, {1});
  for (int a = 0; a < 2; ++a)
    result_places_[static_cast<size_t>(a)] = Index(result, {result.rank - 2 + a});
  if (!data) finish_ = FinishOf(operation, view.bias, view.dst);
  PlanBlocks(max_threads);
  return true;
}

void WinogradConvolution::PlanWeights(const spi::Operation& operation,
                                      const spi::ConvolutionView& view) {
  const bool data = view.prop == spi::PropKind::kBackwardData;
  const WeightsAxes axes = AxesOf(view, data);
  weights_buffer_ = PositionOf(operation, view.weights);
  spi::Layout panels = view.weights;
  if (PanelDepth(view.weights, axes.rows, axes.cols) != 1) {
    panels = PanelsOf(view, data, DataType::kF32, 1);
    weights_copy_ = TensorCopy(view.weights, panels);
  }
  weights_offset_ = panels.offset;
  weights_panel_ = panels.strides[static_cast<size_t>(axes.cols[0])];
  for (int64_t tap = 0; tap < kKernelTaps; ++tap)
    taps_[static_cast<size_t>(tap)] =
        (data ? kKernelTaps - 1 - tap : tap) * channels_ * int64_t{kPanel};
}

void WinogradConvolution::PlanBlocks(int max_threads) {
  panels_ = CeilDiv(columns_, kPanel);
  tiles_ = batch_ * axes_[0].tiles * axes_[1].tiles;
  // A line more lies in another set of a cache.
  patch_row_ = RoundUp<int64_t>(channels_, kPanel) + kPanel;
  const double flops = 2.0 * kPatchPlaces * static_cast<double>(tiles_) *
                       static_cast<double>(channels_) * static_cast<double>(columns_);
  const int64_t most =
      std::clamp(kBlockBytes / (kPatchPlaces * kF32Bytes * patch_row_), kLeastTiles, kMostTiles);
  threads_ = static_cast<int>(std::clamp(std::ceil(flops / kThreadFlops), 1.0,
                                         static_cast<double>(std::max(1, max_threads))));
  blocks_ = std::max(CeilDiv(tiles_, most),
                     std::min<int64_t>(threads_, CeilDiv(tiles_, kernels_.max_rows)));
  if (blocks_ > 0) blocks_ = EvenCut(tiles_, blocks_, 1, 1, threads_, threads_).pieces;
  block_tiles_ = CeilDiv(tiles_, std::max<int64_t>(1, blocks_));
  threads_ = static_cast<int>(std::min<int64_t>(threads_, std::max<int64_t>(1, blocks_)));
  weights_matrix_ = panels_ * channels_ * kPanel + kPanel;
  patches_matrix_ = block_tiles_ * patch_row_ + kPanel;
  sums_matrix_ = block_tiles_ * kGroupColumns + kPanel;
  const auto bytes = [](int64_t floats) { return static_cast<size_t>(floats * kF32Bytes); };
  weights_bytes_ = bytes(weights_matrix_ * kPatchPlaces);
  zero_bytes_ = bytes(patch_row_);
  patches_bytes_ = bytes(patches_matrix_ * kPatchPlaces);
  sums_bytes_ = bytes(sums_matrix_ * kPatchPlaces);
  // And a row that nobody reads.
  results_bytes_ = bytes((kFinishTiles * kTileResults + 1) * kGroupColumns);
}

size_t WinogradConvolution::scratchpad_bytes() const {
  return source_copy_.bytes() + weights_copy_.bytes() + weights_bytes_ + zero_bytes_ +
         static_cast<size_t>(threads_) * thread_bytes() + kCacheLine;
}

// What a thread works with, and its block.
struct WinogradConvolution::Task {
  const float* source;
  const float* weights;  // transformed
  const float* zero;     // a row of zeros
  const std::byte* bias;
  const float* scales;
  std::byte* result;
  float* patches;
  float* sums;
  float* results;

  int64_t begin, tiles;
};

void WinogradConvolution::Run(spi::Buffers buffers, std::byte* scratchpad) const {
  if (tiles_ == 0) return;
  scratchpad = NextLine(scratchpad);
  Task task = {};
  task.source = reinterpret_cast<const float*>(
      source_copy_.Read(DataOf(source_buffer_, buffers), &scratchpad));
  const std::byte* const weights =
      weights_copy_.Read(DataOf(weights_buffer_, buffers), &scratchpad);
  float* const transformed = reinterpret_cast<float*>(scratchpad);
  TransformWeights(weights, transformed);
  task.weights = transformed;
  scratchpad += weights_bytes_;
  task.zero = reinterpret_cast<const float*>(scratchpad);
  std::memset(scratchpad, 0, zero_bytes_);
  scratchpad += zero_bytes_;
  task.bias = DataOf(finish_.bias_buffer, buffers);
  task.scales = ScalesOf(finish_, buffers);
  task.result = DataOf(result_buffer_, buffers) + result_offset_ * spi::SizeOf(result_type_);
  TaskShares shares(blocks_, threads_);
  ParallelFor(threads_, threads_, [&](int64_t thread) {
    Task mine = task;
    mine.patches =
        reinterpret_cast<float*>(scratchpad + static_cast<size_t>(thread) * thread_bytes());
    mine.sums = mine.patches + patches_matrix_ * kPatchPlaces;
    mine.results = mine.sums + sums_matrix_ * kPatchPlaces;
    shares.ForEach(thread, [&](int64_t i) {
      mine.begin = i * tiles_ / blocks_;
      mine.tiles = (i + 1) * tiles_ / blocks_ - mine.begin;
      RunBlock(mine);
    });
  });
}

void WinogradConvolution::TransformWeights(const std::byte* weights, float* to) const {
  const float* const from = reinterpret_cast<const float*>(weights) + weights_offset_;
  ParallelFor(panels_, threads_, [&](int64_t panel) {
    transforms_.weights(from + panel * weights_panel_, taps_.data(), channels_,
                        to + panel * channels_ * kPanel, weights_matrix_);
  });
}

void WinogradConvolution::TransformPatches(const Task& task) const {
  const Axis &high = axes_[0], &wide = axes_[1];
  for (int64_t i = 0; i < task.tiles; ++i) {
    const int64_t tile = task.begin + i, row = tile / wide.tiles;
    const float* const image =
        task.source + source_rows_.offset + row / high.tiles * source_rows_.batch;
    const int64_t top = row % high.tiles * kResultSide + high.first;
    const int64_t left = tile % wide.tiles * kResultSide + wide.first;
    const float* places[kPatchPlaces];
    for (int64_t k = 0; k < kPatchPlaces; ++k) {
      const int64_t y = top + k / kPatchSide, x = left + k % kPatchSide;
      const bool exists = y >= 0 && y < high.read && x >= 0 && x < wide.read;
      places[k] =
          exists ? image + y * source_rows_.spatial[1] + x * source_rows_.spatial[2] : task.zero;
    }
    transforms_.patch(places, channels_, task.patches + i * patch_row_, patches_matrix_);
  }
}

// The columns of `panels` panels from `n` on: 16 products.
void WinogradConvolution::Multiply(const Task& task, int64_t n, int panels) const {
  const float* const weights = task.weights + n * channels_;
  for (int64_t k = 0; k < kPatchPlaces; ++k)
    for (int64_t c = 0; c < channels_; c += kChunkLines) {
      TileArgs args;
      args.a_row = patch_row_;
      args.a_step = 1;
      args.depth = std::min(kChunkLines, channels_ - c);
      const float* const b = weights + k * weights_matrix_ + c * kPanel;
      args.b = b;
      args.b_panel = channels_ * kPanel;
      args.sums_row = kGroupColumns;
      args.sums_panel = kPanel;
      args.add = c > 0;
      args.ahead = c + kChunkLines < channels_ ? b + kChunkLines * kPanel
                   : k + 1 < kPatchPlaces      ? weights + (k + 1) * weights_matrix_
                                               : weights + panels * args.b_panel;
      args.a = task.patches + k * patches_matrix_ + c;
      args.sums = task.sums + k * sums_matrix_;
      RunRows(kernels_, panels, task.tiles, args);
    }
}

// Where the results of a tile lie; -1 for those that do not exist.
void WinogradConvolution::LocateResults(const Task& task, int64_t tile, int64_t* rows) const {
  const Axis &high = axes_[0], &wide = axes_[1];
  const int64_t row = (task.begin + tile) / wide.tiles;
  const int64_t image = result_batch_.OffsetOf(row / high.tiles);
  const int64_t top = row % high.tiles * kResultSide;
  const int64_t left = (task.begin + tile) % wide.tiles * kResultSide;
  for (int64_t k = 0; k < kTileResults; ++k) {
    const int64_t y = top + k / kResultSide, x = left + k % kResultSide;
    const bool exists = y < high.results && x < wide.results;
    rows[k] = exists ? image + result_places_[0].OffsetOf(y) + result_places_[1].OffsetOf(x) : -1;
  }
}

void WinogradConvolution::FinishGroup(const Task& task, int64_t n, int64_t cols) const {
  int64_t col_offsets[kGroupColumns], row_offsets[kFinishTiles * kTileResults];
  result_channels_.Offsets(n, cols, col_offsets);
  ColumnNumbers numbers;
  ReadColumnNumbers(finish_, task.bias, task.scales, n, cols, &numbers);
  FinishBlock block;
  block.finish = &finish_;
  block.sums = task.results;
  block.sums_row = kGroupColumns;
  block.sums_panel = kPanel;
  block.cols = cols;
  block.numbers = &numbers;
  block.type = result_type_;
  block.to = task.result;
  block.row_offsets = row_offsets;
  block.col_offsets = col_offsets;
  float* const nowhere = task.results + kFinishTiles * kTileResults * kGroupColumns;
  for (int64_t first = 0; first < task.tiles; first += kFinishTiles) {
    block.rows = 0;
    for (int64_t i = first; i < std::min(first + kFinishTiles, task.tiles); ++i) {
      int64_t at[kTileResults];
      float* to[kTileResults];
      LocateResults(task, i, at);
      for (int64_t k = 0; k < kTileResults; ++k) {
        to[k] = at[k] < 0 ? nowhere : task.results + block.rows * kGroupColumns;
        if (at[k] >= 0) row_offsets[block.rows++] = at[k];
      }
      transforms_.results(task.sums + i * kGroupColumns, sums_matrix_,
                          RoundUp<int64_t>(cols, kPanel), to);
    }
    finish_kernel_(block);
  }
}

void WinogradConvolution::RunBlock(const Task& task) const {
  TransformPatches(task);
  const int64_t width = int64_t{kPanel} * kernels_.panels;
  for (int64_t n = 0; n < columns_; n += width) {
    const int64_t cols = std::min(width, columns_ - n);
    Multiply(task, n, static_cast<int>(CeilDiv(cols, kPanel)));
    FinishGroup(task, n, cols);
  }
}

std::string WinogradConvolution::ToString() const {
  std::string text = absl::StrCat("f32 winograd 2x2 tiles ", tiles_, " of ", channels_, "->",
                                  columns_, " in blocks of ", block_tiles_);
  if (source_copy_) absl::StrAppend(&text, " src:copied");
  if (weights_copy_) absl::StrAppend(&text, " weights:copied");
  absl::StrAppend(&text, impl_cpu::ToString(finish_), " threads ", threads_);
  return text;
}

}  // namespace impl_cpu
