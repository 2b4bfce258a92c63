#include "impl_cpu/convolution/testing/random_convolution.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "impl_cpu/numeric/storage.h"

namespace impl_cpu {
namespace {

using spi::Layout;

bool Chance(Random& random, int percent) { return Uniform(random, 0, 99) < percent; }

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

// The elements of a tensor in a buffer.
struct Elements {
  const Layout& layout;
  Bytes& bytes;

  std::byte* At(const std::vector<int64_t>& x) const {
    spi::Dims at{};
    std::copy(x.begin(), x.end(), at.begin());
    return bytes.data() + spi::OffsetOf(layout, at) * spi::SizeOf(layout.type);
  }
  double Value(const std::vector<int64_t>& x) const {
    return layout.type == spi::DataType::kS32
               ? LoadElement<int32_t>(At(x))
               : static_cast<double>(LoadWidened(layout.type, At(x)));
  }
};

void ClearPadding(const Elements& tensor) {
  // Whatever no element lies at, and some coordinate of whole blocks does.
  const Layout& layout = tensor.layout;
  std::vector<int64_t> x(static_cast<size_t>(layout.rank));
  if (spi::IsEmpty(layout) || !spi::HasPadding(layout)) return;
  for (;;) {
    bool beyond = false;
    for (int j = 0; j < layout.rank; ++j)
      beyond = beyond || x[static_cast<size_t>(j)] >= layout.dims[static_cast<size_t>(j)];
    if (beyond) std::fill_n(tensor.At(x), spi::SizeOf(layout.type), std::byte{0});
    int j = layout.rank;
    while (j > 0 && ++x[static_cast<size_t>(j - 1)] == spi::PaddedDim(layout, j - 1))
      x[static_cast<size_t>(--j)] = 0;
    if (j == 0) return;
  }
}

// One product: where its factors and its sum lie.
struct Term {
  std::vector<int64_t> src, weights, dst;
};

// The places of the axes from `axis` on, which make up terms.
struct TermPlace {
  std::array<int64_t, 3> output, tap, input;
};

// Calls use(place) for every output and tap of the axes from `axis` on whose input exists.
template <typename Use>
void ForPlaces(const std::array<spi::ConvolutionAxis, 3>& axes, size_t axis, TermPlace* place,
               const Use& use) {
  if (axis == 3) return use(*place);
  const spi::ConvolutionAxis& of = axes[axis];
  for (int64_t o = 0; o < of.output; ++o)
    for (int64_t k = 0; k < of.kernel; ++k) {
      const int64_t i = o * of.stride + k * of.step - of.padding;
      if (i < 0 || i >= of.input) continue;
      place->output[axis] = o;
      place->tap[axis] = k;
      place->input[axis] = i;
      ForPlaces(axes, axis + 1, place, use);
    }
}

template <typename Use>
void ForTerms(const spi::ConvolutionView& view, const Use& use) {
  const auto at = [&view](std::vector<int64_t> outer, const std::array<int64_t, 3>& place) {
    outer.insert(outer.end(), place.end() - view.spatial, place.end());
    return outer;
  };
  for (int64_t n = 0; n < view.batch; ++n)
    for (int64_t oc = 0; oc < view.groups * view.oc; ++oc)
      for (int64_t ic = 0; ic < view.ic; ++ic) {
        const int64_t g = oc / view.oc;
        TermPlace place;
        ForPlaces(view.axes, 0, &place, [&](const TermPlace& of) {
          use(Term{at({n, g * view.ic + ic}, of.input),
                   view.grouped ? at({g, oc % view.oc, ic}, of.tap) : at({oc, ic}, of.tap),
                   at({n, oc}, of.output)});
        });
      }
}

// Calls use(x) for each coordinate of an element.
template <typename Use>
void ForElements(const Layout& layout, const Use& use) {
  if (spi::IsEmpty(layout)) return;
  std::vector<int64_t> x(static_cast<size_t>(layout.rank));
  for (;;) {
    use(x);
    int j = layout.rank;
    while (j > 0 && ++x[static_cast<size_t>(j - 1)] == layout.dims[static_cast<size_t>(j - 1)])
      x[static_cast<size_t>(--j)] = 0;
    if (j == 0) return;
  }
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

ProductData ExpectedConvolution(const spi::Operation& operation, ProductData data) {
  const spi::ConvolutionView view(operation);
  const auto tensor = [&](const Layout& layout) -> Elements {
    for (size_t i = 0; i < operation.tensors.size(); ++i)
      if (&operation.tensors[i].layout == &layout) return {layout, data[i]};
    return {layout, data[0]};
  };
  const Elements src = tensor(view.src), weights = tensor(view.weights), dst = tensor(view.dst);
  const bool forward = spi::IsForward(view.prop);
  const bool of_data = view.prop == spi::PropKind::kBackwardData;
  const Elements result = forward ? dst : of_data ? src : weights;
  // By where their elements lie.
  const auto bytes = static_cast<size_t>(spi::SizeOf(result.layout.type));
  std::vector<double> sums(result.bytes.size() / bytes + 1);
  const auto sum = [&](const std::vector<int64_t>& x) -> double& {
    return sums[static_cast<size_t>(result.At(x) - result.bytes.data()) / bytes];
  };
  ForTerms(view, [&](const Term& term) {
    if (forward) {
      sum(term.dst) += src.Value(term.src) * weights.Value(term.weights);
    } else if (of_data) {
      sum(term.src) += dst.Value(term.dst) * weights.Value(term.weights);
    } else {
      sum(term.weights) += dst.Value(term.dst) * src.Value(term.src);
    }
  });
  ForElements(result.layout, [&](const std::vector<int64_t>& x) {
    double value = sum(x);
    if (forward && view.bias != nullptr) value += tensor(*view.bias).Value({x[1]});
    StoreNarrowed(static_cast<float>(value), result.layout.type, result.At(x));
  });
  ClearPadding(result);
  if (forward || view.bias == nullptr) return data;
  std::vector<double> of_bias(static_cast<size_t>(view.groups * view.oc));
  ForElements(view.dst, [&](const std::vector<int64_t>& x) {
    of_bias[static_cast<size_t>(x[1])] += dst.Value(x);
  });
  const Elements bias = tensor(*view.bias);
  for (size_t c = 0; c < of_bias.size(); ++c)
    StoreNarrowed(static_cast<float>(of_bias[c]), view.bias->type,
                  bias.At({static_cast<int64_t>(c)}));
  ClearPadding(bias);
  return data;
}

}  // namespace impl_cpu
