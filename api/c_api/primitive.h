// C functions of primitive descriptors and primitives, the same for every kind: the C++ classes
// with statuses for exceptions (see engine.h). Operation descriptors are made by the functions of
// their primitive's c_api.h.
#ifndef DNNSPEC_API_C_API_PRIMITIVE_H_
#define DNNSPEC_API_C_API_PRIMITIVE_H_

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// `attr` may be null: no attributes.
dnnl_status_t dnnl_reorder_primitive_desc_create(
    dnnl_primitive_desc_t *reorder_primitive_desc, const dnnl_memory_desc_t *src_desc,
    dnnl_engine_t src_engine, const dnnl_memory_desc_t *dst_desc, dnnl_engine_t dst_engine,
    const_dnnl_primitive_attr_t attr) DNNSPEC_LINK_NAME(dnnl_reorder_primitive_desc_create);

// Of an operation descriptor, by its first implementation. The hint is for backward ones, and null
// for forward ones. An operation that this library lacks is unimplemented.
dnnl_status_t dnnl_primitive_desc_create(dnnl_primitive_desc_t *primitive_desc,
                                         const_dnnl_op_desc_t op_desc,
                                         const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
                                         const_dnnl_primitive_desc_t hint_forward_primitive_desc)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_create);

// The implementations of an operation one after the other; a new iterator is at the first. `next`
// answers iterator_ends, and stays, after the last. What `fetch` gives is the caller's to destroy;
// null where there is no memory for it.
dnnl_status_t dnnl_primitive_desc_iterator_create(
    dnnl_primitive_desc_iterator_t *iterator, const_dnnl_op_desc_t op_desc,
    const_dnnl_primitive_attr_t attr, dnnl_engine_t engine,
    const_dnnl_primitive_desc_t hint_forward_primitive_desc)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_iterator_create);
dnnl_status_t dnnl_primitive_desc_iterator_next(dnnl_primitive_desc_iterator_t iterator)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_iterator_next);
dnnl_primitive_desc_t dnnl_primitive_desc_iterator_fetch(
    const_dnnl_primitive_desc_iterator_t iterator)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_iterator_fetch);
dnnl_status_t dnnl_primitive_desc_iterator_destroy(dnnl_primitive_desc_iterator_t iterator)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_iterator_destroy);

// One more reference, to destroy by itself: descriptors never change.
dnnl_status_t dnnl_primitive_desc_clone(dnnl_primitive_desc_t *primitive_desc,
                                        const_dnnl_primitive_desc_t existing_primitive_desc)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_clone);
dnnl_status_t dnnl_primitive_desc_get_attr(const_dnnl_primitive_desc_t primitive_desc,
                                           const_dnnl_primitive_attr_t *attr)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_get_attr);
dnnl_status_t dnnl_primitive_desc_destroy(dnnl_primitive_desc_t primitive_desc)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_destroy);

// Writes to *result, which is a dnnl_engine_t, dnnl_primitive_kind_t, dnnl_prop_kind_t, int (_s32),
// dnnl_dim_t (_s64), const char * (_str), const dnnl_memory_desc_t * (_md), or points to the
// operation descriptor that the primitive was made of (op_d, and eltwise_d and so on for those of
// that kind). Unimplemented where the primitive has no such thing.
dnnl_status_t dnnl_primitive_desc_query(const_dnnl_primitive_desc_t primitive_desc,
                                        dnnl_query_t what, int index, void *result)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_query);
// Null where `what` is no query for a descriptor; the zero descriptor where there is none.
const dnnl_memory_desc_t *dnnl_primitive_desc_query_md(const_dnnl_primitive_desc_t primitive_desc,
                                                       dnnl_query_t what, int index)
    DNNSPEC_LINK_NAME(dnnl_primitive_desc_query_md);
// 0 where there is no answer.
int dnnl_primitive_desc_query_s32(const_dnnl_primitive_desc_t primitive_desc, dnnl_query_t what,
                                  int index) DNNSPEC_LINK_NAME(dnnl_primitive_desc_query_s32);

dnnl_status_t dnnl_primitive_create(dnnl_primitive_t *primitive,
                                    const_dnnl_primitive_desc_t primitive_desc)
    DNNSPEC_LINK_NAME(dnnl_primitive_create);
dnnl_status_t dnnl_primitive_execute(const_dnnl_primitive_t primitive, dnnl_stream_t stream,
                                     int nargs, const dnnl_exec_arg_t *args)
    DNNSPEC_LINK_NAME(dnnl_primitive_execute);
dnnl_status_t dnnl_primitive_get_primitive_desc(const_dnnl_primitive_t primitive,
                                                const_dnnl_primitive_desc_t *primitive_desc)
    DNNSPEC_LINK_NAME(dnnl_primitive_get_primitive_desc);
dnnl_status_t dnnl_primitive_destroy(dnnl_primitive_t primitive)
    DNNSPEC_LINK_NAME(dnnl_primitive_destroy);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // DNNSPEC_API_C_API_PRIMITIVE_H_
