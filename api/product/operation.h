// What operations have in common that multiply a source by weights: their tensors in each
// direction. Convolution and inner product are such products.
//
//   forward:           reads src, weights and bias, writes dst
//   backward data:     reads weights and diff_dst, writes diff_src
//   backward weights:  reads src and diff_dst, writes diff_weights and diff_bias
//
// Sources: oneDNN developer guide, "Convolution" and "Inner Product".
#ifndef DNNSPEC_API_PRODUCT_OPERATION_H_
#define DNNSPEC_API_PRODUCT_OPERATION_H_

#include "api/spi/operation.h"

namespace spi {

// The words for the tensors of a direction in messages.
struct ProductNames {
  const char *src, *weights, *bias, *dst;
};

constexpr ProductNames ProductNamesOf(PropKind prop) {
  switch (prop) {
    case PropKind::kBackwardData:
      return {"diff_src", "weights", "bias", "diff_dst"};
    case PropKind::kBackwardWeights:
      return {"src", "diff_weights", "diff_bias", "diff_dst"};
    default:
      return {"src", "weights", "bias", "dst"};
  }
}

// For signatures.
extern const ArgumentRule kProductArguments[8];
inline constexpr AttributeSupport kProductAttributes = {
    AttributeSupport::kOutputScales | AttributeSupport::kPostOps | AttributeSupport::kFpmathMode,
    "ATTR-006"};

// `src`, `weights`, `bias` and `dst` are the gradients of these where `prop` writes them, and in
// backward operations the last one is diff_dst. `bias` is null where there is none, and backward
// data has none. Tensors that are read come first, in the order of the names above.
Operation MakeProduct(PrimitiveKind kind, PropKind prop, const Params& params, const Layout& src,
                      const Layout& weights, const Layout* bias, const Layout& dst);

// What a product's operation says, by names. Points into it.
struct ProductView {
  explicit ProductView(const Operation& operation);

  PropKind prop;          // forward_training, forward_inference, backward_data, backward_weights
  const Layout& src;      // or diff_src
  const Layout& weights;  // or diff_weights
  const Layout* bias;     // or diff_bias; null: none
  const Layout& dst;      // or diff_dst
};

}  // namespace spi

#endif  // DNNSPEC_API_PRODUCT_OPERATION_H_
