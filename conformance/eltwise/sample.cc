// The samples of eltwise: functions that every evaluation gives exactly, of which all bits are
// known.
#include "conformance/subject/sample.h"

#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {
namespace {

using EltwiseForwardSample = dnnl::eltwise_forward;
using EltwiseBackwardSample = dnnl::eltwise_backward;

enum EltwiseNumber : int64_t { kAbs, kHalfRelu, kDoubleRelu, kRelu };

// What a relu multiplies negative elements with: of integers with 0, which has no sign there.
float SlopeOf(int64_t number) {
  return number == kHalfRelu ? 0.5f : number == kDoubleRelu ? 2.f : 0.f;
}

dnnl::algorithm AlgorithmOfSample(int64_t number) {
  return number == kAbs ? dnnl::algorithm::eltwise_abs : dnnl::algorithm::eltwise_relu;
}

// Without gaps: what becomes of elements between which there are some is another chapter's.
TensorSpec DrawEltwiseTensor(const SampleCase& c, Random& random) {
  return DrawUsualTensor(c.type, DrawSampleDims(c, c.rank, random), random);
}

SamplePlan DrawForwardEltwise(const SampleCase& c, Random& random) {
  SamplePlan plan;
  plan.from = plan.to = DrawEltwiseTensor(c, random);
  const int64_t number = random.Pick({kAbs, kHalfRelu, kDoubleRelu});
  plan.numbers = {spec::IsFloat(c.type) ? number : kRelu};
  return plan;
}

SamplePlan DrawBackwardEltwise(const SampleCase& c, Random& random) {
  SamplePlan plan;
  plan.from = plan.to = DrawEltwiseTensor(c, random);
  plan.others = {{DNNL_ARG_SRC, plan.from}};
  plan.numbers = {random.Pick({kHalfRelu, kDoubleRelu})};
  return plan;
}

std::vector<spec::Bits> EltwiseValues(const SamplePlan& plan, int arg, uint64_t seed) {
  return DifferentElements(plan.from, plan.to.type, arg == plan.from_arg() ? seed : seed + 0x5eed);
}

std::vector<spec::Bits> ForwardEltwiseResults(const SamplePlan& plan,
                                              const std::vector<std::vector<spec::Bits>>& inputs) {
  std::vector<spec::Bits> results = inputs[0];
  for (spec::Bits& bits : results) {
    const float s = spec::Widen(plan.from.type, bits);
    const float negative = plan.numbers[0] == kAbs ? -s : SlopeOf(plan.numbers[0]) * s;
    if (s < 0) bits = spec::Convert(plan.to.type, negative + 0.f);
  }
  return results;
}

std::vector<spec::Bits> BackwardEltwiseResults(const SamplePlan& plan,
                                               const std::vector<std::vector<spec::Bits>>& inputs) {
  std::vector<spec::Bits> results = inputs[0];
  for (size_t k = 0; k < results.size(); ++k)
    if (!(spec::Widen(plan.from.type, inputs[1][k]) > 0))
      results[k] = spec::Convert(
          plan.to.type, SlopeOf(plan.numbers[0]) * spec::Widen(plan.from.type, results[k]));
  return results;
}

EltwiseForwardSample::desc ForwardEltwise(const SamplePlan& plan, const dnnl::memory::desc& data) {
  return {dnnl::prop_kind::forward_training, AlgorithmOfSample(plan.numbers[0]), data,
          SlopeOf(plan.numbers[0]), 0.f};
}

std::unique_ptr<SampleOperation> ForwardEltwiseOperation(const SamplePlan& plan,
                                                         const SampleDescs& descs) {
  return ForwardOperationOf<EltwiseForwardSample>(ForwardEltwise(plan, descs.from));
}

std::unique_ptr<SampleOperation> BackwardEltwiseOperation(const SamplePlan& plan,
                                                          const SampleDescs& descs) {
  return BackwardOperationOf<EltwiseBackwardSample, EltwiseForwardSample>(
      {AlgorithmOfSample(plan.numbers[0]), descs.from, descs.others[0], SlopeOf(plan.numbers[0]),
       0.f},
      ForwardEltwise(plan, descs.others[0]));
}

SampleKind ForwardEltwiseKind() {
  SampleKind kind;
  kind.name = kind.topic = "eltwise";
  kind.primitive = dnnl::primitive::kind::eltwise;
  kind.types.assign(std::begin(spec::kTypes), std::end(spec::kTypes));
  kind.share = 3;
  kind.is_reshapable = true;
  kind.draw = DrawForwardEltwise;
  kind.values = EltwiseValues;
  kind.results = ForwardEltwiseResults;
  kind.operation = ForwardEltwiseOperation;
  return kind;
}

SampleKind BackwardEltwiseKind() {
  SampleKind kind;
  kind.name = "eltwise-backward";
  kind.topic = "eltwise";
  kind.primitive = dnnl::primitive::kind::eltwise;
  kind.from_arg = DNNL_ARG_DIFF_DST;
  kind.to_arg = DNNL_ARG_DIFF_SRC;
  kind.types = {spec::Type::kF32, spec::Type::kBF16};
  kind.share = 2;
  kind.draw = DrawBackwardEltwise;
  kind.values = EltwiseValues;
  kind.results = BackwardEltwiseResults;
  kind.operation = BackwardEltwiseOperation;
  return kind;
}

const bool kAdded[] = {AddSample(ForwardEltwiseKind()), AddSample(BackwardEltwiseKind())};

}  // namespace
}  // namespace conformance
