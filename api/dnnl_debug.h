// Names of enumerators, for programs that include oneDNN's "dnnl_debug.h". Includes only.
#ifndef DNNSPEC_API_DNNL_DEBUG_H_
#define DNNSPEC_API_DNNL_DEBUG_H_

// IWYU pragma: begin_exports
#include "oneapi/dnnl/model/c_debug.h"
#include "oneapi/dnnl/model/c_functions.h"
// IWYU pragma: end_exports

#endif  // DNNSPEC_API_DNNL_DEBUG_H_
