// Inner product as an operation: a matrix product of source and weights, whose rows are flattened.
//
//   forward:           dst(n, oc) = bias(oc) + sum_inputs src(n, inputs) * weights(oc, inputs)
//   backward data:     diff_src(n, inputs) = sum_oc diff_dst(n, oc) * weights(oc, inputs)
//   backward weights:  diff_weights(oc, inputs) = sum_n diff_dst(n, oc) * src(n, inputs)
//                      diff_bias(oc) = sum_n diff_dst(n, oc)
//
// Inputs are the axes of the source behind the batch, paired by their coordinates.
//
// Source: oneDNN developer guide, "Inner Product"; requirements IP-003 to IP-013.
#ifndef DNNSPEC_API_INNER_PRODUCT_OPERATION_H_
#define DNNSPEC_API_INNER_PRODUCT_OPERATION_H_

#include "api/spi/operation.h"

namespace spi {

extern const Signature kInnerProductSignature;

// `src`, `weights`, `bias` and `dst` are the gradients of these where `prop` writes them, and in
// backward operations the last one is diff_dst. `bias` is null where there is none, and backward
// data has none. Tensors that are read come first, in the order of the names above.
Operation MakeInnerProduct(PropKind prop, const Layout& src, const Layout& weights,
                           const Layout* bias, const Layout& dst);

// What an inner product's operation says, by names. Points into it.
struct InnerProductView {
  explicit InnerProductView(const Operation& operation);

  PropKind prop;          // forward_training, forward_inference, backward_data, backward_weights
  const Layout& src;      // or diff_src: {N, inputs...}, rank 2 to 5
  const Layout& weights;  // or diff_weights: {OC, inputs...}
  const Layout* bias;     // or diff_bias: {OC}; null: none
  const Layout& dst;      // or diff_dst: {N, OC}
};

}  // namespace spi

#endif  // DNNSPEC_API_INNER_PRODUCT_OPERATION_H_
