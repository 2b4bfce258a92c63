#include "conformance/shuffle/cases.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "conformance/gen/layouts.h"
#include "conformance/gen/networks.h"
#include "conformance/gen/statements.h"
#include "spec/shuffle/oracle.h"

namespace conformance {
namespace {

// Sizes with a group that moves something, and sizes without.
constexpr int64_t kComposite[] = {4,  6,  8,  9,  12, 15, 16, 24,  30,
                                  32, 33, 35, 36, 48, 64, 96, 120, 240};
constexpr int64_t kPrime[] = {1, 2, 3, 5, 7, 17, 31};
// Around what counters and vectors can hold; each but 257 with a group that moves something.
constexpr int64_t kLong[] = {255, 256, 257, 1023, 1024, 1025, 65535, 65536, 196608};

int64_t AnyGroup(Random& random, int64_t size, bool trivial) {
  const std::vector<int64_t> divisors = Divisors(size);
  const int64_t dice = random.Between(1, 100);
  if ((!trivial || dice > 12) && divisors.size() > 2) {
    // Many groups of few, few groups of many, and what is between.
    if (random.Chance(30)) return divisors[random.Chance(50) ? 1 : divisors.size() - 2];
    return divisors[random.Between(1, static_cast<int64_t>(divisors.size()) - 2)];
  }
  return dice <= 6 ? 1 : dice <= 12 ? size : random.Pick(divisors);
}

uint64_t AnySeed(Random& random) { return static_cast<uint64_t>(random.Between(0, 9999)); }

// What tensors and tensors in blocks have each under a name of its own.
constexpr bool HasBlocks(const TensorSpec&) { return false; }
constexpr bool HasBlocks(const BlockedTensor&) { return true; }

const char* KeyOf(const TensorSpec&) { return "src"; }
const char* KeyOf(const BlockedTensor&) { return "data"; }

void SetData(Fields* fields, const TensorSpec& data) { SetTensor(fields, KeyOf(data), data); }
void SetData(Fields* fields, const BlockedTensor& data) {
  SetBlockedTensor(fields, KeyOf(data), data);
}

void GetData(const Fields& fields, TensorSpec* data) { *data = GetTensor(fields, KeyOf(*data)); }
void GetData(const Fields& fields, BlockedTensor* data) {
  *data = GetBlockedTensor(fields, KeyOf(*data));
}

TensorSpec CutData(const TensorSpec& data, const Cut& cut) { return CutTensor(data, cut); }
BlockedTensor CutData(const BlockedTensor& data, const Cut& cut) { return CutBlocked(data, cut); }

std::vector<TensorSpec> SimplerLayouts(const TensorSpec& data) {
  std::vector<TensorSpec> simpler;
  for (const LayoutSpec& layout : PlainerLayouts(data.layout, data.dims))
    simpler.push_back({data.type, data.dims, layout});
  return simpler;
}

}  // namespace

template <class Data>
std::vector<spec::Bits> ShuffleOf<Data>::Source() const {
  return Values(values, data.type, data.type, seed, spec::ElementCount(DimsOf(data)));
}

template <class Data>
ShuffleCase ShuffleOf<Data>::AsPlain() const {
  const spec::Dims& dims = DimsOf(data);
  return {forward, {data.type, dims, RowMajor(dims)}, axis, group, values, {}, {}, seed};
}

template <class Data>
void ShuffleOf<Data>::Print(Fields* fields) const {
  fields->Set("dir", forward ? "fwd" : "bwd");
  SetData(fields, data);
  fields->SetInt("axis", axis);
  fields->SetInt("group", group);
  if (!HasBlocks(data)) fields->Set("values", NameOf(values));
  SetPlacement(fields, "from", from);
  SetPlacement(fields, "to", to);
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

template <class Data>
ShuffleOf<Data> ShuffleOf<Data>::Parse(const Fields& fields) {
  ShuffleOf c;
  const std::string direction = fields.Text("dir");
  c.forward = direction != "bwd";
  if (direction != "fwd" && direction != "bwd") fields.Reject("dir", "is neither fwd nor bwd");
  GetData(fields, &c.data);
  const int64_t axis = fields.Int("axis");
  const bool known = axis >= 0 && axis < static_cast<int64_t>(DimsOf(c.data).size());
  if (!known) fields.Reject("axis", std::string("is not an axis of ") + KeyOf(c.data));
  c.axis = known ? static_cast<int>(axis) : 0;
  c.group = fields.Int("group");
  if (c.group < 1 || c.size() % std::max<int64_t>(1, c.group) != 0)
    fields.Reject("group", "does not divide the axis");
  if (!HasBlocks(c.data)) {
    const auto kind = ParseValueKind(fields.Text("values"));
    if (!kind) fields.Reject("values", "is none of index, bits, mixed, finite");
    c.values = kind.value_or(c.values);
  }
  c.from = GetPlacement(fields, "from");
  c.to = GetPlacement(fields, "to");
  c.seed = static_cast<uint64_t>(fields.Int("seed"));
  return c;
}

template <class Data>
std::vector<ShuffleOf<Data>> ShuffleOf<Data>::Simpler() const {
  std::vector<ShuffleOf> simpler;
  const auto offer = [&](auto change) {
    simpler.push_back(*this);
    change(simpler.back());
  };
  if (ToString(from) != "mid") offer([](ShuffleOf& c) { c.from = {}; });
  if (ToString(to) != "mid") offer([](ShuffleOf& c) { c.to = {}; });
  for (Data& plainer : SimplerLayouts(data))
    offer([&](ShuffleOf& c) { c.data = std::move(plainer); });
  for (const Cut& cut : Cuts(DimsOf(data))) {
    if (cut.axis == axis) continue;
    offer([&](ShuffleOf& c) {
      c.data = CutData(data, cut);
      if (cut.extent == Cut::kDrop && cut.axis < axis) --c.axis;
    });
  }
  const int64_t groups = size() / group;
  for (int64_t fewer : {int64_t{2}, groups / 2, groups - 1}) {
    if (fewer < 1 || fewer >= groups) continue;
    offer([&](ShuffleOf& c) { c.data = CutData(data, {axis, fewer * group}); });
  }
  for (int64_t shorter : {int64_t{2}, group / 2, group - 1}) {
    if (shorter < 1 || shorter >= group || size() == 0) continue;
    offer([&](ShuffleOf& c) {
      c.group = shorter;
      c.data = CutData(data, {axis, groups * shorter});
    });
  }
  if (data.type != spec::Type::kF32) offer([](ShuffleOf& c) { c.data.type = spec::Type::kF32; });
  if (!HasBlocks(data) && values != ValueKind::kIndex)
    offer([](ShuffleOf& c) { c.values = ValueKind::kIndex; });
  if (seed != 0) offer([](ShuffleOf& c) { c.seed = 0; });
  return simpler;
}

template <>
std::string BlockedShuffle::Statements(Profile, std::string_view, std::string_view) const {
  return "";
}

template <>
std::string ShuffleCase::Statements(Profile, std::string_view where,
                                    std::string_view expected) const {
  const std::string_view name = forward ? "dst[" : "diff_src[";
  const std::optional<int64_t> number = NumberOfElement(where, data.dims);
  if (!number || where.substr(0, name.size()) != name) return "";
  ExecutionText execution{data, data, from, to, Source(), {}, {}, {}, ""};
  execution.after = ExpectedShuffle(*this, execution.source);
  if (spec::ToString(data.type, execution.after[*number]) != expected) return "";
  execution.before = execution.source;
  for (spec::Bits& bits : execution.before) bits ^= 0x55;
  execution.exact.assign(execution.after.size(), true);
  const std::string parameters = std::to_string(axis) + ", " + std::to_string(group);
  std::string& calls = execution.calls;
  calls =
      "  const dnnl::shuffle_forward::primitive_desc forward(\n"
      "      {dnnl::prop_kind::forward_training, src, " +
      parameters + "}, engine);\n";
  if (forward) {
    calls +=
        "  const dnnl::primitive shuffle = dnnl::shuffle_forward(forward);\n"
        "  shuffle.execute(stream, {{DNNL_ARG_SRC, src_memory}, {DNNL_ARG_DST, "
        "dst_memory}});\n";
  } else {
    calls += "  const dnnl::shuffle_backward::primitive_desc backward({src, " + parameters +
             "}, engine, forward);\n"
             "  const dnnl::primitive shuffle = dnnl::shuffle_backward(backward);\n"
             "  shuffle.execute(stream,\n"
             "                  {{DNNL_ARG_DIFF_DST, src_memory}, {DNNL_ARG_DIFF_SRC, "
             "dst_memory}});\n";
  }
  return StatementsOf(execution);
}

template struct ShuffleOf<TensorSpec>;
template struct ShuffleOf<BlockedTensor>;

std::vector<spec::Bits> ExpectedShuffle(const ShuffleCase& c,
                                        const std::vector<spec::Bits>& source) {
  const int64_t size = c.size();
  int64_t inner = 1;
  for (int j = c.axis + 1; j < c.data.rank(); ++j) inner *= c.data.dims[j];
  std::vector<int64_t> from(size);
  for (int64_t i = 0; i < size; ++i) {
    from[i] = c.forward ? spec::ShuffleSource(i, size, c.group)
                        : spec::ShuffleBackwardSource(i, size, c.group);
  }
  std::vector<spec::Bits> expected(source.size());
  for (size_t k = 0; k < source.size(); ++k) {
    const int64_t number = static_cast<int64_t>(k), c_index = number / inner % size;
    expected[k] = source[number + (from[c_index] - c_index) * inner];
  }
  return expected;
}

ShuffleCase AnyShuffleCase(Random& random, const ShuffleLimits& limits) {
  ShuffleCase c;
  c.forward = limits.either ? random.Chance(50) : !limits.backward;
  const std::string tag = limits.tags.empty() ? "" : random.Pick(limits.tags);
  const int rank = tag.empty() ? AnyRank(random, limits.min_rank, limits.max_rank)
                               : static_cast<int>(tag.size());
  const bool second = !tag.empty() || random.Chance(30);
  c.axis = rank > 1 && second ? 1 : static_cast<int>(random.Between(0, rank - 1));
  const int64_t size = random.Chance(3)    ? random.Pick(kLong)
                       : random.Chance(85) ? random.Pick(kComposite)
                                           : random.Pick(kPrime);
  c.group = AnyGroup(random, size, limits.trivial_groups);
  spec::Dims dims = AnyShapeAround(random, rank, c.axis, size);
  if (limits.empty) {
    const int axis = static_cast<int>(random.Between(0, rank - 2));
    dims[axis < c.axis ? axis : axis + 1] = 0;
  }
  c.data.type = limits.types.empty() ? AnyType(random) : random.Pick(limits.types);
  c.data.dims = dims;
  if (tag.empty()) {
    LayoutLimits layouts;
    layouts.regions = layouts.odd_unit_strides = limits.all_layouts;
    layouts.gaps = limits.all_layouts || limits.gaps;
    c.data.layout = AnyLayout(random, dims, layouts);
  } else {
    c.data.layout.tag = tag;
    if (limits.all_layouts) c.data.layout = AnyRegionOfTag(random, dims, tag);
  }
  c.values = random.Chance(25) ? ValueKind::kIndex : ValueKind::kBits;
  c.from = AnyPlacement(random);
  c.to = AnyPlacement(random);
  c.seed = AnySeed(random);
  return c;
}

bool Fits(const ShuffleCase& c, const ShuffleLimits& limits) {
  const spec::Dims& dims = c.data.dims;
  const auto rank = static_cast<int>(dims.size());
  const bool empty = std::find(dims.begin(), dims.end(), 0) != dims.end();
  const std::vector<spec::Type>& types = limits.types;
  return (limits.either || c.forward != limits.backward) && empty == limits.empty &&
         rank >= limits.min_rank && rank <= limits.max_rank &&
         (limits.tags.empty() || c.axis == 1) &&
         (types.empty() || std::find(types.begin(), types.end(), c.data.type) != types.end());
}

Cases<ShuffleCase> AnyShuffle(const ShuffleLimits& limits) {
  Cases<ShuffleCase> cases =
      Drawn<ShuffleCase>([limits](Random& random) { return AnyShuffleCase(random, limits); });
  cases.contains = [limits](const ShuffleCase& c) { return Fits(c, limits); };
  return cases;
}

Cases<ShuffleCase> NetworkShuffles() {
  std::vector<ShuffleCase> cases;
  for (const NetworkTensor& tensor : NetworkTensors()) {
    ShuffleCase c;
    c.forward = cases.size() % 2 == 0;
    // Bytes, words and pairs of bytes in turn; f32 twice as often.
    c.data.type = std::array{spec::Type::kF32, spec::Type::kBF16, spec::Type::kF32,
                             spec::Type::kS8}[cases.size() / 2 % 4];
    c.data.dims = tensor.dims;
    c.data.layout =
        cases.size() % 3 == 1 ? DenseInOrder(tensor.dims, tensor.other) : RowMajor(tensor.dims);
    c.axis = tensor.axis;
    c.group = tensor.group;
    c.values = ValueKind::kBits;
    cases.push_back(c);
  }
  return Listed(std::move(cases));
}

namespace {

struct LargeShape {
  bool forward;
  spec::Type type;
  spec::Dims dims;
  std::vector<int> order;  // of the axes in memory; row-major if empty
  int axis;
  int64_t group;
  int64_t longer;  // the last axis is up to so much longer

  ShuffleCase Longer(int64_t more) const {
    ShuffleCase c;
    c.forward = forward;
    c.data.type = type;
    c.data.dims = dims;
    c.data.dims.back() += more;
    c.data.layout = order.empty() ? RowMajor(c.data.dims) : DenseInOrder(c.data.dims, order);
    c.axis = axis;
    c.group = group;
    return c;
  }
};

const std::vector<LargeShape>& LargeShapes() {
  using Type = spec::Type;
  static const auto& shapes = *new std::vector<LargeShape>{
      // Rows; the first two are of 16 MiB.
      {true, Type::kF32, {3, 6, 233021}, {}, 1, 3, 15},
      {false, Type::kS32, {8, 540001}, {}, 0, 2, 15},
      {true, Type::kBF16, {10, 4, 30011}, {}, 1, 2, 31},
      {false, Type::kF16, {1, 9, 131101}, {}, 1, 3, 31},
      {true, Type::kS8, {6, 233333}, {}, 0, 3, 63},
      {false, Type::kU8, {7, 15, 10007}, {}, 1, 5, 63},
      // An axis along which elements are neighbours, in rows that share sets of a cache or do not.
      {true, Type::kBF16, {1, 2048 * 600}, {}, 1, 2048, 0},
      {false, Type::kBF16, {1, 2048 * 520}, {}, 1, 520, 0},
      {true, Type::kU8, {1, 2048 * 640}, {}, 1, 2048, 0},
      {false, Type::kS8, {2, 1009 * 521}, {}, 1, 521, 0},
      {true, Type::kF16, {2, 300 * 2048}, {}, 1, 300, 0},
      {false, Type::kF32, {1024 * 1025, 1}, {}, 0, 1024, 0},
      {true, Type::kS32, {3, 577 * 613}, {}, 1, 577, 0},
      // Pixels, and planes the other way round.
      {true, Type::kF32, {2, 24, 157, 145}, {0, 2, 3, 1}, 1, 3, 9},
      {false, Type::kS8, {3, 30, 113, 109}, {0, 2, 3, 1}, 1, 5, 9},
      {false, Type::kBF16, {61, 12, 1447}, {2, 1, 0}, 1, 4, 9},
  };
  return shapes;
}

}  // namespace

Cases<ShuffleCase> LargeShuffles(bool (*of)(const ShuffleCase&)) {
  std::vector<LargeShape> chosen;
  for (const LargeShape& shape : LargeShapes())
    if (of(shape.Longer(0))) chosen.push_back(shape);
  return {static_cast<int64_t>(chosen.size()),
          [chosen](int64_t index, Random& random) {
            const LargeShape& shape = chosen[static_cast<size_t>(index)];
            ShuffleCase c = shape.Longer(random.Between(0, shape.longer));
            c.from = AnyPlacement(random);
            c.to = AnyPlacement(random);
            c.seed = AnySeed(random);
            return c;
          },
          nullptr};
}

Cases<BlockedShuffle> AnyBlockedShuffle() {
  return Drawn<BlockedShuffle>([](Random& random) {
    BlockedShuffle c;
    const int rank = AnyRank(random, 1, 5);
    c.forward = random.Chance(50);
    c.axis = static_cast<int>(random.Between(0, rank - 1));
    const int64_t size = random.Pick<int64_t>({4, 6, 9, 10, 12, 15, 18, 20, 30, 36, 50, 60});
    c.group = random.Pick(Divisors(size));
    const spec::Dims dims = AnyShapeAround(random, rank, c.axis, size, 1024);
    c.data = AnyBlockedTensor(random, AnyType(random), dims, AnyBlocks(random, rank));
    c.from = AnyPlacement(random);
    c.to = AnyPlacement(random);
    c.seed = AnySeed(random);
    return c;
  });
}

Cases<BlockedShuffle> LongBlockedShuffles() {
  return {60,
          [](int64_t index, Random& random) {
            BlockedShuffle c;
            c.forward = random.Chance(50);
            c.axis = static_cast<int>(random.Between(0, 1));
            spec::Dims dims{random.Between(1, 2), random.Between(1, 2)};
            // Rows and columns are longer than the block, so that each of their places in it
            // occurs; or one of the two ends with the blocks.
            const int64_t block = random.Pick<int64_t>({127, 131, 137});
            int64_t groups = random.Between(140, 180);
            c.group = random.Between(140, 180);
            if (index % 4 == 1) c.group = block;
            if (index % 4 == 2) groups = block;
            dims[c.axis] = groups * c.group;
            // A block of the other axis outside keeps neighbouring blocks apart in memory.
            std::vector<spec::Block> blocks{{1 - c.axis, 2}, {c.axis, block}};
            if (random.Chance(50)) blocks.push_back({1 - c.axis, 3});
            c.data = AnyBlockedTensor(random, AnyType(random), dims, blocks);
            c.from = AnyPlacement(random);
            c.to = AnyPlacement(random);
            c.seed = AnySeed(random);
            return c;
          },
          nullptr};
}

Cases<BlockedShuffle> ChannelBlocks() {
  constexpr int64_t kChannels[][2] = {{64, 2},  {64, 4},  {48, 3},  {96, 32}, {128, 8},
                                      {32, 16}, {40, 2},  {60, 4},  {24, 3},  {80, 5},
                                      {50, 10}, {112, 7}, {240, 3}, {96, 6},  {160, 2}};
  std::vector<BlockedShuffle> cases;
  for (const auto& [channels, group] : kChannels)
    for (const int64_t block : {8, 16})
      for (const bool forward : {true, false})
        for (const int rank : {3, 4, 5}) {
          if ((cases.size() + static_cast<size_t>(rank)) % 2 == 0 && rank != 4) continue;
          Random random(cases.size());
          BlockedShuffle c;
          c.forward = forward;
          c.axis = 1;
          c.group = group;
          spec::Dims dims{2, channels};
          while (dims.size() < static_cast<size_t>(rank)) dims.push_back(random.Between(1, 4));
          c.data = AnyBlockedTensor(random, AnyType(random), dims, {{1, block}});
          c.from = AnyPlacement(random);
          c.to = AnyPlacement(random);
          c.seed = cases.size();
          cases.push_back(c);
        }
  return Listed(std::move(cases));
}

void ShuffleParameters::Print(Fields* fields) const {
  SetTensor(fields, "src", data);
  fields->SetInt("axis", axis);
  fields->SetInt("group", group);
}

ShuffleParameters ShuffleParameters::Parse(const Fields& fields) {
  ShuffleParameters c;
  c.data = GetTensor(fields, "src");
  c.axis = fields.Int("axis");
  c.group = fields.Int("group");
  if (c.axis < INT32_MIN || c.axis > INT32_MAX) fields.Reject("axis", "is not an int");
  if (c.group < INT32_MIN || c.group > INT32_MAX) fields.Reject("group", "is not an int");
  return c;
}

std::vector<ShuffleParameters> ShuffleParameters::Simpler() const {
  std::vector<ShuffleParameters> simpler;
  for (const LayoutSpec& layout : PlainerLayouts(data.layout, data.dims))
    simpler.push_back({{data.type, data.dims, layout}, axis, group});
  return simpler;
}

Cases<ShuffleParameters> WrongAxis() {
  return Drawn<ShuffleParameters>([](Random& random) {
    ShuffleParameters c;
    const spec::Dims dims = AnyShape(random, {1, 6, 512, /*may_be_empty=*/true});
    c.data = AnyTensor(random, random.Chance(60) ? spec::Type::kF32 : AnyType(random), dims);
    const int64_t rank = c.data.rank();
    c.axis = random.Pick(
        {int64_t{-1}, rank, rank + 1, int64_t{12}, -rank, int64_t{INT32_MIN}, int64_t{INT32_MAX}});
    return c;
  });
}

Cases<ShuffleParameters> WrongGroup() {
  return Drawn<ShuffleParameters>([](Random& random) {
    ShuffleParameters c;
    ShuffleLimits limits;
    limits.max_rank = 6;
    if (random.Chance(60)) limits.types = {spec::Type::kF32};
    limits.empty = random.Chance(10);
    if (limits.empty) limits.min_rank = 2;
    const ShuffleCase legal = AnyShuffleCase(random, limits);
    c.data = legal.data;
    c.axis = legal.axis;
    // Of an axis of 0, groups of 1 and more are SHU-009's.
    if (random.Chance(4)) {
      c.data.dims[legal.axis] = 0;
      c.data.layout = Plainest(c.data.dims);
      c.group = -random.Between(0, 3);
      return c;
    }
    const int64_t size = legal.size();
    const int64_t dice = random.Between(1, 100);
    if (dice <= 15) {
      c.group = 0;
    } else if (dice <= 35) {
      c.group = random.Chance(50) ? -legal.group : random.Pick({-1, INT32_MIN});
    } else if (dice <= 55 || size < 3) {
      c.group = random.Pick({size + 1, 2 * size, int64_t{INT32_MAX}});
    } else {
      c.group = random.Between(2, size - 1);
      if (size % c.group == 0) c.group = size - 1;  // does not divide: size > 2
    }
    return c;
  });
}

}  // namespace conformance
