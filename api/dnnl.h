// The C side of the API: types, macros, and the functions that need no object. Includes only. There
// are no C functions for engines, memories and primitives: their API is C++.
#ifndef DNNSPEC_API_DNNL_H_
#define DNNSPEC_API_DNNL_H_

// IWYU pragma: begin_exports
#include "oneapi/dnnl/dnnl_config.h"
#include "oneapi/dnnl/dnnl_types.h"
#include "oneapi/dnnl/dnnl_version.h"
#include "oneapi/dnnl/model/c_functions.h"
// IWYU pragma: end_exports

#endif  // DNNSPEC_API_DNNL_H_
