// C functions of eltwise: the classes of eltwise.hpp with statuses for exceptions (see
// c_api/engine.h).
#ifndef DNNSPEC_API_ELTWISE_C_API_H_
#define DNNSPEC_API_ELTWISE_C_API_H_

#include "oneapi/dnnl/eltwise/c_desc.h"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_algorithms.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

dnnl_status_t dnnl_eltwise_forward_desc_init(dnnl_eltwise_desc_t *eltwise_desc,
                                             dnnl_prop_kind_t prop_kind, dnnl_alg_kind_t alg_kind,
                                             const dnnl_memory_desc_t *data_desc, float alpha,
                                             float beta)
    DNNSPEC_LINK_NAME(dnnl_eltwise_forward_desc_init);
dnnl_status_t dnnl_eltwise_backward_desc_init(dnnl_eltwise_desc_t *eltwise_desc,
                                              dnnl_alg_kind_t alg_kind,
                                              const dnnl_memory_desc_t *diff_data_desc,
                                              const dnnl_memory_desc_t *data_desc, float alpha,
                                              float beta)
    DNNSPEC_LINK_NAME(dnnl_eltwise_backward_desc_init);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_ELTWISE_C_API_H_
