// Names of the enumerators that reorder and shuffle do not use. Valid C99 and C++.
//
// As in c_functions.h: oneDNN's words ("eltwise_relu", "OpenMP"), and "unknown" for a number that
// is none.
#ifndef DNNSPEC_API_MODEL_C_DEBUG_H_
#define DNNSPEC_API_MODEL_C_DEBUG_H_

#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_algorithms.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

const char *dnnl_alg_kind2str(dnnl_alg_kind_t value) DNNSPEC_LINK_NAME(dnnl_alg_kind2str);
const char *dnnl_rnn_flags2str(dnnl_rnn_flags_t value) DNNSPEC_LINK_NAME(dnnl_rnn_flags2str);
const char *dnnl_rnn_direction2str(dnnl_rnn_direction_t value)
    DNNSPEC_LINK_NAME(dnnl_rnn_direction2str);
const char *dnnl_fpmath_mode2str(dnnl_fpmath_mode_t value) DNNSPEC_LINK_NAME(dnnl_fpmath_mode2str);
const char *dnnl_cpu_isa2str(dnnl_cpu_isa_t value) DNNSPEC_LINK_NAME(dnnl_cpu_isa2str);
const char *dnnl_cpu_isa_hints2str(dnnl_cpu_isa_hints_t value)
    DNNSPEC_LINK_NAME(dnnl_cpu_isa_hints2str);

// Of DNNL_CPU_RUNTIME and DNNL_GPU_RUNTIME.
const char *dnnl_runtime2str(unsigned value) DNNSPEC_LINK_NAME(dnnl_runtime2str);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_MODEL_C_DEBUG_H_
