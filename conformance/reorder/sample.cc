// The sample of reorder: elements that move, and at times change their type.
#include "conformance/subject/sample.h"

#include "conformance/gen/layouts.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {
namespace {

SamplePlan DrawReorderSample(const SampleCase& c, Random& random) {
  SamplePlan plan;
  plan.from = plan.to = DrawSampleTensor(c, random);
  LayoutLimits limits;
  limits.tags = limits.regions = limits.odd_unit_strides = false;
  limits.gaps = random.Chance(50);
  plan.to.layout = AnyLayout(random, plan.to.dims, limits);
  // From f32 to f32 is what nobody may refuse.
  if (c.type != spec::Type::kF32 && random.Chance(30)) plan.to.type = random.Pick(spec::kTypes);
  return plan;
}

std::vector<spec::Bits> ReorderedValues(const SamplePlan& plan, int, uint64_t seed) {
  return DifferentElements(plan.from, plan.to.type, seed);
}

std::vector<spec::Bits> ReorderedResults(const SamplePlan& plan,
                                         const std::vector<std::vector<spec::Bits>>& inputs) {
  std::vector<spec::Bits> results = inputs[0];
  if (plan.from.type == plan.to.type) return results;
  for (spec::Bits& bits : results)
    bits = spec::Convert(plan.to.type, spec::Widen(plan.from.type, bits));
  return results;
}

// A reorder has no operation descriptor: what it is made of.
struct TwoDescs {
  dnnl::memory::desc from, to;
};

std::unique_ptr<SampleOperation> ReorderOperation(const SamplePlan&, const SampleDescs& of) {
  return OperationOf<dnnl::reorder>(TwoDescs{of.from, of.to},
                                    [](const TwoDescs& descs, const dnnl::engine& engine,
                                       const dnnl::primitive_attr& attr, bool allow_empty) {
                                      return dnnl::reorder::primitive_desc(
                                          engine, descs.from, engine, descs.to, attr, allow_empty);
                                    });
}

SampleKind ReorderKind() {
  SampleKind kind;
  kind.name = kind.topic = "reorder";
  kind.primitive = dnnl::primitive::kind::reorder;
  kind.types.assign(std::begin(spec::kTypes), std::end(spec::kTypes));
  kind.share = 6;
  kind.is_mandatory = kind.is_reshapable = kind.has_own_layouts = true;
  kind.has_operation = false;
  kind.scaled_axes = (1 << kMostSampleRank) - 1;
  kind.draw = DrawReorderSample;
  kind.values = ReorderedValues;
  kind.results = ReorderedResults;
  kind.operation = ReorderOperation;
  return kind;
}

const bool kAdded = AddSample(ReorderKind());

}  // namespace
}  // namespace conformance
