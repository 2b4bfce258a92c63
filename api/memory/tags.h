// Format tags as words and as strides: ORC-TAG's counterpart inside the library.
#ifndef DNNSPEC_API_MEMORY_TAGS_H_
#define DNNSPEC_API_MEMORY_TAGS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "oneapi/dnnl/memory/c_desc.h"
#include "oneapi/dnnl/memory/c_tags.h"

namespace api {

// The letters of a plain tag, outermost dim first: dnnl_nhwc is "acdb". Null for undef, any and
// numbers that are no tag.
const char* WordOf(dnnl_format_tag_t tag);

// The other names of a plain tag: of dnnl_acdb "nhwc, ohwi"; "" where there are none.
const char* AliasesOf(dnnl_format_tag_t tag);

// Dense strides of `dims` in the order of `word`, a permutation of the first `rank` letters: 1 for
// the last letter, then the stride before times max(1, dim) (MD-051). Everything outside of a
// run-time dim has a run-time stride. Fails where a stride does not fit 64 bits (MD-026).
absl::Status StridesOf(const char* word, int rank, const int64_t* dims, int64_t* strides);

// The same for row-major order.
absl::Status RowMajorStrides(int rank, const int64_t* dims, int64_t* strides);

}  // namespace api

#endif  // DNNSPEC_API_MEMORY_TAGS_H_
