// C functions of convolution: the classes of convolution.hpp with statuses for exceptions (see
// c_api/engine.h).
#ifndef DNNSPEC_API_CONVOLUTION_C_API_H_
#define DNNSPEC_API_CONVOLUTION_C_API_H_

#include "oneapi/dnnl/convolution/c_desc.h"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_algorithms.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A null bias, or gradient of one, is none. A null padding_r is padding_l. Of strides, dilates and
// paddings as many values are read as there are spatial axes.
dnnl_status_t dnnl_convolution_forward_desc_init(
    dnnl_convolution_desc_t *conv_desc, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t *src_desc, const dnnl_memory_desc_t *weights_desc,
    const dnnl_memory_desc_t *bias_desc, const dnnl_memory_desc_t *dst_desc,
    const dnnl_dims_t strides, const dnnl_dims_t padding_l, const dnnl_dims_t padding_r)
    DNNSPEC_LINK_NAME(dnnl_convolution_forward_desc_init);
dnnl_status_t dnnl_dilated_convolution_forward_desc_init(
    dnnl_convolution_desc_t *conv_desc, dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t *src_desc, const dnnl_memory_desc_t *weights_desc,
    const dnnl_memory_desc_t *bias_desc, const dnnl_memory_desc_t *dst_desc,
    const dnnl_dims_t strides, const dnnl_dims_t dilates, const dnnl_dims_t padding_l,
    const dnnl_dims_t padding_r) DNNSPEC_LINK_NAME(dnnl_dilated_convolution_forward_desc_init);
dnnl_status_t dnnl_convolution_backward_data_desc_init(
    dnnl_convolution_desc_t *conv_desc, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t *diff_src_desc, const dnnl_memory_desc_t *weights_desc,
    const dnnl_memory_desc_t *diff_dst_desc, const dnnl_dims_t strides, const dnnl_dims_t padding_l,
    const dnnl_dims_t padding_r) DNNSPEC_LINK_NAME(dnnl_convolution_backward_data_desc_init);
dnnl_status_t dnnl_dilated_convolution_backward_data_desc_init(
    dnnl_convolution_desc_t *conv_desc, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t *diff_src_desc, const dnnl_memory_desc_t *weights_desc,
    const dnnl_memory_desc_t *diff_dst_desc, const dnnl_dims_t strides, const dnnl_dims_t dilates,
    const dnnl_dims_t padding_l, const dnnl_dims_t padding_r)
    DNNSPEC_LINK_NAME(dnnl_dilated_convolution_backward_data_desc_init);
dnnl_status_t dnnl_convolution_backward_weights_desc_init(
    dnnl_convolution_desc_t *conv_desc, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t *src_desc, const dnnl_memory_desc_t *diff_weights_desc,
    const dnnl_memory_desc_t *diff_bias_desc, const dnnl_memory_desc_t *diff_dst_desc,
    const dnnl_dims_t strides, const dnnl_dims_t padding_l, const dnnl_dims_t padding_r)
    DNNSPEC_LINK_NAME(dnnl_convolution_backward_weights_desc_init);
dnnl_status_t dnnl_dilated_convolution_backward_weights_desc_init(
    dnnl_convolution_desc_t *conv_desc, dnnl_alg_kind_t alg_kind,
    const dnnl_memory_desc_t *src_desc, const dnnl_memory_desc_t *diff_weights_desc,
    const dnnl_memory_desc_t *diff_bias_desc, const dnnl_memory_desc_t *diff_dst_desc,
    const dnnl_dims_t strides, const dnnl_dims_t dilates, const dnnl_dims_t padding_l,
    const dnnl_dims_t padding_r)
    DNNSPEC_LINK_NAME(dnnl_dilated_convolution_backward_weights_desc_init);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_CONVOLUTION_C_API_H_
