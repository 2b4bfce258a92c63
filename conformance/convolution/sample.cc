// The samples of convolution: small integers and few weights that are not 0, so that all sums are
// exact in every type.
#include "conformance/subject/sample.h"

#include <algorithm>

#include "conformance/gen/computed_data.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/convolution/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {
namespace {

using ConvolutionForwardSample = dnnl::convolution_forward;
using ConvolutionBackwardSample = dnnl::convolution_backward_data;

// Most elements, by magnitude, and weights of one output that are 1 or -1: bf16 holds their sums.
constexpr int64_t kLargestElement = 3, kWeightsOfOutput = 8;

int SpatialAxes(const SampleCase& c) { return std::clamp(c.rank, 3, 5) - 2; }

// Numbers of a plan: n, groups, channels of a group in and out, then each axis.
std::vector<int64_t> NumbersOfProblem(const spec::Convolution& problem, int axes) {
  std::vector<int64_t> numbers = {problem.n, problem.groups, problem.ic, problem.oc};
  for (int i = 0; i < axes; ++i) {
    const spec::ConvolutionAxis& axis = problem.axes[static_cast<size_t>(i)];
    numbers.insert(numbers.end(), {axis.input, axis.output, axis.kernel, axis.stride, axis.dilation,
                                   axis.padding_l, axis.padding_r});
  }
  return numbers;
}

spec::Convolution ProblemOfSample(const SamplePlan& plan) {
  const std::vector<int64_t>& numbers = plan.numbers;
  spec::Convolution problem;
  problem.n = numbers[0];
  problem.groups = numbers[1];
  problem.ic = numbers[2];
  problem.oc = numbers[3];
  for (size_t at = 4, axis = 0; at < numbers.size(); at += 7, ++axis)
    problem.axes[axis] = {numbers[at],     numbers[at + 1], numbers[at + 2], numbers[at + 3],
                          numbers[at + 4], numbers[at + 5], numbers[at + 6]};
  return problem;
}

spec::Convolution DrawProblem(const SampleCase& c, Random& random) {
  spec::Convolution problem;
  const bool small = c.size == SampleSize::kSmall, large = c.size == SampleSize::kLarge;
  const int axes = SpatialAxes(c);
  problem.n = random.Between(1, 2);
  problem.groups = random.Chance(30) ? 2 : 1;
  problem.ic = small ? random.Between(1, 5) : random.Between(4, 9);
  problem.oc = small ? random.Between(1, 9) : random.Between(2, 5);
  const int64_t side = small   ? 5
                       : large ? (axes == 1   ? 9000
                                  : axes == 2 ? 100
                                              : 21)
                               : (axes == 1   ? 300
                                  : axes == 2 ? 18
                                              : 7);
  for (int i = 0; i < axes; ++i) {
    spec::ConvolutionAxis& axis = problem.axes[static_cast<size_t>(i)];
    axis.kernel = random.Between(1, 3);
    axis.dilation = axis.kernel > 1 && random.Chance(20) ? 1 : 0;
    axis.padding_l = random.Between(0, 1);
    axis.padding_r = random.Between(0, 1);
    axis.stride = random.Chance(30) ? 2 : 1;
    axis.input = small ? random.Between((axis.kernel - 1) * (axis.dilation + 1) + 1, side)
                       : random.Between(side, side + side / 8);
    axis.output = axis.RightOutput();
  }
  if (large) problem.ic = std::max<int64_t>(problem.ic, 8 / problem.groups);
  return problem;
}

struct ConvolutionTensors {
  TensorSpec image, weights, result;
};

ConvolutionTensors TensorsOfProblem(const spec::Convolution& problem, const SampleCase& c,
                                    Random& random) {
  spec::Dims image = {problem.n, problem.groups * problem.ic};
  spec::Dims result = {problem.n, problem.groups * problem.oc};
  spec::Dims weights = {problem.oc, problem.ic};
  if (problem.groups > 1) weights.insert(weights.begin(), problem.groups);
  for (int i = 0; i < SpatialAxes(c); ++i) {
    const spec::ConvolutionAxis& axis = problem.axes[static_cast<size_t>(i)];
    image.push_back(axis.input);
    result.push_back(axis.output);
    weights.push_back(axis.kernel);
  }
  ConvolutionTensors tensors;
  tensors.image = DrawUsualTensor(c.type, image, random);
  tensors.weights = {c.type, weights, RowMajor(weights)};
  tensors.result = DrawUsualTensor(c.type, result, random);
  return tensors;
}

SamplePlan DrawConvolution(const SampleCase& c, bool forward, Random& random) {
  const spec::Convolution problem = DrawProblem(c, random);
  const ConvolutionTensors tensors = TensorsOfProblem(problem, c, random);
  SamplePlan plan;
  plan.from = forward ? tensors.image : tensors.result;
  plan.to = forward ? tensors.result : tensors.image;
  plan.others = {{DNNL_ARG_WEIGHTS, tensors.weights}};
  plan.numbers = NumbersOfProblem(problem, SpatialAxes(c));
  if (c.type == spec::Type::kS8 || c.type == spec::Type::kU8) {
    plan.others[0].tensor.type = spec::Type::kS8;
    plan.to.type = random.Pick({spec::Type::kS32, spec::Type::kF32});
  } else if (c.type == spec::Type::kBF16 && (!forward || random.Chance(50))) {
    plan.to.type = spec::Type::kF32;
  }
  return plan;
}

SamplePlan DrawConvolutionForward(const SampleCase& c, Random& random) {
  return DrawConvolution(c, /*forward=*/true, random);
}

SamplePlan DrawConvolutionBackward(const SampleCase& c, Random& random) {
  return DrawConvolution(c, /*forward=*/false, random);
}

std::vector<spec::Bits> ConvolutionValues(const SamplePlan& plan, int arg, uint64_t seed) {
  if (arg == plan.from_arg()) return SmallElements(plan.from, kLargestElement, seed);
  const TensorSpec& weights = plan.others[0].tensor;
  const spec::Convolution problem = ProblemOfSample(plan);
  const int64_t outputs = problem.groups * problem.oc, terms = problem.ic * problem.taps();
  Random random(Mix(seed));
  std::vector<spec::Bits> elements(static_cast<size_t>(outputs * terms));
  for (int64_t output = 0; output < outputs; ++output)
    for (int64_t i = 0; i < kWeightsOfOutput; ++i)
      elements[static_cast<size_t>(output * terms + random.Between(0, terms - 1))] =
          BitsOfInteger(weights.type, random.Chance(70) ? 1 : -1);
  return elements;
}

std::vector<spec::Bits> ConvolutionResults(const SamplePlan& plan,
                                           const std::vector<std::vector<spec::Bits>>& inputs) {
  const spec::Convolution problem = ProblemOfSample(plan);
  const std::vector<double> from = NumbersOf(plan.from.type, inputs[0]);
  const std::vector<double> weights = NumbersOf(plan.others[0].tensor.type, inputs[1]);
  const bool forward = plan.from_arg() == DNNL_ARG_SRC;
  const int64_t places = forward ? problem.outputs() : problem.inputs();
  const int64_t channels = plan.to.dims[1];
  std::vector<spec::Bits> results(static_cast<size_t>(problem.n * channels * places));
  for (size_t k = 0; k < results.size(); ++k) {
    const auto number = static_cast<int64_t>(k);
    const int64_t n = number / places / channels, channel = number / places % channels;
    const spec::Approx sum =
        forward
            ? spec::ConvolutionForward(problem, from, weights, {}, n, channel, number % places)
            : spec::ConvolutionBackwardData(problem, from, weights, n, channel, number % places);
    results[k] = BitsOfInteger(plan.to.type, static_cast<int64_t>(sum.value));
  }
  return results;
}

struct ConvolutionExtents {
  dnnl::memory::dims strides, dilations, padding_l, padding_r;
};

ConvolutionExtents ExtentsOf(const SamplePlan& plan) {
  const spec::Convolution problem = ProblemOfSample(plan);
  ConvolutionExtents extents;
  for (int i = 0; i < plan.from.rank() - 2; ++i) {
    const spec::ConvolutionAxis& axis = problem.axes[static_cast<size_t>(i)];
    extents.strides.push_back(axis.stride);
    extents.dilations.push_back(axis.dilation);
    extents.padding_l.push_back(axis.padding_l);
    extents.padding_r.push_back(axis.padding_r);
  }
  return extents;
}

ConvolutionForwardSample::desc ForwardConvolution(const SamplePlan& plan,
                                                  const dnnl::memory::desc& src,
                                                  const dnnl::memory::desc& weights,
                                                  const dnnl::memory::desc& dst) {
  const ConvolutionExtents extents = ExtentsOf(plan);
  return {dnnl::prop_kind::forward_training,
          dnnl::algorithm::convolution_direct,
          src,
          weights,
          dst,
          extents.strides,
          extents.dilations,
          extents.padding_l,
          extents.padding_r};
}

std::unique_ptr<SampleOperation> ForwardConvolutionOperation(const SamplePlan& plan,
                                                             const SampleDescs& descs) {
  return ForwardOperationOf<ConvolutionForwardSample>(
      ForwardConvolution(plan, descs.from, descs.others[0], descs.to));
}

std::unique_ptr<SampleOperation> BackwardConvolutionOperation(const SamplePlan& plan,
                                                              const SampleDescs& descs) {
  const ConvolutionExtents extents = ExtentsOf(plan);
  // Of the weights' type: that may be a forward's whose gradients these are.
  TensorSpec src = plan.to, dst = plan.from;
  src.type = dst.type = plan.others[0].tensor.type;
  return BackwardOperationOf<ConvolutionBackwardSample, ConvolutionForwardSample>(
      {dnnl::algorithm::convolution_direct, descs.to, descs.others[0], descs.from, extents.strides,
       extents.dilations, extents.padding_l, extents.padding_r},
      ForwardConvolution(plan, MakeDesc(src), descs.others[0], MakeDesc(dst)));
}

SampleKind ConvolutionKind(bool forward) {
  SampleKind kind = ProductsKind(forward);
  kind.name = forward ? "convolution" : "convolution-backward";
  kind.topic = "convolution";
  kind.primitive = dnnl::primitive::kind::convolution;
  kind.min_rank = 3;
  kind.max_rank = 5;
  kind.draw = forward ? DrawConvolutionForward : DrawConvolutionBackward;
  kind.values = ConvolutionValues;
  kind.results = ConvolutionResults;
  kind.operation = forward ? ForwardConvolutionOperation : BackwardConvolutionOperation;
  return kind;
}

const bool kAdded[] = {AddSample(ConvolutionKind(true)), AddSample(ConvolutionKind(false))};

}  // namespace
}  // namespace conformance
