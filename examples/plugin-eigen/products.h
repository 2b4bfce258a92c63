// Declares what inner product and convolution have in common: their tensors, and sums over them.
#ifndef DNNSPEC_EXAMPLES_PLUGIN_EIGEN_PRODUCTS_H_
#define DNNSPEC_EXAMPLES_PLUGIN_EIGEN_PRODUCTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/spi/plugin_abi.h"
#include "examples/plugin-eigen/tensors.h"

namespace plugin_eigen {

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

// The tensors of a product, forward or backward: gradients stand in the place of what they are of.
struct Product {
  int32_t prop_kind = 0;
  Tensor src, weights, dst, bias;
  // In the order of the operation's tensors; the bias may be left out.
  int src_at = 0, weights_at = 0, dst_at = 0, bias_at = -1;

  bool ComputesDst() const { return prop_kind < DNNSPEC_BACKWARD; }
  bool ComputesSrc() const { return prop_kind == DNNSPEC_BACKWARD_DATA; }
  bool ComputesWeights() const { return prop_kind == DNNSPEC_BACKWARD_WEIGHTS; }

  // To each channel of the destination, its second axis.
  void AddBias(const dnnspec_argument* arguments, Sums* sums) const;
  // The gradient of the bias: sums over all but the channels.
  void StoreBias(const Sums& sums, const dnnspec_argument* arguments) const;
};

// Open layouts become dense ones, the last axis innermost, and are written to `chosen`.
dnnspec_status ReadProduct(const dnnspec_operation& operation, dnnspec_layout* chosen,
                           Product* product);

}  // namespace plugin_eigen

#endif  // DNNSPEC_EXAMPLES_PLUGIN_EIGEN_PRODUCTS_H_
