#include "impl_cpu/convolution/gradient.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/threads/parallel_for.h"
#include "impl_cpu/threads/task_shares.h"

namespace impl_cpu {
namespace {

constexpr int64_t kF32Bytes = 4, kCacheLineBytes = kCacheLine;
// Channels of places that are read where they lie: those of more lie in few sets of a cache.
constexpr int64_t kMostOfPlaces = 512;
// How far ahead of what is copied the source is fetched.
constexpr int64_t kPlacesAhead = 4;
// Two bf16 of 1.
constexpr uint32_t kOnes = 0x3f803f80;
// Channels of a task: what it packs stays in a core's own cache.
constexpr int64_t kMostRows = 192, kMostCols = 256;
// Channels of the bias that are summed at once.
constexpr int64_t kBiasChannels = 64;
// Some microseconds of work.
constexpr double kThreadFlops = 1 << 19;
constexpr int64_t kTasksPerThread = 4;

}  // namespace

void WeightsGradient::PlanSide(const spi::Operation& operation, const spi::Layout& layout,
                               Side* side) {
  side->buffer = PositionOf(operation, layout);
  side->packer = PatchPacker(layout.type, PatchForm::kF32);
  side->copy = CopyToChannelRows(layout, &side->rows);
}

bool WeightsGradient::Plan(const spi::Operation& operation, int max_threads) {
  const spi::ConvolutionView view(operation);
  kernels_ = FindTileKernels();
  PlanPairKernels(view);
  finish_kernel_ = FindFinishKernel();
  if (kernels_.max_rows == 0 || finish_kernel_ == nullptr) return false;
  batch_ = view.batch;
  groups_ = view.groups;
  ic_ = view.ic;
  oc_ = view.oc;
  axes_ = view.axes;
  PlanSide(operation, view.src, &src_);
  PlanSide(operation, view.dst, &dst_);
  weights_type_ = view.weights.type;
  weights_buffer_ = PositionOf(operation, view.weights);
  weights_offset_ = view.weights.offset;
  const int first = view.grouped ? 1 : 0;
  if (view.grouped) of_group_ = Index(view.weights, {0});
  of_oc_ = Index(view.weights, {first});
  of_ic_ = Index(view.weights, {first + 1});
  for (int j = 0; j < view.spatial; ++j)
    of_tap_[static_cast<size_t>(3 - view.spatial + j)] = Index(view.weights, {first + 2 + j});
  if (view.bias != nullptr) {
    bias_buffer_ = PositionOf(operation, *view.bias);
    bias_type_ = view.bias->type;
    bias_offset_ = view.bias->offset;
    of_bias_ = Index(*view.bias, {0});
  }
  in_place_ = IsInPlace(view.weights, first);
  reads_places_ = ReadsPlaces();
  PlanTaps();
  PlanThreads(max_threads);
  return true;
}

// Whether weights are f32 in whole panels: behind the last column there is padding.
bool WeightsGradient::IsInPlace(const spi::Layout& weights, int columns) const {
  if (weights_type_ != spi::DataType::kF32 || !of_ic_.strided() || weights.block_count == 0)
    return false;
  return weights.blocks[static_cast<size_t>(weights.block_count - 1)] ==
         spi::Block{columns, kPanel};
}

// Whether all places lie equally far apart, each is read by the only tap, and tiles read them where
// they lie.
bool WeightsGradient::ReadsPlaces() const {
  if (batch_ == 0 || src_.rows.type != spi::DataType::kF32 || ic_ * groups_ > kMostOfPlaces)
    return false;
  int64_t extent = 1;
  for (size_t a = 3; a-- > 0;) {
    const spi::ConvolutionAxis& axis = axes_[a];
    if (axis.kernel != 1 || axis.stride != 1 || axis.padding != 0 || axis.input != axis.output)
      return false;
    if (axis.input > 1 && src_.rows.spatial[a] != extent * src_.rows.spatial[2]) return false;
    extent *= axis.input;
  }
  return axes_[2].input > 1 && (batch_ == 1 || src_.rows.batch == extent * src_.rows.spatial[2]);
}

const float* WeightsGradient::PlaceOf(const Task& task, int64_t place) const {
  return reinterpret_cast<const float*>(task.src) + src_.rows.offset + task.group * ic_ +
         task.first_row + place * src_.rows.spatial[2];
}

void WeightsGradient::PlanTaps() {
  for (size_t a = 0; a < 3; ++a) {
    const spi::ConvolutionAxis& axis = axes_[a];
    WalkAxis walk;
    walk.count = axis.output;
    walk.step = axis.stride;
    walk.extent = axis.input;
    for (int64_t k = 0; k < axis.kernel; ++k) {
      // Without outputs the first product may not fit.
      const int64_t base = axis.output == 0 ? 0 : k * axis.step - axis.padding;
      const Range outputs = PlacesOf(walk, {k, base});
      const bool some = outputs.begin < outputs.end;
      taps_[a].push_back({outputs, some ? outputs.begin * axis.stride + base : 0});
    }
  }
  if (bias_buffer_ < 0) return;
  // One that all outputs have.
  bias_tap_ = 0;
  for (size_t a = 0; a < 3; ++a) {
    const auto all = std::find_if(taps_[a].begin(), taps_[a].end(), [&](const Tap& tap) {
      return tap.outputs.begin == 0 && tap.outputs.end == axes_[a].output;
    });
    if (all == taps_[a].end() || bias_tap_ < 0) {
      bias_tap_ = -1;
    } else {
      bias_tap_ = bias_tap_ * axes_[a].kernel + (all - taps_[a].begin());
    }
  }
}

void WeightsGradient::PlanThreads(int max_threads) {
  const int64_t width = int64_t{kPanel} * kernels_.panels;
  row_blocks_ = CeilDiv(ic_, kMostRows);
  rows_ = CeilDiv(ic_, row_blocks_);
  col_blocks_ = CeilDiv(oc_, kMostCols);
  int64_t taps = groups_;
  double flops = 2.0 * static_cast<double>(batch_) * static_cast<double>(groups_) *
                 static_cast<double>(oc_) * static_cast<double>(ic_);
  for (size_t a = 0; a < 3; ++a) {
    taps *= axes_[a].kernel;
    flops *= static_cast<double>(axes_[a].kernel) * static_cast<double>(axes_[a].output);
  }
  threads_ =
      static_cast<int>(std::min(static_cast<double>(max_threads), std::ceil(flops / kThreadFlops)));
  threads_ = std::max(1, threads_);
  if (threads_ > 1)
    col_blocks_ = std::max(
        col_blocks_,
        std::min(CeilDiv(oc_, width), CeilDiv(kTasksPerThread * threads_, taps * row_blocks_)));
  cols_ = RoundUp(CeilDiv(oc_, col_blocks_), width);
  col_blocks_ = CeilDiv(oc_, cols_);
  tasks_ = taps * row_blocks_ * col_blocks_;
  a_bytes_ =
      static_cast<size_t>((by_amx() ? rows_ * kPairsRow : Steps() * FloatsRow()) * kF32Bytes);
  b_bytes_ = static_cast<size_t>(PanelOfChunk() * cols_ / kPanel * kF32Bytes);
  if (by_amx()) PlanStaged();
  if (!in_place_) sums_bytes_ = RoundUp(static_cast<size_t>(rows_ * cols_ * kF32Bytes), kCacheLine);
  offset_bytes_ = RoundUp(static_cast<size_t>(rows_) * sizeof(int64_t), kCacheLine);
  bias_bytes_ = bias_tap_ < 0 ? 0 : static_cast<size_t>(cols_ * kF32Bytes);
}

size_t WeightsGradient::scratchpad_bytes() const {
  return src_.copy.bytes() + dst_.copy.bytes() + static_cast<size_t>(threads_) * thread_bytes() +
         kCacheLine;
}

void WeightsGradient::Run(spi::Buffers buffers, std::byte* scratchpad) const {
  scratchpad = NextLine(scratchpad);
  Task task = {};
  task.src = src_.copy.Read(DataOf(src_.buffer, buffers), &scratchpad);
  task.dst = dst_.copy.Read(DataOf(dst_.buffer, buffers), &scratchpad);
  task.weights = DataOf(weights_buffer_, buffers) + weights_offset_ * spi::SizeOf(weights_type_);
  task.to_bias = DataOf(bias_buffer_, buffers);
  TaskShares shares(tasks_, threads_);
  ParallelFor(threads_, threads_, [&](int64_t thread) {
    Task mine = task;
    std::byte* const own = scratchpad + static_cast<size_t>(thread) * thread_bytes();
    mine.a = reinterpret_cast<float*>(own);
    mine.b = reinterpret_cast<float*>(own + a_bytes_);
    mine.sums = reinterpret_cast<float*>(own + a_bytes_ + b_bytes_);
    mine.offsets = reinterpret_cast<int64_t*>(own + a_bytes_ + b_bytes_ + sums_bytes_);
    mine.bias = reinterpret_cast<float*>(own + a_bytes_ + b_bytes_ + sums_bytes_ + offset_bytes_);
    mine.staged = own + a_bytes_ + b_bytes_ + sums_bytes_ + offset_bytes_ + bias_bytes_;
    shares.ForEach(thread, [&](int64_t i) { RunTask(i, &mine); });
  });
  if (bias_buffer_ < 0 || bias_tap_ >= 0) return;
  ParallelFor(CeilDiv(groups_ * oc_, kBiasChannels), threads_,
              [&](int64_t piece) { RunBias(task.dst, task.to_bias, piece); });
}

void WeightsGradient::RunTask(int64_t index, Task* task) const {
  task->first_col = index % col_blocks_ * cols_;
  task->cols = std::min(cols_, oc_ - task->first_col);
  index /= col_blocks_;
  task->first_row = index % row_blocks_ * rows_;
  task->rows = std::min(rows_, ic_ - task->first_row);
  index /= row_blocks_;
  task->weight = 0;
  const int64_t taps = axes_[0].kernel * axes_[1].kernel * axes_[2].kernel;
  const bool sums_bias = task->first_row == 0 && index % taps == bias_tap_;
  for (size_t a = 3; a-- > 0;) {
    const int64_t tap = index % axes_[a].kernel;
    index /= axes_[a].kernel;
    task->taps[a] = taps_[a][static_cast<size_t>(tap)];
    task->weight += of_tap_[a].OffsetOf(tap);
  }
  task->group = index;
  if (groups_ > 1) task->weight += of_group_.OffsetOf(index);
  float* const bias = task->bias;
  if (!sums_bias) task->bias = nullptr;
  if (sums_bias) std::fill_n(bias, RoundUp<int64_t>(task->cols, kPanel), 0.0f);
  SumPlaces(*task);
  if (!in_place_) FinishTask(*task);
  const int64_t channel = task->group * oc_ + task->first_col;
  for (int64_t c = 0; sums_bias && c < task->cols; ++c)
    StoreBias(bias[c], channel + c, task->to_bias);
  task->bias = bias;
}

void WeightsGradient::StoreBias(float sum, int64_t channel, std::byte* bias) const {
  StoreNarrowed(sum, bias_type_,
                bias + (bias_offset_ + of_bias_.OffsetOf(channel)) * spi::SizeOf(bias_type_));
}

// The channels of packed places: a product with a row of ones.
void WeightsGradient::SumBias(const Task& task, int64_t depth) const {
  const float one = 1;
  TileArgs args;
  args.a = pairs_ ? static_cast<const void*>(&kOnes) : &one;
  args.b_panel = PanelOfChunk();
  args.depth = depth;
  args.sums_panel = kPanel;
  args.tiles = 1;
  args.add = true;
  const int64_t width = int64_t{kPanel} * kernels_.panels;
  for (int64_t n = 0; n < task.cols; n += width) {
    args.b = args.ahead = task.b + n / kPanel * args.b_panel;
    args.sums = task.bias + n;
    kernels_.tile[CeilDiv(std::min(width, task.cols - n), kPanel) - 1][1](args);
  }
}

// Of the columns from `n` on, and from one panel to the next.
float* WeightsGradient::SumsOf(const Task& task, int64_t n, int64_t* panel) const {
  *panel = kPanel;
  if (!in_place_) return task.sums + n;
  const auto at = [&](int64_t col) { return of_oc_.OffsetOf(task.first_col + col); };
  if (n + kPanel < task.cols) *panel = at(n + kPanel) - at(n);
  return reinterpret_cast<float*>(task.weights) + task.weight + of_ic_.OffsetOf(task.first_row) +
         at(n);
}

void WeightsGradient::SumPlaces(const Task& task) const {
  const int64_t places = batch_ * task.places();
  bool widens[kMostCols / kPanel] = {};
  // Rows of pairs are looked at whole.
  if (pairs_ && !by_amx())
    std::fill_n(task.a, CeilDiv(std::min(kChunk, places), 2) * FloatsRow(), 0.0f);
  int64_t k = 0;
  do {  // once where there are no places
    const int64_t count = std::min(kChunk, places - k);
    TileArgs args;
    args.add = k > 0;
    args.sums_row = in_place_ ? of_ic_.stride() : cols_;
    uint16_t least_b = 0;
    args.a = task.a;
    args.a_row = 1;
    args.a_step = FloatsRow();
    args.depth = pairs_ ? CeilDiv(count, 2) : count;
    if (by_amx()) {
      least_b = StagePairs(task, k, count);
      args.a_row = kPairsRow;
      args.a_step = 1;
    } else if (pairs_) {
      least_b = JoinPlaces(task, k, count);
    } else {
      PackPlaces(task, k, count);
      if (reads_places_) {
        args.a = PlaceOf(task, k);
        args.a_step = src_.rows.spatial[2];
      }
    }
    if (task.bias != nullptr) SumBias(task, args.depth);
    SumChunk(task, least_b, widens, args);
    k += count;
  } while (k < places);
}

// All columns of a chunk. `least_b` is the least size of what the instruction for bf16 may
// multiply. Columns that are widened once, by `widens` for each group, are so in the next chunks:
// their sums may be subnormal then, and it adds to them.
void WeightsGradient::SumChunk(const Task& task, uint16_t least_b, bool* widens,
                               TileArgs args) const {
  const bool by_instruction = pairs_ && (!by_amx() || kernels_.PrefersAmx(task.rows, args.depth));
  const int64_t width = int64_t{kPanel} * kernels_.panels;
  args.b_panel = PanelOfChunk();
  for (int64_t n = 0; n < task.cols; n += width) {
    const auto panels = static_cast<int>(CeilDiv(std::min(width, task.cols - n), kPanel));
    args.b = args.ahead = task.b + n / kPanel * args.b_panel;
    args.sums = SumsOf(task, n, &args.sums_panel);
    bool* const refused = widens + n / width;
    if (by_instruction && !*refused) {
      args.least_b = least_b;
      args.refused = refused;
      by_amx() ? kernels_.amx(panels, task.rows, args) : SumTiles(fast_, panels, task.rows, args);
      args.refused = nullptr;
      if (!*refused) continue;
    }
    SumTiles(kernels_, panels, task.rows, args);
  }
}

// Where the first tile is refused, all are: they have the same columns.
void WeightsGradient::SumTiles(const TileKernels& kernels, int panels, int64_t rows,
                               TileArgs args) const {
  const TileCut cut = CutRows(rows, kernels.max_rows);
  const auto run = [&](int64_t height, int64_t tiles) {
    if (tiles == 0 || (args.refused != nullptr && *args.refused)) return;
    args.tiles = tiles;
    args.a_tile = height * args.a_row;
    kernels.tile[panels - 1][height](args);
    args.a = static_cast<const float*>(args.a) + tiles * args.a_tile;
    args.sums = static_cast<float*>(args.sums) + tiles * height * args.sums_row;
  };
  run(cut.height, cut.tall);
  run(cut.height - 1, cut.others);
}

// Where the channels of places begin: `from` in the source, `of` in the gradient of the result.
void WeightsGradient::LocatePlaces(const Task& task, int64_t begin, int64_t count, int64_t* from,
                                   int64_t* of) const {
  std::array<int64_t, 3> o{};  // from the first output of the tap
  int64_t n = begin;
  for (size_t a = 3; a-- > 0 && count > 0;) {
    const int64_t extent = task.taps[a].outputs.end - task.taps[a].outputs.begin;
    o[a] = n % extent;
    n /= extent;
  }
  const int64_t src_channel = src_.rows.offset + task.group * ic_ + task.first_row;
  const int64_t dst_channel = dst_.rows.offset + task.group * oc_ + task.first_col;
  for (int64_t i = 0; i < count; ++i) {
    from[i] = src_channel + n * src_.rows.batch;
    of[i] = dst_channel + n * dst_.rows.batch;
    for (size_t a = 0; a < 3; ++a) {
      from[i] += (task.taps[a].first + o[a] * axes_[a].stride) * src_.rows.spatial[a];
      of[i] += (task.taps[a].outputs.begin + o[a]) * dst_.rows.spatial[a];
    }
    for (size_t a = 3; a-- > 0;) {
      if (++o[a] < task.taps[a].outputs.end - task.taps[a].outputs.begin) break;
      o[a] = 0;
      if (a == 0) ++n;
    }
  }
}

void WeightsGradient::PackPlaces(const Task& task, int64_t begin, int64_t count) const {
  const int64_t src_bytes = spi::SizeOf(src_.rows.type);
  int64_t from[kChunk], of[kChunk];
  LocatePlaces(task, begin, count, from, of);
  for (int64_t i = 0; i < count; ++i) {
    const std::byte* const next =
        task.src + from[std::min(i + kPlacesAhead, count - 1)] * src_bytes;
    for (int64_t c = 0; c < task.rows * src_bytes; c += kCacheLineBytes)
      __builtin_prefetch(next + c);
    if (!reads_places_)
      src_.packer.Copy(task.src + from[i] * src_bytes, task.rows,
                       reinterpret_cast<std::byte*>(task.a + i * FloatsRow()));
    PackColumns(task, of[i], i);
  }
}

// Place i of a chunk: channels from `of` on, a panel after the other.
void WeightsGradient::PackColumns(const Task& task, int64_t of, int64_t i) const {
  const std::byte* from = task.dst + of * spi::SizeOf(dst_.rows.type);
  float* to = task.b + i * kPanel;
  int64_t c = 0;
  if (dst_.rows.type == spi::DataType::kF32) {
    constexpr size_t kLineBytes = kPanel * sizeof(float);
    for (; c + kPanel <= task.cols; c += kPanel, from += kLineBytes, to += kChunk * kPanel)
      std::memcpy(to, from, kLineBytes);
  }
  for (; c < task.cols; c += kPanel, to += kChunk * kPanel) {
    const int64_t columns = std::min<int64_t>(kPanel, task.cols - c);
    if (columns < kPanel) std::fill_n(to + columns, kPanel - columns, 0.0f);
    dst_.packer.Copy(from, columns, reinterpret_cast<std::byte*>(to));
    from += columns * spi::SizeOf(dst_.rows.type);
  }
}

void WeightsGradient::FinishTask(const Task& task) const {
  for (int64_t r = 0; r < task.rows; ++r) task.offsets[r] = of_ic_.OffsetOf(task.first_row + r);
  const int64_t width = int64_t{kPanel} * kernels_.panels;
  int64_t col_offsets[kMaxGroup * kPanel];
  const ColumnNumbers numbers = {};
  FinishBlock block;
  block.finish = &finish_;
  block.sums_row = cols_;
  block.sums_panel = kPanel;
  block.rows = task.rows;
  block.numbers = &numbers;
  block.type = weights_type_;
  block.to = task.weights + task.weight * spi::SizeOf(weights_type_);
  block.row_offsets = task.offsets;
  block.col_offsets = col_offsets;
  for (int64_t n = 0; n < task.cols; n += width) {
    block.cols = std::min(width, task.cols - n);
    block.sums = task.sums + n;
    of_oc_.Offsets(task.first_col + n, block.cols, col_offsets);
    finish_kernel_(block);
  }
}

void WeightsGradient::RunBias(const std::byte* dst, std::byte* bias, int64_t piece) const {
  const int64_t first = piece * kBiasChannels;
  const int64_t channels = std::min(kBiasChannels, groups_ * oc_ - first);
  alignas(64) float sums[kBiasChannels] = {}, place[kBiasChannels];
  const int64_t bytes = spi::SizeOf(dst_.rows.type);
  for (int64_t n = 0; n < batch_; ++n)
    for (int64_t d = 0; d < axes_[0].output; ++d)
      for (int64_t h = 0; h < axes_[1].output; ++h)
        for (int64_t w = 0; w < axes_[2].output; ++w) {
          const int64_t at = dst_.rows.offset + n * dst_.rows.batch + d * dst_.rows.spatial[0] +
                             h * dst_.rows.spatial[1] + w * dst_.rows.spatial[2] + first;
          const float* from = place;
          if (dst_.rows.type == spi::DataType::kF32) {
            from = reinterpret_cast<const float*>(dst) + at;
          } else {
            dst_.packer.Copy(dst + at * bytes, channels, reinterpret_cast<std::byte*>(place));
          }
          int64_t c = 0;
          for (; c + kPanel <= channels; c += kPanel)
            for (int64_t i = 0; i < kPanel; ++i) sums[c + i] += from[c + i];
          for (; c < channels; ++c) sums[c] += from[c];
        }
  for (int64_t c = 0; c < channels; ++c) StoreBias(sums[c], first + c, bias);
}

std::string WeightsGradient::ToString() const {
  int64_t places = batch_, taps = 1;
  for (const spi::ConvolutionAxis& axis : axes_) {
    places *= axis.output;
    taps *= axis.kernel;
  }
  std::string text =
      absl::StrCat("gradient taps ", taps, " of ", places, " places channels ", ic_, "x", oc_,
                   " groups ", groups_, " rows ", rows_, " columns ", cols_);
  if (pairs_) absl::StrAppend(&text, by_amx() ? " by AMX" : " of pairs");
  if (src_.copy) absl::StrAppend(&text, " src:copied");
  if (dst_.copy) absl::StrAppend(&text, " dst:copied");
  absl::StrAppend(&text, bias_buffer_ < 0 ? "" : " bias", " threads ", threads_);
  return text;
}

}  // namespace impl_cpu
