#include "conformance/reorder/blocked_cases.h"

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
    c.from = AnyPlacement(random);
    c.to = AnyPlacement(random);
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    return c;
  });
}

}  // namespace conformance
