#include "impl_vulkan/inner_product/testing/trial.h"

#include <memory>

namespace impl_vulkan {
namespace testing {
namespace {

using spi::DataType;

// x without its first coordinate is that of weights and of the source.
spi::Dims With(int64_t first, spi::Dims x) {
  x[0] = first;
  return x;
}

// The tensors that the formulas name, whatever the direction calls them.
class Formula {
 public:
  explicit Formula(SumTrial* trial) : answer_(trial), view_(trial->operation) {}

  void Run() {
    if (spi::IsForward(view_.prop)) {
      answer_.Write(spi::kArgDst, [&](const spi::Dims& x) { return Forward(x); });
    } else if (view_.prop == spi::PropKind::kBackwardData) {
      answer_.Write(spi::kArgDiffSrc, [&](const spi::Dims& x) {
        double sum = 0;
        for (int64_t oc = 0; oc < view_.dst.dims[1]; ++oc) {
          sum += Product(spi::kArgDiffDst, {x[0], oc}, spi::kArgWeights, With(oc, x));
        }
        return Rounded(view_.src.type, sum);
      });
    } else {
      BackwardWeights();
    }
  }

 private:
  double Product(int a, const spi::Dims& x, int b, const spi::Dims& y) const {
    return double{answer_.Read(a, x)} * answer_.Read(b, y);
  }

  uint32_t Forward(const spi::Dims& x) const {
    spi::Layout inputs = view_.weights;
    inputs.dims[0] = 1;
    double sum = 0;
    ForEach(inputs, [&](const spi::Dims& input) {
      sum += Product(spi::kArgSrc, With(x[0], input), spi::kArgWeights, With(x[1], input));
    });
    return answer_.Finished(sum, x[1], x);
  }

  void BackwardWeights() {
    const int64_t batch = view_.dst.dims[0];
    answer_.Write(spi::kArgDiffWeights, [&](const spi::Dims& x) {
      double sum = 0;
      for (int64_t n = 0; n < batch; ++n) {
        sum += Product(spi::kArgDiffDst, {n, x[0]}, spi::kArgSrc, With(n, x));
      }
      return Rounded(view_.weights.type, sum);
    });
    if (view_.bias == nullptr) return;
    answer_.Write(spi::kArgDiffBias, [&](const spi::Dims& x) {
      double sum = 0;
      for (int64_t n = 0; n < batch; ++n) sum += answer_.Read(spi::kArgDiffDst, {n, x[0]});
      return Rounded(view_.bias->type, sum);
    });
  }

  Answer answer_;
  const spi::InnerProductView view_;
};

Shape RandomShape(Generator* generator, int64_t most_products) {
  constexpr int64_t kBatches[] = {1, 2, 3, 7, 16, 17, 33};
  constexpr int64_t kChannels[] = {1, 2, 3, 5, 8, 16, 17, 19, 33, 40};
  Shape shape{
      generator->OneOf(kBatches), generator->OneOf(kChannels), {generator->OneOf(kChannels)}};
  const uint32_t spatial = generator->OneIn(2) ? 0 : 1 + generator->Below(3);
  for (uint32_t i = 0; i < spatial; ++i) shape.inputs.push_back(1 + generator->Below(5));
  int64_t products = shape.n * shape.oc;
  for (const int64_t input : shape.inputs) products *= input;
  for (int64_t* const size : {&shape.oc, &shape.n, shape.inputs.data()}) {
    if (products <= most_products) break;
    products /= *size;
    *size = 1 + *size / 4;
    products *= *size;
  }
  if (generator->OneIn(30)) shape.n = 0;
  return shape;
}

}  // namespace

std::vector<int64_t> Shape::src() const {
  std::vector<int64_t> dims = {n};
  dims.insert(dims.end(), inputs.begin(), inputs.end());
  return dims;
}

std::vector<int64_t> Shape::weights() const {
  std::vector<int64_t> dims = src();
  dims[0] = oc;
  return dims;
}

SumTrial TrialOf(const spi::Operation& operation, uint32_t seed) {
  SumTrial trial = Filled(operation, seed);
  Formula(&trial).Run();
  return trial;
}

SumTrial RandomProduct(uint32_t seed, int64_t most_products) {
  Generator generator(seed);
  constexpr spi::PropKind kProps[] = {
      spi::PropKind::kForwardTraining, spi::PropKind::kForwardInference,
      spi::PropKind::kBackwardData, spi::PropKind::kBackwardWeights};
  const spi::PropKind prop = generator.OneOf(kProps);
  const bool forward = spi::IsForward(prop), data = prop == spi::PropKind::kBackwardData;
  const Types types = RandomTypes(&generator, prop);
  const Shape shape = RandomShape(&generator, most_products);
  const auto layout = [&](DataType type, const std::vector<int64_t>& dims, bool written) {
    if (generator.OneIn(3)) return spi::Strided(type, dims);
    return generator.Layout(type, dims, generator.OneIn(3), !written && generator.OneIn(6));
  };
  const spi::Layout src = layout(types.src, shape.src(), data),
                    weights = layout(types.weights, shape.weights(), !forward && !data),
                    dst = layout(types.dst, {shape.n, shape.oc}, forward),
                    bias = layout(types.bias, {shape.oc}, !forward);
  const bool has_bias = !data && generator.OneIn(2);
  spi::Operation operation =
      spi::MakeInnerProduct(prop, src, weights, has_bias ? &bias : nullptr, dst);
  if (forward && generator.OneIn(2)) {
    spi::SetAttributes(RandomAttributes(&generator, types.dst, shape.oc), &operation);
  }
  return TrialOf(operation, seed);
}

}  // namespace testing
}  // namespace impl_vulkan
