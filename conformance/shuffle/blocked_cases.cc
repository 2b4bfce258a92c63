#include "conformance/shuffle/blocked_cases.h"

#include <algorithm>
#include <string>
#include <utility>

#include "conformance/gen/layouts.h"
#include "conformance/gen/tensors.h"

namespace conformance {

ShuffleCase BlockedShuffle::AsPlain() const {
  ShuffleCase plain;
  plain.forward = forward;
  plain.data = {data.type, data.dims(), RowMajor(data.dims())};
  plain.axis = axis;
  plain.group = group;
  plain.values = ValueKind::kBits;
  plain.seed = seed;
  return plain;
}

void BlockedShuffle::Print(Fields* fields) const {
  fields->Set("dir", forward ? "fwd" : "bwd");
  SetBlockedTensor(fields, "data", data);
  fields->SetInt("axis", axis);
  fields->SetInt("group", group);
  SetPlacement(fields, "from", from);
  SetPlacement(fields, "to", to);
  fields->SetInt("seed", static_cast<int64_t>(seed));
}

BlockedShuffle BlockedShuffle::Parse(const Fields& fields) {
  BlockedShuffle c;
  const std::string direction = fields.Text("dir");
  c.forward = direction != "bwd";
  if (direction != "fwd" && direction != "bwd") fields.Reject("dir", "is neither fwd nor bwd");
  c.data = GetBlockedTensor(fields, "data");
  const int64_t axis = fields.Int("axis");
  const bool known = axis >= 0 && axis < static_cast<int64_t>(c.data.dims().size());
  if (!known) fields.Reject("axis", "is not an axis of data");
  c.axis = known ? static_cast<int>(axis) : 0;
  c.group = fields.Int("group");
  if (c.group < 1 || c.data.dims()[c.axis] % std::max<int64_t>(1, c.group) != 0)
    fields.Reject("group", "does not divide the axis");
  c.from = GetPlacement(fields, "from");
  c.to = GetPlacement(fields, "to");
  c.seed = static_cast<uint64_t>(fields.Int("seed"));
  return c;
}

std::vector<BlockedShuffle> BlockedShuffle::Simpler() const {
  std::vector<BlockedShuffle> simpler;
  const auto offer = [&](auto change) {
    simpler.push_back(*this);
    change(simpler.back());
  };
  if (ToString(from) != "mid") offer([](BlockedShuffle& c) { c.from = {}; });
  if (ToString(to) != "mid") offer([](BlockedShuffle& c) { c.to = {}; });
  for (BlockedTensor& layout : SimplerLayouts(data))
    offer([&](BlockedShuffle& c) { c.data = std::move(layout); });
  for (const Cut& cut : Cuts(data.dims())) {
    if (cut.axis == axis) {
      if (cut.extent == Cut::kDrop || cut.extent % group != 0) continue;
      offer([&](BlockedShuffle& c) { c.data = CutBlocked(data, cut); });
      continue;
    }
    offer([&](BlockedShuffle& c) {
      c.data = CutBlocked(data, cut);
      if (cut.extent == Cut::kDrop && cut.axis < axis) --c.axis;
    });
  }
  if (group != 1) offer([](BlockedShuffle& c) { c.group = 1; });
  if (data.type != spec::Type::kF32)
    offer([](BlockedShuffle& c) { c.data.type = spec::Type::kF32; });
  if (seed != 0) offer([](BlockedShuffle& c) { c.seed = 0; });
  return simpler;
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
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    return c;
  });
}

}  // namespace conformance
