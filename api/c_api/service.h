// C functions for the settings of the library: those of model/service.hpp with statuses for
// exceptions (see engine.h).
#ifndef DNNSPEC_API_C_API_SERVICE_H_
#define DNNSPEC_API_C_API_SERVICE_H_

#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_algorithms.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

dnnl_status_t dnnl_get_primitive_cache_capacity(int *capacity)
    DNNSPEC_LINK_NAME(dnnl_get_primitive_cache_capacity);
dnnl_status_t dnnl_set_primitive_cache_capacity(int capacity)
    DNNSPEC_LINK_NAME(dnnl_set_primitive_cache_capacity);
dnnl_status_t dnnl_get_default_fpmath_mode(dnnl_fpmath_mode_t *mode)
    DNNSPEC_LINK_NAME(dnnl_get_default_fpmath_mode);
dnnl_status_t dnnl_set_default_fpmath_mode(dnnl_fpmath_mode_t mode)
    DNNSPEC_LINK_NAME(dnnl_set_default_fpmath_mode);
dnnl_status_t dnnl_set_verbose(int level) DNNSPEC_LINK_NAME(dnnl_set_verbose);
dnnl_status_t dnnl_set_jit_dump(int enable) DNNSPEC_LINK_NAME(dnnl_set_jit_dump);
dnnl_status_t dnnl_set_jit_profiling_flags(unsigned flags)
    DNNSPEC_LINK_NAME(dnnl_set_jit_profiling_flags);
dnnl_status_t dnnl_set_jit_profiling_jitdumpdir(const char *dir)
    DNNSPEC_LINK_NAME(dnnl_set_jit_profiling_jitdumpdir);
dnnl_status_t dnnl_set_max_cpu_isa(dnnl_cpu_isa_t isa) DNNSPEC_LINK_NAME(dnnl_set_max_cpu_isa);
dnnl_cpu_isa_t dnnl_get_effective_cpu_isa(void) DNNSPEC_LINK_NAME(dnnl_get_effective_cpu_isa);
dnnl_status_t dnnl_set_cpu_isa_hints(dnnl_cpu_isa_hints_t isa_hints)
    DNNSPEC_LINK_NAME(dnnl_set_cpu_isa_hints);
dnnl_cpu_isa_hints_t dnnl_get_cpu_isa_hints(void) DNNSPEC_LINK_NAME(dnnl_get_cpu_isa_hints);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_C_API_SERVICE_H_
