// The samples of inner product: matrices that put the source's rows into another order, so that
// every element of the result is one of the source, a bias beside it at times; and gradients of
// weights, sums of small integers. As a rule they want a scratchpad.
#include "conformance/subject/sample.h"

#include <algorithm>

#include "conformance/gen/computed_data.h"
#include "conformance/subject/tensor.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {
namespace {

using ProductForwardSample = dnnl::inner_product_forward;
using ProductBackwardSample = dnnl::inner_product_backward_data;
using ProductWeightsSample = dnnl::inner_product_backward_weights;

// Of an image or a row, beside its number.
int64_t ElementsOfRow(const spec::Dims& dims) {
  int64_t count = 1;
  for (size_t axis = 1; axis < dims.size(); ++axis) count *= dims[axis];
  return count;
}

int RankOfProduct(const SampleCase& c) { return std::clamp(c.rank, 2, 5); }

// The tensor with spatial axes, that with one axis of channels, and between them the weights.
struct ProductTensors {
  TensorSpec image, weights, row;
};

ProductTensors DrawProductTensors(const SampleCase& c, Random& random) {
  ProductTensors tensors;
  spec::Dims image = DrawSampleDims(c, RankOfProduct(c), random);
  // Also so many rows that what is cut into blocks of them ends anywhere.
  if (c.size == SampleSize::kSmall && random.Chance(50)) image[0] = random.Between(5, 32);
  // A large matrix of weights would take longer than what is asked of it.
  if (c.size == SampleSize::kLarge) std::fill(image.begin() + 2, image.end(), random.Between(1, 2));
  const int64_t outputs =
      c.size == SampleSize::kLarge ? random.Between(200, 300) : random.Between(1, 24);
  if (c.size == SampleSize::kLarge) image[1] = 2 * random.Between(90, 130);
  spec::Dims weights = image;
  weights[0] = outputs;
  tensors.image = DrawUsualTensor(c.type, image, random);
  tensors.weights = DrawUsualTensor(c.type, weights, random);
  tensors.row = DrawUsualTensor(c.type, {image[0], outputs}, random);
  return tensors;
}

SamplePlan DrawProductForward(const SampleCase& c, Random& random) {
  const ProductTensors tensors = DrawProductTensors(c, random);
  SamplePlan plan;
  plan.from = tensors.image;
  plan.to = tensors.row;
  plan.others = {{DNNL_ARG_WEIGHTS, tensors.weights}};
  if (c.type == spec::Type::kS8 || c.type == spec::Type::kU8) {
    plan.others[0].tensor.type = spec::Type::kS8;
    plan.to.type = random.Pick({spec::Type::kS32, spec::Type::kF32, c.type});
  } else if (c.type == spec::Type::kBF16 && random.Chance(50)) {
    plan.to.type = spec::Type::kF32;
  }
  // Narrower results might round a sum, or cut it off.
  const bool holds_sums = plan.to.type == spec::Type::kF32 || plan.to.type == spec::Type::kS32;
  if (holds_sums && random.Chance(40)) {
    TensorSpec bias;
    bias.dims = {plan.to.dims[1]};
    bias.layout = RowMajor(bias.dims);
    plan.others.push_back({DNNL_ARG_BIAS, bias});
  }
  return plan;
}

SamplePlan DrawProductBackward(const SampleCase& c, Random& random) {
  const ProductTensors tensors = DrawProductTensors(c, random);
  SamplePlan plan;
  plan.from = tensors.row;
  plan.to = tensors.image;
  plan.others = {{DNNL_ARG_WEIGHTS, tensors.weights}};
  if (c.type == spec::Type::kBF16 && random.Chance(50)) plan.to.type = spec::Type::kF32;
  return plan;
}

SamplePlan DrawProductWeights(const SampleCase& c, Random& random) {
  const ProductTensors tensors = DrawProductTensors(c, random);
  SamplePlan plan;
  plan.from = tensors.row;
  plan.to = tensors.weights;
  plan.others = {{DNNL_ARG_SRC, tensors.image}};
  if (c.type == spec::Type::kBF16 && random.Chance(50)) plan.to.type = spec::Type::kF32;
  return plan;
}

// Of a bias, and where sums are not of one element: small, so that they are exact.
constexpr int64_t kLargestTerm = 3;

// Weights have a 1 for each element of a row of the result, at the element of the source that it
// is, and else zeros.
std::vector<spec::Bits> ProductValues(const SamplePlan& plan, int arg, uint64_t seed) {
  if (arg == plan.from_arg()) return DifferentElements(plan.from, plan.to.type, seed);
  if (arg == DNNL_ARG_BIAS) return SmallElements(plan.others[1].tensor, kLargestTerm, seed + 1);
  const TensorSpec& weights = plan.others[0].tensor;
  const int64_t outputs = weights.dims[0], inputs = ElementsOfRow(weights.dims);
  const bool forward = plan.from_arg() == DNNL_ARG_SRC;
  const int64_t turn = Random(Mix(seed)).Between(0, outputs + inputs);
  std::vector<spec::Bits> elements(static_cast<size_t>(outputs * inputs));
  const spec::Bits one = spec::IsFloat(weights.type) ? spec::Convert(weights.type, 1.f) : 1;
  for (int64_t made = 0; made < (forward ? outputs : inputs); ++made) {
    const int64_t read = (made + turn) % (forward ? inputs : outputs);
    elements[static_cast<size_t>(forward ? made * inputs + read : read * inputs + made)] = one;
  }
  return elements;
}

std::vector<spec::Bits> ProductResults(const SamplePlan& plan,
                                       const std::vector<std::vector<spec::Bits>>& inputs) {
  const spec::Dims& weights = plan.others[0].tensor.dims;
  const int64_t outputs = weights[0], terms = ElementsOfRow(weights);
  const bool forward = plan.from_arg() == DNNL_ARG_SRC;
  const int64_t made = forward ? outputs : terms, read = forward ? terms : outputs;
  // Which element of a row of the source each of the result is.
  std::vector<int64_t> source(static_cast<size_t>(made));
  for (int64_t k = 0; k < outputs * terms; ++k)
    if (inputs[1][static_cast<size_t>(k)] != 0)
      source[static_cast<size_t>(forward ? k / terms : k % terms)] =
          forward ? k % terms : k / terms;
  std::vector<spec::Bits> results(static_cast<size_t>(plan.to.dims[0] * made));
  for (size_t k = 0; k < results.size(); ++k) {
    const auto row = static_cast<int64_t>(k) / made, at = static_cast<int64_t>(k) % made;
    results[k] = inputs[0][static_cast<size_t>(row * read + source[static_cast<size_t>(at)])];
    const bool biased = inputs.size() > 2;
    if (!biased && plan.from.type == plan.to.type) continue;
    const float bias =
        biased ? spec::Widen(spec::Type::kF32, inputs[2][static_cast<size_t>(at)]) : 0;
    results[k] = spec::Convert(plan.to.type, spec::Widen(plan.from.type, results[k]) + bias);
  }
  return results;
}

std::vector<spec::Bits> WeightsGradientValues(const SamplePlan& plan, int arg, uint64_t seed) {
  const bool source = arg == plan.from_arg();
  return SmallElements(source ? plan.from : plan.others[0].tensor, kLargestTerm,
                       source ? seed : seed + 1);
}

std::vector<spec::Bits> WeightsGradientResults(const SamplePlan& plan,
                                               const std::vector<std::vector<spec::Bits>>& inputs) {
  const int64_t rows = plan.from.dims[0], outputs = plan.from.dims[1];
  const int64_t terms = ElementsOfRow(plan.to.dims);
  const std::vector<double> diff_dst = NumbersOf(plan.from.type, inputs[0]);
  const std::vector<double> src = NumbersOf(plan.others[0].tensor.type, inputs[1]);
  std::vector<double> sums(static_cast<size_t>(outputs * terms));
  for (int64_t n = 0; n < rows; ++n)
    for (int64_t o = 0; o < outputs; ++o)
      for (int64_t i = 0; i < terms; ++i)
        sums[static_cast<size_t>(o * terms + i)] += diff_dst[static_cast<size_t>(n * outputs + o)] *
                                                    src[static_cast<size_t>(n * terms + i)];
  std::vector<spec::Bits> results;
  for (const double sum : sums)
    results.push_back(spec::Convert(plan.to.type, static_cast<float>(sum)));
  return results;
}

std::unique_ptr<SampleOperation> ForwardProductOperation(const SamplePlan&,
                                                         const SampleDescs& descs) {
  constexpr auto kKind = dnnl::prop_kind::forward_inference;
  return ForwardOperationOf<ProductForwardSample>(
      descs.others.size() > 1
          ? ProductForwardSample::desc(kKind, descs.from, descs.others[0], descs.others[1],
                                       descs.to)
          : ProductForwardSample::desc(kKind, descs.from, descs.others[0], descs.to));
}

std::unique_ptr<SampleOperation> BackwardProductOperation(const SamplePlan& plan,
                                                          const SampleDescs& descs) {
  // Of the weights' type: that may be a forward's whose gradients these are.
  TensorSpec src = plan.to, dst = plan.from;
  src.type = dst.type = plan.others[0].tensor.type;
  return BackwardOperationOf<ProductBackwardSample, ProductForwardSample>(
      {descs.to, descs.others[0], descs.from},
      {dnnl::prop_kind::forward_training, MakeDesc(src), descs.others[0], MakeDesc(dst)});
}

std::unique_ptr<SampleOperation> ProductWeightsOperation(const SamplePlan& plan,
                                                         const SampleDescs& descs) {
  TensorSpec weights = plan.to;
  weights.type = plan.from.type;
  return BackwardOperationOf<ProductWeightsSample, ProductForwardSample>(
      {descs.others[0], descs.to, descs.from},
      {dnnl::prop_kind::forward_training, descs.others[0], MakeDesc(weights), descs.from});
}

SampleKind AsProduct(SampleKind kind) {
  kind.topic = "inner_product";
  kind.primitive = dnnl::primitive::kind::inner_product;
  kind.min_rank = 2;
  kind.max_rank = 5;
  return kind;
}

SampleKind ProductKind(bool forward) {
  SampleKind kind = AsProduct(ProductsKind(forward));
  kind.name = forward ? "product" : "product-backward";
  kind.share = forward ? 3 : 1;
  kind.draw = forward ? DrawProductForward : DrawProductBackward;
  kind.values = ProductValues;
  kind.results = ProductResults;
  kind.operation = forward ? ForwardProductOperation : BackwardProductOperation;
  return kind;
}

SampleKind ProductWeightsKind() {
  SampleKind kind = AsProduct(WeightsGradientKind());
  kind.name = "product-weights";
  kind.draw = DrawProductWeights;
  kind.values = WeightsGradientValues;
  kind.results = WeightsGradientResults;
  kind.operation = ProductWeightsOperation;
  return kind;
}

const bool kAdded[] = {AddSample(ProductKind(true)), AddSample(ProductKind(false)),
                       AddSample(ProductWeightsKind())};

}  // namespace
}  // namespace conformance
