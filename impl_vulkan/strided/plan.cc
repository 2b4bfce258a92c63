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
constexpr uint32_t kSubtracts = 4, kAdds = 8;

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
  const Part& part;
  spi::DataType from, to;
  uint32_t from_bytes, to_bytes;
  const Arithmetic& arithmetic;
  const Limits& limits;
  const PlanOptions& options;

  uint32_t elements_of_word() const { return 4 / to_bytes; }
  const Node& last() const { return part.nodes.back(); }
};

// Whether each place `offset` + any sum of `stride`s of all nodes but `except` is on a word.
bool OnWords(const Box& box, int64_t offset, int64_t Node::*stride, uint32_t bytes,
             const Node* except) {
  if (!box.options.words_aligned || offset * bytes % 4 != 0) return false;
  return std::all_of(box.part.nodes.begin(), box.part.nodes.end(), [&](const Node& node) {
    return &node == except || node.*stride * bytes % 4 == 0;
  });
}

BufferUse UseOf(int position, Access access, int64_t offset, int64_t span, uint32_t bytes) {
  return {position,
          access,
          {static_cast<uint64_t>(offset) * bytes, static_cast<uint64_t>(span) * bytes},
          bytes};
}

Dispatch Begin(const Box& box, Kernel kernel) {
  Dispatch dispatch;
  dispatch.kernel = kernel;
  const BufferUse source = UseOf(kSource, Access::kRead, box.part.source,
                                 SpanOf(box.part, &Node::source), box.from_bytes);
  dispatch.step.uses = {
      source,
      UseOf(kDestination, box.arithmetic.sum ? Access::kReadWrite : Access::kWrite,
            box.part.destination, SpanOf(box.part, &Node::destination), box.to_bytes),
      box.arithmetic.scales == Arithmetic::Scales::kMany
          ? UseOf(kScales, Access::kRead, box.part.scale, SpanOf(box.part, &Node::scale),
                  sizeof(float))
          : source};
  dispatch.constants = {
      static_cast<uint32_t>(box.from),
      static_cast<uint32_t>(box.to),
      static_cast<uint32_t>(box.arithmetic.scales) |
          (box.arithmetic.src_zero.present() ? kSubtracts : 0) |
          (box.arithmetic.dst_zero.present() ? kAdds : 0),
      box.limits.invocations,
      box.arithmetic.sum ? static_cast<uint32_t>(box.arithmetic.old_type) : 0,
  };
  dispatch.parameters.alpha = Bits(box.arithmetic.alpha);
  dispatch.parameters.beta = Bits(box.arithmetic.beta);
  return dispatch;
}

void AddNode(const Node& node, Parameters* parameters) {
  NodeParameters& next = parameters->nodes[parameters->outer + parameters->inner];
  next.extent = static_cast<uint32_t>(node.extent);
  next.source = static_cast<uint32_t>(node.source);
  next.destination = static_cast<uint32_t>(node.destination);
  next.scale = static_cast<uint32_t>(node.scale);
  next.divisor = DivisorOf(next.extent);
}

void AddOuter(const Node& node, Parameters* parameters) {
  AddNode(node, parameters);
  ++parameters->outer;
}

void AddInner(const Node& node, Parameters* parameters) {
  AddNode(node, parameters);
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
  const std::vector<Node>& nodes = box.part.nodes;
  // The longest stretch that is dense in the destination.
  size_t first = nodes.size();
  int64_t run = 1;
  while (first > 0 && nodes[first - 1].destination == run) run *= nodes[--first].extent;
  parameters.rows = 1;
  for (size_t i = 0; i < first; ++i) {
    AddOuter(nodes[i], &parameters);
    parameters.rows *= static_cast<uint32_t>(nodes[i].extent);
  }
  for (size_t i = first; i < nodes.size(); ++i) AddInner(nodes[i], &parameters);
  SetRun(static_cast<uint32_t>(run), &parameters);

  bool aligned = box.options.words_aligned && box.part.destination * box.to_bytes % 4 == 0;
  for (size_t i = 0; i < first; ++i) {
    aligned = aligned && nodes[i].destination * box.to_bytes % 4 == 0;
  }
  // A run that starts anywhere in a word touches a word more than its length demands.
  const uint32_t lead = aligned ? 0 : box.elements_of_word() - 1;
  SetColumns(CeilDivide(static_cast<uint64_t>(run) + lead, box.elements_of_word()), &parameters);
  SetGroups(CeilDivide(uint64_t{parameters.rows} * parameters.columns, box.limits.invocations),
            box.limits, &dispatch);
  return dispatch;
}

