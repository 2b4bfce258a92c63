// The cases of checks to which it matters little what a primitive computes: which kind of
// primitive, of what type and shape. The kinds are those that topics add
// (conformance/subject/sample.h).
#ifndef DNNSPEC_CONFORMANCE_GEN_SAMPLE_CASE_H_
#define DNNSPEC_CONFORMANCE_GEN_SAMPLE_CASE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/random.h"
#include "conformance/gen/tensors.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// How many elements the source of a sample has: some dozens, some thousands, more than 2^16.
enum class SampleSize { kSmall, kMedium, kLarge };

const char* NameOf(SampleSize size);  // "small", "medium", "large"

// A primitive of one kind, drawn from a seed: `kind=forward seed=7`, and where they are not f32, 3
// and small `type=bf16 rank=1 size=large`, which tell of the source.
struct SampleCase {
  std::string kind;
  uint64_t seed = 0;
  spec::Type type = spec::Type::kF32;
  int rank = 3;  // where the primitive has none of it, the nearest that it has
  SampleSize size = SampleSize::kSmall;

  void Print(Fields* fields) const;
  static SampleCase Parse(const Fields& fields);
  std::vector<SampleCase> Simpler() const;
};

inline constexpr int kMostSampleRank = 6;

// The extents of a source of `rank` axes, as large as `c` says. Axis min(1, rank - 1) is even.
spec::Dims DrawSampleDims(const SampleCase& c, int rank, Random& random);
// Of the case's type and rank, in any order of axes, at times with gaps; its layout is in strides.
TensorSpec DrawSampleTensor(const SampleCase& c, Random& random);
// A dense one, row-major or with channels innermost.
TensorSpec DrawUsualTensor(spec::Type type, const spec::Dims& dims, Random& random);

// Elements of a tensor: all different, as far as its type and `target` hold so many integers, or
// from -bound to bound, from 0 of u8.
std::vector<spec::Bits> DifferentElements(const TensorSpec& tensor, spec::Type target,
                                          uint64_t seed);
std::vector<spec::Bits> SmallElements(const TensorSpec& tensor, int64_t bound, uint64_t seed);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_SAMPLE_CASE_H_
