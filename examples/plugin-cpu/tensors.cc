#include "examples/plugin-cpu/tensors.h"

#include <algorithm>
#include <utility>

namespace plugin {
namespace {

size_t Densest(const std::vector<Axis>& axes) {
  size_t best = 0;
  for (size_t j = 1; j < axes.size(); ++j)
    if (axes[best].extent == 1 || (axes[j].extent > 1 && axes[j].stride < axes[best].stride))
      best = j;
  return best;
}

}  // namespace

bool IsEmpty(const Tensor& tensor) {
  return std::any_of(tensor.axes.begin(), tensor.axes.end(),
                     [](const Axis& axis) { return axis.extent == 0; });
}

int64_t Elements(const std::vector<Axis>& axes) {
  int64_t count = 1;
  for (const Axis& axis : axes) count *= axis.extent;
  return count;
}

int64_t SizeOf(int32_t type) {
  int64_t size = 0;
  ForBits(type, [&size](auto* bits) { size = sizeof(*bits); });
  return size;
}

std::optional<Tensor> Read(const dnnspec_operation& operation, int32_t argument) {
  const dnnspec_tensor* const found = dnnspec_find(&operation, argument);
  dnnspec_tensor tensor;
  if (found == nullptr || dnnspec_read(found, &tensor, sizeof(tensor)) == 0) return std::nullopt;
  return ReadLayout(tensor.layout);
}

std::optional<Tensor> ReadLayout(const dnnspec_layout& layout) {
  if (layout.kind != DNNSPEC_LAYOUT_STRIDED || layout.block_count > 0) return std::nullopt;
  Tensor read;
  read.type = layout.data_type;
  read.offset = layout.offset;
  for (int32_t j = 0; j < layout.rank; ++j)
    read.axes.push_back({layout.dims[j], layout.strides[j]});
  return read;
}

std::vector<Axis> Dense(const std::vector<Axis>& axes) {
  std::vector<Axis> dense = axes;
  int64_t stride = 1;
  for (auto axis = dense.rbegin(); axis != dense.rend(); ++axis) {
    axis->stride = stride;
    stride *= std::max<int64_t>(axis->extent, 1);
  }
  return dense;
}

Split SplitOf(std::vector<Axis> a, std::vector<Axis> b) {
  Split split;
  for (size_t k = 0; k < 2 && !a.empty(); ++k) {
    const size_t j = Densest(k == 0 ? a : b);
    split.a[1 - k] = a[j];
    split.b[1 - k] = b[j];
    a.erase(a.begin() + static_cast<ptrdiff_t>(j));
    b.erase(b.begin() + static_cast<ptrdiff_t>(j));
  }
  split.outer_a = std::move(a);
  split.outer_b = std::move(b);
  return split;
}

bool AreRows(const Axis& rows, const Axis& elements) {
  return (elements.stride == 1 || elements.extent == 1) &&
         (rows.stride >= elements.extent || rows.extent == 1);
}

uint8_t* StartOf(const Tensor& tensor, const dnnspec_argument& argument) {
  return static_cast<uint8_t*>(argument.buffer->data) + tensor.offset * SizeOf(tensor.type);
}

}  // namespace plugin
