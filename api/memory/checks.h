// Checks that dims, strides and descriptors are legal: ORC-VALID in the project's reading (A-04,
//
//
// Messages start with `what`, the call or argument that the values came from.
#ifndef DNNSPEC_API_MEMORY_CHECKS_H_
#define DNNSPEC_API_MEMORY_CHECKS_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "oneapi/dnnl/memory/c_desc.h"

namespace api {

// At most 12 (MD-024).
absl::Status CheckRank(const char* what, std::size_t rank);

// Not negative, run-time dims excepted (MD-012).
absl::Status CheckDims(const char* what, int rank, const int64_t* dims);

// One of the six types (MD-020, PRIM-018).
absl::Status CheckDataType(const char* what, dnnl_data_type_t type);

// The strides of legal dims: MD-006, MD-013 to MD-016, MD-029.
absl::Status CheckStrides(const char* what, int rank, const int64_t* dims, const int64_t* strides);

// Element count, byte size and the largest byte offset of a plain layout, or of `any`, fit 63 bits
// (MD-026).
absl::Status CheckExtent(const char* what, const dnnl_memory_desc_t& desc);

// All of it, for a descriptor that a program may have written by hand. The zero descriptor, `any`
// and run-time values are legal.
absl::Status CheckDesc(const char* what, const dnnl_memory_desc_t& desc);

}  // namespace api

#endif  // DNNSPEC_API_MEMORY_CHECKS_H_
