// The remaining cases of chapter "memory": tags, pairs of descriptors, reshapes, permutations.
#ifndef DNNSPEC_CONFORMANCE_MEMORY_CASES_H_
#define DNNSPEC_CONFORMANCE_MEMORY_CASES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/memory/descriptor_case.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// The arguments of the tag constructor; the rank need not fit the tag.
//   tag=nchw type=f32 dims=2,3,4,5
struct TagCase {
  std::string tag;
  spec::Type type = spec::Type::kF32;
  spec::Dims dims;

  void Print(Fields* fields) const;
  static TagCase Parse(const Fields& fields);
  std::vector<TagCase> Simpler() const;
};

// Every tag of the seed page, one after the other, with dims of the tag's rank.
Cases<TagCase> AnyTag(bool empty);
// Always this tag.
Cases<TagCase> OneTag(const spec::Tag& tag);
// Every tag, with an odd extent beyond 2^24, 2^32 or 2^53: none that floating point counts exactly.
Cases<TagCase> LongTags();
// `tag` that stands for no word ("any", "undef"), with dims of every rank up to `max_rank`.
Cases<TagCase> WordlessTag(const std::string& tag, int max_rank, bool empty = false);
// The word of a tag of the seed page or of the 2.6.3 header; "" if there is none.
std::string WordOf(const std::string& tag);

// Two descriptors.
//   type=f32 dims=2,3 strides=3,1 regions=- type2=s32 dims2=2,3 strides2=3,1 regions2=-
struct PairCase {
  DescriptorCase first, second;

  void Print(Fields* fields) const;
  static PairCase Parse(const Fields& fields);
  std::vector<PairCase> Simpler() const;
};

// A view and the dims of each reshape in turn.
//   type=f32 dims=4,6 strides=6,1 regions=- to=24;2,12
struct ReshapeCase {
  DescriptorCase from;
  std::vector<spec::Dims> to;

  void Print(Fields* fields) const;
  static ReshapeCase Parse(const Fields& fields);
  std::vector<ReshapeCase> Simpler() const;
};

// A view and permutations of its axes, one after the other. The entries need not be legal.
//   type=f32 dims=4,6 strides=6,1 regions=- permutations=1,0;0,1
struct PermuteCase {
  DescriptorCase from;
  std::vector<std::vector<int>> permutations;

  void Print(Fields* fields) const;
  static PermuteCase Parse(const Fields& fields);
  std::vector<PermuteCase> Simpler() const;
};

bool IsPermutation(const std::vector<int>& permutation, size_t rank);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_CASES_H_
