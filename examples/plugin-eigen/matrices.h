// Tensors as matrices: a plain tensor is taken apart into matrices with two strides, which Eigen
// assigns, transposes and adds.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_EIGEN_MATRICES_H_
#define DNNSPEC_EXAMPLES_PLUGIN_EIGEN_MATRICES_H_

#include <Eigen/Core>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "examples/plugin-cpu/tensors.h"

namespace plugin {

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

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_EIGEN_MATRICES_H_
