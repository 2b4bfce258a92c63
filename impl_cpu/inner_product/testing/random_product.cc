#include "impl_cpu/inner_product/testing/random_product.h"

#include <algorithm>
#include <cmath>

#include "api/inner_product/operation.h"

namespace impl_cpu {
namespace {

using spi::Chance;
using spi::DataType;
using spi::Layout;
using spi::Random;
using spi::Shape;
using spi::Uniform;

std::vector<int64_t> DimsOf(int64_t first, const std::vector<int64_t>& others) {
  std::vector<int64_t> dims{first};
  dims.insert(dims.end(), others.begin(), others.end());
  return dims;
}

Shape ShapeOf(const std::vector<int64_t>& dims) {
  Shape shape = {static_cast<int>(dims.size()), {}};
  std::copy(dims.begin(), dims.end(), shape.dims.begin());
  return shape;
}

// Layouts by `make(dims, type, is written)`.
template <typename Make>
spi::Operation ProductOf(spi::PropKind prop, const ProductTypes& types, const ProductShape& shape,
                         bool has_bias, Make make) {
  const bool forward = spi::IsForward(prop), data = prop == spi::PropKind::kBackwardData;
  const Layout src = make(DimsOf(shape.n, shape.inputs), types.src, data);
  const Layout weights = make(DimsOf(shape.oc, shape.inputs), types.weights, !forward && !data);
  const Layout bias = make(std::vector<int64_t>{shape.oc}, types.bias, !forward);
  const Layout dst = make(std::vector<int64_t>{shape.n, shape.oc}, types.dst, forward);
  return spi::MakeInnerProduct(prop, src, weights, has_bias && !data ? &bias : nullptr, dst);
}

}  // namespace

ProductShape RandomProductShape(Random& random) {
  constexpr int64_t kRows[] = {1, 2, 3, 5, 6, 7, 11, 12, 13, 16, 25, 33};
  constexpr int64_t kChannels[] = {1, 2, 3, 4, 7, 8, 12, 16, 17, 24, 31, 32, 33, 40, 65};
  ProductShape shape = {kRows[Uniform(random, 0, 11)], kChannels[Uniform(random, 0, 14)], {}};
  shape.inputs.push_back(kChannels[Uniform(random, 0, 14)]);
  for (int64_t rank = Uniform(random, 0, 3); rank > 0 && Chance(random, 60); --rank)
    shape.inputs.push_back(Uniform(random, 1, 4));
  if (Chance(random, 10)) shape.inputs[0] = Uniform(random, 250, 530);
  if (Chance(random, 5)) shape.n = Uniform(random, 190, 400);
  return shape;
}

spi::Operation RandomProduct(Random& random, spi::PropKind prop, const ProductTypes& types,
                             const ProductShape& shape) {
  const int wild = static_cast<int>(Uniform(random, 0, 2));
  spi::Operation operation =
      ProductOf(prop, types, shape, Chance(random, 50),
                [&](const std::vector<int64_t>& dims, DataType type, bool writes) {
                  const spi::Block panel = {0, 16};
                  if (wild == 0 || Chance(random, 40))
                    return Chance(random, 50) ? spi::Strided(type, dims)
                                              : spi::Strided(type, dims, {&panel, 1});
                  return RandomLayout(random, type, ShapeOf(dims), wild == 2, !writes);
                });
  if (spi::IsForward(prop) && Chance(random, 60))
    spi::SetAttributes(RandomAttributes(random, types, shape.oc), &operation);
  return operation;
}

std::shared_ptr<const spi::Attributes> RandomAttributes(Random& random, const ProductTypes& types,
                                                        int64_t oc) {
  auto made = std::make_shared<spi::Attributes>();
  const auto factor = [&random] {
    return std::ldexp(Chance(random, 30) ? -1.0f : 1.0f, static_cast<int>(Uniform(random, -2, 1)));
  };
  if (Chance(random, 50)) {
    spi::Scales scales;
    scales.mask = Chance(random, 50) ? 0 : 2;
    scales.run_time = Chance(random, 30);
    for (int64_t i = 0; !scales.run_time && i < (scales.mask == 0 ? 1 : oc); ++i)
      scales.values.push_back(factor());
    made->scales.push_back(scales);
  }
  const DataType same_size[] = {types.dst, types.dst == DataType::kU8    ? DataType::kS8
                                           : types.dst == DataType::kS8  ? DataType::kU8
                                           : types.dst == DataType::kS32 ? DataType::kF32
                                                                         : types.dst};
  bool applied = false;  // some function
  for (int64_t i = Uniform(random, 0, 3); i > 0; --i) {
    if (Chance(random, 40)) {
      made->post_ops.push_back(
          spi::SumOp{Chance(random, 20) ? 0 : factor(),
                     Chance(random, 50) ? DataType::kUndef : same_size[Chance(random, 30)]});
      continue;
    }
    // Each rounds once at most, hardswish where s(s + 3) is exact: of sums, and not of what another
    // function made of them.
    constexpr spi::Algorithm kExact[] = {
        spi::Algorithm::kEltwiseRelu,   spi::Algorithm::kEltwiseLinear,
        spi::Algorithm::kEltwiseClip,   spi::Algorithm::kEltwiseAbs,
        spi::Algorithm::kEltwiseSquare, spi::Algorithm::kEltwiseBoundedRelu,
        spi::Algorithm::kEltwiseRound,  spi::Algorithm::kEltwiseHardswish,
    };
    spi::EltwiseOp op;
    op.algorithm = kExact[Uniform(random, 0, applied ? 6 : 7)];
    applied = true;
    op.scale = Chance(random, 60) ? 1.0f : factor();
    op.alpha = op.algorithm == spi::Algorithm::kEltwiseRelu && Chance(random, 50) ? 0.0f : 0.5f;
    op.beta = 40;
    made->post_ops.push_back(op);
  }
  return made;
}

spi::Operation PlainProduct(spi::PropKind prop, const ProductTypes& types,
                            const ProductShape& shape, bool bias) {
  return ProductOf(prop, types, shape, bias,
                   [](const std::vector<int64_t>& dims, DataType type, bool) {
                     return spi::Strided(type, dims);
                   });
}

spi::Operation OpenProduct(spi::PropKind prop, const ProductTypes& types, const ProductShape& shape,
                           bool bias) {
  return ProductOf(
      prop, types, shape, bias,
      [](const std::vector<int64_t>& dims, DataType type, bool) { return spi::Any(type, dims); });
}

spi::Operation WithChosen(spi::Operation operation, const std::vector<Layout>& chosen) {
  size_t next = 0;
  for (spi::TensorArg& tensor : operation.tensors)
    if (tensor.layout.kind == spi::LayoutKind::kAny) tensor.layout = chosen.at(next++);
  return operation;
}

spi::Operation InnerProductFor(spi::Engine& engine, Random& random, int i) {
  using spi::PropKind;
  constexpr PropKind kProps[] = {PropKind::kForwardTraining, PropKind::kBackwardData,
                                 PropKind::kBackwardWeights};
  constexpr ProductTypes kFloats[] = {
      kAllF32, {DataType::kBF16, DataType::kBF16, DataType::kF32, DataType::kBF16}};
  constexpr ProductTypes kBytes[] = {
      {DataType::kU8, DataType::kS8, DataType::kF32, DataType::kU8},
      {DataType::kS8, DataType::kS8, DataType::kS32, DataType::kS32}};
  const bool bytes = i % 4 == 3;
  const PropKind prop = bytes ? PropKind::kForwardInference : kProps[i % 3];
  const ProductTypes& types = (bytes ? kBytes : kFloats)[i / 4 % 2];
  const ProductShape shape = RandomProductShape(random);
  if (i / 8 % 2 == 0) return RandomProduct(random, prop, types, shape);
  const spi::Operation open = OpenProduct(prop, types, shape, true);
  return WithChosen(open, engine.MakePlan({open, nullptr, 0})->chosen);
}

}  // namespace impl_cpu
