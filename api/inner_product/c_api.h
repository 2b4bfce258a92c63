// C functions of inner product: the classes of inner_product.hpp with statuses for exceptions (see
// c_api/engine.h).
#ifndef DNNSPEC_API_INNER_PRODUCT_C_API_H_
#define DNNSPEC_API_INNER_PRODUCT_C_API_H_

#include "oneapi/dnnl/inner_product/c_desc.h"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A null bias, or gradient of one, is none.
dnnl_status_t dnnl_inner_product_forward_desc_init(dnnl_inner_product_desc_t *ip_desc,
                                                   dnnl_prop_kind_t prop_kind,
                                                   const dnnl_memory_desc_t *src_desc,
                                                   const dnnl_memory_desc_t *weights_desc,
                                                   const dnnl_memory_desc_t *bias_desc,
                                                   const dnnl_memory_desc_t *dst_desc)
    DNNSPEC_LINK_NAME(dnnl_inner_product_forward_desc_init);
dnnl_status_t dnnl_inner_product_backward_data_desc_init(dnnl_inner_product_desc_t *ip_desc,
                                                         const dnnl_memory_desc_t *diff_src_desc,
                                                         const dnnl_memory_desc_t *weights_desc,
                                                         const dnnl_memory_desc_t *diff_dst_desc)
    DNNSPEC_LINK_NAME(dnnl_inner_product_backward_data_desc_init);
dnnl_status_t dnnl_inner_product_backward_weights_desc_init(
    dnnl_inner_product_desc_t *ip_desc, const dnnl_memory_desc_t *src_desc,
    const dnnl_memory_desc_t *diff_weights_desc, const dnnl_memory_desc_t *diff_bias_desc,
    const dnnl_memory_desc_t *diff_dst_desc)
    DNNSPEC_LINK_NAME(dnnl_inner_product_backward_weights_desc_init);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_INNER_PRODUCT_C_API_H_
