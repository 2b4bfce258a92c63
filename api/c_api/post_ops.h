// C functions of post-ops: dnnl::post_ops with statuses for exceptions (see engine.h).
//
// A null result pointer of a getter is left out. What a getter points to is good until the post-ops
// change.
#ifndef DNNSPEC_API_C_API_POST_OPS_H_
#define DNNSPEC_API_C_API_POST_OPS_H_

#include <stdint.h>

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_algorithms.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

dnnl_status_t dnnl_post_ops_create(dnnl_post_ops_t *post_ops)
    DNNSPEC_LINK_NAME(dnnl_post_ops_create);
dnnl_status_t dnnl_post_ops_destroy(dnnl_post_ops_t post_ops)
    DNNSPEC_LINK_NAME(dnnl_post_ops_destroy);

// 0 for null.
int dnnl_post_ops_len(const_dnnl_post_ops_t post_ops) DNNSPEC_LINK_NAME(dnnl_post_ops_len);
// dnnl_undefined_primitive where there is none of that index.
dnnl_primitive_kind_t dnnl_post_ops_get_kind(const_dnnl_post_ops_t post_ops, int index)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_kind);

dnnl_status_t dnnl_post_ops_append_sum(dnnl_post_ops_t post_ops, float scale)
    DNNSPEC_LINK_NAME(dnnl_post_ops_append_sum);
dnnl_status_t dnnl_post_ops_append_sum_v2(dnnl_post_ops_t post_ops, float scale,
                                          dnnl_data_type_t data_type)
    DNNSPEC_LINK_NAME(dnnl_post_ops_append_sum_v2);
dnnl_status_t dnnl_post_ops_append_sum_v3(dnnl_post_ops_t post_ops, float scale, int32_t zero_point,
                                          dnnl_data_type_t data_type)
    DNNSPEC_LINK_NAME(dnnl_post_ops_append_sum_v3);
dnnl_status_t dnnl_post_ops_get_params_sum(const_dnnl_post_ops_t post_ops, int index, float *scale)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_params_sum);
dnnl_status_t dnnl_post_ops_get_params_sum_v2(const_dnnl_post_ops_t post_ops, int index,
                                              float *scale, dnnl_data_type_t *data_type)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_params_sum_v2);
dnnl_status_t dnnl_post_ops_get_params_sum_v3(const_dnnl_post_ops_t post_ops, int index,
                                              float *scale, int32_t *zero_point,
                                              dnnl_data_type_t *data_type)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_params_sum_v3);

dnnl_status_t dnnl_post_ops_append_eltwise(dnnl_post_ops_t post_ops, float scale,
                                           dnnl_alg_kind_t alg_kind, float alpha, float beta)
    DNNSPEC_LINK_NAME(dnnl_post_ops_append_eltwise);
dnnl_status_t dnnl_post_ops_get_params_eltwise(const_dnnl_post_ops_t post_ops, int index,
                                               float *scale, dnnl_alg_kind_t *alg_kind,
                                               float *alpha, float *beta)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_params_eltwise);

dnnl_status_t dnnl_post_ops_append_dw(dnnl_post_ops_t post_ops, dnnl_data_type_t weights_data_type,
                                      dnnl_data_type_t bias_data_type,
                                      dnnl_data_type_t dst_data_type, dnnl_dim_t kernel_size,
                                      dnnl_dim_t stride_size, dnnl_dim_t padding_l_size,
                                      dnnl_dim_t count, int mask, const float *scales)
    DNNSPEC_LINK_NAME(dnnl_post_ops_append_dw);
dnnl_status_t dnnl_post_ops_get_params_dw(const_dnnl_post_ops_t post_ops, int index,
                                          dnnl_data_type_t *weights_data_type,
                                          dnnl_data_type_t *bias_data_type,
                                          dnnl_data_type_t *dst_data_type, dnnl_dim_t *kernel_size,
                                          dnnl_dim_t *stride_size, dnnl_dim_t *padding_l_size,
                                          dnnl_dim_t *count, int *mask, const float **scales)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_params_dw);
dnnl_status_t dnnl_post_ops_append_dw_k3s1p1(dnnl_post_ops_t post_ops,
                                             dnnl_data_type_t weights_data_type,
                                             dnnl_data_type_t bias_data_type,
                                             dnnl_data_type_t dst_data_type, dnnl_dim_t count,
                                             int mask, const float *scales)
    DNNSPEC_LINK_NAME(dnnl_post_ops_append_dw_k3s1p1);
dnnl_status_t dnnl_post_ops_get_params_dw_k3s1p1(const_dnnl_post_ops_t post_ops, int index,
                                                 dnnl_data_type_t *weights_data_type,
                                                 dnnl_data_type_t *bias_data_type,
                                                 dnnl_data_type_t *dst_data_type, dnnl_dim_t *count,
                                                 int *mask, const float **scales)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_params_dw_k3s1p1);
dnnl_status_t dnnl_post_ops_append_dw_k3s2p1(dnnl_post_ops_t post_ops,
                                             dnnl_data_type_t weights_data_type,
                                             dnnl_data_type_t bias_data_type,
                                             dnnl_data_type_t dst_data_type, dnnl_dim_t count,
                                             int mask, const float *scales)
    DNNSPEC_LINK_NAME(dnnl_post_ops_append_dw_k3s2p1);
dnnl_status_t dnnl_post_ops_get_params_dw_k3s2p1(const_dnnl_post_ops_t post_ops, int index,
                                                 dnnl_data_type_t *weights_data_type,
                                                 dnnl_data_type_t *bias_data_type,
                                                 dnnl_data_type_t *dst_data_type, dnnl_dim_t *count,
                                                 int *mask, const float **scales)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_params_dw_k3s2p1);

dnnl_status_t dnnl_post_ops_append_binary(dnnl_post_ops_t post_ops, dnnl_alg_kind_t alg_kind,
                                          const dnnl_memory_desc_t *src1_desc)
    DNNSPEC_LINK_NAME(dnnl_post_ops_append_binary);
dnnl_status_t dnnl_post_ops_get_params_binary(const_dnnl_post_ops_t post_ops, int index,
                                              dnnl_alg_kind_t *alg_kind,
                                              const dnnl_memory_desc_t **src1_desc)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_params_binary);

dnnl_status_t dnnl_post_ops_append_prelu(dnnl_post_ops_t post_ops, int mask)
    DNNSPEC_LINK_NAME(dnnl_post_ops_append_prelu);
dnnl_status_t dnnl_post_ops_get_params_prelu(const_dnnl_post_ops_t post_ops, int index, int *mask)
    DNNSPEC_LINK_NAME(dnnl_post_ops_get_params_prelu);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_C_API_POST_OPS_H_
