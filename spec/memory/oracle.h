// Defines what a plain memory descriptor means: ORC-OFF, ORC-VALID, ORC-TAG, ORC-VIEW.
//
// Written as the memory formats page writes it, slow and obvious. Dims, strides and offsets count
// elements.
#ifndef DNNSPEC_SPEC_MEMORY_ORACLE_H_
#define DNNSPEC_SPEC_MEMORY_ORACLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spec {

using Dims = std::vector<int64_t>;

constexpr int64_t kRunTimeDim = INT64_MIN;  // DNNL_RUNTIME_DIM_VAL

// A plain layout: element x lies at offset + sum_j x[j] * strides[j].
struct Plain {
  Dims dims, strides;
  int64_t offset = 0;
};

int64_t ElementCount(const Dims& dims);  // 1 for rank 0
bool IsEmpty(const Dims& dims);          // some dim is 0

// ORC-OFF.
int64_t OffsetOf(const Plain& layout, const Dims& x);
// One past the largest offset; 0 when empty.
int64_t ExtentOf(const Plain& layout);
// Row-major coordinates of number k, and the opposite.
Dims Unravel(int64_t k, const Dims& dims);
int64_t Ravel(const Dims& x, const Dims& dims);
// Goes from `x` to the next coordinates in row-major order. After the last ones it returns false
// and leaves zeros. For walks that must not allocate; `dims` is not empty of elements.
bool Next(const Dims& dims, Dims* x);

// ORC-VALID: what must become of a strides vector. The rank is not judged (MD-024), and neither is
// overflow (MD-026).
enum class Validity { kMustAccept, kMustReject, kEither };
struct StridesVerdict {
  Validity portable;
  Validity project;  // never kEither
};
StridesVerdict JudgeStrides(const Dims& dims, const Dims& strides);

// MD-026: whether the elements can be counted and addressed in 64 bits. kEither between the
// readings of their size: 2^63 to 2^64 bytes, a last gap that counts or does not, and elements that
// would not fit side by side but overlap. Without strides they lie side by side. dims >= 0, no
// run-time values.
Validity JudgeSize(int element_bytes, const Dims& dims, const Dims& strides);

// ORC-TAG: the strides of a tag word such as "acdb"; nullopt unless `word` is a permutation of the
// first dims.size() letters.
std::optional<Dims> StridesOfTag(const std::string& word, const Dims& dims);

// The words of the seed page: every enumerator with the word it stands for ("nhwc" -> "acdb").
// `undef` and `any` are not among them.
struct Tag {
  const char* name;
  const char* word;
};
const std::vector<Tag>& SeedTags();
// The further plain tags of the 2.6.3 header (MD-058), up to rank 12.
const std::vector<Tag>& CompatTags();

// ORC-VIEW: the reshape of `from` to `dims`, or nullopt when there is none. Strides of size-1 dims
// of the result are arbitrary. Zero-volume: what A-20 promises. Takes time for each element.
std::optional<Plain> Reshape(const Plain& from, const Dims& dims);

// new.dims[permutation[i]] = old.dims[i]; strides travel along.
Plain PermuteAxes(const Plain& from, const std::vector<int>& permutation);
// The region of `from` at `offsets`.
Plain Submemory(const Plain& from, const Dims& dims, const Dims& offsets);

// MD-030 to MD-036, project reading: bytes of a buffer for `layout` with elements of
// `element_bytes`. kRunTimeDim, the image of DNNL_RUNTIME_SIZE_VAL, if a dim or stride is unknown.
int64_t SizeInBytes(const Plain& layout, int64_t element_bytes);
// The least that the documents allow: element_bytes * ExtentOf(layout).
int64_t LeastSizeInBytes(const Plain& layout, int64_t element_bytes);

// Equal for every purpose: rank, dims, offset, and strides of dims larger than 1.
bool SameLayout(const Plain& a, const Plain& b);

}  // namespace spec

#endif  // DNNSPEC_SPEC_MEMORY_ORACLE_H_
