// Makes an operation of what a caller of dnnl::reorder asked for.
#ifndef DNNSPEC_API_REORDER_REQUEST_H_
#define DNNSPEC_API_REORDER_REQUEST_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/model/attributes_state.h"
#include "api/spi/operation.h"
#include "oneapi/dnnl/memory/c_desc.h"

namespace api {

// Fills `operation`, which is new. Not validated yet, since run-time values may be among the dims.
// `attr` may be null. Fails on what has no layout, and on attributes that no reorder serves.
absl::Status FillReorderRequest(const dnnl_memory_desc_t& src, const dnnl_memory_desc_t& dst,
                                const dnnl::state::primitive_attr* attr, spi::Operation* operation);

// A legal operation of the same types, rank and attributes, with 1 for every dim that is not known
// (0 where only a tensor without elements can be so long) and dense layouts: whether it is served
// tells whether an operation with run-time values is. Fails where the bytes of the dims that are
// known do not fit 63 bits (MD-026).
absl::StatusOr<spi::Operation> WithoutRunTimeValues(const spi::Operation& request);

}  // namespace api

#endif  // DNNSPEC_API_REORDER_REQUEST_H_
