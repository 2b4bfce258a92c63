// REO-ZP-003 in every layout: half-way values, to which a zero point is added before they are
// rounded.
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/layouts.h"
#include "conformance/gen/shapes.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

// Half of it is half-way between two integers: what a scale of 1/2 is for.
bool IsHalved(const ReorderCase& c) { return c.attributes.literal == 0.5f; }

// Half-way values below 128, which all types of floating-point numbers have, or odd integers that
// a scale halves.
std::vector<Bits> TiesOf(const ReorderCase& c) {
  const bool is_signed = c.src.type != Type::kU8;
  std::vector<Bits> source;
  for (int64_t k = 0; k < spec::ElementCount(c.dims()); ++k) {
    const auto n = static_cast<float>(Mix(c.seed + static_cast<uint64_t>(k)) % 63);
    const float tie = IsHalved(c) ? 2 * n + 1 : n + 0.5f;
    source.push_back(BitsOf(c.src.type, is_signed && k % 2 == 1 ? -tie : tie));
  }
  return source;
}

void TiesAreRoundedOnce(const ReorderCase& c, Trial& trial) {
  const std::vector<Bits> source = TiesOf(c), old = c.Old();
  const auto run = RunReorder(c, source, old, trial);
  if (!run) return;
  trial.Cover(IsHalved(c) ? "halved" : "half-way");
  SawTensor(trial, c.dst);
  if (c.attributes.dst_zero.run_time) trial.Cover("run-time zero point");
  ExpectReordered(c, source, old, run->set_up.scales, run->result, trial);
}

Cases<ReorderCase> Ties() {
  return Drawn<ReorderCase>([](Random& random) {
    ReorderCase c;
    c.src.type = random.Pick(
        {Type::kF32, Type::kF32, Type::kBF16, Type::kF16, Type::kS32, Type::kS8, Type::kU8});
    c.dst.type = random.Pick({Type::kS8, Type::kU8, Type::kS32});
    spec::Dims dims = AnyShape(random, {1, 5, 2048, /*may_be_empty=*/false});
    const int64_t dice = random.Between(1, 100);
    if (dice <= 30) {
      // Matrices of some vectors in both directions.
      const auto side = [&random] { return random.Pick<int64_t>({16, 17, 24, 32, 48, 64, 65}); };
      dims = {random.Between(1, 2), side(), side()};
      c.src.layout = RowMajor(dims);
      c.dst.layout = DenseInOrder(dims, {0, 2, 1});
      if (dice <= 10) std::swap(c.src.layout, c.dst.layout);
    } else if (dice <= 60) {
      std::tie(c.src.layout, c.dst.layout) =
          AnyTransposition(random, &dims, random.Chance(30), random.Chance(70));
    } else {
      c.src.layout = AnyLayout(random, dims);
      c.dst.layout = AnyLayout(random, dims);
    }
    c.src.dims = c.dst.dims = dims;
    AttributesSpec& attributes = c.attributes;
    if (!spec::IsFloat(c.src.type)) {
      attributes.scales = ScaleKind::kLiteral;
      attributes.literal = 0.5f;
    }
    const auto any = [&random] { return static_cast<int32_t>(random.Between(-9, 9)); };
    attributes.dst_zero = {true, any(), random.Chance(30)};
    // An even one of what is halved leaves it half-way.
    if (random.Chance(30)) attributes.src_zero = {true, 2 * any(), random.Chance(30)};
    c.values = ValueKind::kIndex;
    c.from = AnyPlacement(random);
    c.to = AnyPlacement(random);
    c.seed = static_cast<uint64_t>(random.Between(0, 9999));
    return c;
  });
}

const bool kDefined[] = {
    Define<ReorderCase>(spec::REO_ZP_003, "ties", Ties(), TiesAreRoundedOnce,
                        {"half-way", "halved", "permuted", "run-time zero point"}),
};

}  // namespace
}  // namespace conformance
