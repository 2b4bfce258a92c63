#include "impl_cpu/inner_product/testing/random_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

#include "api/inner_product/operation.h"
#include "impl_cpu/memory/buffer.h"
#include "impl_cpu/numeric/eltwise.h"
#include "impl_cpu/numeric/storage.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::Layout;

bool Chance(Random& random, int percent) { return Uniform(random, 0, 99) < percent; }

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

// Calls `use(x)` for each coordinate, to PaddedDim where `padded`.
template <typename Use>
void ForCoordinates(const Layout& layout, bool padded, Use use) {
  spi::Dims x{}, dims{};
  for (int j = 0; j < layout.rank; ++j) {
    dims[static_cast<size_t>(j)] =
        padded ? spi::PaddedDim(layout, j) : layout.dims[static_cast<size_t>(j)];
    if (dims[static_cast<size_t>(j)] == 0) return;
  }
  for (;;) {
    use(std::as_const(x));
    int j = layout.rank;
    while (j > 0 && ++x[static_cast<size_t>(j - 1)] == dims[static_cast<size_t>(j - 1)])
      x[static_cast<size_t>(--j)] = 0;
    if (j == 0) return;
  }
}

struct Tensor {
  const Layout& layout;
  Bytes& bytes;

  std::byte* At(const spi::Dims& x) const {
    return bytes.data() + spi::OffsetOf(layout, x) * spi::SizeOf(layout.type);
  }
  double Value(const spi::Dims& x) const {
    return layout.type == DataType::kS32 ? LoadElement<int32_t>(At(x))
                                         : static_cast<double>(LoadWidened(layout.type, At(x)));
  }
};

// {first, inputs of x}.
spi::Dims WithFirst(int64_t first, spi::Dims x) {
  x[0] = first;
  return x;
}

float Finished(const spi::Operation& operation, const ProductData& data, double sum,
               int64_t channel, const Tensor& dst, const spi::Dims& at) {
  auto value = static_cast<float>(sum);
  if (operation.attributes == nullptr) return value;
  for (const spi::Scales& scales : operation.attributes->scales) {
    const int buffer = spi::Find(operation, spi::kArgOutputScales);
    const auto index = static_cast<size_t>(scales.mask == 0 ? 0 : channel);
    value *= scales.run_time ? LoadElement<float>(&data[static_cast<size_t>(buffer)][4 * index])
                             : scales.values[index];
  }
  for (const spi::PostOp& op : operation.attributes->post_ops) {
    if (const auto* const add = std::get_if<spi::SumOp>(&op)) {
      if (add->scale == 0) continue;
      const DataType type = add->type == DataType::kUndef ? dst.layout.type : add->type;
      value += add->scale * LoadWidened(type, dst.At(at));
    } else {
      const auto& eltwise = std::get<spi::EltwiseOp>(op);
      value = eltwise.scale * Eltwise(eltwise, value);
    }
  }
  return value;
}

void ZeroPaddingOf(const Tensor& tensor) {
  ForCoordinates(tensor.layout, true, [&](const spi::Dims& x) {
    for (size_t j = 0; j < tensor.layout.rank; ++j)
      if (x[j] >= tensor.layout.dims[j])
        std::memset(tensor.At(x), 0, static_cast<size_t>(spi::SizeOf(tensor.layout.type)));
  });
}

}  // namespace

