#include "conformance/reorder/blocked_cases.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "conformance/gen/layouts.h"
#include "conformance/gen/tensors.h"

namespace conformance {
namespace {

// Makes an axis that is split into blocks end inside one, four times in five.
void LeavePadding(Random& random, const std::vector<spec::Block>& blocks, spec::Dims* dims) {
  if (blocks.empty() || !random.Chance(80)) return;
  const spec::Block& block = random.Pick(blocks);
  int64_t& dim = (*dims)[block.axis];
  if (dim % block.size == 0) dim += random.Between(1, block.size - 1);
}

void DrawRest(Random& random, BlockedReorder* c) {
  c->from = AnyPlacement(random);
  c->to = AnyPlacement(random);
  c->seed = static_cast<uint64_t>(random.Between(0, 9999));
}

// The destination in the buffer of the source: on it; the same blocks in another order, along other
// axes, other blocks, or the same a little later.
void DrawInOneBuffer(Random& random, BlockedReorder* c) {
  const int64_t style = random.Between(1, 6);
  c->dst = c->src;
  spec::Blocked& layout = c->dst.layout;
  std::vector<spec::Block> blocks = layout.blocks;
  if (style == 1) return;
  if (style == 2) {
    layout.offset += random.Between(1, 40);
    return;
  }
  if (style == 3) {  // between the steps of the source, or across
    for (int64_t& stride : c->src.layout.strides) stride *= 2;
    layout.strides = c->src.layout.strides;
    int64_t size = 1;
    for (const spec::Block& block : blocks) size *= block.size;
    layout.offset += random.Chance(60) ? size : random.Between(1, 2 * size);
    return;
  }
  if (style == 4) {
    std::rotate(blocks.begin(), blocks.begin() + 1, blocks.end());
    layout.blocks = blocks;
    return;
  }
  if (style == 5) blocks = AnyBlocks(random, static_cast<int>(layout.dims.size()));
  if (style == 6) std::swap(blocks.front().axis, blocks.back().axis);
  const int64_t offset = layout.offset;
  c->dst = AnyBlockedTensor(random, c->src.type, c->src.dims(), blocks);
  if (random.Chance(70)) c->dst.layout.offset = offset;
}

}  // namespace

ReorderCase BlockedReorder::AsPlain() const {
  ReorderCase plain;
  plain.src = {src.type, src.dims(), RowMajor(src.dims())};
  plain.dst = {dst.type, dst.dims(), RowMajor(dst.dims())};
  plain.attributes = attributes;
  plain.values = values;
  plain.seed = seed;
  return plain;
}

void BlockedReorder::Print(Fields* fields) const {
  SetBlockedTensor(fields, "src", src);
  SetBlockedTensor(fields, "dst", dst);
  SetAttributes(fields, attributes);
  fields->Set("values", NameOf(values));
  if (run_time) fields->SetInt("unknown", 1);
  SetPlacement(fields, "from", from);
  SetPlacement(fields, "to", to);
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

BlockedReorder BlockedReorder::Parse(const Fields& fields) {
  BlockedReorder c;
  c.src = GetBlockedTensor(fields, "src");
  c.dst = GetBlockedTensor(fields, "dst");
  if (c.src.dims() != c.dst.dims()) fields.Reject("dst", "has other dims than src");
  c.attributes = GetAttributes(fields);
  if (c.attributes.mask >> c.dst.dims().size() != 0) fields.Reject("mask", "is beyond the rank");
  if (const auto kind = ParseValueKind(fields.Text("values"))) {
    c.values = *kind;
  } else {
    fields.Reject("values", "is none of index, bits, mixed, finite");
  }
  c.run_time = fields.Has("unknown") && fields.Int("unknown") != 0;
  c.from = GetPlacement(fields, "from");
  c.to = GetPlacement(fields, "to");
  c.seed = static_cast<uint64_t>(fields.Int("seed"));
  return c;
}

std::vector<BlockedReorder> BlockedReorder::Simpler() const {
  std::vector<BlockedReorder> simpler;
  const auto offer = [&](auto change) {
    simpler.push_back(*this);
    change(simpler.back());
  };
  if (ToString(from) != "mid") offer([](BlockedReorder& c) { c.from = {}; });
  if (ToString(to) != "mid") offer([](BlockedReorder& c) { c.to = {}; });
  if (run_time) offer([](BlockedReorder& c) { c.run_time = false; });
  for (const AttributesSpec& fewer : SimplerAttributes(attributes))
    offer([&](BlockedReorder& c) { c.attributes = fewer; });
  for (BlockedTensor& layout : SimplerLayouts(src))
    offer([&](BlockedReorder& c) { c.src = std::move(layout); });
  for (BlockedTensor& layout : SimplerLayouts(dst))
    offer([&](BlockedReorder& c) { c.dst = std::move(layout); });
  for (const Cut& cut : Cuts(dst.dims())) {
    offer([&](BlockedReorder& c) {
      c.src = CutBlocked(src, cut);
      c.dst = CutBlocked(dst, cut);
      if (cut.extent == Cut::kDrop) c.attributes = DropAxis(attributes, cut.axis);
    });
  }
  if (src.type != dst.type) offer([](BlockedReorder& c) { c.src.type = c.dst.type; });
  if (values != ValueKind::kIndex) offer([](BlockedReorder& c) { c.values = ValueKind::kIndex; });
  if (seed != 0) offer([](BlockedReorder& c) { c.seed = 0; });
  return simpler;
}

Cases<BlockedReorder> AnyBlockedReorder() {
  return Drawn<BlockedReorder>([](Random& random) {
    BlockedReorder c;
    spec::Dims dims = AnyShape(random, {1, 5, 512, /*may_be_empty=*/false});
    const auto rank = static_cast<int>(dims.size());
    const std::vector<spec::Block> blocks = AnyBlocks(random, rank);
    LeavePadding(random, blocks, &dims);
    const spec::Type type = AnyType(random);
    c.dst = AnyBlockedTensor(random, type, dims, blocks);
    // One source in five is the destination's own layout, one in three has blocks of its own.
    if (random.Chance(20)) {
      c.src = c.dst;
    } else {
      c.src = AnyBlockedTensor(
          random, type, dims,
          random.Chance(40) ? AnyBlocks(random, rank) : std::vector<spec::Block>());
    }
    if (random.Chance(60)) c.src.type = AnyType(random);
    if (random.Chance(60)) {
      AttributesLimits limits;
      limits.zero_points = random.Chance(40);
      c.attributes = AnyAttributes(random, dims, limits);
    }
    c.values = c.attributes.none() && random.Chance(50) ? ValueKind::kIndex : ValueKind::kFinite;
    c.run_time = random.Chance(25);
    DrawRest(random, &c);
    return c;
  });
}

Cases<BlockedReorder> MaskedBlockedReorders() {
  return Drawn<BlockedReorder>([](Random& random) {
    BlockedReorder c;
    spec::Dims dims = AnyShape(random, {2, 5, 512, /*may_be_empty=*/false});
    const auto rank = static_cast<int>(dims.size());
    const std::vector<spec::Block> blocks = AnyBlocks(random, rank);
    LeavePadding(random, blocks, &dims);
    c.dst = AnyBlockedTensor(random, AnyType(random), dims, blocks);
    c.src =
        AnyBlockedTensor(random, random.Chance(50) ? c.dst.type : AnyType(random), dims,
                         random.Chance(30) ? AnyBlocks(random, rank) : std::vector<spec::Block>());
    AttributesLimits limits;
    limits.zero_points = random.Chance(20);
    c.attributes = AnyAttributes(random, dims, limits);
    const int axis = random.Pick(blocks).axis;
    c.attributes.mask = 1 << axis | 1 << (axis + random.Between(1, rank - 1)) % rank;
    if (random.Chance(30)) c.attributes.mask |= 1 << random.Between(0, rank - 1);
    c.attributes.scales = random.Chance(70) ? ScaleKind::kPowersOfTwo : ScaleKind::kAny;
    c.values = ValueKind::kFinite;
    DrawRest(random, &c);
    return c;
  });
}

Cases<BlockedReorder> GroupedBlockedWeights() {
  return Drawn<BlockedReorder>([](Random& random) {
    BlockedReorder c;
    const spec::Dims dims{random.Between(1, 5), random.Between(1, 20), random.Between(1, 9),
                          random.Between(1, 3), random.Between(1, 3)};
    const auto size = random.Pick<int64_t>({2, 4, 8, 16});
    std::vector<spec::Block> blocks{{random.Chance(40) ? 0 : 1, size}};
    if (random.Chance(50)) blocks.insert(blocks.begin(), {2, random.Pick<int64_t>({2, 4, 8})});
    if (random.Chance(30)) blocks.push_back({2, 4});
    c.src = AnyBlockedTensor(random, spec::Type::kF32, dims, {});
    c.dst = AnyBlockedTensor(random, spec::Type::kS8, dims, blocks);
    c.attributes.mask = 3;
    c.attributes.scales = random.Chance(70) ? ScaleKind::kPowersOfTwo : ScaleKind::kAny;
    c.attributes.run_time = random.Chance(40);
    c.values = ValueKind::kFinite;
    DrawRest(random, &c);
    return c;
  });
}

Cases<BlockedReorder> BlockedCopies() {
  const Cases<BlockedReorder> any = AnyBlockedReorder();
  return {0,
          [any](int64_t index, Random& random) {
            BlockedReorder c = any.at(index, random);
            c.attributes = {};
            c.run_time = false;
            c.values = ValueKind::kIndex;
            return c;
          },
          [](const BlockedReorder& c) { return c.attributes.none() && !c.run_time; }};
}

Cases<BlockedReorder> UnevenBlocks() {
  static constexpr int64_t kSizes[][2] = {{2, 3}, {3, 4},  {4, 6},  {5, 4},
                                          {6, 9}, {8, 12}, {8, 10}, {12, 16}};
  return Drawn<BlockedReorder>([](Random& random) {
    const auto& sizes = kSizes[random.Between(0, static_cast<int64_t>(std::size(kSizes)) - 1)];
    const int64_t pattern = std::lcm(sizes[0], sizes[1]);
    BlockedReorder c;
    spec::Dims dims = AnyShape(random, {1, 4, 12, /*may_be_empty=*/false});
    const auto last = static_cast<int64_t>(dims.size()) - 1;
    const auto axis = static_cast<int>(random.Between(0, last));
    dims[axis] = pattern * random.Between(0, 4) + random.Between(1, pattern);
    std::vector<spec::Block> from{{axis, sizes[0]}}, to{{axis, sizes[1]}};
    // Inside or around them, another axis in blocks too.
    for (std::vector<spec::Block>* blocks : {&from, &to}) {
      if (last == 0 || !random.Chance(30)) continue;
      const spec::Block other{static_cast<int>((axis + random.Between(1, last)) % (last + 1)),
                              random.Between(2, 4)};
      blocks->insert(random.Chance(50) ? blocks->begin() : blocks->end(), other);
    }
    if (random.Chance(50)) std::swap(from, to);
    c.src = AnyBlockedTensor(random, AnyType(random), dims, from);
    c.dst = AnyBlockedTensor(random, random.Chance(60) ? c.src.type : AnyType(random), dims, to);
    c.values = ValueKind::kIndex;
    DrawRest(random, &c);
    return c;
  });
}

Cases<BlockedReorder> LongBlockedReorders() {
  return {120,
          [](int64_t index, Random& random) {
            BlockedReorder c;
            spec::Dims dims;
            std::vector<spec::Block> from, to;
            // Neighbouring numbers have no common divisor.
            const int axis = static_cast<int>(random.Between(0, 1));
            const int64_t size = random.Between(129, 180);
            dims = {random.Between(1, 2), random.Between(1, 2)};
            dims[axis] = random.Between((1 << 14) + 200, 30000);
            // A block of the other axis outside keeps neighbouring blocks apart in memory.
            from = {{1 - axis, 2}, {axis, size}};
            to = {{1 - axis, 3}, {axis, size + 1}};
            if (index % 3 != 0) {
              // And one between: pieces of one and two elements, thousands of them before the
              // pattern repeats itself.
              from.insert(from.end(), {{1 - axis, 2}, {axis, 2}});
              to.insert(to.end(), {{1 - axis, 2}, {axis, 3}});
            }
            if (random.Chance(50)) std::swap(from, to);
            LeavePadding(random, to, &dims);
            c.src = AnyBlockedTensor(random, AnyType(random), dims, from);
            c.dst = AnyBlockedTensor(random, AnyType(random), dims, to);
            if (random.Chance(30)) {
              AttributesLimits limits;
              limits.zero_points = random.Chance(40);
              limits.masks = Masks::kNone;
              c.attributes = AnyAttributes(random, dims, limits);
            }
            c.values = ValueKind::kFinite;
            DrawRest(random, &c);
            return c;
          },
          nullptr};
}

Cases<BlockedReorder> BlocksInOneBuffer() {
  Cases<BlockedReorder> cases = Drawn<BlockedReorder>([](Random& random) {
    BlockedReorder c;
    spec::Dims dims = AnyShape(random, {2, 5, 256, /*may_be_empty=*/false});
    std::vector<spec::Block> blocks = AnyBlocks(random, static_cast<int>(dims.size()));
    if (blocks.size() == 1 && random.Chance(70))
      blocks.push_back({static_cast<int>(random.Between(0, 1)), random.Between(2, 4)});
    LeavePadding(random, blocks, &dims);
    c.src = AnyBlockedTensor(random, AnyType(random), dims, blocks);
    DrawInOneBuffer(random, &c);
    if (random.Chance(50)) std::swap(c.src, c.dst);
    c.values = ValueKind::kIndex;
    DrawRest(random, &c);
    return c;
  });
  cases.contains = [](const BlockedReorder& c) {
    return c.src.type == c.dst.type && c.attributes.none() && !c.run_time &&
           !c.src.layout.blocks.empty() && !c.dst.layout.blocks.empty();
  };
  return cases;
}

}  // namespace conformance
