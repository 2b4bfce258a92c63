#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "api/spi/layout.h"
#include "impl_cpu/convolution/direct.h"
#include "impl_cpu/convolution/weights_layout.h"
#include "impl_cpu/product/arguments.h"
#include "impl_cpu/product/even_cut.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/panels.h"
#include "impl_cpu/product/product_plan.h"
#include "impl_cpu/product/rounding.h"

namespace impl_cpu {
namespace {

using spi::DataType;

constexpr int64_t kF32Bytes = 4;
// Channels of a group that are read by a tap: more of them are worth copying for tiles.
constexpr int64_t kMostDepth = 32;
// The same where there is but one tap, and where these are of many columns.
constexpr int64_t kMostSingleDepth = 160, kMostSingleDepth32 = 1024;
// What is read and computed of the places of a task, so that it stays in a core's own cache.
constexpr int64_t kRowBytes = 384 << 10;
// Where everything is f32, terms of a sum, whose weights stay in a core's own cache.
constexpr int64_t kMostTerms32 = 9 * 512;
// The same of bytes.
constexpr int64_t kMostWordTerms = 4 * kMostTerms32;
// Places that a row then has: tiles of short rows read weights too often. Of two panels at once; of
// one, by several taps and by one.
constexpr int64_t kLeastOfPairs = 7, kLeastPlaces = 14, kLeastSingle = 28;
constexpr int64_t kWordBytes = 4;
// Numbers of a place that are worth copying for AMX; of groups, channels.
constexpr int64_t kLeastAmx = 32;
// Fewer columns have no panels in memory.
constexpr int64_t kFewColumns = 4;
// Channels of which depthwise kernels widen what they read.
constexpr int64_t kLeastWidened = 4;
// So many products of bytes have a sum that a float holds.
constexpr int64_t kMostExactTerms = (1 << 24) / (255 * 128);
// Places of a task, and what its own sums may be.
constexpr int64_t kTaskPlaces = 96, kGroupPlaces = 192, kRowPlaces = 512, kOwnSums = 1 << 15;
// Where what is read is copied, group by group: numbers that are copied at once, in whole lines of
// the source, and rows that a group reads by its taps.
constexpr int64_t kGathered = 1 << 16, kMostReach = 16;
// Channels of a row of taps, and of all, that are listed.
constexpr int64_t kListedRun = 32, kListed = 512;
// Some microseconds of work, by operations, and by bytes where there are few of these to a byte.
constexpr double kThreadFlops = 1 << 19, kThreadBytes = 1 << 18;
constexpr int64_t kTasksPerThread = 4;
// Rows that columns are not shorter than: they read two more.
constexpr int64_t kLeastHeight = 7;

int64_t TapsOf(const spi::ConvolutionView& view) {
  int64_t taps = 1;
  for (const spi::ConvolutionAxis& axis : view.axes) taps *= axis.kernel;
  return taps;
}

PanelRowKernel PanelKernelOf(DirectConvolution::Words words) {
  switch (words) {
    case DirectConvolution::Words::kQuads:
      return FindQuadPanelRowKernel();
    case DirectConvolution::Words::kPairs:
      return FindPairPanelRowKernel();
    case DirectConvolution::Words::kBf16:
      return FindBf16PanelRowKernel();
    case DirectConvolution::Words::kFloats:
      break;
  }
  return FindPanelRowKernel();
}

GroupRowKernel GroupKernelOf(DirectConvolution::Words words, int64_t depth, int64_t columns) {
  switch (words) {
    case DirectConvolution::Words::kQuads:
      return FindQuadGroupRowKernel(depth, columns);
    case DirectConvolution::Words::kPairs:
      return FindPairGroupRowKernel(depth, columns);
    case DirectConvolution::Words::kBf16:
      return FindBf16GroupRowKernel(depth, columns);
    case DirectConvolution::Words::kFloats:
      break;
  }
  return FindGroupRowKernel(depth, columns);
}

// Whether floats hold all sums of bytes, where these are no work for tiles.
bool SumsAreExact(const spi::ConvolutionView& view) {
  int64_t terms = view.ic;
  for (const spi::ConvolutionAxis& axis : view.axes) {
    if (axis.kernel > kMostExactTerms) return false;
    terms *= axis.kernel;
    if (terms > kMostExactTerms) return false;
  }
  return view.groups > 1 ? view.ic <= 16 && view.oc <= 16 : view.ic <= 4 && terms > view.ic;
}

}  // namespace

bool PaysByAmx(const spi::ConvolutionView& view, bool has_amx) {
  const bool data = view.prop == spi::PropKind::kBackwardData;
  const int64_t depth = data ? view.oc : view.ic, columns = data ? view.ic : view.oc;
  if (!has_amx || depth % kWordBytes != 0 || columns < kPanel / 2) return false;
  return view.groups == 1 ? TapsOf(view) * depth >= kLeastAmx : depth >= kLeastAmx;
}

bool ReadsWords(const spi::ConvolutionView& view) {
  const int64_t taps = TapsOf(view);
  const bool whole = view.ic > 0 && view.ic % kWordBytes == 0;
  if (view.prop == spi::PropKind::kBackwardData || !IsByte(view.src.type) || !whole) return false;
  if (PaysByAmx(view, FindQuadAmxKernel(view.src.type) != nullptr)) return false;
  return taps > 1 && taps * view.ic <= kMostWordTerms && view.oc > kFewColumns &&
         FindPairPanelRowKernel().run != nullptr;
}

DirectForm DirectFormOf(const spi::ConvolutionView& view) {
  const bool integers = IsByte(view.src.type);
  if (integers && !SumsAreExact(view)) return DirectForm::kNone;
  if (!integers && (!IsFloat(view.src.type) || !IsFloat(view.dst.type))) return DirectForm::kNone;
  if (view.ic == 1 && view.oc == 1) return DirectForm::kDepthwise;
  if (view.ic == view.oc && (view.ic == 2 || view.ic == 4) && view.groups * view.ic >= 4)
    return DirectForm::kBlocks;
  const int64_t taps = TapsOf(view);
  const bool data = view.prop == spi::PropKind::kBackwardData;
  const int64_t depth = data ? view.oc : view.ic, columns = data ? view.ic : view.oc;
  const bool f32 = view.src.type == DataType::kF32 && view.weights.type == DataType::kF32 &&
                   view.dst.type == DataType::kF32;
  const int64_t single = columns > kFewColumns ? kMostSingleDepth32 : kMostSingleDepth;
  const bool fits = taps == 1 ? f32 && depth <= single
                              : depth <= kMostDepth ||
                                    (f32 && columns > kFewColumns && depth <= kMostTerms32 / taps);
  return depth > 0 && fits ? DirectForm::kPanels : DirectForm::kNone;
}

bool DirectConvolution::Plan(const spi::Operation& operation, int max_threads, bool bf16) {
  const spi::ConvolutionView view(operation);
  bf16_ = bf16;
  const bool data = view.prop == spi::PropKind::kBackwardData;
  if (!PlanKernel(view) || IsForTiles(view)) return false;
  PlanSource(operation, data ? view.dst : view.src);
  PlanWeights(operation, view);
  PlanResult(operation, view);
  std::vector<Walk> walks = WalksOf(view);
  if (walks.empty() && !spi::IsEmpty(data ? view.src : view.dst)) return false;
  for (Walk& walk : walks) {
    if (tap_rows_.taps > 0) JoinTaps(&walk);
    if (batch_ * walk.places() > 0) PlanPart(std::move(walk));
  }
  PlanThreads(max_threads);
  return true;
}

bool DirectConvolution::PlanKernel(const spi::ConvolutionView& view) {
  const bool data = view.prop == spi::PropKind::kBackwardData;
  form_ = DirectFormOf(view);
  if (form_ == DirectForm::kNone || bf16_) form_ = DirectForm::kPanels;
  integers_ = IsByte(view.src.type) && !data;
  batch_ = view.batch;
  groups_ = view.groups;
  depth_ = data ? view.oc : view.ic;
  columns_ = data ? view.ic : view.oc;
  axes_ = view.axes;
  most_ = groups_ * columns_;
  switch (form_) {
    case DirectForm::kDepthwise:
      kernel_ = FindDepthwiseKernel(DataType::kF32);
      // The last one is longer.
      units_ = std::max<int64_t>(1, groups_ / kColumns);
      break;
    case DirectForm::kBlocks:
      kernel_ = FindBlockKernel(columns_);
      break;
    default:
      PlanPanelKernel(view);
  }
  finish_kernel_ = FindFinishKernel();
  return kernel_ != nullptr && finish_kernel_ != nullptr;
}

void DirectConvolution::PlanPanelKernel(const spi::ConvolutionView& view) {
  PlanWords(view);
  const PanelRowKernel kernel = PanelKernelOf(words_);
  kernel_ = kernel.run;
  most_ = kernel.most;
  if (groups_ > 1 && axes_[2].kernel == 3) group_kernel_ = GroupKernelOf(words_, depth_, columns_);
  if (group_kernel_.run != nullptr) most_ = group_kernel_.most;
  places_ = std::max<int64_t>(1, kernel.places);
  group_units_ = CeilDiv(columns_, std::max<int64_t>(1, most_));
  units_ = groups_ * group_units_;
}

// Whether rows are so short that tiles, which go on from one to the next, are better.
bool DirectConvolution::IsForTiles(const spi::ConvolutionView& view) const {
  const bool single = TapsOf(view) == 1;
  if (form_ != DirectForm::kPanels || depth_ <= (single ? kMostSingleDepth : kMostDepth))
    return false;
  const bool strided =
      std::any_of(view.axes.begin(), view.axes.end(),
                  [](const spi::ConvolutionAxis& axis) { return axis.stride > 1; });
  // An image is a row.
  if (single && !strided) return false;
  const spi::ConvolutionAxis& along = view.axes[2];
  const int64_t places =
      view.prop == spi::PropKind::kBackwardData ? CeilDiv(along.input, along.stride) : along.output;
  return places < (most_ > kPanel ? kLeastOfPairs : single ? kLeastSingle : kLeastPlaces);
}

void DirectConvolution::PlanSource(const spi::Operation& operation, const spi::Layout& layout) {
  source_buffer_ = PositionOf(operation, layout);
  if (words_ != Words::kFloats) return PlanSourceWords(layout);
  const bool depthwise = form_ == DirectForm::kDepthwise;
  const bool widens = depthwise && groups_ >= kLeastWidened && FindDepthwiseKernel(layout.type);
  if ((layout.type != DataType::kF32 && !widens) || !HasChannelRows(layout, &source_)) {
    const spi::Layout copy = PlaceRows(layout);
    source_copy_ = TensorCopy(layout, copy);
    HasChannelRows(copy, &source_);
  }
  if (depthwise) kernel_ = FindDepthwiseKernel(source_.type);
}

void DirectConvolution::PlanWeights(const spi::Operation& operation,
                                    const spi::ConvolutionView& view) {
  weights_buffer_ = PositionOf(operation, view.weights);
  if (words_ != Words::kFloats) return PlanWeightWords(view);
  const bool data = view.prop == spi::PropKind::kBackwardData;
  const WeightsAxes axes = AxesOf(view, data);
  const bool panels = form_ == DirectForm::kPanels;
  const spi::Layout wanted =
      panels ? PanelsOf(view, data, DataType::kF32, 1) : ChannelsInTaps(view, data, DataType::kF32);
  const bool fits = panels
                        ? PanelDepth(view.weights, axes.rows, axes.cols) == 1
                        : view.weights.block_count == 0 && view.weights.strides == wanted.strides;
  const spi::Layout& taken =
      TakeWeights(view.weights, wanted, fits && view.weights.type == DataType::kF32);
  weights_offset_ = taken.offset;
  weights_tap_ = depth_ * (panels ? kPanel : groups_ * columns_);
  if (!panels) return;
  weights_panel_ = taken.strides[static_cast<size_t>(axes.cols[0])];
  weights_group_ = view.grouped ? taken.strides[0] : 0;
}

const spi::Layout& DirectConvolution::TakeWeights(const spi::Layout& given,
                                                  const spi::Layout& wanted, bool fits) {
  if (fits) return given;
  weights_copy_ = TensorCopy(given, wanted);
  return wanted;
}

void DirectConvolution::PlanResult(const spi::Operation& operation,
                                   const spi::ConvolutionView& view) {
  const spi::Layout& layout = view.prop == spi::PropKind::kBackwardData ? view.src : view.dst;
  result_type_ = layout.type;
  result_buffer_ = PositionOf(operation, layout);
  result_offset_ = layout.offset;
  result_batch_ = Index(layout, {0});
  result_channels_ = Index(layout, {1});
  for (int axis = 2; axis < layout.rank; ++axis)
    result_places_[static_cast<size_t>(3 - layout.rank + axis)] = Index(layout, {axis});
  absl::InlinedVector<int, 3> places;
  for (int axis = 2; axis < layout.rank; ++axis) places.push_back(axis);
  const Index all(layout, places);
  result_uniform_ =
      all.strided() && result_places_[2].strided() && all.stride() == result_places_[2].stride();
  if (spi::IsForward(view.prop)) finish_ = FinishOf(operation, view.bias, view.dst);
  after_ = finish_;
  // Where sums are exact, nothing is rounded before they are complete. What is subnormal is no
  // beginning for sums of bf16.
  if (!integers_ && !bf16_) after_.bias_buffer = -1;
  const int64_t channels = groups_ * columns_;
  // What follows works on whole panels.
  const bool rounds = form_ == DirectForm::kDepthwise && source_.type == DataType::kBF16 &&
                      layout.type == DataType::kBF16 && after_.none();
  in_place_ = (layout.type == DataType::kF32 || rounds) && !integers_ && !finish_.sums() &&
              result_channels_.strided() && result_channels_.stride() == 1 &&
              result_places_[2].strided() && (after_.none() || channels % kPanel == 0);
  sums_row_ = PlaceRow(RoundUp<int64_t>(channels, kPanel));
}

// Whether each place reads the one that lies where it does.
bool DirectConvolution::IsPointwise(const Walk& walk) const {
  int64_t extent = 1;
  for (size_t a = 3; a-- > 0;) {
    const WalkAxis& axis = walk.axes[a];
    if (axis.taps.size() != 1 || axis.taps[0].base != 0 || axis.step != 1 || axis.every != 1 ||
        axis.count != axis.extent)
      return false;
    if (a < 2 && axis.count > 1 && source_.spatial[a] != extent * source_.spatial[2]) return false;
    extent *= axis.count;
  }
  return walk.axes[2].count > 1 && result_uniform_;
}

// Whether places read by three neighbouring taps, of which one at most lacks at each end.
bool DirectConvolution::IsForGroupRow(const WalkAxis& axis) const {
  return group_kernel_.run != nullptr && axis.taps.size() == 3 && axis.highest - axis.lowest == 2 &&
         axis.step <= 2 && axis.lowest >= -1 &&
         (axis.count - 1) * axis.step + axis.highest <= axis.extent;
}

void DirectConvolution::PlanPart(Walk walk) {
  if (form_ == DirectForm::kPanels && IsPointwise(walk)) {
    // One row.
    walk.axes[2].count = walk.axes[2].extent = walk.places();
    for (size_t a = 0; a < 2; ++a) walk.axes[a].count = walk.axes[a].extent = 1;
  }
  Part part;
  const WalkAxis& axis = walk.axes[2];
  // Of images, where groups share a line; nothing is copied that is not read.
  const bool three = IsForGroupRow(axis);
  part.gathers = form_ == DirectForm::kPanels && groups_ > 1 && (three || depth_ < kPanel) &&
                 walk.axes[0].extent == 1 &&
                 walk.axes[1].highest - walk.axes[1].lowest < kMostReach;
  part.kernel = three && part.gathers ? group_kernel_.run : kernel_;
  const int64_t place = part.gathers ? depth_ : source_.spatial[2];
  for (const WalkTap& tap : axis.taps) {
    const Range places = PlacesOf(axis, tap);
    part.taps.push_back({tap.base * place, tap.tap * weights_tap_, places.begin, places.end});
  }
  if (!axis.taps.empty() && axis.taps.back().base < axis.taps.front().base)
    std::reverse(part.taps.begin(), part.taps.end());
  part.runs = true;
  for (size_t t = 1; t < part.taps.size(); ++t)
    part.runs = part.runs && part.taps[t].src - part.taps[t - 1].src == depth_ &&
                part.taps[t].weights - part.taps[t - 1].weights == weights_tap_;
  int64_t most =
      in_place_ ? kRowPlaces : std::clamp<int64_t>(kOwnSums / sums_row_, kPanel, kRowPlaces);
  if (form_ == DirectForm::kPanels)
    most = std::clamp(kRowBytes / kF32Bytes / (groups_ * (depth_ + columns_)),
                      std::min(kTaskPlaces, most), most);
  part.pieces = CeilDiv(axis.count, most);
  part.width = CeilDiv(axis.count, part.pieces);
  // Weights are read again for each row.
  int64_t places = part.kernel != kernel_ ? kGroupPlaces : kTaskPlaces;
  if (form_ != DirectForm::kPanels && !in_place_) places = std::min(places, kOwnSums / sums_row_);
  part.height = std::clamp<int64_t>(places / part.width, 1, walk.axes[1].count);
  part.walk = std::move(walk);
  PlanPanels(&part);
  PlanDepthwise(&part);
  part.blocks = CeilDiv(part.walk.axes[1].count, part.height);
  parts_.push_back(std::move(part));
}

void DirectConvolution::PlanPanels(Part* part) const {
  if (form_ != DirectForm::kPanels) return;
  const std::array<WalkAxis, 3>& axes = part->walk.axes;
  const auto reach = [&axes](size_t a, int64_t count) {
    return std::min(axes[a].extent,
                    (count - 1) * axes[a].step + axes[a].highest - axes[a].lowest + 1);
  };
  if (part->gathers) {
    const int64_t line = std::max<int64_t>(1, kPanel / depth_);
    const int64_t group =
        std::max<int64_t>(1, reach(1, part->height) * reach(2, part->width)) * depth_;
    part->together = std::min(std::max<int64_t>(1, kGathered / (group * line)) * line, groups_);
    part->gathered = static_cast<size_t>(group * part->together * kF32Bytes);
  }
  int64_t taps = 1;
  bool ascend = true;
  for (size_t a = 0; a < 3; ++a) {
    taps *= axes_[a].kernel;
    for (size_t t = 1; t < axes[a].taps.size(); ++t)
      ascend = ascend && axes[a].taps[t].base > axes[a].taps[t - 1].base;
  }
  // Short runs are worth a list.
  if (!ascend || taps == 1 || taps != part->walk.taps() || groups_ > 1 ||
      axes_[2].kernel * depth_ > kListedRun || taps * depth_ > kListed)
    return;
  for (const WalkTap& d : axes[0].taps)
    for (const WalkTap& h : axes[1].taps)
      for (const WalkTap& w : axes[2].taps)
        for (int64_t c = 0; c < depth_; ++c)
          part->offsets.push_back(d.base * source_.spatial[0] + h.base * source_.spatial[1] +
                                  w.base * source_.spatial[2] + c);
}

double DirectConvolution::Work() const {
  double places = 0, sums = 0, read = 0;
  for (const Part& part : parts_) {
    const std::array<WalkAxis, 3>& axes = part.walk.axes;
    const auto batch = static_cast<double>(batch_);
    const double results = batch * static_cast<double>(part.walk.places());
    places += results;
    sums += results * static_cast<double>(std::max<int64_t>(1, part.walk.taps() * depth_));
    read = batch;
    for (const WalkAxis& axis : axes) read *= static_cast<double>(axis.extent);
  }
  const auto channels = static_cast<double>(groups_ * columns_);
  return form_ == DirectForm::kDepthwise
             ? std::max((places + read) * kF32Bytes / kThreadBytes, sums / kThreadFlops) * channels
             : 2 * sums * channels / kThreadFlops;
}

int64_t DirectConvolution::TasksOf(const Part& part) const {
  return batch_ * part.walk.axes[0].count * part.blocks * part.pieces;
}

// Cuts the rows of a part, or the places of its row, into tasks, where units are cut into `ranges`
// already. Returns into how many ranges to cut `shares` of them; 1: as they are.
int64_t DirectConvolution::CutPart(int64_t ranges, int64_t shares, int64_t wanted, int64_t threads,
                                   Part* part) const {
  const int64_t rows = part->walk.axes[1].count, places = part->walk.axes[2].count;
  // Kernels of three by three taps compute whole rows.
  const bool by_rows = part->depthwise != nullptr || (part->pieces == 1 && rows > 1);
  int64_t* const pieces = by_rows ? &part->blocks : &part->pieces;
  const int64_t each = TasksOf(*part) / *pieces * ranges;
  if (part->by_columns && shares == 1)
    *pieces = std::clamp(CeilDiv(wanted, each), *pieces, std::max(*pieces, rows / kLeastHeight));
  const Cut cut = EvenCut(by_rows ? rows : places, *pieces, each, shares, wanted, threads);
  *pieces = cut.pieces;
  part->height = CeilDiv(rows, part->blocks);
  part->width = CeilDiv(places, part->pieces);
  return cut.ranges;
}

void DirectConvolution::PlanThreads(int max_threads) {
  const int64_t channels = groups_ * columns_;
  // What is finished is not parted but between columns that are finished at once.
  const bool finishes = !in_place_ || !after_.none();
  if (finishes && form_ == DirectForm::kPanels) {
    const bool whole = groups_ == 1 || columns_ % most_ == 0;
    split_ = whole ? std::max<int64_t>(1, kColumns / most_) : units_;
  }
  const auto threads =
      static_cast<int64_t>(std::min(static_cast<double>(max_threads), std::ceil(Work())));
  const auto walks = std::max<int64_t>(1, static_cast<int64_t>(parts_.size()));
  const int64_t wanted = threads > 1 ? CeilDiv(threads * kTasksPerThread, walks) : 1;
  if (!parts_.empty()) {
    ranges_ = CutPart(1, CeilDiv(units_, split_), wanted, threads, &parts_.front());
    int64_t kernel = 1, read = batch_;
    for (size_t a = 0; a < 3; ++a) {
      kernel *= axes_[a].kernel;
      read *= parts_.front().walk.axes[a].extent;
    }
    by_ranges_ = form_ == DirectForm::kPanels && kernel * columns_ > read;
  }
  size_t own = 0, places = 0, taps = 0;
  for (Part& part : parts_) {
    const std::array<WalkAxis, 3>& axes = part.walk.axes;
    CutPart(ranges_, 1, wanted, threads, &part);
    part.first_task = tasks_;
    tasks_ += TasksOf(part) * ranges_;
    const auto count = static_cast<size_t>(part.height * part.width);
    places = std::max(places, count);
    if (!in_place_ && !part.stores()) own = std::max(own, count);
    if (part.stores()) row_bytes_ = RoundUp(static_cast<size_t>(channels * kF32Bytes), kCacheLine);
    taps = std::max(taps, axes[0].taps.size() * axes[1].taps.size());
  }
  threads_ = static_cast<int>(std::clamp<int64_t>(tasks_, 1, std::max<int64_t>(1, threads)));
  // A kernel reads whole panels.
  first_bytes_ = static_cast<size_t>((sums_row_ + kMaxGroup * kPanel) * kF32Bytes);
  number_bytes_ =
      finish_.none() && row_bytes_ == 0
          ? 0
          : static_cast<size_t>(CeilDiv(channels, kMaxGroup * kPanel)) * sizeof(ColumnNumbers);
  sums_bytes_ = own * static_cast<size_t>(sums_row_ * kF32Bytes);
  offset_bytes_ = RoundUp(places * sizeof(int64_t), kCacheLine);
  tap_bytes_ = RoundUp(taps * sizeof(int64_t), kCacheLine);
  for (const Part& part : parts_)
    gather_bytes_ = std::max(gather_bytes_, RoundUp(part.gathered, kCacheLine));
}

size_t DirectConvolution::scratchpad_bytes() const {
  return source_copy_.bytes() + weights_copy_.bytes() + pair_bytes() + first_bytes_ +
         number_bytes_ + 2 * row_bytes_ + static_cast<size_t>(threads_) * thread_bytes() +
         kCacheLine;
}

std::string DirectConvolution::ToString() const {
  static constexpr const char* kForms[] = {"none", "depthwise", "blocks", "panels"};
  static constexpr const char* kWords[] = {"", " of pairs", " of quads", " of bf16"};
  std::string text =
      absl::StrCat(kForms[static_cast<size_t>(form_)], kWords[static_cast<size_t>(words_)],
                   " channels ", depth_, "->", columns_, " groups ", groups_);
  if (!parts_.empty())
    absl::StrAppend(&text, " walks ", parts_.size(), " taps ", parts_[0].walk.taps(), " rows ",
                    parts_[0].height, " of ", parts_[0].width);
  if (!parts_.empty() && parts_[0].depthwise != nullptr)
    absl::StrAppend(&text, parts_[0].by_columns ? " by columns" : " by tiles",
                    parts_[0].stores() ? " of results" : "");
  if (!parts_.empty() && parts_[0].kernel != kernel_) absl::StrAppend(&text, " three taps at once");
  if (tap_rows_.taps > 0) absl::StrAppend(&text, " rows of taps");
  if (source_copy_) absl::StrAppend(&text, " src:copied");
  if (weights_copy_) absl::StrAppend(&text, " weights:copied");
  if (in_place_) absl::StrAppend(&text, " in place");
  absl::StrAppend(&text, impl_cpu::ToString(finish_), " threads ", threads_);
  return text;
}

}  // namespace impl_cpu
