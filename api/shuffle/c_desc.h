// Shuffle's operation descriptor as a C struct: what shuffle_forward::desc::data holds.
#ifndef DNNSPEC_API_SHUFFLE_C_DESC_H_
#define DNNSPEC_API_SHUFFLE_C_DESC_H_

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/c_types.h"

typedef struct {
  dnnl_primitive_kind_t primitive_kind;  // dnnl_shuffle
  dnnl_prop_kind_t prop_kind;            // one of the two forward ones, or backward_data
  dnnl_memory_desc_t data_desc;          // of both tensors
  int axis;
  dnnl_dim_t group_size;
} dnnl_shuffle_desc_t;

#endif  // DNNSPEC_API_SHUFFLE_C_DESC_H_
