#include "impl_cpu/convolution/testing/random_convolution.h"

#include <algorithm>
#include <cstddef>

namespace impl_cpu {
namespace {

using spi::Chance;
using spi::Layout;
using spi::Random;
using spi::Shape;
using spi::Uniform;

int64_t Pick(Random& random, const std::vector<int64_t>& from) {
  return from[static_cast<size_t>(Uniform(random, 0, static_cast<int64_t>(from.size()) - 1))];
}

Layout Presenting(Random& random, Presented presented, spi::DataType type,
                  const std::vector<int64_t>& dims, bool written) {
  if (presented == Presented::kAny) return spi::Any(type, dims);
  if (presented == Presented::kWild && Chance(random, 70)) {
    Shape shape = {static_cast<int>(dims.size()), {}};
    std::copy(dims.begin(), dims.end(), shape.dims.begin());
    return RandomLayout(random, type, shape, Chance(random, 50), !written);
  }
  Layout layout = spi::Strided(type, dims);
  if (presented == Presented::kPlain || dims.size() < 3) return layout;
  // Axis 1 innermost.
  int64_t stride = dims[1];
  for (size_t j = dims.size(); j-- > 0;) {
    if (j == 1) continue;
    layout.strides[j] = stride;
    stride *= std::max<int64_t>(1, dims[j]);
  }
  layout.strides[1] = 1;
  return layout;
}

}  // namespace

spi::ConvolutionAxis AxisOf(int64_t input, int64_t kernel, int64_t stride, int64_t padding,
                            int64_t right, int64_t step) {
  spi::ConvolutionAxis axis{input, 0, kernel, stride, step, padding};
  const int64_t range = input - (1 + (kernel - 1) * step) + padding + right;
  axis.output = range < 0 ? 0 : range / stride + 1;
  return axis;
}

ConvolutionShape RandomConvolutionShape(Random& random) {
  ConvolutionShape shape;
  shape.n = Pick(random, {0, 1, 1, 2, 3});
  shape.grouped = Chance(random, 50);
  const bool depthwise = shape.grouped && Chance(random, 40);
  shape.groups =
      shape.grouped ? Pick(random, {1, 2, 3, depthwise ? 17 : 2, depthwise ? 40 : 1}) : 1;
  shape.ic = depthwise ? 1 : Pick(random, {1, 2, 3, 4, 8, 15, 16, 17, 33});
  shape.oc = depthwise ? Pick(random, {1, 1, 1, 2}) : Pick(random, {1, 2, 4, 7, 8, 16, 17, 31, 40});
  if (shape.grouped && !depthwise && Chance(random, 30)) {
    shape.groups = Pick(random, {2, 3, 5, 9});
    shape.ic = shape.oc = Pick(random, {2, 4});
  }
  const int64_t spatial = Uniform(random, 1, 3);
  for (int64_t j = 0; j < spatial; ++j) {
    const int64_t most = spatial == 3 ? 4 : spatial == 2 ? 8 : 30;
    const int64_t kernel = Chance(random, 25) ? 1 : Uniform(random, 1, spatial == 3 ? 3 : 5);
    const int64_t stride = Chance(random, 60) ? 1 : Uniform(random, 1, 4);
    shape.axes.push_back(AxisOf(Chance(random, 4) ? 0 : Uniform(random, 1, most), kernel, stride,
                                Chance(random, 50) ? 0 : Uniform(random, 0, kernel + 1),
                                Chance(random, 50) ? 0 : Uniform(random, -stride + 1, kernel),
                                Chance(random, 70) ? 1 : Uniform(random, 1, 3)));
  }
  return shape;
}

spi::Operation RandomConvolution(Random& random, spi::PropKind prop, const ProductTypes& types,
                                 const ConvolutionShape& shape, Presented presented,
                                 bool attributes) {
  const bool forward = spi::IsForward(prop), data = prop == spi::PropKind::kBackwardData;
  std::vector<int64_t> src{shape.n, shape.groups * shape.ic}, weights{shape.oc, shape.ic},
      dst{shape.n, shape.groups * shape.oc};
  if (shape.grouped) weights.insert(weights.begin(), shape.groups);
  spi::ConvolutionParams params;
  for (size_t j = 0; j < shape.axes.size(); ++j) {
    const spi::ConvolutionAxis& axis = shape.axes[j];
    src.push_back(axis.input);
    weights.push_back(axis.kernel);
    dst.push_back(axis.output);
    params.strides[j] = axis.stride;
    params.dilates[j] = axis.step - 1;
    params.padding_l[j] = axis.padding;
    // Any that gives this output.
    params.padding_r[j] = (axis.output - 1) * axis.stride + 1 + (axis.kernel - 1) * axis.step -
                          axis.input - axis.padding;
  }
  const Layout of_src = Presenting(random, presented, types.src, src, data);
  const Layout of_weights =
      Presenting(random, presented, types.weights, weights, !forward && !data);
  const Layout of_bias = Presenting(random, presented, types.bias, {dst[1]}, !forward);
  const Layout of_dst = Presenting(random, presented, types.dst, dst, forward);
  const bool bias = !data && Chance(random, 50);
  spi::Operation operation =
      spi::MakeConvolution(prop, params, of_src, of_weights, bias ? &of_bias : nullptr, of_dst);
  if (forward && attributes)
    spi::SetAttributes(RandomAttributes(random, types, dst[1]), &operation);
  return operation;
}

spi::Operation ConvolutionFor(spi::Engine& engine, Random& random, int i) {
  using spi::DataType;
  constexpr spi::PropKind kProps[] = {spi::PropKind::kForwardTraining, spi::PropKind::kBackwardData,
                                      spi::PropKind::kBackwardWeights};
  constexpr ProductTypes kFloats[] = {
      kAllF32, {DataType::kBF16, DataType::kBF16, DataType::kF32, DataType::kBF16}};
  constexpr ProductTypes kBytes[] = {
      {DataType::kU8, DataType::kS8, DataType::kF32, DataType::kU8},
      {DataType::kS8, DataType::kS8, DataType::kS32, DataType::kS32}};
  constexpr Presented kPresented[] = {Presented::kAny, Presented::kChannelsLast, Presented::kPlain,
                                      Presented::kWild};
  const bool bytes = i % 4 == 3;
  const spi::Operation open =
      RandomConvolution(random, bytes ? spi::PropKind::kForwardInference : kProps[i % 3],
                        (bytes ? kBytes : kFloats)[i / 4 % 2], RandomConvolutionShape(random),
                        kPresented[i / 8 % 4], true);
  return WithChosen(open, engine.MakePlan({open, nullptr, 0})->chosen);
}

}  // namespace impl_cpu
