// Tensors as matrices: a plain tensor is taken apart into matrices with two strides, which Eigen
// assigns, transposes and adds. Extents, strides and offsets count elements.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_EIGEN_TENSORS_H_
#define DNNSPEC_EXAMPLES_PLUGIN_EIGEN_TENSORS_H_

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "api/spi/plugin_abi.h"

struct dnnspec_buffer {
  void* data;
  bool owned;
};

namespace plugin_eigen {

struct Axis {
  int64_t extent, stride;
};

// A plain layout: axes from the outermost on.
struct Tensor {
  int32_t type = 0;
  std::vector<Axis> axes;
  int64_t offset = 0;
};

bool IsEmpty(const Tensor& tensor);

int64_t Elements(const std::vector<Axis>& axes);

// The tensor of an argument; nothing where it is absent, not plain, or newer than this plug-in.
std::optional<Tensor> Read(const dnnspec_operation& operation, int32_t argument);
std::optional<Tensor> ReadLayout(const dnnspec_layout& layout);

// Axes of a dense tensor, the last one innermost.
std::vector<Axis> Dense(const std::vector<Axis>& axes);

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using View = Eigen::Map<
    std::conditional_t<std::is_const_v<T>, const Matrix<std::remove_const_t<T>>, Matrix<T>>,
    Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

template <typename T>
View<T> ViewOf(T* data, const Axis& rows, const Axis& columns) {
  return {data, rows.extent, columns.extent, {rows.stride, columns.stride}};
}

// Calls f(a, b) with the offsets of each index of the axes, which have equal extents.
template <typename F>
void ForEach(const std::vector<Axis>& a, const std::vector<Axis>& b, size_t axis, int64_t at_a,
             int64_t at_b, const F& f) {
  if (axis == a.size()) return f(at_a, at_b);
  for (int64_t i = 0; i < a[axis].extent; ++i)
    ForEach(a, b, axis + 1, at_a + i * a[axis].stride, at_b + i * b[axis].stride, f);
}

// Takes the two axes out of which matrices are made: the one that is densest in either.
struct Split {
  std::vector<Axis> outer_a, outer_b;
  std::array<Axis, 2> a = {{{1, 0}, {1, 0}}}, b = {{{1, 0}, {1, 0}}};
};

Split SplitOf(std::vector<Axis> a, std::vector<Axis> b);

// f(matrix of a, matrix of b) for all of two tensors of equal extents.
template <typename T, typename F>
void ForMatrices(const T* a, const std::vector<Axis>& axes_a, T* b, const std::vector<Axis>& axes_b,
                 const F& f) {
  const Split split = SplitOf(axes_a, axes_b);
  ForEach(split.outer_a, split.outer_b, 0, 0, 0, [&](int64_t at_a, int64_t at_b) {
    f(ViewOf(a + at_a, split.a[0], split.a[1]), ViewOf(b + at_b, split.b[0], split.b[1]));
  });
}

template <typename T>
void Copy(const T* a, const std::vector<Axis>& axes_a, T* b, const std::vector<Axis>& axes_b) {
  ForMatrices(a, axes_a, b, axes_b, [](const auto& from, auto to) { to = from; });
}

// Runs f with a pointer to an integer of the size of the type: what only moves is bits.
template <typename F>
void ForBits(int32_t type, const F& f) {
  if (type == DNNSPEC_U8 || type == DNNSPEC_S8) return f(static_cast<uint8_t*>(nullptr));
  if (type == DNNSPEC_F16 || type == DNNSPEC_BF16) return f(static_cast<uint16_t*>(nullptr));
  f(static_cast<uint32_t*>(nullptr));
}

template <typename T>
T* DataOf(const dnnspec_argument& argument, const Tensor& tensor) {
  return static_cast<T*>(argument.buffer->data) + tensor.offset;
}

}  // namespace plugin_eigen

#endif  // DNNSPEC_EXAMPLES_PLUGIN_EIGEN_TENSORS_H_
