// C functions of primitive attributes: dnnl::primitive_attr with statuses for exceptions (see
// engine.h).
//
// Values that a getter points to are the attributes' own, and are good until these change. `count`
// is how many there are; setters take `count` values. Unset scales read as the one value 1, unset
// zero points as 0.
#ifndef DNNSPEC_API_C_API_ATTRIBUTES_H_
#define DNNSPEC_API_C_API_ATTRIBUTES_H_

#include <stdint.h>

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

dnnl_status_t dnnl_primitive_attr_create(dnnl_primitive_attr_t *attr)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_create);
// Other attributes of equal values.
dnnl_status_t dnnl_primitive_attr_clone(dnnl_primitive_attr_t *attr,
                                        const_dnnl_primitive_attr_t existing_attr)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_clone);
dnnl_status_t dnnl_primitive_attr_destroy(dnnl_primitive_attr_t attr)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_destroy);

dnnl_status_t dnnl_primitive_attr_get_fpmath_mode(const_dnnl_primitive_attr_t attr,
                                                  dnnl_fpmath_mode_t *mode)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_get_fpmath_mode);
dnnl_status_t dnnl_primitive_attr_set_fpmath_mode(dnnl_primitive_attr_t attr,
                                                  dnnl_fpmath_mode_t mode)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_set_fpmath_mode);
dnnl_status_t dnnl_primitive_attr_get_scratchpad_mode(const_dnnl_primitive_attr_t attr,
                                                      dnnl_scratchpad_mode_t *mode)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_get_scratchpad_mode);
dnnl_status_t dnnl_primitive_attr_set_scratchpad_mode(dnnl_primitive_attr_t attr,
                                                      dnnl_scratchpad_mode_t mode)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_set_scratchpad_mode);

dnnl_status_t dnnl_primitive_attr_get_output_scales(const_dnnl_primitive_attr_t attr,
                                                    dnnl_dim_t *count, int *mask,
                                                    const float **scales)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_get_output_scales);
dnnl_status_t dnnl_primitive_attr_set_output_scales(dnnl_primitive_attr_t attr, dnnl_dim_t count,
                                                    int mask, const float *scales)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_set_output_scales);
dnnl_status_t dnnl_primitive_attr_get_scales(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t *count,
                                             int *mask, const float **scales)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_get_scales);
dnnl_status_t dnnl_primitive_attr_set_scales(dnnl_primitive_attr_t attr, int arg, dnnl_dim_t count,
                                             int mask, const float *scales)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_set_scales);
dnnl_status_t dnnl_primitive_attr_get_zero_points(const_dnnl_primitive_attr_t attr, int arg,
                                                  dnnl_dim_t *count, int *mask,
                                                  const int32_t **zero_points)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_get_zero_points);
dnnl_status_t dnnl_primitive_attr_set_zero_points(dnnl_primitive_attr_t attr, int arg,
                                                  dnnl_dim_t count, int mask,
                                                  const int32_t *zero_points)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_set_zero_points);

dnnl_status_t dnnl_primitive_attr_get_post_ops(const_dnnl_primitive_attr_t attr,
                                               const_dnnl_post_ops_t *post_ops)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_get_post_ops);
// Takes a copy.
dnnl_status_t dnnl_primitive_attr_set_post_ops(dnnl_primitive_attr_t attr,
                                               const_dnnl_post_ops_t post_ops)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_set_post_ops);

dnnl_status_t dnnl_primitive_attr_set_rnn_data_qparams(dnnl_primitive_attr_t attr, float scale,
                                                       float shift)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_set_rnn_data_qparams);
dnnl_status_t dnnl_primitive_attr_get_rnn_data_qparams(const_dnnl_primitive_attr_t attr,
                                                       float *scale, float *shift)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_get_rnn_data_qparams);
dnnl_status_t dnnl_primitive_attr_set_rnn_weights_qparams(dnnl_primitive_attr_t attr,
                                                          dnnl_dim_t count, int mask,
                                                          const float *scales)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_set_rnn_weights_qparams);
dnnl_status_t dnnl_primitive_attr_get_rnn_weights_qparams(const_dnnl_primitive_attr_t attr,
                                                          dnnl_dim_t *count, int *mask,
                                                          const float **scales)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_get_rnn_weights_qparams);
dnnl_status_t dnnl_primitive_attr_set_rnn_weights_projection_qparams(dnnl_primitive_attr_t attr,
                                                                     dnnl_dim_t count, int mask,
                                                                     const float *scales)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_set_rnn_weights_projection_qparams);
dnnl_status_t dnnl_primitive_attr_get_rnn_weights_projection_qparams(
    const_dnnl_primitive_attr_t attr, dnnl_dim_t *count, int *mask, const float **scales)
    DNNSPEC_LINK_NAME(dnnl_primitive_attr_get_rnn_weights_projection_qparams);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_C_API_ATTRIBUTES_H_
