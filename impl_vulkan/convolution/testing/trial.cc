#include "impl_vulkan/convolution/testing/trial.h"

#include <algorithm>

namespace impl_vulkan {
namespace testing {
namespace {

using spi::DataType;
using spi::Dims;

int64_t OutputOf(const Shape& shape, size_t d) {
  const spi::ConvolutionParams& params = shape.params;
  const int64_t kernel = 1 + (shape.kernel[d] - 1) * (params.dilates[d] + 1);
  const int64_t range = shape.input[d] - kernel + params.padding_l[d] + params.padding_r[d];
  return range < 0 ? 0 : range / params.strides[d] + 1;
}

int64_t ProductOf(const std::vector<int64_t>& extents) {
  int64_t product = 1;
  for (const int64_t extent : extents) product *= extent;
  return product;
}

// A spatial axis with an output, or with none at all.
void RandomAxis(Generator* generator, size_t d, Shape* shape) {
  constexpr int64_t kInputs[] = {1, 2, 3, 5, 6, 8, 9, 13};
  constexpr int64_t kKernels[] = {1, 1, 2, 3, 3, 5};
  spi::ConvolutionParams& params = shape->params;
  shape->input[d] = generator->OneOf(kInputs);
  shape->kernel[d] = generator->OneOf(kKernels);
  params.strides[d] = generator->OneIn(2) ? 1 : 1 + generator->Below(3);
  params.dilates[d] = generator->OneIn(3) ? generator->Below(3) : 0;
  const auto below = [&](int64_t limit) {
    return static_cast<int64_t>(generator->Below(static_cast<uint32_t>(limit)));
  };
  params.padding_l[d] = generator->OneIn(2) ? 0 : below(4);
  params.padding_r[d] = generator->OneIn(2) ? 0 : below(4);
  if (generator->OneIn(5)) params.padding_r[d] = -below(params.strides[d]);
  if (generator->OneIn(40)) shape->input[d] = 0;
  const int64_t kernel = 1 + (shape->kernel[d] - 1) * (params.dilates[d] + 1);
  const int64_t range = shape->input[d] - kernel + params.padding_l[d] + params.padding_r[d];
  if (range < -params.strides[d] || (range < 0 && !generator->OneIn(3))) {
    params.padding_l[d] -= range;
  }
}

Shape RandomShape(Generator* generator, int64_t most_products) {
  constexpr int64_t kBatches[] = {1, 1, 2, 3, 5};
  constexpr int64_t kChannels[] = {1, 2, 3, 4, 5, 8, 16, 17};
  constexpr int64_t kGroups[] = {1, 1, 1, 2, 3, 8, 17};
  Shape shape;
  shape.n = generator->OneOf(kBatches);
  shape.groups = generator->OneOf(kGroups);
  shape.grouped = shape.groups > 1 || generator->OneIn(3);
  const bool depthwise = shape.groups > 1 && generator->OneIn(3);
  shape.ic = depthwise ? 1 : generator->OneOf(kChannels);
  shape.oc = depthwise && generator->OneIn(2) ? 1 : generator->OneOf(kChannels);
  const size_t spatial = 1 + generator->Below(3);
  shape.input.assign(spatial, 1);
  shape.kernel.assign(spatial, 1);
  for (size_t d = 0; d < spatial; ++d) RandomAxis(generator, d, &shape);
  int64_t products = ProductOf(shape.dst()) * shape.ic * ProductOf(shape.kernel);
  for (int64_t* const size : {&shape.groups, &shape.oc, &shape.ic, &shape.n}) {
    if (products <= most_products) break;
    products /= *size;
    *size = 1 + *size / 4;
    products *= *size;
  }
  if (shape.groups > 1) shape.grouped = true;
  if (generator->OneIn(30)) shape.n = 0;
  return shape;
}

}  // namespace

bool Reads(const spi::ConvolutionView& view, const Dims& y, const Dims& w, Dims* x) {
  const size_t first = view.grouped ? 1 : 0;
  const int64_t group = view.grouped ? w[0] : 0;
  if (y[1] != group * view.oc + w[first]) return false;
  (*x)[0] = y[0];
  (*x)[1] = group * view.ic + w[first + 1];
  for (size_t d = 0; d < static_cast<size_t>(view.spatial); ++d) {
    const spi::ConvolutionParams& params = view.params;
    const int64_t at = y[2 + d] * params.strides[d] + w[first + 2 + d] * (params.dilates[d] + 1) -
                       params.padding_l[d];
    if (at < 0 || at >= view.src.dims[2 + d]) return false;
    (*x)[2 + d] = at;
  }
  return true;
}

std::vector<int64_t> Shape::src() const {
  std::vector<int64_t> dims = {n, groups * ic};
  dims.insert(dims.end(), input.begin(), input.end());
  return dims;
}

std::vector<int64_t> Shape::weights() const {
  std::vector<int64_t> dims = {oc, ic};
  if (grouped) dims.insert(dims.begin(), groups);
  dims.insert(dims.end(), kernel.begin(), kernel.end());
  return dims;
}

std::vector<int64_t> Shape::dst() const {
  std::vector<int64_t> dims = {n, groups * oc};
  for (size_t d = 0; d < input.size(); ++d) dims.push_back(OutputOf(*this, d));
  return dims;
}

Shape Plain(int64_t n, int64_t groups, int64_t ic, int64_t oc, const std::vector<int64_t>& input,
            const std::vector<int64_t>& kernel) {
  Shape shape;
  shape.n = n;
  shape.groups = groups;
  shape.ic = ic;
  shape.oc = oc;
  shape.input = input;
  shape.kernel = kernel;
  shape.grouped = groups > 1;
  std::fill_n(shape.params.strides.begin(), input.size(), 1);
  return shape;
}

spi::Operation ConvolutionOfShape(spi::PropKind prop, DataType type, const Shape& shape,
                                  bool bias) {
  const spi::Layout of_bias = spi::Strided(type, {shape.groups * shape.oc});
  return spi::MakeConvolution(prop, shape.params, spi::Strided(type, shape.src()),
                              spi::Strided(type, shape.weights()), bias ? &of_bias : nullptr,
                              spi::Strided(type, shape.dst()));
}

spi::Operation RandomConvolution(uint32_t seed, int64_t most_products) {
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
                    dst = layout(types.dst, shape.dst(), forward),
                    bias = layout(types.bias, {shape.groups * shape.oc}, !forward);
  const bool has_bias = !data && generator.OneIn(2);
  spi::Operation operation =
      spi::MakeConvolution(prop, shape.params, src, weights, has_bias ? &bias : nullptr, dst);
  if (forward && generator.OneIn(2)) {
    spi::SetAttributes(RandomAttributes(&generator, types.dst, shape.groups * shape.oc),
                       &operation);
  }
  return operation;
}

}  // namespace testing
}  // namespace impl_vulkan
