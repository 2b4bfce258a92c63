// The C side of the API: types, macros and functions. Includes only. Valid C99 and C++.
#ifndef DNNSPEC_API_DNNL_H_
#define DNNSPEC_API_DNNL_H_

// IWYU pragma: begin_exports
#include "oneapi/dnnl/c_api/attributes.h"
#include "oneapi/dnnl/c_api/engine.h"
#include "oneapi/dnnl/c_api/memory.h"
#include "oneapi/dnnl/c_api/post_ops.h"
#include "oneapi/dnnl/c_api/primitive.h"
#include "oneapi/dnnl/c_api/service.h"
#include "oneapi/dnnl/convolution/c_api.h"
#include "oneapi/dnnl/dnnl_config.h"
#include "oneapi/dnnl/dnnl_types.h"
#include "oneapi/dnnl/dnnl_version.h"
#include "oneapi/dnnl/eltwise/c_api.h"
#include "oneapi/dnnl/inner_product/c_api.h"
#include "oneapi/dnnl/model/c_functions.h"
#include "oneapi/dnnl/shuffle/c_api.h"
// IWYU pragma: end_exports

#endif  // DNNSPEC_API_DNNL_H_
