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
using ConvolutionWeightsSample = dnnl::convolution_backward_weights;

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
  SamplePlan plan = DrawConvolution(c, /*forward=*/true, random);
  if (random.Chance(30)) {
    TensorSpec bias;
    bias.dims = {plan.to.dims[1]};
    bias.layout = RowMajor(bias.dims);
    plan.others.push_back({DNNL_ARG_BIAS, bias});
  }
  return plan;
}

SamplePlan DrawConvolutionWeights(const SampleCase& c, Random& random) {
  const spec::Convolution problem = DrawProblem(c, random);
  const ConvolutionTensors tensors = TensorsOfProblem(problem, c, random);
  SamplePlan plan;
  plan.from = tensors.result;
  plan.to = tensors.weights;
  plan.others = {{DNNL_ARG_SRC, tensors.image}};
  plan.numbers = NumbersOfProblem(problem, SpatialAxes(c));
  if (c.type == spec::Type::kBF16 && random.Chance(50)) plan.to.type = spec::Type::kF32;
  return plan;
}

SamplePlan DrawConvolutionBackward(const SampleCase& c, Random& random) {
  return DrawConvolution(c, /*forward=*/false, random);
}

std::vector<spec::Bits> ConvolutionValues(const SamplePlan& plan, int arg, uint64_t seed) {
  if (arg == plan.from_arg()) return SmallElements(plan.from, kLargestElement, seed);
  if (arg == DNNL_ARG_BIAS) return SmallElements(plan.others[1].tensor, kLargestElement, seed + 1);
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
  const std::vector<double> bias =
      inputs.size() > 2 ? NumbersOf(plan.others[1].tensor.type, inputs[2]) : std::vector<double>();
  const bool forward = plan.from_arg() == DNNL_ARG_SRC;
  const int64_t places = forward ? problem.outputs() : problem.inputs();
  const int64_t channels = plan.to.dims[1];
  std::vector<spec::Bits> results(static_cast<size_t>(problem.n * channels * places));
  for (size_t k = 0; k < results.size(); ++k) {
    const auto number = static_cast<int64_t>(k);
    const int64_t n = number / places / channels, channel = number / places % channels;
    const spec::Approx sum =
        forward
            ? spec::ConvolutionForward(problem, from, weights, bias, n, channel, number % places)
            : spec::ConvolutionBackwardData(problem, from, weights, n, channel, number % places);
    results[k] = BitsOfInteger(plan.to.type, static_cast<int64_t>(sum.value));
  }
  return results;
}

std::vector<spec::Bits> KernelGradientValues(const SamplePlan& plan, int arg, uint64_t seed) {
  const bool source = arg == plan.from_arg();
  return SmallElements(source ? plan.from : plan.others[0].tensor, kLargestElement,
                       source ? seed : seed + 1);
}

std::vector<spec::Bits> KernelGradientResults(const SamplePlan& plan,
                                              const std::vector<std::vector<spec::Bits>>& inputs) {
  const spec::Convolution problem = ProblemOfSample(plan);
  const std::vector<double> diff_dst = NumbersOf(plan.from.type, inputs[0]);
  const std::vector<double> src = NumbersOf(plan.others[0].tensor.type, inputs[1]);
  std::vector<spec::Bits> results;
  for (int64_t oc = 0; oc < problem.groups * problem.oc; ++oc)
    for (int64_t ic = 0; ic < problem.ic; ++ic)
      for (int64_t tap = 0; tap < problem.taps(); ++tap)
        results.push_back(spec::Convert(
            plan.to.type,
            static_cast<float>(
                spec::ConvolutionBackwardWeights(problem, src, diff_dst, oc, ic, tap).value)));
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
                                                  const dnnl::memory::desc& dst,
                                                  const dnnl::memory::desc& bias = {}) {
  const ConvolutionExtents extents = ExtentsOf(plan);
  constexpr auto kKind = dnnl::prop_kind::forward_training;
  constexpr auto kDirect = dnnl::algorithm::convolution_direct;
  if (bias.is_zero())
    return {kKind,
            kDirect,
            src,
            weights,
            dst,
            extents.strides,
            extents.dilations,
            extents.padding_l,
            extents.padding_r};
  return {kKind,
          kDirect,
          src,
          weights,
          bias,
          dst,
          extents.strides,
          extents.dilations,
          extents.padding_l,
          extents.padding_r};
}

std::unique_ptr<SampleOperation> ForwardConvolutionOperation(const SamplePlan& plan,
                                                             const SampleDescs& descs) {
  return ForwardOperationOf<ConvolutionForwardSample>(
      ForwardConvolution(plan, descs.from, descs.others[0], descs.to,
                         descs.others.size() > 1 ? descs.others[1] : dnnl::memory::desc()));
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

std::unique_ptr<SampleOperation> ConvolutionWeightsOperation(const SamplePlan& plan,
                                                             const SampleDescs& descs) {
  const ConvolutionExtents extents = ExtentsOf(plan);
  TensorSpec weights = plan.to;
  weights.type = plan.from.type;
  return BackwardOperationOf<ConvolutionWeightsSample, ConvolutionForwardSample>(
      {dnnl::algorithm::convolution_direct, descs.others[0], descs.to, descs.from, extents.strides,
       extents.dilations, extents.padding_l, extents.padding_r},
      ForwardConvolution(plan, descs.others[0], MakeDesc(weights), descs.from));
}

SampleKind AsConvolution(SampleKind kind) {
  kind.topic = "convolution";
  kind.primitive = dnnl::primitive::kind::convolution;
  kind.min_rank = 3;
  kind.max_rank = 5;
  return kind;
}

SampleKind ConvolutionKind(bool forward) {
  SampleKind kind = AsConvolution(ProductsKind(forward));
  kind.name = forward ? "convolution" : "convolution-backward";
  kind.draw = forward ? DrawConvolutionForward : DrawConvolutionBackward;
  kind.values = ConvolutionValues;
  kind.results = ConvolutionResults;
  kind.operation = forward ? ForwardConvolutionOperation : BackwardConvolutionOperation;
  return kind;
}

SampleKind ConvolutionWeightsKind() {
  SampleKind kind = AsConvolution(WeightsGradientKind());
  kind.name = "convolution-weights";
  kind.draw = DrawConvolutionWeights;
  kind.values = KernelGradientValues;
  kind.results = KernelGradientResults;
  kind.operation = ConvolutionWeightsOperation;
  return kind;
}

const bool kAdded[] = {AddSample(ConvolutionKind(true)), AddSample(ConvolutionKind(false)),
                       AddSample(ConvolutionWeightsKind())};

}  // namespace
}  // namespace conformance
