// Descriptors from descriptors: regions, reshapes and axis permutations of plain layouts.
#ifndef DNNSPEC_API_MEMORY_VIEWS_H_
#define DNNSPEC_API_MEMORY_VIEWS_H_

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "oneapi/dnnl/memory/c_desc.h"

namespace api {

// memory::desc::submemory_desc (MD-070 to MD-080).
absl::StatusOr<dnnl_memory_desc_t> Submemory(const dnnl_memory_desc_t& parent,
                                             const std::vector<int64_t>& dims,
                                             const std::vector<int64_t>& offsets);

// memory::desc::reshape (MD-085 to MD-099).
absl::StatusOr<dnnl_memory_desc_t> Reshape(const dnnl_memory_desc_t& from,
                                           const std::vector<int64_t>& dims);

// memory::desc::permute_axes (MD-105 to MD-113).
absl::StatusOr<dnnl_memory_desc_t> PermuteAxes(const dnnl_memory_desc_t& from,
                                               const std::vector<int>& permutation);

}  // namespace api

#endif  // DNNSPEC_API_MEMORY_VIEWS_H_
