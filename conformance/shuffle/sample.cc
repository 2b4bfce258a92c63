// The samples of shuffle: elements that move along one axis.
#include "conformance/subject/sample.h"

#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"
#include "spec/shuffle/oracle.h"

namespace conformance {
namespace {

using ShuffleForwardSample = dnnl::shuffle_forward;
using ShuffleBackwardSample = dnnl::shuffle_backward;

SamplePlan DrawShuffleSample(const SampleCase& c, Random& random) {
  SamplePlan plan;
  plan.from = plan.to = DrawSampleTensor(c, random);
  const int64_t axis = plan.from.rank() > 1 ? 1 : 0;
  plan.numbers = {axis, plan.from.dims[static_cast<size_t>(axis)] / 2};
  return plan;
}

std::vector<spec::Bits> ShuffledValues(const SamplePlan& plan, int, uint64_t seed) {
  return DifferentElements(plan.from, plan.to.type, seed);
}

std::vector<spec::Bits> ShuffledResults(const SamplePlan& plan,
                                        const std::vector<std::vector<spec::Bits>>& inputs) {
  const auto axis = static_cast<size_t>(plan.numbers[0]);
  const int64_t group = plan.numbers[1], size = plan.to.dims[axis];
  const bool forward = plan.from_arg() == DNNL_ARG_SRC;
  std::vector<spec::Bits> results(inputs[0].size());
  for (size_t k = 0; k < results.size(); ++k) {
    spec::Dims x = spec::Unravel(static_cast<int64_t>(k), plan.to.dims);
    x[axis] = forward ? spec::ShuffleSource(x[axis], size, group)
                      : spec::ShuffleBackwardSource(x[axis], size, group);
    results[k] = inputs[0][static_cast<size_t>(spec::Ravel(x, plan.from.dims))];
  }
  return results;
}

ShuffleForwardSample::desc ForwardShuffle(const SamplePlan& plan, const dnnl::memory::desc& data) {
  return {dnnl::prop_kind::forward_training, data, static_cast<int>(plan.numbers[0]),
          static_cast<int>(plan.numbers[1])};
}

std::unique_ptr<SampleOperation> ForwardShuffleOperation(const SamplePlan& plan,
                                                         const SampleDescs& descs) {
  return OperationOf<ShuffleForwardSample>(
      ForwardShuffle(plan, descs.from),
      [](const ShuffleForwardSample::desc& operation, const dnnl::engine& engine,
         const dnnl::primitive_attr& attr, bool allow_empty) {
        return ShuffleForwardSample::primitive_desc(operation, engine, attr, allow_empty);
      });
}

std::unique_ptr<SampleOperation> BackwardShuffleOperation(const SamplePlan& plan,
                                                          const SampleDescs& descs) {
  return OperationOf<ShuffleBackwardSample>(
      ShuffleBackwardSample::desc(descs.from, static_cast<int>(plan.numbers[0]),
                                  static_cast<int>(plan.numbers[1])),
      [hints = std::make_shared<std::vector<ShuffleForwardSample::primitive_desc>>(),
       forward = ForwardShuffle(plan, descs.from)](
          const ShuffleBackwardSample::desc& operation, const dnnl::engine& engine,
          const dnnl::primitive_attr& attr, bool allow_empty) {
        // On no engine there is no hint either.
        const ShuffleForwardSample::primitive_desc given(forward, engine, dnnl::primitive_attr(),
                                                         allow_empty);
        return MakeOfHint(*hints, given, [&](const auto& hint) {
          return ShuffleBackwardSample::primitive_desc(operation, engine, hint, attr, allow_empty);
        });
      });
}

SampleKind ShuffleKind(bool forward) {
  SampleKind kind;
  kind.name = forward ? "forward" : "backward";
  kind.topic = "shuffle";
  kind.primitive = dnnl::primitive::kind::shuffle;
  if (!forward) {
    kind.from_arg = DNNL_ARG_DIFF_DST;
    kind.to_arg = DNNL_ARG_DIFF_SRC;
  }
  kind.types.assign(std::begin(spec::kTypes), std::end(spec::kTypes));
  kind.share = forward ? 6 : 4;
  kind.is_mandatory = kind.is_reshapable = true;
  kind.draw = DrawShuffleSample;
  kind.values = ShuffledValues;
  kind.results = ShuffledResults;
  kind.operation = forward ? ForwardShuffleOperation : BackwardShuffleOperation;
  return kind;
}

const bool kAdded[] = {AddSample(ShuffleKind(true)), AddSample(ShuffleKind(false))};

}  // namespace
}  // namespace conformance