std::optional<Dispatch> PlanRow(const Box& box) {
  if (box.part.nodes.empty()) return std::nullopt;
  const Node& run = box.last();
  if (run.source != 1 || run.destination != 1 || run.extent < box.elements_of_word()) {
    return std::nullopt;
  }
  Dispatch dispatch = Begin(box, Kernel::kRow);
  Parameters& parameters = dispatch.parameters;
  parameters.rows = 1;
  for (size_t i = 0; i + 1 < box.part.nodes.size(); ++i) {
    AddOuter(box.part.nodes[i], &parameters);
    parameters.rows *= static_cast<uint32_t>(box.part.nodes[i].extent);
  }
  AddInner(run, &parameters);
  SetRun(static_cast<uint32_t>(run.extent), &parameters);
  const uint32_t words = CeilDivide(static_cast<uint64_t>(run.extent) + box.elements_of_word() - 1,
                                    box.elements_of_word());
  const uint32_t lanes =
      std::min(box.limits.invocations, PowerOfTwoFrom(CeilDivide(words, kRowWords)));
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
  const std::vector<Node>& nodes = box.part.nodes;
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [](const Node& node) { return node.source == 1; });
  if (found == nodes.end() || box.last().destination != 1 || &*found == &box.last()) {
    return std::nullopt;
  }
  const Node &i = *found, &j = box.last();
  if (std::min(i.extent, j.extent) < kLeastTile || i.extent * j.extent < kLeastTileElements) {
    return std::nullopt;
  }
  const bool aligned = OnWords(box, box.part.source, &Node::source, box.from_bytes, &i) &&
                       OnWords(box, box.part.destination, &Node::destination, box.to_bytes, &j);

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
  for (const Node& node : nodes) {
    if (&node == &i || &node == &j) continue;
    AddOuter(node, &parameters);
    repeats *= static_cast<uint64_t>(node.extent);
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

// Whether `nodes` fill [0, product of extents) by their `stride`s.
bool IsDense(std::vector<Node> nodes, int64_t Node::*stride) {
  std::sort(nodes.begin(), nodes.end(),
            [&](const Node& a, const Node& b) { return a.*stride < b.*stride; });
  int64_t size = 1;
  for (const Node& node : nodes) {
    if (node.*stride != size) return false;
    size *= node.extent;
  }
  return true;
}

std::optional<Dispatch> PlanPacked(const Box& box) {
  const std::vector<Node>& nodes = box.part.nodes;
  if (nodes.empty()) return std::nullopt;
  int64_t count = 1;
  for (const Node& node : nodes) count *= node.extent;
  const Node& first = nodes.front();
  const bool repeated = first.source == first.destination && first.source == count / first.extent;
  const std::vector<Node> inner(nodes.begin() + (repeated ? 1 : 0), nodes.end());
  const int64_t block = repeated ? count / first.extent : count;
  if (inner.empty() || block * box.from_bytes > 4 * int64_t{kStagedWords} - 3 ||
      !IsDense(inner, &Node::source) || !IsDense(inner, &Node::destination)) {
    return std::nullopt;
  }
  const bool long_loops = std::all_of(
      inner.begin(), inner.end(), [](const Node& node) { return node.extent > kMostPackedExtent; });
  if (long_loops) return std::nullopt;

  Dispatch dispatch = Begin(box, Kernel::kPacked);
  Parameters& parameters = dispatch.parameters;
  if (repeated) AddOuter(first, &parameters);
  for (const Node& node : inner) AddInner(node, &parameters);
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
  if (!box.options.generic_only) {
    for (const auto plan : {PlanRow, PlanPacked, PlanTile}) {
      if (std::optional<Dispatch> dispatch = plan(box)) return *std::move(dispatch);
    }
  }
  return PlanGeneric(box);
}

Dispatch PlanCopy(const Part& part, uint32_t bytes) {
  Dispatch dispatch;
  dispatch.kernel = Kernel::kCopy;
  const int64_t span = SpanOf(part, &Node::source);
  dispatch.step.uses = {UseOf(kSource, Access::kRead, part.source, span, bytes),
                        UseOf(kDestination, Access::kWrite, part.destination, span, bytes)};
  return dispatch;
}

bool IsCopy(const Part& part) {
  return part.nodes.empty() ||
         (part.nodes.size() == 1 && part.nodes[0].source == 1 && part.nodes[0].destination == 1);
}

// Every element of the padding is a copy of one of zeros.
void AddPadding(const Move& move, const Limits& limits, const PlanOptions& options,
                std::vector<Dispatch>* dispatches) {
  const auto bytes = static_cast<uint32_t>(spi::SizeOf(move.to));
  const Arithmetic none;
  for (const Part& part : move.padding) {
    for (const Part& box : CutIntoBoxes(part, {bytes, bytes, false}, limits)) {
      dispatches->push_back(
          PlanGeneric({box, RawType(bytes), RawType(bytes), bytes, bytes, none, limits, options}));
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

std::vector<Dispatch> PlanMove(const Move& move, const Limits& limits, const PlanOptions& options) {
  std::vector<Dispatch> dispatches;
  const bool pure = move.from == move.to && move.arithmetic.none();
  // Alone only: next to another part, shaders may own other bytes of the copy's first and last
  // word.
  const bool copy = pure && options.copies && !options.generic_only && move.parts.size() == 1 &&
                    move.padding.empty() && IsCopy(move.parts.front());
  for (const Part& original : move.parts) {
    Part part = original;
    auto from_bytes = static_cast<uint32_t>(spi::SizeOf(move.from));
    auto to_bytes = static_cast<uint32_t>(spi::SizeOf(move.to));
    if (copy) {
      dispatches.push_back(PlanCopy(part, from_bytes));
      continue;
    }
    if (pure && options.words_aligned) {
      from_bytes = to_bytes = Widen(&part, from_bytes, sizeof(uint32_t));
    }
    const Widths widths{from_bytes, to_bytes, move.arithmetic.scales == Arithmetic::Scales::kMany};
    for (const Part& box : CutIntoBoxes(part, widths, limits)) {
      dispatches.push_back(
          PlanBox({box, pure ? RawType(from_bytes) : move.from, pure ? RawType(to_bytes) : move.to,
                   from_bytes, to_bytes, move.arithmetic, limits, options}));
    }
  }
  AddPadding(move, limits, options, &dispatches);
  return dispatches;
}

bool IsPadding(const Dispatch& dispatch) {
  return dispatch.step.uses.front().position == kConstants;
}

std::string Describe(const Move& move, const std::vector<Dispatch>& dispatches) {
  std::array<int, kKernels> counts{};
  for (const Dispatch& dispatch : dispatches) {
    if (!IsPadding(dispatch)) ++counts[static_cast<size_t>(dispatch.kernel)];
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
  if (!move.padding.empty()) absl::StrAppend(&text, " padding");
  return text;
}

}  // namespace impl_vulkan
