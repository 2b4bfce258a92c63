#include "api/headers_c.h"

#include "dnnl.h"
#include "dnnl_config.h"
#include "dnnl_debug.h"
#include "dnnl_types.h"
#include "dnnl_version.h"

int ReadAsC(const void* desc) {
  const dnnl_memory_desc_t* const md = (const dnnl_memory_desc_t*)desc;
  return 100 * md->ndims + 10 * (int)md->format_desc.blocking.strides[0] + (int)md->data_type;
}

const char* AlgorithmAsC(void) { return dnnl_alg_kind2str(dnnl_eltwise_relu); }

int MinorVersionAsC(void) { return dnnl_version()->minor; }
