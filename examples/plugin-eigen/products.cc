#include "examples/plugin-eigen/products.h"

#include <algorithm>

namespace plugin {
namespace {

// The channels innermost: axis 1 of a tensor becomes its last one.
Tensor ChannelsLast(Tensor tensor) {
  std::rotate(tensor.axes.begin() + 1, tensor.axes.begin() + 2, tensor.axes.end());
  return tensor;
}

}  // namespace

Sums::Sums(const Tensor& original) : original_(original) {
  tensor_.type = original.type;
  tensor_.axes = Dense(original.axes);
  values_.assign(static_cast<size_t>(Elements(tensor_.axes)), 0.0f);
}

void Sums::Load(const dnnspec_argument& argument, bool reads) {
  if (reads && !values_.empty())
    Copy<float>(DataOf<float>(argument, original_), original_.axes, values_.data(), tensor_.axes);
}

void Sums::Store(const dnnspec_argument& argument) const {
  if (!values_.empty())
    Copy<float>(values_.data(), tensor_.axes, DataOf<float>(argument, original_), original_.axes);
}

Matrix<float> Sums::Gather(const Tensor& part, size_t columns) const {
  const auto middle = part.axes.end() - static_cast<ptrdiff_t>(columns);
  Matrix<float> dense(Elements({part.axes.begin(), middle}), Elements({middle, part.axes.end()}));
  if (dense.size() == 0) return dense;
  Copy<float>(values_.data() + part.offset, part.axes, dense.data(), Dense(part.axes));
  return dense;
}

void Sums::Add(const Tensor& part, const Matrix<float>& values) {
  if (values.size() == 0) return;
  ForMatrices<float>(values.data(), Dense(part.axes), values_.data() + part.offset, part.axes,
                     [](const auto& from, auto to) { to += from; });
}

void AddBias(const Product& product, const dnnspec_argument* arguments, Sums* sums) {
  if (product.bias_at < 0 || IsEmpty(sums->tensor())) return;
  Sums values(product.bias);
  values.Load(arguments[product.bias_at], true);
  Tensor repeated = ChannelsLast(sums->tensor());
  for (size_t j = 0; j + 1 < repeated.axes.size(); ++j) repeated.axes[j].stride = 0;
  repeated.axes.back().stride = 1;
  sums->Add(ChannelsLast(sums->tensor()), values.Gather(repeated, 1));
}

void StoreBias(const Product& product, const Sums& sums, const dnnspec_argument* arguments) {
  if (product.bias_at < 0) return;
  Sums values(product.bias);
  if (!IsEmpty(sums.tensor()))
    values.Add(values.tensor(), sums.Gather(ChannelsLast(sums.tensor()), 1).colwise().sum());
  values.Store(arguments[product.bias_at]);
}

}  // namespace plugin