ProductShape RandomProductShape(Random& random) {
  constexpr int64_t kRows[] = {1, 2, 3, 5, 6, 7, 11, 12, 13, 16, 25, 33};
  constexpr int64_t kChannels[] = {1, 2, 3, 7, 8, 15, 16, 17, 24, 31, 32, 33, 40, 65};
  ProductShape shape = {kRows[Uniform(random, 0, 11)], kChannels[Uniform(random, 0, 13)], {}};
  shape.inputs.push_back(kChannels[Uniform(random, 0, 13)]);
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
  for (int64_t i = Uniform(random, 0, 3); i > 0; --i) {
    if (Chance(random, 40)) {
      made->post_ops.push_back(
          spi::SumOp{Chance(random, 20) ? 0 : factor(),
                     Chance(random, 50) ? DataType::kUndef : same_size[Chance(random, 30)]});
      continue;
    }
    constexpr spi::Algorithm kExact[] = {
        spi::Algorithm::kEltwiseRelu,   spi::Algorithm::kEltwiseLinear,
        spi::Algorithm::kEltwiseClip,   spi::Algorithm::kEltwiseAbs,
        spi::Algorithm::kEltwiseSquare, spi::Algorithm::kEltwiseBoundedRelu,
        spi::Algorithm::kEltwiseRound,  spi::Algorithm::kEltwiseHardswish,
    };
    spi::EltwiseOp op;
    op.algorithm = kExact[Uniform(random, 0, 7)];
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

ProductData DataFor(Random& random, const spi::Operation& operation) {
  ProductData data;
  for (const spi::TensorArg& tensor : operation.tensors) {
    data.emplace_back(SizeInBytes(tensor.layout), std::byte{0xff});
    const Tensor to = {tensor.layout, data.back()};
    if (tensor.access == spi::Access::kWrite) continue;
    const bool scales = tensor.argument == spi::kArgOutputScales;
    // What is read has been written, and padding with it; gaps hold anything.
    ForCoordinates(tensor.layout, true,
                   [&](const spi::Dims& x) { StoreNarrowed(0, tensor.layout.type, to.At(x)); });
    ForCoordinates(tensor.layout, false, [&](const spi::Dims& x) {
      const auto value =
          static_cast<float>(Uniform(random, tensor.layout.type == DataType::kU8 ? 0 : -5, 5));
      StoreNarrowed(scales ? 0.5f * (value + 6) : value, tensor.layout.type, to.At(x));
    });
  }
  return data;
}

ProductData Expected(const spi::Operation& operation, ProductData data) {
  const spi::InnerProductView view(operation);
  const auto tensor = [&](const Layout& layout) -> Tensor {
    for (size_t i = 0; i < operation.tensors.size(); ++i)
      if (&operation.tensors[i].layout == &layout) return {layout, data[i]};
    ADD_FAILURE();
    return {layout, data[0]};
  };
  const Tensor src = tensor(view.src), weights = tensor(view.weights), dst = tensor(view.dst);
  const int64_t batch = view.dst.dims[0], oc = view.dst.dims[1];
  Layout inputs = view.weights;  // to walk over them
  inputs.dims[0] = 1;
  if (view.prop == spi::PropKind::kBackwardData) {
    ForCoordinates(view.src, false, [&](const spi::Dims& x) {
      double sum = 0;
      for (int64_t o = 0; o < oc; ++o) sum += dst.Value({x[0], o}) * weights.Value(WithFirst(o, x));
      StoreNarrowed(static_cast<float>(sum), view.src.type, src.At(x));
    });
    ZeroPaddingOf(src);
  } else if (view.prop == spi::PropKind::kBackwardWeights) {
    ForCoordinates(view.weights, false, [&](const spi::Dims& x) {
      double sum = 0;
      for (int64_t n = 0; n < batch; ++n) sum += dst.Value({n, x[0]}) * src.Value(WithFirst(n, x));
      StoreNarrowed(static_cast<float>(sum), view.weights.type, weights.At(x));
    });
    ZeroPaddingOf(weights);
    for (int64_t o = 0; view.bias != nullptr && o < oc; ++o) {
      double sum = 0;
      for (int64_t n = 0; n < batch; ++n) sum += dst.Value({n, o});
      StoreNarrowed(static_cast<float>(sum), view.bias->type, tensor(*view.bias).At({o}));
    }
    if (view.bias != nullptr) ZeroPaddingOf(tensor(*view.bias));
  } else {
    ForCoordinates(view.dst, false, [&](const spi::Dims& x) {
      double sum = 0;
      ForCoordinates(inputs, false, [&](const spi::Dims& i) {
        sum += src.Value(WithFirst(x[0], i)) * weights.Value(WithFirst(x[1], i));
      });
      if (view.bias != nullptr) sum += tensor(*view.bias).Value({x[1]});
      StoreNarrowed(Finished(operation, data, sum, x[1], dst, x), view.dst.type, dst.At(x));
    });
    ZeroPaddingOf(dst);
  }
  return data;
}

ProductData Executed(const spi::Planned& planned, ProductData data) {
  Bytes scratchpad(planned.scratchpad_bytes, std::byte{0xff});
  std::vector<std::shared_ptr<spi::Buffer>> owned;
  std::vector<spi::Buffer*> buffers;
  for (Bytes& bytes : data) owned.push_back(WrapBuffer(bytes.data()));
  if (!scratchpad.empty()) owned.push_back(WrapBuffer(scratchpad.data()));
  for (const auto& buffer : owned) buffers.push_back(buffer.get());
  class : public spi::Stream {
    absl::Status Wait() override { return absl::OkStatus(); }
  } stream;
  EXPECT_TRUE(planned.plan->Execute(stream, buffers).ok());
  return data;
}

}  // namespace impl_cpu
