// Declares what inner product and convolution have in common: sums over their tensors.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_EIGEN_PRODUCTS_H_
#define DNNSPEC_EXAMPLES_PLUGIN_EIGEN_PRODUCTS_H_

#include <cstddef>
#include <vector>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-cpu/operations.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-eigen/matrices.h"

namespace plugin {

// A dense copy of a tensor in f32, in which sums are made.
class Sums {
 public:
  explicit Sums(const Tensor& original);

  // With axes, strides and offset of the copy.
  const Tensor& tensor() const { return tensor_; }

  // The values of an argument; zeros where it is not read.
  void Load(const dnnspec_argument& argument, bool reads);
  void Store(const dnnspec_argument& argument) const;

  // A part of the copy as a matrix: the last `columns` axes become columns, the others rows.
  Matrix<float> Gather(const Tensor& part, size_t columns) const;
  void Add(const Tensor& part, const Matrix<float>& values);

 private:
  const Tensor original_;
  Tensor tensor_;
  std::vector<float> values_;
};

// To each channel of the destination, its second axis.
void AddBias(const Product& product, const dnnspec_argument* arguments, Sums* sums);
// The gradient of the bias: sums over all but the channels.
void StoreBias(const Product& product, const Sums& sums, const dnnspec_argument* arguments);

}  // namespace plugin

#endif  // DNNSPEC_EXAMPLES_PLUGIN_EIGEN_PRODUCTS_H_
