// Convolution's operation descriptor as a C struct: what convolution_forward::desc::data, and that
// of the backward classes, holds. Tensors that a direction does not have, and a bias that is left
// out, are the zero descriptor.
#ifndef DNNSPEC_API_CONVOLUTION_C_DESC_H_
#define DNNSPEC_API_CONVOLUTION_C_DESC_H_

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/c_algorithms.h"
#include "oneapi/dnnl/types/c_types.h"

typedef struct {
  dnnl_primitive_kind_t primitive_kind;  // dnnl_convolution
  dnnl_prop_kind_t prop_kind;  // one of the two forward ones, backward_data or backward_weights
  dnnl_alg_kind_t alg_kind;    // as given: convolution_auto stays that
  dnnl_memory_desc_t src_desc;
  dnnl_memory_desc_t diff_src_desc;
  dnnl_memory_desc_t weights_desc;
  dnnl_memory_desc_t diff_weights_desc;
  dnnl_memory_desc_t bias_desc;
  dnnl_memory_desc_t diff_bias_desc;
  dnnl_memory_desc_t dst_desc;
  dnnl_memory_desc_t diff_dst_desc;
  dnnl_dims_t strides;               // as many as there are spatial axes; the rest is 0
  dnnl_dims_t dilates;               // 0: dense
  dnnl_dims_t padding[2];            // in front and behind
  dnnl_data_type_t accum_data_type;  // s32 where both factors are integers, else f32; never read
} dnnl_convolution_desc_t;

#endif  // DNNSPEC_API_CONVOLUTION_C_DESC_H_
