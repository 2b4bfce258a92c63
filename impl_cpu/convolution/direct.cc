#include "impl_cpu/convolution/direct.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/threads/parallel_for.h"
#include "impl_cpu/threads/task_shares.h"

namespace impl_cpu {
namespace {

constexpr int64_t kF32Bytes = 4;
// Places of which a group is copied before the next group.
constexpr int64_t kCopiedPlaces = 4;

}  // namespace

// What a task works with: the data, and the scratchpad of its thread.
struct DirectConvolution::Task {
  const float* source;
  const float* weights;
  std::byte* result;
  const float* first;            // what the sums of each channel begin with
  const ColumnNumbers* numbers;  // of the columns that are finished at once
  const float *bias, *scales;    // the same of all, where a kernel stores results
  std::byte* own;                // of the first thread
  float* own_sums;
  int64_t* offsets;  // of the places of its rows in the result
  int64_t* source_rows;
  int64_t* weight_rows;
  float* gathered;
  int64_t gathered_group;  // the first of those that are gathered; -1: none

  int64_t batch, depth;         // the place on the outermost axis
  int64_t first_row, rows;      // of the next one
  int64_t first_place, places;  // of the innermost
  int64_t first_unit, last_unit;

  // What is read, of the batch and a group: place (d, h, w) lies at origin + its offset by
  // `spatial`.
  const float* from;
  int64_t origin;
  std::array<int64_t, 3> spatial;
};

void DirectConvolution::Run(spi::Buffers buffers, std::byte* scratchpad) const {
  if (tasks_ == 0) return;
  const Task task = TaskOf(buffers, scratchpad);
  TaskShares shares(tasks_, threads_);
  const auto run = [&](int64_t thread) {
    Task mine = task;
    std::byte* const own = task.own + static_cast<size_t>(thread) * thread_bytes();
    mine.own_sums = reinterpret_cast<float*>(own);
    mine.offsets = reinterpret_cast<int64_t*>(own + sums_bytes_);
    mine.source_rows = reinterpret_cast<int64_t*>(own + sums_bytes_ + offset_bytes_);
    mine.weight_rows = reinterpret_cast<int64_t*>(own + sums_bytes_ + offset_bytes_ + tap_bytes_);
    mine.gathered = reinterpret_cast<float*>(own + sums_bytes_ + offset_bytes_ + 2 * tap_bytes_);
    shares.ForEach(thread, [&](int64_t i) {
      size_t part = parts_.size() - 1;
      while (parts_[part].first_task > i) --part;
      RunTask(parts_[part], i - parts_[part].first_task, &mine);
    });
  };
  if (threads_ == 1) return run(0);
  ParallelFor(threads_, threads_, run);
}

DirectConvolution::Task DirectConvolution::TaskOf(spi::Buffers buffers,
                                                  std::byte* scratchpad) const {
  scratchpad = NextLine(scratchpad);
  const auto take = [&scratchpad](size_t bytes) {
    std::byte* const at = scratchpad;
    scratchpad += bytes;
    return at;
  };
  Task task = {};
  task.source = reinterpret_cast<const float*>(ReadSource(buffers, &scratchpad));
  task.weights = reinterpret_cast<const float*>(ReadWeights(buffers, &scratchpad));
  task.result = DataOf(result_buffer_, buffers) + result_offset_ * spi::SizeOf(result_type_);
  auto* const first = reinterpret_cast<float*>(take(first_bytes_));
  auto* numbers = reinterpret_cast<ColumnNumbers*>(take(number_bytes_));
  task.first = first;
  task.numbers = numbers;
  auto* const bias_row = reinterpret_cast<float*>(take(row_bytes_));
  auto* const scale_row = reinterpret_cast<float*>(take(row_bytes_));
  task.bias = bias_row;
  task.scales = scale_row;
  task.own = scratchpad;
  std::memset(first, 0, first_bytes_);
  if (number_bytes_ == 0) return task;
  const std::byte* const bias = DataOf(finish_.bias_buffer, buffers);
  const float* const scales = ScalesOf(finish_, buffers);
  const int64_t channels = groups_ * columns_;
  for (int64_t c = 0; c < channels; c += kColumns, ++numbers) {
    const int64_t count = std::min(kColumns, channels - c);
    ReadColumnNumbers(finish_, bias, scales, c, count, numbers);
    if (finish_.bias_buffer >= 0 && after_.bias_buffer < 0)
      std::memcpy(first + c, numbers->bias, static_cast<size_t>(count) * sizeof(float));
    if (row_bytes_ == 0) continue;
    const TileResults all = ResultsOf(finish_, *numbers, result_type_);
    std::copy_n(all.bias, count, bias_row + c);
    std::copy_n(all.scales, count, scale_row + c);
  }
  return task;
}

void DirectConvolution::RunTask(const Part& part, int64_t index, Task* task) const {
  const std::array<WalkAxis, 3>& axes = part.walk.axes;
  const auto digit = [&index](int64_t extent) {
    const int64_t at = index % extent;
    index /= extent;
    return at;
  };
  int64_t range = by_ranges_ ? 0 : digit(ranges_);
  const int64_t piece = digit(part.pieces), block = digit(part.blocks);
  task->depth = digit(axes[0].count);
  task->batch = digit(batch_);
  if (by_ranges_) range = index;
  task->gathered_group = -1;
  const auto first_of = [this](int64_t r) {
    return std::min(units_, r * CeilDiv(units_, split_) / ranges_ * split_);
  };
  task->first_unit = first_of(range);
  task->last_unit = first_of(range + 1);
  task->first_place = piece * axes[2].count / part.pieces;
  task->places = (piece + 1) * axes[2].count / part.pieces - task->first_place;
  task->first_row = block * axes[1].count / part.blocks;
  task->rows = (block + 1) * axes[1].count / part.blocks - task->first_row;
  for (int64_t row = 0; row < task->rows; ++row) LocateRow(part, *task, row);
  if (part.depthwise != nullptr) {
    SumDepthwise(part, *task);
  } else if (form_ != DirectForm::kPanels) {
    Gather(part, 0, task);
    for (int64_t row = 0; row < task->rows; ++row) SumRow(part, *task, row, task->first_unit);
  } else {
    for (int64_t unit = task->first_unit; unit < task->last_unit; ++unit) {
      if (unit == task->first_unit || unit % group_units_ == 0) Gather(part, GroupOf(unit), task);
      for (int64_t row = 0; row < task->rows; ++row) SumRow(part, *task, row, unit);
    }
  }
  if (!part.stores() && (!in_place_ || !after_.none())) FinishRows(part, *task);
}

void DirectConvolution::LocateRow(const Part& part, const Task& task, int64_t row) const {
  const std::array<WalkAxis, 3>& axes = part.walk.axes;
  const auto along = [&](size_t a, int64_t at) {
    return result_places_[a].OffsetOf(axes[a].first + at * axes[a].every);
  };
  const int64_t outer =
      result_batch_.OffsetOf(task.batch) + along(0, task.depth) + along(1, task.first_row + row);
  int64_t* const offsets = task.offsets + row * task.places;
  const int64_t count = part.stores() || (in_place_ && after_.none()) ? 1 : task.places;
  for (int64_t w = 0; w < count; ++w) offsets[w] = outer + along(2, task.first_place + w);
}

// What the rows of a task read of a group.
void DirectConvolution::Gather(const Part& part, int64_t group, Task* task) const {
  task->from = task->source;
  task->origin = source_.offset + task->batch * source_.batch + group * depth_;
  task->spatial = source_.spatial;
  if (!part.gathers) return;
  const auto reach = [&](size_t a, int64_t first, int64_t count) {
    const WalkAxis& axis = part.walk.axes[a];
    const int64_t begin = std::max<int64_t>(0, first * axis.step + axis.lowest);
    const int64_t end = std::min(axis.extent, (first + count - 1) * axis.step + axis.highest + 1);
    return Range{begin, std::max(begin, end)};
  };
  const Range down = reach(1, task->first_row, task->rows);
  const Range along = reach(2, task->first_place, task->places);
  const int64_t width = along.end - along.begin;
  const int64_t plane = (down.end - down.begin) * width * depth_;
  const int64_t first = group - group % part.together;
  if (task->gathered_group != first) {
    task->gathered_group = first;
    const int64_t groups = std::min(part.together, groups_ - first);
    const int64_t origin = task->origin - (group - first) * depth_;
    for (int64_t h = down.begin; h < down.end; ++h)
      GatherRow(task->source + (origin + h * source_.spatial[1] + along.begin * source_.spatial[2]),
                groups, width, plane, task->gathered + (h - down.begin) * width * depth_);
  }
  task->from = task->gathered + (group - first) * plane;
  task->spatial = {0, width * depth_, depth_};
  task->origin = -(down.begin * width + along.begin) * depth_;
}

// Some groups of places, each group to a plane of its own.
void DirectConvolution::GatherRow(const float* from, int64_t groups, int64_t places, int64_t plane,
                                  float* to) const {
  const int64_t step = source_.spatial[2], depth = depth_;
  const auto copy = [&](auto bytes) {
    for (int64_t first = 0; first < places; first += kCopiedPlaces) {
      const int64_t last = std::min(places, first + kCopiedPlaces);
      for (int64_t g = 0; g < groups; ++g) {
        float* const plane_to = to + g * plane;
        const float* const group_from = from + g * depth;
        for (int64_t w = first; w < last; ++w)
          std::memcpy(plane_to + w * depth, group_from + w * step,
                      bytes == 0 ? static_cast<size_t>(depth) * sizeof(float) : bytes);
      }
    }
  };
  if (depth == 16) {
    copy(std::integral_constant<size_t, 64>());
  } else if (depth == 8) {
    copy(std::integral_constant<size_t, 32>());
  } else if (depth == 4) {
    copy(std::integral_constant<size_t, 16>());
  } else if (depth == 2) {
    copy(std::integral_constant<size_t, 8>());
  } else {
    copy(std::integral_constant<size_t, 0>());
  }
}

float* DirectConvolution::SumsOf(const Part& part, const Task& task, int64_t row,
                                 int64_t channel) const {
  if (!in_place_ && !part.stores()) return task.own_sums + row * task.places * sums_row_ + channel;
  const int64_t at = task.offsets[row * task.places] + channel;
  return reinterpret_cast<float*>(task.result + at * spi::SizeOf(result_type_));
}

int64_t DirectConvolution::ChannelOf(int64_t unit) const {
  if (form_ == DirectForm::kPanels) return GroupOf(unit) * columns_ + unit % group_units_ * most_;
  return unit == units_ ? groups_ * columns_ : unit * kColumns;
}

// What the next unit reads is fetched over all tiles of this one.
void DirectConvolution::FetchAhead(const Part& part, const Task& task, int64_t row, int64_t unit,
                                   RowArgs* args) const {
  args->ahead = args->weights;
  if (unit + 1 == task.last_unit || (unit + 1) % group_units_ == 0) return;
  const int64_t tiles = CeilDiv(task.places, RowsAtOnce(args->src_step, places_));
  args->ahead_step = kPanel * kF32Bytes / (task.rows * tiles);
  const int64_t before = row * tiles * part.walk.taps() * depth_ * args->ahead_step;
  args->ahead += most_ / kPanel * weights_panel_ + before / kF32Bytes;
}

// The channels of a unit, or where they are not in panels of all units, of the places of a row.
void DirectConvolution::SumRow(const Part& part, const Task& task, int64_t row,
                               int64_t unit) const {
  const std::array<WalkAxis, 3>& axes = part.walk.axes;
  const bool panels = form_ == DirectForm::kPanels;
  const int64_t group = GroupOf(unit), column = unit % group_units_ * most_;
  const int64_t channel = ChannelOf(unit);
  const int64_t origin = task.origin + (panels ? 0 : channel);
  int64_t rows = 0;
  for (const WalkTap& d : axes[0].taps) {
    const int64_t at_d = task.depth * axes[0].step + d.base;
    if (at_d < 0 || at_d >= axes[0].extent) continue;
    for (const WalkTap& h : axes[1].taps) {
      const int64_t at_h = (task.first_row + row) * axes[1].step + h.base;
      if (at_h < 0 || at_h >= axes[1].extent) continue;
      task.source_rows[rows] = origin + at_d * task.spatial[0] + at_h * task.spatial[1];
      task.weight_rows[rows++] = (d.tap * axes_[1].kernel + h.tap) * axes_[2].kernel * weights_tap_;
    }
  }
  RowArgs args;
  args.begin = task.first_place;
  args.end = task.first_place + task.places;
  args.src_step = axes[2].step * task.spatial[2];
  args.src = task.from;
  args.rows = rows;
  args.src_rows = task.source_rows;
  args.weight_rows = task.weight_rows;
  args.tap_count = static_cast<int64_t>(part.taps.size());
  args.taps = part.taps.data();
  args.runs = part.runs;
  if (rows == static_cast<int64_t>(axes[0].taps.size() * axes[1].taps.size())) {
    args.offsets = part.offsets.data();
    args.offset_count = static_cast<int64_t>(part.offsets.size());
    args.first_row = task.origin + task.depth * axes[0].step * task.spatial[0] +
                     (task.first_row + row) * axes[1].step * task.spatial[1];
  }
  args.depth = depth_;
  args.channels = panels ? std::min(most_, columns_ - column) : ChannelOf(task.last_unit) - channel;
  args.weights = panels ? task.weights + group * weights_group_ + column / kPanel * weights_panel_ +
                              column % kPanel
                        : task.weights + channel;
  args.weights_panel = weights_panel_;
  if (panels && part.kernel == kernel_) FetchAhead(part, task, row, unit, &args);
  args.first = task.first + channel;
  args.sums = SumsOf(part, task, row, channel);
  args.rounds = in_place_ && result_type_ != spi::DataType::kF32;
  args.sums_row = in_place_ ? axes[2].every * result_places_[2].stride() : sums_row_;
  part.kernel(args);
}

void DirectConvolution::SumDepthwise(const Part& part, const Task& task) const {
  const WalkAxis& depth = part.walk.axes[0];
  const int64_t channel = ChannelOf(task.first_unit);
  DepthwiseArgs args = part.depthwise_args;
  args.channels = ChannelOf(task.last_unit) - channel;
  args.begin = task.first_row;
  args.end = task.first_row + task.rows;
  const int64_t from = source_.offset + task.batch * source_.batch +
                       (task.depth * depth.step + depth.taps[0].base) * source_.spatial[0] +
                       args.base_place * args.src_place + channel;
  args.src = reinterpret_cast<const float*>(reinterpret_cast<const std::byte*>(task.source) +
                                            from * spi::SizeOf(source_.type));
  args.weights = task.weights + channel;
  args.first = task.first + channel;
  args.bias = task.bias + channel;
  args.scales = task.scales + channel;
  if (in_place_ || part.stores()) {
    args.sums_down = part.walk.axes[1].every * result_places_[1].stride();
    args.sums_row = part.walk.axes[2].every * result_places_[2].stride();
  } else {
    args.sums_down = task.places * sums_row_;
    args.sums_row = sums_row_;
  }
  args.sums = SumsOf(part, task, 0, channel - task.first_row * args.sums_down);
  args.rounds = in_place_ && result_type_ != spi::DataType::kF32;
  part.depthwise(args);
}

void DirectConvolution::FinishRows(const Part& part, const Task& task) const {
  const int64_t begin = ChannelOf(task.first_unit), end = ChannelOf(task.last_unit);
  const bool words = words_ == Words::kPairs || words_ == Words::kQuads;
  if (after_.exact && !words) {
    for (int64_t place = 0; place < task.rows * task.places; ++place) {
      float* const sums = task.own_sums + place * sums_row_;
      for (int64_t c = begin; c < end; ++c) {
        const auto sum = static_cast<int32_t>(sums[c]);
        std::memcpy(sums + c, &sum, sizeof(sum));
      }
    }
  }
  FinishBlock block;
  block.integers = words || after_.exact;
  block.finish = &after_;
  block.in_place = in_place_;
  block.sums_panel = kPanel;
  // Sums of its own follow one another from row to row.
  const int64_t together = in_place_ ? 1 : task.rows;
  block.rows = together * task.places;
  block.type = result_type_;
  block.to = task.result;
  block.sums_row = in_place_ ? part.walk.axes[2].every * result_places_[2].stride() : sums_row_;
  int64_t col_offsets[kColumns];
  block.col_offsets = col_offsets;
  for (int64_t c = begin; c < end; c += kColumns) {
    block.cols = std::min(kColumns, end - c);
    block.numbers = task.numbers + c / kColumns;
    result_channels_.Offsets(c, block.cols, col_offsets);
    for (int64_t row = 0; row < task.rows; row += together) {
      block.row_offsets = task.offsets + row * task.places;
      block.sums = SumsOf(part, task, row, c);
      finish_kernel_(block);
    }
  }
}

}  // namespace impl_cpu
