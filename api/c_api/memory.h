// C functions of memory descriptors and memories: dnnl::memory::desc and dnnl::memory with statuses
// for exceptions (see engine.h).
#ifndef DNNSPEC_API_C_API_MEMORY_H_
#define DNNSPEC_API_C_API_MEMORY_H_

#include <stddef.h>

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/memory/c_tags.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Each writes *memory_desc where it succeeds. `dims`, `strides` and `offsets` have `ndims` values,
// or as many as the parent has. Null strides mean dense row-major.
dnnl_status_t dnnl_memory_desc_init_by_strides(dnnl_memory_desc_t *memory_desc, int ndims,
                                               const dnnl_dims_t dims, dnnl_data_type_t data_type,
                                               const dnnl_dims_t strides)
    DNNSPEC_LINK_NAME(dnnl_memory_desc_init_by_strides);
dnnl_status_t dnnl_memory_desc_init_by_tag(dnnl_memory_desc_t *memory_desc, int ndims,
                                           const dnnl_dims_t dims, dnnl_data_type_t data_type,
                                           dnnl_format_tag_t tag)
    DNNSPEC_LINK_NAME(dnnl_memory_desc_init_by_tag);
dnnl_status_t dnnl_memory_desc_init_submemory(dnnl_memory_desc_t *memory_desc,
                                              const dnnl_memory_desc_t *parent_memory_desc,
                                              const dnnl_dims_t dims, const dnnl_dims_t offsets)
    DNNSPEC_LINK_NAME(dnnl_memory_desc_init_submemory);
dnnl_status_t dnnl_memory_desc_reshape(dnnl_memory_desc_t *out_memory_desc,
                                       const dnnl_memory_desc_t *in_memory_desc, int ndims,
                                       const dnnl_dims_t dims)
    DNNSPEC_LINK_NAME(dnnl_memory_desc_reshape);
dnnl_status_t dnnl_memory_desc_permute_axes(dnnl_memory_desc_t *out_memory_desc,
                                            const dnnl_memory_desc_t *in_memory_desc,
                                            const int *permutation)
    DNNSPEC_LINK_NAME(dnnl_memory_desc_permute_axes);

// 1 where the descriptors are equal, 0 otherwise, and where one of the pointers is null.
int dnnl_memory_desc_equal(const dnnl_memory_desc_t *lhs, const dnnl_memory_desc_t *rhs)
    DNNSPEC_LINK_NAME(dnnl_memory_desc_equal);
// Bytes; 0 for null.
size_t dnnl_memory_desc_get_size(const dnnl_memory_desc_t *memory_desc)
    DNNSPEC_LINK_NAME(dnnl_memory_desc_get_size);
size_t dnnl_data_type_size(dnnl_data_type_t data_type) DNNSPEC_LINK_NAME(dnnl_data_type_size);

// `handle` is a buffer, DNNL_MEMORY_ALLOCATE or DNNL_MEMORY_NONE.
dnnl_status_t dnnl_memory_create(dnnl_memory_t *memory, const dnnl_memory_desc_t *memory_desc,
                                 dnnl_engine_t engine, void *handle)
    DNNSPEC_LINK_NAME(dnnl_memory_create);
dnnl_status_t dnnl_memory_get_memory_desc(const_dnnl_memory_t memory,
                                          const dnnl_memory_desc_t **memory_desc)
    DNNSPEC_LINK_NAME(dnnl_memory_get_memory_desc);
dnnl_status_t dnnl_memory_get_engine(const_dnnl_memory_t memory, dnnl_engine_t *engine)
    DNNSPEC_LINK_NAME(dnnl_memory_get_engine);
dnnl_status_t dnnl_memory_map_data(const_dnnl_memory_t memory, void **mapped_ptr)
    DNNSPEC_LINK_NAME(dnnl_memory_map_data);
dnnl_status_t dnnl_memory_unmap_data(const_dnnl_memory_t memory, void *mapped_ptr)
    DNNSPEC_LINK_NAME(dnnl_memory_unmap_data);
dnnl_status_t dnnl_memory_get_data_handle(const_dnnl_memory_t memory, void **handle)
    DNNSPEC_LINK_NAME(dnnl_memory_get_data_handle);
dnnl_status_t dnnl_memory_set_data_handle(dnnl_memory_t memory, void *handle)
    DNNSPEC_LINK_NAME(dnnl_memory_set_data_handle);
// `stream` is a hint, and may be null.
dnnl_status_t dnnl_memory_set_data_handle_v2(dnnl_memory_t memory, void *handle,
                                             dnnl_stream_t stream)
    DNNSPEC_LINK_NAME(dnnl_memory_set_data_handle_v2);
dnnl_status_t dnnl_memory_destroy(dnnl_memory_t memory) DNNSPEC_LINK_NAME(dnnl_memory_destroy);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_C_API_MEMORY_H_
