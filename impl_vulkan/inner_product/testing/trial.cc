#include "impl_vulkan/inner_product/testing/trial.h"

namespace impl_vulkan {
namespace testing {
namespace {

using spi::DataType;

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

spi::Operation RandomProduct(uint32_t seed, int64_t most_products) {
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
  return operation;
}

}  // namespace testing
}  // namespace impl_vulkan
