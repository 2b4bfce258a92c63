// Inner product's operation descriptor as a C struct: what inner_product_forward::desc::data, and
// that of the backward classes, holds. Tensors that a direction does not have, and a bias that is
// left out, are the zero descriptor.
#ifndef DNNSPEC_API_INNER_PRODUCT_C_DESC_H_
#define DNNSPEC_API_INNER_PRODUCT_C_DESC_H_

#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/types/c_types.h"

typedef struct {
  dnnl_primitive_kind_t primitive_kind;  // dnnl_inner_product
  dnnl_prop_kind_t prop_kind;  // one of the two forward ones, backward_data or backward_weights
  dnnl_memory_desc_t src_desc;
  dnnl_memory_desc_t diff_src_desc;
  dnnl_memory_desc_t weights_desc;
  dnnl_memory_desc_t diff_weights_desc;
  dnnl_memory_desc_t bias_desc;
  dnnl_memory_desc_t diff_bias_desc;
  dnnl_memory_desc_t dst_desc;
  dnnl_memory_desc_t diff_dst_desc;
  dnnl_data_type_t accum_data_type;  // s32 where both factors are integers, else f32; never read
} dnnl_inner_product_desc_t;

#endif  // DNNSPEC_API_INNER_PRODUCT_C_DESC_H_
