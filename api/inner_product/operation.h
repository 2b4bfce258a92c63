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

#include "api/product/operation.h"
#include "api/spi/operation.h"

namespace spi {

extern const Signature kInnerProductSignature;

// As MakeProduct.
Operation MakeInnerProduct(PropKind prop, const Layout& src, const Layout& weights,
                           const Layout* bias, const Layout& dst);

// What an inner product's operation says, by names. Points into it. Of `src` the dims are {N,
// inputs...}, of rank 2 to 5; of `weights` {OC, inputs...}; of `bias` {OC}; of `dst` {N, OC}.
struct InnerProductView : ProductView {
  using ProductView::ProductView;
};

}  // namespace spi

#endif  // DNNSPEC_API_INNER_PRODUCT_OPERATION_H_
