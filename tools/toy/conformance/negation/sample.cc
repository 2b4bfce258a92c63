// The sample of negation.
#include "conformance/subject/sample.h"

#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {
namespace {

SamplePlan DrawNegation(const SampleCase& c, Random& random) {
  SamplePlan plan;
  plan.from = plan.to = DrawSampleTensor(c, random);
  return plan;
}

std::vector<spec::Bits> NegationValues(const SamplePlan& plan, int, uint64_t seed) {
  // Zero has two signs.
  std::vector<spec::Bits> values = DifferentElements(plan.from, plan.to.type, seed);
  for (spec::Bits& bits : values)
    if (bits == 0) bits = spec::Convert(plan.from.type, 1.f);
  return values;
}

std::vector<spec::Bits> NegationResults(const SamplePlan& plan,
                                        const std::vector<std::vector<spec::Bits>>& inputs) {
  std::vector<spec::Bits> results = inputs[0];
  for (spec::Bits& bits : results)
    bits = spec::Convert(plan.to.type, -spec::Widen(plan.from.type, bits));
  return results;
}

// It has no operation descriptor: what it is made of.
struct NegationDescs {
  dnnl::memory::desc src, dst;
};

std::unique_ptr<SampleOperation> NegationOperation(const SamplePlan& plan) {
  return OperationOf<dnnl::negation>(
      NegationDescs{MakeDesc(plan.from), MakeDesc(plan.to)},
      [](const NegationDescs& descs, const dnnl::engine& engine, const dnnl::primitive_attr& attr) {
        return dnnl::negation::primitive_desc(engine, descs.src, descs.dst, attr);
      });
}

SampleKind NegationKind() {
  SampleKind kind;
  kind.name = kind.topic = "negation";
  kind.types = {spec::Type::kF32};
  kind.has_operation = false;
  kind.draw = DrawNegation;
  kind.values = NegationValues;
  kind.results = NegationResults;
  kind.operation = NegationOperation;
  return kind;
}

const bool kAdded = AddSample(NegationKind());

}  // namespace
}  // namespace conformance
