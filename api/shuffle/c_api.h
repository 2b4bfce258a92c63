// C functions of shuffle: the classes of shuffle.hpp with statuses for exceptions (see
// c_api/engine.h).
#ifndef DNNSPEC_API_SHUFFLE_C_API_H_
#define DNNSPEC_API_SHUFFLE_C_API_H_

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/shuffle/c_desc.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

dnnl_status_t dnnl_shuffle_forward_desc_init(dnnl_shuffle_desc_t *shuffle_desc,
                                             dnnl_prop_kind_t prop_kind,
                                             const dnnl_memory_desc_t *data_desc, int axis,
                                             dnnl_dim_t group_size)
    DNNSPEC_LINK_NAME(dnnl_shuffle_forward_desc_init);
dnnl_status_t dnnl_shuffle_backward_desc_init(dnnl_shuffle_desc_t *shuffle_desc,
                                              const dnnl_memory_desc_t *diff_data_desc, int axis,
                                              dnnl_dim_t group_size)
    DNNSPEC_LINK_NAME(dnnl_shuffle_backward_desc_init);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_SHUFFLE_C_API_H_
