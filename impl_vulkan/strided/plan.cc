#include "impl_vulkan/strided/plan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/strided/boxes.h"

namespace impl_vulkan {
namespace {

// Words that an invocation of row.comp moves.
constexpr uint32_t kRowWords = 4;
// Shared words of packed.comp.
constexpr uint32_t kStagedWords = 2048;
// Both sides of a tile are so many bytes wide, which is what memory hands out at a time.
constexpr uint32_t kTileBytes = 128;
// A tile narrower than this on both sides moves less than it costs.
constexpr int64_t kLeastTile = 4;
constexpr int64_t kLeastTileElements = 64;
// Packed blocks whose loops are all longer than this are better off as tiles.
constexpr int64_t kMostPackedExtent = 16;

// Zero points, beside the kind of scales in one constant (glsl/element.glsl).
constexpr uint32_t kSubtracts = 4, kAdds = 8, kReadsSrcZero = 16, kReadsDstZero = 32;

uint32_t Bits(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

uint32_t PowerOfTwoFrom(uint32_t least) {
  uint32_t power = 1;
  while (power < least) power *= 2;
  return power;
}

// A type of `bytes` bytes, for values that are only moved.
spi::DataType RawType(uint32_t bytes) {
  return bytes == 4 ? spi::DataType::kS32 : bytes == 2 ? spi::DataType::kF16 : spi::DataType::kU8;
}

// One box on its way to a dispatch.
struct Box {
  const spi::LoopNest& nest;
  spi::DataType from, to;
  uint32_t from_bytes, to_bytes;
  const Arithmetic& arithmetic;
  const Function* function;  // null: none
  const Limits& limits;
  const PlanOptions& options;

  uint32_t elements_of_word() const { return 4 / to_bytes; }
  // Of what is read beside the source; 0: nothing is.
  uint32_t scale_bytes() const {
    if (function != nullptr) return function->backward ? to_bytes : 0;
    return arithmetic.scales == Arithmetic::Scales::kMany ? sizeof(float) : 0;
  }
  const spi::LoopDim& last() const { return nest.loops.back(); }
};

// Whether each place `offset` + any sum of `stride`s of all loops but `except` is on a word.
bool OnWords(const Box& box, int64_t offset, int64_t spi::LoopDim::*stride, uint32_t bytes,
             const spi::LoopDim* except) {
  if (!box.options.words_aligned || offset * bytes % 4 != 0) return false;
  return std::all_of(box.nest.loops.begin(), box.nest.loops.end(), [&](const spi::LoopDim& dim) {
    return &dim == except || dim.*stride * bytes % 4 == 0;
  });
}

BufferUse UseOf(int position, Access access, int64_t offset, int64_t span, uint32_t bytes) {
  return {position,
          access,
          {static_cast<uint64_t>(offset) * bytes, static_cast<uint64_t>(span) * bytes},
          bytes};
}

// What a shader reads zero points from, or else `source`.
BufferUse ZeroPointsOf(const Arithmetic& arithmetic, const BufferUse& source) {
  if (arithmetic.both_at_run_time()) return {kZeroPoints, Access::kRead, {0, kZeroPointsBytes}};
  if (!arithmetic.src_zero.run_time && !arithmetic.dst_zero.run_time) return source;
  return {arithmetic.src_zero.run_time ? kSrcZero : kDstZero, Access::kRead, {0, sizeof(int32_t)}};
}

Dispatch Begin(const Box& box, Kernel kernel) {
  Dispatch dispatch;
  dispatch.kernel = kernel;
  const BufferUse source = UseOf(kSource, Access::kRead, box.nest.src_offset,
                                 SpanOf(box.nest, &spi::LoopDim::src_stride), box.from_bytes);
  dispatch.step.uses = {
      source,
      UseOf(kDestination, box.arithmetic.sum ? Access::kReadWrite : Access::kWrite,
            box.nest.dst_offset, SpanOf(box.nest, &spi::LoopDim::dst_stride), box.to_bytes),
      box.scale_bytes() > 0
          ? UseOf(kScales, Access::kRead, box.nest.scale_offset,
                  SpanOf(box.nest, &spi::LoopDim::scale_stride), box.scale_bytes())
          : source};
  if (!box.arithmetic.none()) dispatch.step.uses.push_back(ZeroPointsOf(box.arithmetic, source));
  dispatch.constants = {
      static_cast<uint32_t>(box.from),
      static_cast<uint32_t>(box.to),
      static_cast<uint32_t>(box.arithmetic.scales) |
          (box.arithmetic.src_zero.present() ? kSubtracts : 0) |
          (box.arithmetic.dst_zero.present() ? kAdds : 0) |
          (box.arithmetic.src_zero.run_time ? kReadsSrcZero : 0) |
          (box.arithmetic.dst_zero.run_time ? kReadsDstZero : 0),
      box.limits.invocations,
      box.arithmetic.sum ? static_cast<uint32_t>(box.arithmetic.old_type) : 0,
  };
  dispatch.parameters.alpha = Bits(box.arithmetic.alpha);
  dispatch.parameters.beta = Bits(box.arithmetic.beta);
  dispatch.parameters.src_zero = Bits(static_cast<float>(box.arithmetic.src_zero.value));
  dispatch.parameters.dst_zero = Bits(static_cast<float>(box.arithmetic.dst_zero.value));
  if (box.function != nullptr) {
    dispatch.constants[2] = static_cast<uint32_t>(box.function->algorithm);
    dispatch.constants[4] = box.function->by_result ? 1 : 0;
    dispatch.parameters.alpha = Bits(box.function->alpha);
    dispatch.parameters.beta = Bits(box.function->beta);
  }
  return dispatch;
}

void AddLoop(const spi::LoopDim& dim, Parameters* parameters) {
  LoopParameters& next = parameters->loops[parameters->outer + parameters->inner];
  next.extent = static_cast<uint32_t>(dim.extent);
  next.source = static_cast<uint32_t>(dim.src_stride);
  next.destination = static_cast<uint32_t>(dim.dst_stride);
  next.scale = static_cast<uint32_t>(dim.scale_stride);
  next.divisor = DivisorOf(next.extent);
}

void AddOuter(const spi::LoopDim& dim, Parameters* parameters) {
  AddLoop(dim, parameters);
  ++parameters->outer;
}

void AddInner(const spi::LoopDim& dim, Parameters* parameters) {
  AddLoop(dim, parameters);
  ++parameters->inner;
}

void SetColumns(uint32_t columns, Parameters* parameters) {
  parameters->columns = columns;
  parameters->columns_divisor = DivisorOf(columns);
}

void SetDepth(uint32_t depth, Parameters* parameters) {
  parameters->depth = depth;
  parameters->depth_divisor = DivisorOf(depth);
}

void SetRun(uint32_t run, Parameters* parameters) {
  parameters->run = run;
  parameters->run_divisor = DivisorOf(run);
}

void AddConstants(std::initializer_list<uint32_t> constants, Dispatch* dispatch) {
  dispatch->constants.insert(dispatch->constants.end(), constants);
}

void SetGroups(uint64_t groups, const Limits& limits, Dispatch* dispatch) {
  const auto x = static_cast<uint32_t>(std::min<uint64_t>(groups, limits.groups));
  dispatch->step.groups = {x, static_cast<uint32_t>((groups + x - 1) / x), 1};
}

uint32_t CeilDivide(uint64_t a, uint64_t b) { return static_cast<uint32_t>((a + b - 1) / b); }

Dispatch PlanGeneric(const Box& box) {
  Dispatch dispatch = Begin(box, Kernel::kGeneric);
  Parameters& parameters = dispatch.parameters;
  const spi::LoopDims& loops = box.nest.loops;
  // The longest stretch that is dense in the destination.
  size_t first = loops.size();
  int64_t run = 1;
  while (first > 0 && loops[first - 1].dst_stride == run) run *= loops[--first].extent;
  parameters.rows = 1;
  for (size_t i = 0; i < first; ++i) {
    AddOuter(loops[i], &parameters);
    parameters.rows *= static_cast<uint32_t>(loops[i].extent);
  }
  for (size_t i = first; i < loops.size(); ++i) AddInner(loops[i], &parameters);
  SetRun(static_cast<uint32_t>(run), &parameters);

  bool aligned = box.options.words_aligned && box.nest.dst_offset * box.to_bytes % 4 == 0;
  for (size_t i = 0; i < first; ++i) {
    aligned = aligned && loops[i].dst_stride * box.to_bytes % 4 == 0;
  }
  // A run that starts anywhere in a word touches a word more than its length demands.
  const uint32_t lead = aligned ? 0 : box.elements_of_word() - 1;
  SetColumns(CeilDivide(static_cast<uint64_t>(run) + lead, box.elements_of_word()), &parameters);
  SetGroups(CeilDivide(uint64_t{parameters.rows} * parameters.columns, box.limits.invocations),
            box.limits, &dispatch);
  return dispatch;
}

std::optional<Dispatch> PlanRow(const Box& box) {
  if (box.nest.loops.empty()) return std::nullopt;
  const spi::LoopDim& run = box.last();
  if (run.src_stride != 1 || run.dst_stride != 1 || run.extent < box.elements_of_word()) {
    return std::nullopt;
  }
  Dispatch dispatch = Begin(box, Kernel::kRow);
  Parameters& parameters = dispatch.parameters;
  parameters.rows = 1;
  for (size_t i = 0; i + 1 < box.nest.loops.size(); ++i) {
    AddOuter(box.nest.loops[i], &parameters);
    parameters.rows *= static_cast<uint32_t>(box.nest.loops[i].extent);
  }
  AddInner(run, &parameters);
  SetRun(static_cast<uint32_t>(run.extent), &parameters);
  const uint32_t words = CeilDivide(static_cast<uint64_t>(run.extent) + box.elements_of_word() - 1,
                                    box.elements_of_word());
  uint32_t lanes = PowerOfTwoFrom(CeilDivide(words, kRowWords));
  // A pipeline of a function takes longer to compile than idle invocations cost: 2, 16, 128.
  if (box.function != nullptr) lanes = lanes <= 2 ? 2 : lanes <= 16 ? 16 : 128;
  lanes = std::min(lanes, box.limits.invocations);
  SetColumns(CeilDivide(words, kRowWords * lanes), &parameters);
  AddConstants({parameters.outer, parameters.inner, lanes}, &dispatch);
  SetGroups(
      CeilDivide(uint64_t{parameters.rows} * parameters.columns, box.limits.invocations / lanes),
      box.limits, &dispatch);
  return dispatch;
}

// As the constants of tile.comp are derived from each other.
uint64_t TileSharedBytes(const Box& box, uint32_t tile_i, uint32_t tile_j, bool aligned) {
  const uint32_t e = box.elements_of_word();
  const uint32_t loaded = tile_i * box.from_bytes / 4 + (aligned || box.from_bytes == 4 ? 0 : 1);
  const uint32_t slots = tile_j / e + (aligned || e == 1 ? 0 : 1);
  return 4 * (uint64_t{slots} * e * (loaded | 1) + box.limits.invocations);
}

std::optional<Dispatch> PlanTile(const Box& box) {
  const spi::LoopDims& loops = box.nest.loops;
  const auto found = std::find_if(loops.begin(), loops.end(),
                                  [](const spi::LoopDim& dim) { return dim.src_stride == 1; });
  if (found == loops.end() || box.last().dst_stride != 1 || &*found == &box.last()) {
    return std::nullopt;
  }
  const spi::LoopDim &i = *found, &j = box.last();
  if (std::min(i.extent, j.extent) < kLeastTile || i.extent * j.extent < kLeastTileElements) {
    return std::nullopt;
  }
  const bool aligned =
      OnWords(box, box.nest.src_offset, &spi::LoopDim::src_stride, box.from_bytes, &i) &&
      OnWords(box, box.nest.dst_offset, &spi::LoopDim::dst_stride, box.to_bytes, &j);

  uint32_t tile_i = kTileBytes / box.from_bytes, tile_j = kTileBytes / box.to_bytes;
  if (i.extent <= tile_i / 2) {
    tile_i = PowerOfTwoFrom(static_cast<uint32_t>(i.extent));
    tile_j *= 2;
  } else if (j.extent <= tile_j / 2) {
    tile_j = PowerOfTwoFrom(static_cast<uint32_t>(j.extent));
    tile_i *= 2;
  }
  while (TileSharedBytes(box, tile_i, tile_j, aligned) > box.limits.shared_bytes) {
    (tile_j > tile_i ? tile_j : tile_i) /= 2;
  }

  Dispatch dispatch = Begin(box, Kernel::kTile);
  Parameters& parameters = dispatch.parameters;
  uint64_t repeats = 1;
  for (const spi::LoopDim& dim : loops) {
    if (&dim == &i || &dim == &j) continue;
    AddOuter(dim, &parameters);
    repeats *= static_cast<uint64_t>(dim.extent);
  }
  AddInner(i, &parameters);
  AddInner(j, &parameters);
  SetColumns(CeilDivide(static_cast<uint64_t>(j.extent), tile_j), &parameters);
  SetDepth(CeilDivide(static_cast<uint64_t>(i.extent), tile_i), &parameters);
  parameters.rows = static_cast<uint32_t>(repeats * parameters.columns * parameters.depth);
  AddConstants({parameters.outer, parameters.inner, tile_i, tile_j, aligned ? 1u : 0u,
                box.limits.stages ? 1u : 0u},
               &dispatch);
  SetGroups(parameters.rows, box.limits, &dispatch);
  return dispatch;
}

// Whether `loops` fill [0, product of extents) by their `stride`s.
bool IsDense(spi::LoopDims loops, int64_t spi::LoopDim::*stride) {
  std::sort(loops.begin(), loops.end(),
            [&](const spi::LoopDim& a, const spi::LoopDim& b) { return a.*stride < b.*stride; });
  int64_t size = 1;
  for (const spi::LoopDim& dim : loops) {
    if (dim.*stride != size) return false;
    size *= dim.extent;
  }
  return true;
}

std::optional<Dispatch> PlanPacked(const Box& box) {
  const spi::LoopDims& loops = box.nest.loops;
  if (loops.empty()) return std::nullopt;
  int64_t count = 1;
  for (const spi::LoopDim& dim : loops) count *= dim.extent;
  const spi::LoopDim& first = loops.front();
  const bool repeated =
      first.src_stride == first.dst_stride && first.src_stride == count / first.extent;
  const spi::LoopDims inner(loops.begin() + (repeated ? 1 : 0), loops.end());
  const int64_t block = repeated ? count / first.extent : count;
  if (inner.empty() || block * box.from_bytes > 4 * int64_t{kStagedWords} - 3 ||
      !IsDense(inner, &spi::LoopDim::src_stride) || !IsDense(inner, &spi::LoopDim::dst_stride)) {
    return std::nullopt;
  }
  const bool long_loops = std::all_of(inner.begin(), inner.end(), [](const spi::LoopDim& dim) {
    return dim.extent > kMostPackedExtent;
  });
  if (long_loops) return std::nullopt;

  Dispatch dispatch = Begin(box, Kernel::kPacked);
  Parameters& parameters = dispatch.parameters;
  if (repeated) AddOuter(first, &parameters);
  for (const spi::LoopDim& dim : inner) AddInner(dim, &parameters);
  parameters.rows = static_cast<uint32_t>(count / block);
  SetRun(static_cast<uint32_t>(block), &parameters);
  const auto most =
      static_cast<uint32_t>((4 * int64_t{kStagedWords} - 3) / (block * box.from_bytes));
  SetColumns(std::min(most, parameters.rows), &parameters);
  AddConstants({parameters.outer, parameters.inner, kStagedWords, box.limits.stages ? 1u : 0u},
               &dispatch);
  SetGroups(CeilDivide(parameters.rows, parameters.columns), box.limits, &dispatch);
  return dispatch;
}

Dispatch PlanBox(const Box& box) {
  if (box.options.generic_only) return PlanGeneric(box);
  if (std::optional<Dispatch> dispatch = PlanRow(box)) return *std::move(dispatch);
  // The other kernels know no functions.
  if (box.function != nullptr) return PlanGeneric(box);
  for (const auto plan : {PlanPacked, PlanTile}) {
    if (std::optional<Dispatch> dispatch = plan(box)) return *std::move(dispatch);
  }
  return PlanGeneric(box);
}

Dispatch PlanCopy(const spi::LoopNest& nest, uint32_t bytes) {
  Dispatch dispatch;
  dispatch.kernel = Kernel::kCopy;
  const int64_t span = SpanOf(nest, &spi::LoopDim::src_stride);
  dispatch.step.uses = {UseOf(kSource, Access::kRead, nest.src_offset, span, bytes),
                        UseOf(kDestination, Access::kWrite, nest.dst_offset, span, bytes)};
  return dispatch;
}

// Whether elements keep their bits.
bool IsPure(const Move& move) {
  return move.from == move.to && move.arithmetic.none() && !move.function.has_value();
}

bool IsContiguous(const spi::LoopNest& nest) {
  return nest.loops.empty() ||
         (nest.loops.size() == 1 && nest.loops[0].src_stride == 1 && nest.loops[0].dst_stride == 1);
}

// Copies the zero points of an execution side by side, before all else.
void AddZeroPoints(const Limits& limits, const PlanOptions& options,
                   std::vector<Dispatch>* dispatches) {
  constexpr uint32_t kBytes = sizeof(int32_t);
  for (Dispatch& dispatch : *dispatches) dispatch.step.pass = 1;
  const Arithmetic none;
  const spi::LoopNest one;
  for (const int position : {kDstZero, kSrcZero}) {
    Dispatch dispatch = PlanGeneric(
        {one, RawType(kBytes), RawType(kBytes), kBytes, kBytes, none, nullptr, limits, options});
    for (BufferUse& use : dispatch.step.uses) {
      const bool to = use.position == kDestination;
      use.position = to ? kZeroPoints : position;
      if (to && position == kDstZero) use.range.offset = kZeroPointDistance;
    }
    dispatches->insert(dispatches->begin(), std::move(dispatch));
  }
}

// Every element of the padding is a copy of one of zeros.
void AddPadding(const Move& move, const Limits& limits, const PlanOptions& options,
                std::vector<Dispatch>* dispatches) {
  const auto bytes = static_cast<uint32_t>(spi::SizeOf(move.to));
  const Arithmetic none;
  for (const spi::LoopNest& nest : move.padding) {
    for (const spi::LoopNest& box : CutIntoBoxes(nest, {bytes, bytes, 0}, limits)) {
      dispatches->push_back(PlanGeneric(
          {box, RawType(bytes), RawType(bytes), bytes, bytes, none, nullptr, limits, options}));
      for (BufferUse& use : dispatches->back().step.uses) {
        if (use.position == kSource) use.position = kConstants;
      }
    }
  }
}

}  // namespace

const char* NameOf(Kernel kernel) {
  switch (kernel) {
    case Kernel::kCopy:
      return "copy";
    case Kernel::kRow:
      return "row";
    case Kernel::kTile:
      return "tile";
    case Kernel::kPacked:
      return "packed";
    case Kernel::kGeneric:
      break;
  }
  return "generic";
}

bool CanCopy(const Move& move) {
  // Alone only: next to another nest, shaders may own other bytes of the copy's first and last
  // word.
  return IsPure(move) && move.nests.size() == 1 && move.padding.empty() &&
         IsContiguous(move.nests.front());
}

std::vector<Dispatch> PlanMove(const Move& move, const Limits& limits, const PlanOptions& options) {
  std::vector<Dispatch> dispatches;
  const bool pure = IsPure(move);
  const bool copy = options.copies && !options.generic_only && CanCopy(move);
  for (const spi::LoopNest& original : move.nests) {
    spi::LoopNest nest = original;
    auto from_bytes = static_cast<uint32_t>(spi::SizeOf(move.from));
    auto to_bytes = static_cast<uint32_t>(spi::SizeOf(move.to));
    if (copy) {
      dispatches.push_back(PlanCopy(nest, from_bytes));
      continue;
    }
    if (pure && options.words_aligned) {
      from_bytes = to_bytes = Widen(&nest, from_bytes, sizeof(uint32_t));
    }
    const Box whole{nest,
                    pure ? RawType(from_bytes) : move.from,
                    pure ? RawType(to_bytes) : move.to,
                    from_bytes,
                    to_bytes,
                    move.arithmetic,
                    move.function.has_value() ? &*move.function : nullptr,
                    limits,
                    options};
    for (const spi::LoopNest& box :
         CutIntoBoxes(nest, {from_bytes, to_bytes, whole.scale_bytes()}, limits)) {
      dispatches.push_back(PlanBox({box, whole.from, whole.to, from_bytes, to_bytes,
                                    whole.arithmetic, whole.function, limits, options}));
    }
  }
  AddPadding(move, limits, options, &dispatches);
  if (move.arithmetic.both_at_run_time() && !dispatches.empty()) {
    AddZeroPoints(limits, options, &dispatches);
  }
  return dispatches;
}

bool IsPadding(const Dispatch& dispatch) {
  return dispatch.step.uses.front().position == kConstants;
}

bool IsOfZeroPoint(const Dispatch& dispatch) {
  return dispatch.step.uses[kDestination].position == kZeroPoints;
}

std::string Describe(const Move& move, const std::vector<Dispatch>& dispatches) {
  std::array<int, kKernels> counts{};
  for (const Dispatch& dispatch : dispatches) {
    if (IsPadding(dispatch) || IsOfZeroPoint(dispatch)) continue;
    ++counts[static_cast<size_t>(dispatch.kernel)];
  }
  std::string text;
  for (int kernel = 0; kernel < kKernels; ++kernel) {
    const int count = counts[static_cast<size_t>(kernel)];
    if (count == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : "+", NameOf(static_cast<Kernel>(kernel)));
    if (count > 1) absl::StrAppend(&text, "*", count);
  }
  if (text.empty()) text = "nothing";
  absl::StrAppend(&text, " ", spi::NameOf(move.from), "->", spi::NameOf(move.to));
  if (move.arithmetic.scales == Arithmetic::Scales::kOne) absl::StrAppend(&text, " scale");
  if (move.arithmetic.scales == Arithmetic::Scales::kMany) absl::StrAppend(&text, " scales");
  if (move.arithmetic.sum) absl::StrAppend(&text, " sum");
  if (move.arithmetic.shifted()) absl::StrAppend(&text, " zero points");
  if (move.function.has_value()) {
    absl::StrAppend(&text, " ", spi::NameOf(move.function->algorithm),
                    move.function->backward ? " backward" : "");
  }
  if (!move.padding.empty()) absl::StrAppend(&text, " padding");
  return text;
}

}  // namespace impl_vulkan
