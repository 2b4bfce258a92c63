// Eltwise's operation descriptor as a C struct: what eltwise_forward::desc::data, and that of
// eltwise_backward, holds.
#ifndef DNNSPEC_API_ELTWISE_C_DESC_H_
#define DNNSPEC_API_ELTWISE_C_DESC_H_

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/c_algorithms.h"
#include "oneapi/dnnl/types/c_types.h"

typedef struct {
  dnnl_primitive_kind_t primitive_kind;  // dnnl_eltwise
  dnnl_prop_kind_t prop_kind;            // one of the two forward ones, or backward_data
  dnnl_alg_kind_t alg_kind;
  dnnl_memory_desc_t data_desc;       // of source and destination
  dnnl_memory_desc_t diff_data_desc;  // of their gradients; zero forward
  float alpha, beta;
} dnnl_eltwise_desc_t;

#endif  // DNNSPEC_API_ELTWISE_C_DESC_H_
