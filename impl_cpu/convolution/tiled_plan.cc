#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "api/spi/layout.h"
#include "impl_cpu/convolution/tiled.h"
#include "impl_cpu/convolution/weights_layout.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/even_cut.h"
#include "impl_cpu/product/panels.h"
#include "impl_cpu/product/product_plan.h"
#include "impl_cpu/product/rounding.h"

namespace impl_cpu {
namespace {

using spi::DataType;

constexpr int64_t kLineBytes = kPanel * 4;
// What is summed before sums are stored, in lines of a panel: a group of panels is half of L1 then.
// AMX multiplies as fast from L2.
constexpr int64_t kChunkLines = 256, kAmxChunkLines = 1024;
// Places whose sums and patches stay in a core's own cache.
constexpr int64_t kBlockRows = 192;
// Columns of a task whose sums do not lie in the result.
constexpr int64_t kSumsColumns = 512;
// Some microseconds of work.
constexpr double kThreadFlops = 1 << 19;
constexpr int64_t kTasksPerThread = 4;

// Where neighbours along `axis` of a tensor lie; of none, nowhere.
Index IndexAlong(const spi::Layout& layout, int axis) {
  return axis < 2 ? Index() : Index(layout, {axis});
}

}  // namespace

bool TiledConvolution::Plan(const spi::Operation& operation, int max_threads, bool pairs) {
  const spi::ConvolutionView view(operation);
  if (pairs) form_ = Form::kBf16Pairs;
  const bool data = view.prop == spi::PropKind::kBackwardData;
  batch_ = view.batch;
  groups_ = view.groups;
  channels_ = data ? view.oc : view.ic;
  columns_ = data ? view.ic : view.oc;
  axes_ = view.axes;
  const DataType read = (data ? view.dst : view.src).type;
  integers_ = IsByte(read);
  finish_kernel_ = FindFinishKernel();
  if (finish_kernel_ == nullptr) return false;
  if (!PlanWeights(operation, view)) return false;
  PlanSource(operation, view);
  PlanResult(operation, view);
  std::vector<Walk> walks = WalksOf(view);
  if (walks.empty() && spi::IsEmpty(data ? view.src : view.dst)) return true;
  if (walks.empty()) return false;
  for (Walk& walk : walks) {
    if (walk.places() == 0) continue;
    parts_.emplace_back();
    parts_.back().walk = std::move(walk);
    PlanPart(data ? view.src : view.dst, &parts_.back());
  }
  PlanThreads(max_threads);
  return true;
}

void TiledConvolution::PlanSource(const spi::Operation& operation,
                                  const spi::ConvolutionView& view) {
  const spi::Layout& layout = view.prop == spi::PropKind::kBackwardData ? view.dst : view.src;
  source_.buffer = PositionOf(operation, layout);
  source_.copy = CopyToChannelRows(layout, &source_rows_);
  packer_ = PatchPacker(layout.type, form_ == Form::kPairs       ? PatchForm::kPairs
                                     : form_ == Form::kQuads     ? PatchForm::kQuads
                                     : form_ == Form::kBf16Pairs ? PatchForm::kBf16Pairs
                                                                 : PatchForm::kF32);
}

bool TiledConvolution::PlanWeights(const spi::Operation& operation,
                                   const spi::ConvolutionView& view) {
  weights_.buffer = PositionOf(operation, view.weights);
  const bool data = view.prop == spi::PropKind::kBackwardData;
  const WeightsAxes axes = AxesOf(view, data);
  const int depth = PanelDepth(view.weights, axes.rows, axes.cols);
  spi::Layout panels;
  bool in_place;
  if (integers_) {
    const DataType read = view.src.type;
    kernels_ = FindQuadTileKernels(read);
    form_ = kernels_.max_rows > 0 ? Form::kQuads : Form::kPairs;
    if (form_ == Form::kPairs) kernels_ = FindIntegerTileKernels();
    panels = PanelsOf(view, data, DataType::kS8, 4);
    // Pairs are made of panels that lie one behind the other.
    in_place = depth == 4 && (form_ == Form::kQuads || panels.strides == view.weights.strides);
  } else if (form_ == Form::kBf16Pairs) {
    kernels_ = FindBf16PairTileKernels(/*widened=*/false);
    panels = PanelsOf(view, data, DataType::kBF16, 2);
    in_place = depth == 2;
  } else if (view.weights.type == DataType::kBF16 && depth == 2) {
    form_ = Form::kBf16;
    kernels_ = FindBf16TileKernels();
    in_place = true;
  } else {
    kernels_ = FindTileKernels();
    panels = PanelsOf(view, data, DataType::kF32, 1);
    in_place = view.weights.type == DataType::kF32 && depth == 1;
  }
  if (kernels_.max_rows == 0) return false;
  if (!in_place) weights_.copy = TensorCopy(view.weights, panels);
  const spi::Layout& read = in_place ? view.weights : panels;
  const int64_t bytes = spi::SizeOf(read.type);
  weights_offset_ = read.offset * bytes;
  panel_bytes_ = read.strides[static_cast<size_t>(axes.cols[0])] * bytes;
  group_bytes_ = view.grouped ? read.strides[0] * bytes : 0;
  const int64_t side = integers_ ? 4 : form_ == Form::kBf16Pairs ? 2 : 1;
  padded_ = RoundUp(channels_, side);
  if (form_ != Form::kPairs) return true;
  pairs_ = FindPairKernels(DataType::kS8);
  if (pairs_.split == nullptr) return false;
  int64_t all = 0;
  spi::SizeInBytes(panels, &all);
  quad_lines_ = all / kLineBytes;
  pair_bytes_ = RoundUp(static_cast<size_t>(all) * 2, kCacheLine);
  panel_bytes_ *= 2;
  group_bytes_ *= 2;
  return true;
}

void TiledConvolution::PlanResult(const spi::Operation& operation,
                                  const spi::ConvolutionView& view) {
  const bool data = view.prop == spi::PropKind::kBackwardData;
  const spi::Layout& layout = data ? view.src : view.dst;
  result_type_ = layout.type;
  result_buffer_ = PositionOf(operation, layout);
  result_offset_ = layout.offset;
  result_batch_ = Index(layout, {0});
  result_channels_ = Index(layout, {1});
  absl::InlinedVector<int, 4> places{0};
  for (int axis = 0; axis < 3; ++axis) {
    const int at = layout.rank - 3 + axis;
    result_places_[static_cast<size_t>(axis)] = IndexAlong(layout, at);
    if (at >= 2) places.push_back(at);
  }
  const Index rows(layout, places);
  result_uniform_ = rows.strided();
  for (const spi::ConvolutionAxis& axis : view.axes)
    if (data && axis.stride != 1) result_uniform_ = false;
  result_row_ = rows.stride();
  if (spi::IsForward(view.prop)) finish_ = FinishOf(operation, view.bias, view.dst);
}

void TiledConvolution::PlanPart(const spi::Layout& result, Part* part) const {
  const Walk& walk = part->walk;
  part->places = batch_ * walk.places();
  const int64_t of_line = LineDepth();
  // Taps that follow one another in a panel make one run.
  const int64_t taps = walk.taps();
  for (int64_t first = 0; first < taps;) {
    const int64_t tap = KernelTap(walk, first);
    int64_t count = 1;
    while (first + count < taps && KernelTap(walk, first + count) == tap + count) ++count;
    const int64_t lines = count * padded_ / of_line;
    const int64_t chunks = CeilDiv(lines, kernels_.amx != nullptr ? kAmxChunkLines : kChunkLines);
    for (int64_t i = 0; i < chunks; ++i) {
      const int64_t begin = i * lines / chunks, end = (i + 1) * lines / chunks;
      part->chunks.push_back({first * padded_ + begin * of_line, (end - begin) * of_line,
                              tap * padded_ / of_line + begin});
    }
    first += count;
  }
  if (part->chunks.empty()) part->chunks.push_back({0, 0, 0});
  part->complete = true;
  for (const WalkAxis& axis : walk.axes)
    part->complete = part->complete &&
                     (axis.taps.empty() || (axis.Complete(0) && axis.Complete(axis.count - 1)));
  const int64_t places = std::max<int64_t>(1, part->places);
  part->rows = RoundUp<int64_t>(CeilDiv(places, CeilDiv(places, kBlockRows)), kernels_.max_rows);
  part->blocks = CeilDiv(part->places, part->rows);
  part->sums_in_place =
      result.type == DataType::kF32 && !integers_ && result_uniform_ && !finish_.sums();
  PlanRows(part);
  PlanImage(part);
}

// Whether what places read lies in rows that tiles can read, as far apart as these are.
void TiledConvolution::PlanRows(Part* part) const {
  const std::array<WalkAxis, 3>& axes = part->walk.axes;
  const bool readable = (form_ == Form::kF32 || form_ == Form::kBf16)
                            ? source_rows_.type == DataType::kF32
                            : (form_ == Form::kBf16Pairs ||
                               (form_ == Form::kQuads && source_rows_.type == DataType::kU8)) &&
                                  padded_ == channels_;
  if (!readable || part->walk.taps() != 1 || !part->complete) return;
  int64_t stride = 0, extent = 1;
  part->row_base = 0;
  const auto along = [&](int64_t count, int64_t step) {
    if (count == 1) return true;
    if (extent == 1) stride = step;
    const bool uniform = step == stride * extent;
    extent *= count;
    return uniform;
  };
  for (size_t a = 3; a-- > 0;) {
    if (!along(axes[a].count, axes[a].step * source_rows_.spatial[a])) return;
    part->row_base += axes[a].taps[0].base * source_rows_.spatial[a];
  }
  if (!along(batch_, source_rows_.batch)) return;
  const int64_t of_element = ElementDepth();
  if (stride % of_element != 0) return;
  part->in_rows = true;
  part->row_stride = stride / of_element;
}

void TiledConvolution::PlanThreads(int max_threads) {
  const int64_t group = int64_t{kPanel} * kernels_.panels;
  column_groups_ = CeilDiv(columns_, group);
  int64_t blocks = 0;
  double flops = 0;
  bool in_place = true;
  size_t rows = 0, patches = 0, images = 0;
  for (Part& part : parts_) {
    part.first_task = blocks;
    blocks += part.blocks * groups_;
    flops += 2.0 * static_cast<double>(part.places) * static_cast<double>(groups_ * columns_) *
             static_cast<double>(std::max<int64_t>(1, part.walk.taps() * padded_));
    in_place = in_place && part.sums_in_place;
    rows = std::max(rows, static_cast<size_t>(std::min(part.rows, part.places)));
    for (const Chunk& chunk : part.chunks)
      patches = std::max(patches, static_cast<size_t>(PatchRow(chunk.depth)));
    if (part.by_image) images = std::max(images, ImageBytes(part));
  }
  threads_ = static_cast<int>(
      std::min({static_cast<double>(max_threads), static_cast<double>(blocks * column_groups_),
                std::ceil(flops / kThreadFlops)}));
  threads_ = std::max(1, threads_);
  ranges_ = in_place ? 1 : CeilDiv(column_groups_ * group, kSumsColumns);
  if (threads_ > 1 && blocks > 0)
    ranges_ = std::max(
        ranges_,
        EvenCut(1, 1, blocks, column_groups_, kTasksPerThread * threads_, threads_).ranges);
  ranges_ = std::max<int64_t>(1, std::min(ranges_, column_groups_));
  for (Part& part : parts_) part.first_task *= ranges_;
  tasks_ = blocks * ranges_;
  sums_row_ = CeilDiv(column_groups_, ranges_) * group;
  patch_bytes_ = RoundUp(std::max(rows * patches * 4, images), kCacheLine);
  sums_bytes_ = rows * static_cast<size_t>(sums_row_) * 4;
  offset_bytes_ = RoundUp(rows * sizeof(int64_t), kCacheLine);
}

size_t TiledConvolution::scratchpad_bytes() const {
  return source_.copy.bytes() + weights_.copy.bytes() + pair_bytes_ +
         static_cast<size_t>(threads_) * thread_bytes() + kCacheLine;
}

int64_t TiledConvolution::LineDepth() const {
  return form_ == Form::kF32 ? 1 : form_ == Form::kQuads ? 4 : 2;
}

int64_t TiledConvolution::ElementDepth() const {
  return form_ == Form::kQuads ? 4 : form_ == Form::kPairs || form_ == Form::kBf16Pairs ? 2 : 1;
}

// Rows a line longer than they need be lie in different sets of a cache.
int64_t TiledConvolution::PatchRow(int64_t depth) const {
  return RoundUp<int64_t>(CeilDiv(depth, ElementDepth()), kPanel) + kPanel;
}

int64_t TiledConvolution::KernelTap(const Walk& walk, int64_t tap) const {
  const auto taps_h = static_cast<int64_t>(walk.axes[1].taps.size());
  const auto taps_w = static_cast<int64_t>(walk.axes[2].taps.size());
  const auto of = [&walk](size_t axis, int64_t i) {
    return walk.axes[axis].taps[static_cast<size_t>(i)].tap;
  };
  return (of(0, tap / taps_w / taps_h) * axes_[1].kernel + of(1, tap / taps_w % taps_h)) *
             axes_[2].kernel +
         of(2, tap % taps_w);
}

std::string TiledConvolution::ToString() const {
  static constexpr const char* kForms[] = {"f32", "bf16", "pairs of bf16", "pairs", "quads"};
  std::string text = kForms[static_cast<size_t>(form_)];
  if (parts_.empty()) return text;
  const Part& part = parts_.front();
  absl::StrAppend(&text, " walks ", parts_.size(), " places ", part.places, " taps ",
                  part.walk.taps(), " channels ", channels_, "->", columns_, " groups ", groups_,
                  " chunks ", part.chunks.size(), " rows ", part.rows);
  if (source_.copy) absl::StrAppend(&text, " src:copied");
  if (weights_.copy) absl::StrAppend(&text, " weights:copied");
  if (!part.in_rows) absl::StrAppend(&text, part.by_image ? " image" : " patches");
  if (part.sums_in_place) absl::StrAppend(&text, " in place");
  absl::StrAppend(&text, impl_cpu::ToString(finish_), " threads ", threads_);
  return text;
}

}  // namespace impl_cpu
