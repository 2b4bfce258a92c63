// The handles of the C functions. What they point to is the library's, and the same that a C++
// object holds: `get()` of a dnnl::memory is a dnnl_memory_t.
//
// A create function gives the caller a reference, which the destroy function takes back; what other
// objects still need lives on. What a getter gives is the owner's and lives as long as it. Valid
// C99 and C++.
#ifndef DNNSPEC_API_TYPES_C_HANDLES_H_
#define DNNSPEC_API_TYPES_C_HANDLES_H_

typedef struct dnnl_engine *dnnl_engine_t;

typedef struct dnnl_stream *dnnl_stream_t;
typedef const struct dnnl_stream *const_dnnl_stream_t;

typedef struct dnnl_memory *dnnl_memory_t;
typedef const struct dnnl_memory *const_dnnl_memory_t;

typedef struct dnnl_primitive_attr *dnnl_primitive_attr_t;
typedef const struct dnnl_primitive_attr *const_dnnl_primitive_attr_t;

typedef struct dnnl_post_ops *dnnl_post_ops_t;
typedef const struct dnnl_post_ops *const_dnnl_post_ops_t;

typedef struct dnnl_primitive_desc *dnnl_primitive_desc_t;
typedef const struct dnnl_primitive_desc *const_dnnl_primitive_desc_t;

typedef struct dnnl_primitive_desc_iterator *dnnl_primitive_desc_iterator_t;
typedef const struct dnnl_primitive_desc_iterator *const_dnnl_primitive_desc_iterator_t;

typedef struct dnnl_primitive *dnnl_primitive_t;
typedef const struct dnnl_primitive *const_dnnl_primitive_t;

// An operation descriptor of any primitive, here a dnnl_shuffle_desc_t.
typedef void *dnnl_op_desc_t;
typedef const void *const_dnnl_op_desc_t;

// An argument of dnnl_primitive_execute.
typedef struct {
  int arg;               // DNNL_ARG_
  dnnl_memory_t memory;  // null: absent
} dnnl_exec_arg_t;

#endif  // DNNSPEC_API_TYPES_C_HANDLES_H_
