// C functions of engines and streams: dnnl::engine and dnnl::stream with statuses for exceptions.
//
// Here and in the other headers of this folder: whatever the C++ API refuses gives the status that
// it throws, and changes nothing; a null pointer where one is needed is invalid_arguments. There is
// no text; the C++ API has it. Destroying null succeeds. Valid C99 and C++.
#ifndef DNNSPEC_API_C_API_ENGINE_H_
#define DNNSPEC_API_C_API_ENGINE_H_

#include <stddef.h>

#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

size_t dnnl_engine_get_count(dnnl_engine_kind_t kind) DNNSPEC_LINK_NAME(dnnl_engine_get_count);
dnnl_status_t dnnl_engine_create(dnnl_engine_t *engine, dnnl_engine_kind_t kind, size_t index)
    DNNSPEC_LINK_NAME(dnnl_engine_create);
dnnl_status_t dnnl_engine_get_kind(dnnl_engine_t engine, dnnl_engine_kind_t *kind)
    DNNSPEC_LINK_NAME(dnnl_engine_get_kind);
dnnl_status_t dnnl_engine_destroy(dnnl_engine_t engine) DNNSPEC_LINK_NAME(dnnl_engine_destroy);

// `flags` are of dnnl_stream_flags_t.
dnnl_status_t dnnl_stream_create(dnnl_stream_t *stream, dnnl_engine_t engine, unsigned flags)
    DNNSPEC_LINK_NAME(dnnl_stream_create);
dnnl_status_t dnnl_stream_get_engine(const_dnnl_stream_t stream, dnnl_engine_t *engine)
    DNNSPEC_LINK_NAME(dnnl_stream_get_engine);
dnnl_status_t dnnl_stream_wait(dnnl_stream_t stream) DNNSPEC_LINK_NAME(dnnl_stream_wait);
// Waits first (STR-012).
dnnl_status_t dnnl_stream_destroy(dnnl_stream_t stream) DNNSPEC_LINK_NAME(dnnl_stream_destroy);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_C_API_ENGINE_H_
