// The C side of the API: enumerations, the memory descriptor and macros, for programs that include
// oneDNN's "dnnl_types.h". Includes only. Valid C99 and C++.
#ifndef DNNSPEC_API_DNNL_TYPES_H_
#define DNNSPEC_API_DNNL_TYPES_H_

// IWYU pragma: begin_exports
#include "oneapi/dnnl/convolution/c_desc.h"
#include "oneapi/dnnl/eltwise/c_desc.h"
#include "oneapi/dnnl/inner_product/c_desc.h"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/memory/c_tags.h"
#include "oneapi/dnnl/shuffle/c_desc.h"
#include "oneapi/dnnl/types/arguments.h"
#include "oneapi/dnnl/types/c_algorithms.h"
#include "oneapi/dnnl/types/c_handles.h"
#include "oneapi/dnnl/types/c_types.h"
// IWYU pragma: end_exports

#endif  // DNNSPEC_API_DNNL_TYPES_H_
