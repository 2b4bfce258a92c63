// Checks what a caller of dnnl::shuffle_forward or dnnl::shuffle_backward, or of C, asked for.
#ifndef DNNSPEC_API_SHUFFLE_REQUEST_H_
#define DNNSPEC_API_SHUFFLE_REQUEST_H_

#include "absl/status/statusor.h"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/shuffle/c_desc.h"
#include "oneapi/dnnl/types/c_types.h"

namespace api {

// The operation descriptor. Fails on whatever is known to be wrong before there is an engine or a
// hint.
absl::StatusOr<dnnl_shuffle_desc_t> ShuffleRequest(dnnl_prop_kind_t prop_kind,
                                                   const dnnl_memory_desc_t& data, int axis,
                                                   dnnl_dim_t group);

}  // namespace api

#endif  // DNNSPEC_API_SHUFFLE_REQUEST_H_
