// Descriptors from dims and a tag, or dims and strides (MD-003 to MD-029).
#ifndef DNNSPEC_API_MEMORY_CONSTRUCT_H_
#define DNNSPEC_API_MEMORY_CONSTRUCT_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/memory/c_tags.h"

namespace api {

// `tag` and `type` may be any number: programs cast integers (PRIM-018).
absl::StatusOr<dnnl_memory_desc_t> DescOfTag(const std::vector<int64_t>& dims,
                                             dnnl_data_type_t type, int tag);
absl::StatusOr<dnnl_memory_desc_t> DescOfStrides(const std::vector<int64_t>& dims,
                                                 dnnl_data_type_t type,
                                                 const std::vector<int64_t>& strides);

}  // namespace api

#endif  // DNNSPEC_API_MEMORY_CONSTRUCT_H_
