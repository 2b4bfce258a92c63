#include "impl_cpu/convolution/tiled.h"

#include <algorithm>
#include <cmath>

#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/product/tile_rows.h"
#include "impl_cpu/threads/parallel_for.h"
#include "impl_cpu/threads/task_shares.h"

namespace impl_cpu {
namespace {

constexpr int64_t kLineBytes = kPanel * 4;
constexpr int64_t kElementBytes = 4;
constexpr int64_t kMendDepth = 16;  // of a row of patches, which are longer

}  // namespace

void TiledConvolution::Run(spi::Buffers buffers, std::byte* scratchpad) const {
  if (tasks_ == 0) return;
  scratchpad = NextLine(scratchpad);
  Task task = {};
  task.source = source_.copy.Read(DataOf(source_.buffer, buffers), &scratchpad);
  task.weights = weights_.copy.Read(DataOf(weights_.buffer, buffers), &scratchpad);
  task.weights += weights_offset_;
  if (pair_bytes_ > 0) {
    SplitLines(pairs_, task.weights, quad_lines_, threads_, reinterpret_cast<int16_t*>(scratchpad));
    task.weights = scratchpad;
    scratchpad += pair_bytes_;
  }
  task.bias = DataOf(finish_.bias_buffer, buffers);
  task.scales = ScalesOf(finish_, buffers);
  task.result = DataOf(result_buffer_, buffers) + result_offset_ * spi::SizeOf(result_type_);
  TaskShares shares(tasks_, threads_);
  ParallelFor(threads_, threads_, [&](int64_t thread) {
    Task mine = task;
    mine.patches = scratchpad + static_cast<size_t>(thread) * thread_bytes();
    mine.sums = mine.patches + patch_bytes_;
    mine.offsets = reinterpret_cast<int64_t*>(mine.sums + sums_bytes_);
    shares.ForEach(thread, [&](int64_t i) {
      size_t part = parts_.size() - 1;
      while (parts_[part].first_task > i) --part;
      RunTask(parts_[part], i - parts_[part].first_task, &mine);
    });
  });
}

void TiledConvolution::RunTask(const Part& part, int64_t index, Task* task) const {
  const int64_t range = index % ranges_, block = index / ranges_ / groups_;
  const int64_t width = int64_t{kPanel} * kernels_.panels;
  task->part = &part;
  task->group = index / ranges_ % groups_;
  if (part.by_image) {
    const int64_t row = part.walk.axes[2].count, image = part.walk.axes[1].count * row;
    const int64_t first = block % part.blocks_of_image * part.rows;
    task->begin = block / part.blocks_of_image * image + first;
    task->rows = std::min(part.rows, image - first);
  } else {
    task->begin = block * part.rows;
    task->rows = std::min(part.rows, part.places - task->begin);
  }
  task->first_n = range * column_groups_ / ranges_ * width;
  task->last_n = std::min(columns_, (range + 1) * column_groups_ / ranges_ * width);
  LocateRows(*task);
  if (part.by_image) RunImage(*task);
  for (const Chunk& chunk : part.chunks) RunChunk(*task, chunk);
  if (!integers_ && !part.complete) MendRows(*task);
  for (int64_t n = task->first_n; n < task->last_n; n += width)
    FinishGroup(*task, n, std::min(width, task->last_n - n));
}

void TiledConvolution::LocateRows(const Task& task) const {
  const std::array<WalkAxis, 3>& axes = task.part->walk.axes;
  auto [batch, j] = task.part->walk.PlaceOf(task.begin);
  const auto along = [&, &j = j](size_t a) {
    return result_places_[a].OffsetOf(axes[a].first + j[a] * axes[a].every);
  };
  const bool strided = result_places_[2].strided();
  const int64_t step = strided ? result_places_[2].stride() : 0;
  int64_t outer = result_batch_.OffsetOf(batch) + along(0) + along(1);
  for (int64_t i = 0; i < task.rows; ++i) {
    task.offsets[i] = outer + (strided ? (axes[2].first + j[2] * axes[2].every) * step : along(2));
    if (++j[2] < axes[2].count) continue;
    j[2] = 0;
    if (++j[1] == axes[1].count) {
      j[1] = 0;
      if (++j[0] == axes[0].count) {
        j[0] = 0;
        if (++batch == batch_) return;
      }
    }
    outer = result_batch_.OffsetOf(batch) + along(0) + along(1);
  }
}

// Where results are f32 side by side, and nothing of what they held is needed.
bool TiledConvolution::SumsInPlace(const Part& part, int64_t channel, int64_t cols) const {
  if (!part.sums_in_place) return false;
  for (int64_t c = 0; c < cols; c += kPanel) {
    const Index::Run run =
        result_channels_.RunFrom(channel + c, std::min<int64_t>(kPanel, cols - c));
    if (run.count != kPanel || run.stride != 1) return false;
  }
  return true;
}

// Of the group of columns from `n` on, without what comes of a chunk.
TileArgs TiledConvolution::ArgsOf(const Task& task, int64_t n, int64_t cols) const {
  TileArgs args;
  const int64_t channel = task.group * columns_ + n;
  if (SumsInPlace(*task.part, channel, cols)) {
    const int64_t first = result_channels_.OffsetOf(channel);
    args.sums = task.result + (task.offsets[0] + first) * kElementBytes;
    args.sums_row = result_row_;
    if (cols > kPanel) args.sums_panel = result_channels_.OffsetOf(channel + kPanel) - first;
  } else {
    args.sums = task.sums + (n - task.first_n) * kElementBytes;
    args.sums_row = sums_row_;
    args.sums_panel = kPanel;
  }
  args.b = task.weights + task.group * group_bytes_ + n / kPanel * panel_bytes_;
  args.b_panel = panel_bytes_ / kElementBytes;
  return args;
}

void TiledConvolution::RunChunk(const Task& task, const Chunk& chunk) const {
  const Part& part = *task.part;
  TileArgs rows;
  if (part.in_rows) {
    const int64_t at = source_rows_.offset + part.row_base + task.group * channels_ + chunk.k0;
    rows.a = task.source + at * spi::SizeOf(source_rows_.type) +
             task.begin * part.row_stride * kElementBytes;
    rows.a_row = part.row_stride;
  } else {
    rows.a = task.patches;
    rows.a_row = PatchRow(chunk.depth);
    if (chunk.depth > 0)
      packer_.Pack({&part.walk, &source_rows_, task.group * channels_, channels_, padded_,
                    task.begin, task.rows, chunk.k0, chunk.depth},
                   task.source, rows.a_row * kElementBytes, task.patches);
  }
  rows.a_step = 1;
  rows.depth = chunk.depth / LineDepth();
  const int64_t width = int64_t{kPanel} * kernels_.panels;
  for (int64_t n = task.first_n; n < task.last_n; n += width) {
    const int64_t cols = std::min(width, task.last_n - n);
    TileArgs args = ArgsOf(task, n, cols);
    args.a = rows.a;
    args.a_row = rows.a_row;
    args.a_step = rows.a_step;
    args.depth = rows.depth;
    args.b = static_cast<const std::byte*>(args.b) + chunk.line * kLineBytes;
    args.add = chunk.k0 > 0;
    const auto panels = static_cast<int>(CeilDiv(cols, kPanel));
    args.ahead = static_cast<const std::byte*>(args.b) + panels * panel_bytes_;
    RunRows(kernels_, panels, task.rows, args);
  }
}

// What does not exist was multiplied as 0, which is NaN where a weight is infinite or NaN. Rows of
// places with such terms that have a NaN are summed again, without these.
void TiledConvolution::MendRows(const Task& task) const {
  const std::array<WalkAxis, 3>& axes = task.part->walk.axes;
  const int64_t width = int64_t{kPanel} * kernels_.panels;
  for (int64_t row = 0; row < task.rows; ++row) {
    const WalkPlace place = task.part->walk.PlaceOf(task.begin + row);
    bool complete = true;
    for (size_t a = 0; a < 3; ++a) complete = complete && axes[a].Complete(place.at[a]);
    if (complete) continue;
    bool mends = false;
    for (int64_t n = task.first_n; n < task.last_n && !mends; n += width) {
      const int64_t cols = std::min(width, task.last_n - n);
      const TileArgs args = ArgsOf(task, n, cols);
      const float* const sums = static_cast<const float*>(args.sums) + row * args.sums_row;
      for (int64_t c = 0; c < cols; ++c)
        mends = mends || std::isnan(sums[c / kPanel * args.sums_panel + c % kPanel]);
    }
    if (mends) MendRow(task, row);
  }
}

void TiledConvolution::MendRow(const Task& task, int64_t row) const {
  const Part& part = *task.part;
  const std::array<WalkAxis, 3>& axes = part.walk.axes;
  const WalkPlace place = part.walk.PlaceOf(task.begin + row);
  bool add = false;
  const auto sum = [&](int64_t line, int64_t depth) {
    const int64_t width = int64_t{kPanel} * kernels_.panels;
    for (int64_t n = task.first_n; n < task.last_n; n += width) {
      const int64_t cols = std::min(width, task.last_n - n);
      TileArgs args = ArgsOf(task, n, cols);
      args.a = task.patches;
      args.a_row = args.a_step = 1;
      args.depth = depth;
      args.b = static_cast<const std::byte*>(args.b) + line * kLineBytes;
      args.ahead = args.b;
      args.sums = static_cast<std::byte*>(args.sums) + row * args.sums_row * kElementBytes;
      args.tiles = 1;
      args.add = add;
      kernels_.tile[CeilDiv(cols, kPanel) - 1][1](args);
    }
    add = true;
  };
  sum(0, 0);
  const auto taps_h = static_cast<int64_t>(axes[1].taps.size());
  const auto taps_w = static_cast<int64_t>(axes[2].taps.size());
  for (int64_t tap = 0; tap < part.walk.taps(); ++tap) {
    const auto exists = [&](size_t a, int64_t t) {
      const int64_t at = place.at[a] * axes[a].step + axes[a].taps[static_cast<size_t>(t)].base;
      return at >= 0 && at < axes[a].extent;
    };
    if (!exists(0, tap / taps_w / taps_h) || !exists(1, tap / taps_w % taps_h) ||
        !exists(2, tap % taps_w))
      continue;
    // A piece of a tap at a time, as long as patches may be.
    const int64_t first = KernelTap(part.walk, tap) * padded_;
    for (int64_t k = 0; k < padded_;) {
      const int64_t depth = std::min(padded_ - k, kMendDepth);
      packer_.Pack({&part.walk, &source_rows_, task.group * channels_, channels_, padded_,
                    task.begin + row, 1, tap * padded_ + k, depth},
                   task.source, 0, task.patches);
      sum((first + k) / LineDepth(), depth / LineDepth());
      k += depth;
    }
  }
}

void TiledConvolution::FinishGroup(const Task& task, int64_t n, int64_t cols) const {
  const int64_t channel = task.group * columns_ + n;
  const bool in_place = SumsInPlace(*task.part, channel, cols);
  if (in_place && finish_.none()) return;
  const TileArgs args = ArgsOf(task, n, cols);
  int64_t col_offsets[kMaxGroup * kPanel];
  result_channels_.Offsets(channel, cols, col_offsets);
  ColumnNumbers numbers;
  ReadColumnNumbers(finish_, task.bias, task.scales, channel, cols, &numbers);
  FinishBlock block;
  block.finish = &finish_;
  block.integers = integers_;
  block.in_place = in_place;
  block.sums = args.sums;
  block.sums_row = args.sums_row;
  block.sums_panel = args.sums_panel;
  block.rows = task.rows;
  block.cols = cols;
  block.numbers = &numbers;
  block.type = result_type_;
  block.to = task.result;
  block.row_offsets = task.offsets;
  block.col_offsets = col_offsets;
  finish_kernel_(block);
}

}  // namespace impl_cpu
