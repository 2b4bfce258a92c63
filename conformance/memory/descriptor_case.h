// A plain memory descriptor as a program makes one: the strides constructor, then submemory_desc
// for each region in turn. The case from which most checks of chapter "memory" start.
//
//   type=f32 dims=4,6 strides=6,1 regions=2,3@1,2
#ifndef DNNSPEC_CONFORMANCE_MEMORY_DESCRIPTOR_CASE_H_
#define DNNSPEC_CONFORMANCE_MEMORY_DESCRIPTOR_CASE_H_

#include <climits>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "spec/memory/oracle.h"
#include "spec/numeric/convert.h"

namespace conformance {

// The arguments of submemory_desc.
struct Region {
  spec::Dims dims, offsets;
};

// The values may be illegal on purpose: wrong lengths, negative, too large.
struct DescriptorCase {
  spec::Type type = spec::Type::kF32;
  spec::Dims dims, strides;
  std::vector<Region> regions;

  // `suffix` tells the keys of several views in one line apart.
  void Print(Fields* fields, const std::string& suffix = "") const;
  static DescriptorCase Parse(const Fields& fields, const std::string& suffix = "");
  std::vector<DescriptorCase> Simpler() const;

  // Equal lengths, no negative dim, every region inside its parent. Says nothing about strides.
  bool IsWellFormed() const;
  // What the profile wants to become of the strides constructor and of every submemory_desc after
  // it. kEither when a run-time wildcard is among the values, or there are no dims or no strides.
  spec::Validity Verdict(Profile profile) const;
  // Whether 63 bits hold where the last region begins, in bytes. That of an empty one may lie
  // anywhere.
  bool BeginsWithinReach() const;
  bool HasWildcard() const;

  // What the descriptor means; only for a well-formed view.
  spec::Plain Layout() const;
  // The dims of the descriptor that results.
  const spec::Dims& FinalDims() const { return regions.empty() ? dims : regions.back().dims; }
  DescriptorCase WithoutLastRegion() const;
  DescriptorCase WithType(spec::Type to) const;
};

// What a generator of views may use, besides permuted, dense and gapped layouts.
struct DescriptorOptions {
  int min_rank = 1;
  int max_rank = 12;
  bool empty = false;       // dims of 0
  bool broadcast = false;   // stride 0 on dims larger than 1
  bool loose_ones = false;  // any stride on dims of 1
  bool far_ones = false;    // beside loose ones, such of 2^31 and more
  bool long_dims = false;   // a dim beyond 2^24, 2^32 or 2^40 in some
  int regions = 0;          // at most this many; the last of them
  int least_regions = 0;    // at least this many
  int64_t max_elements = 1 << 16;
  int64_t max_extent = INT64_MAX;  // of the outermost parent; beyond it the layout is dense
};

// A view number `index`; consecutive numbers go through all ranks and kinds of layout, so that a
// short run has seen them.
DescriptorCase DrawDescriptor(int64_t index, Random& random, const DescriptorOptions& options);
Cases<DescriptorCase> DescriptorCases(const DescriptorOptions& options);

// The rank that stands at `index` of the cycle which DrawDescriptor follows.
int RankAt(int64_t index, int min_rank, int max_rank);
// One dim that is long, the others so short that no stride, in bytes, comes near 2^62.
spec::Dims LongDims(Random& random, int rank);
// Acceptable to everyone: dense or with gaps, in any order.
spec::Dims DrawStrides(Random& random, const spec::Dims& dims, bool gaps);
// The same view with its elements so far apart that offsets in bytes pass 2^31 and 2^32, and stay
// below 2^62.
DescriptorCase Spread(DescriptorCase view, Random& random);
// A region inside `parent`; with a dim of 0 only when `empty`.
Region DrawRegion(Random& random, const spec::Dims& parent, bool empty);

// The least vector that every implementation must accept and that is nowhere smaller than `strides`
// (missing entries count as 1, surplus ones are dropped; dims below 1 count as 1).
spec::Dims NearestAcceptable(const spec::Dims& dims, const spec::Dims& strides);
spec::Dims RowMajorStrides(const spec::Dims& dims);

// Covers the classes of input that this is in `trial`: "rank 3", "gapped", "permuted", "ones",
// "empty", "region", "nested region", "broadcast", "dense".
void SeeLayout(const DescriptorCase& view, Trial& trial);

// "{2,3}".
std::string Text(const spec::Dims& values);
std::string Text(const std::vector<int>& values);
// "dims {4,6} strides {6,1}".
std::string Text(const DescriptorCase& view);

// "2,3" as numbers, "" as none of them; nullopt for anything else. Takes all 64-bit numbers, since
// values out of every range are cases too.
std::optional<spec::Dims> ParseNumbers(std::string_view text);
// "2,3@1,0;1,1@0,0", "-" for none.
void SetRegions(Fields* fields, std::string_view key, const std::vector<Region>& regions);
std::vector<Region> GetRegions(const Fields& fields, std::string_view key);
void SetType(Fields* fields, std::string_view key, spec::Type type);
spec::Type GetType(const Fields& fields, std::string_view key);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_DESCRIPTOR_CASE_H_
