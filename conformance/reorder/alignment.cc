// MEM-028 for reorders: buffers of the caller are aligned as elements are, whatever is computed of
// these.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/reorder/cases.h"
#include "conformance/reorder/run.h"
#include "spec/numeric/compare.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

// What comes out is right, unless it is as wrong where both buffers are aligned: then another
// requirement says so.
void ElementAlignmentIsEnough(const ReorderCase& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!device->on_host) return trial.NotRun("the engine takes no host pointers");
  if (c.from.shift == 0 && c.to.shift == 0) return trial.Vacuous();
  if (c.attributes.sum && !c.attributes.scaled() && c.attributes.beta == 1)
    trial.Cover("sum of ones");
  ReorderCase aligned = c;
  aligned.from = aligned.to = {};
  const auto expected = RunReorder(aligned, trial);
  if (!expected) return;
  auto run = RunReorder(c, trial);
  if (!run) return;
  const bool same =
      std::equal(run->result.begin(), run->result.end(), expected->result.begin(),
                 [&](spec::Bits a, spec::Bits b) { return spec::SameValue(c.dst.type, a, b); });
  const ReorderSetUp& s = run->set_up;
  if (!same && !ExpectReordered(c, s.source, s.old, s.scales, run->result, trial, "dst")) return;
  const std::string gap = run->set_up.to.ChangedGap();
  if (!gap.empty()) trial.Fail("dst outside its elements", "untouched", gap);
}

// Rows of several vectors, dense, apart or turned over.
void LayOutRows(Random& random, ReorderCase* c) {
  const spec::Dims dims{random.Between(1, 5), random.Between(60, 400)};
  for (TensorSpec* tensor : {&c->src, &c->dst}) {
    tensor->dims = dims;
    tensor->layout = RowMajor(dims);
    if (random.Chance(50)) tensor->layout.strides[0] += random.Between(1, 9);
  }
  if (random.Chance(20)) c->dst.layout = DenseInOrder(dims, {1, 0});
}

AttributesSpec DrawAttributes(Random& random, int64_t kind, const spec::Dims& dims) {
  AttributesLimits limits;
  limits.scales = kind == 1 || kind == 2 || kind == 5;
  limits.sum = kind >= 3 && kind <= 5;
  limits.zero_points = kind == 6;
  if (kind == 1) limits.masks = Masks::kNone;
  AttributesSpec attributes;
  if (kind == 0) return attributes;
  attributes = AnyAttributes(random, dims, limits);
  if (kind == 3) attributes.beta = 1;
  return attributes;
}

// Each pair of types, copied and with each kind of attributes.
Cases<ReorderCase> Misaligned() {
  constexpr int64_t kKinds = 7;
  return {0, [](int64_t index, Random& random) {
            const std::vector<TypePair> pairs = TypePairs();
            const auto count = static_cast<int64_t>(pairs.size());
            const TypePair pair = pairs[static_cast<size_t>(index % count)];
            ReorderLimits limits;
            limits.from = {pair.from};
            limits.to = {pair.to};
            limits.transpositions = true;
            limits.shape.max_elements = 2048;
            ReorderCase c = AnyReorderCase(random, limits);
            if (random.Chance(60)) LayOutRows(random, &c);
            c.attributes = DrawAttributes(random, index / count % kKinds, c.dims());
            c.values = c.attributes.none() ? ValueKind::kMixed : ValueKind::kFinite;
            c.from = {Placement::Edge::kMiddle, random.Between(0, 15)};
            c.to = {Placement::Edge::kMiddle, random.Chance(80) ? random.Between(1, 15) : 0};
            return c;
          }};
}

const bool kDefined[] = {
    Define<ReorderCase>(spec::MEM_028, "reorders", Misaligned(), ElementAlignmentIsEnough,
                        {"misaligned", "sum of ones", "mask", "gapped", "permuted", "to u8"}),
};

}  // namespace
}  // namespace conformance
