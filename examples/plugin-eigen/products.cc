#include "examples/plugin-eigen/products.h"

#include <algorithm>
#include <optional>

#include "examples/plugin-eigen/plans.h"

namespace plugin_eigen {
namespace {

// The channels innermost: axis 1 of a tensor becomes its last one.
Tensor ChannelsLast(Tensor tensor) {
  std::rotate(tensor.axes.begin() + 1, tensor.axes.begin() + 2, tensor.axes.end());
  return tensor;
}

// Dense, the last axis innermost: what this plug-in answers `any` with.
dnnspec_layout Chosen(const dnnspec_layout& open) {
  dnnspec_layout layout = open;
  layout.kind = DNNSPEC_LAYOUT_STRIDED;
  int64_t stride = 1;
  for (int32_t j = layout.rank - 1; j >= 0; --j) {
    layout.strides[j] = stride;
    stride *= std::max<int64_t>(layout.dims[j], 1);
  }
  return layout;
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

void Product::AddBias(const dnnspec_argument* arguments, Sums* sums) const {
  if (bias_at < 0 || IsEmpty(sums->tensor())) return;
  Sums values(bias);
  values.Load(arguments[bias_at], true);
  Tensor repeated = ChannelsLast(sums->tensor());
  for (size_t j = 0; j + 1 < repeated.axes.size(); ++j) repeated.axes[j].stride = 0;
  repeated.axes.back().stride = 1;
  sums->Add(ChannelsLast(sums->tensor()), values.Gather(repeated, 1));
}

void Product::StoreBias(const Sums& sums, const dnnspec_argument* arguments) const {
  if (bias_at < 0) return;
  Sums values(bias);
  if (!IsEmpty(sums.tensor()))
    values.Add(values.tensor(), sums.Gather(ChannelsLast(sums.tensor()), 1).colwise().sum());
  values.Store(arguments[bias_at]);
}

dnnspec_status ReadProduct(const dnnspec_operation& operation, dnnspec_layout* chosen,
                           Product* product) {
  if (operation.attributes != nullptr) return Unimplemented("no attributes are translated");
  product->prop_kind = operation.prop_kind;
  for (uint32_t k = 0; k < operation.tensor_count; ++k) {
    dnnspec_tensor given;
    if (dnnspec_read(operation.tensors[k], &given, sizeof(given)) == 0)
      return Unimplemented("newer than this plug-in");
    if (given.layout.kind == DNNSPEC_LAYOUT_ANY) given.layout = *chosen++ = Chosen(given.layout);
    const std::optional<Tensor> tensor = ReadLayout(given.layout);
    if (!tensor || tensor->type != DNNSPEC_F32)
      return Unimplemented("plain layouts of f32 are translated");
    const int at = static_cast<int>(k);
    switch (given.argument) {
      case DNNSPEC_ARG_SRC:
      case DNNSPEC_ARG_DIFF_SRC:
        product->src = *tensor, product->src_at = at;
        break;
      case DNNSPEC_ARG_WEIGHTS:
      case DNNSPEC_ARG_DIFF_WEIGHTS:
        product->weights = *tensor, product->weights_at = at;
        break;
      case DNNSPEC_ARG_DST:
      case DNNSPEC_ARG_DIFF_DST:
        product->dst = *tensor, product->dst_at = at;
        break;
      case DNNSPEC_ARG_BIAS:
      case DNNSPEC_ARG_DIFF_BIAS:
        product->bias = *tensor, product->bias_at = at;
        break;
      default:
        return Unimplemented("another tensor than those of a product");
    }
  }
  return DNNSPEC_OK;
}

}  // namespace plugin_eigen
