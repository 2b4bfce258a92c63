// What the C functions of products have in common (convolution, inner product).
#ifndef DNNSPEC_API_PRODUCT_IN_C_H_
#define DNNSPEC_API_PRODUCT_IN_C_H_

#include "api/memory/layout.h"
#include "api/product/request.h"
#include "api/spi/operation.h"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/c_types.h"

namespace api {

// What a null bias means, or a null gradient of one: none.
inline dnnl_memory_desc_t OrNone(const dnnl_memory_desc_t* md) {
  return md == nullptr ? dnnl_memory_desc_t{} : *md;
}

// The operation descriptor that `operation` was made of, but for its parameters.
template <typename Desc>
Desc DescriptorOf(const spi::Operation& operation) {
  const auto md = [&operation](int argument) { return DescOf(spi::LayoutOf(operation, argument)); };
  Desc desc = {};
  desc.primitive_kind = static_cast<dnnl_primitive_kind_t>(operation.kind);
  desc.prop_kind = static_cast<dnnl_prop_kind_t>(operation.prop);
  desc.src_desc = md(spi::kArgSrc);
  desc.diff_src_desc = md(spi::kArgDiffSrc);
  desc.weights_desc = md(spi::kArgWeights);
  desc.diff_weights_desc = md(spi::kArgDiffWeights);
  desc.bias_desc = md(spi::kArgBias);
  desc.diff_bias_desc = md(spi::kArgDiffBias);
  desc.dst_desc = md(spi::kArgDst);
  desc.diff_dst_desc = md(spi::kArgDiffDst);
  desc.accum_data_type = AccumulatorOf(desc.prop_kind, TensorsOf(desc));
  return desc;
}

}  // namespace api

#endif  // DNNSPEC_API_PRODUCT_IN_C_H_
