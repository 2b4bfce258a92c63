// Cases for reshape, and what the basic operations of the header (drop ones, split, join) make of
// dims: the part of reshape that needs no descriptor.
#ifndef DNNSPEC_CONFORMANCE_MEMORY_RESHAPE_CASES_H_
#define DNNSPEC_CONFORMANCE_MEMORY_RESHAPE_CASES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/memory/cases.h"
#include "spec/memory/oracle.h"

namespace conformance {

// The product of the dims, none of them negative; nullopt beyond 63 bits.
std::optional<int64_t> ProductOrOverflow(const spec::Dims& dims);

// True when `to` is `from` with one or more ones put in.
bool OnesAdded(const spec::Dims& from, const spec::Dims& to);

// True when every dim of `from` is the product of consecutive dims of `to`.
bool IsRefinement(const spec::Dims& from, const spec::Dims& to);

struct AxisRange {
  size_t first, end;
};

// The axes of `from` whose product is each dim of `to`; nullopt when `to` does not arise from
// joining neighbours.
std::optional<std::vector<AxisRange>> JoinedGroups(const spec::Dims& from, const spec::Dims& to);

// True when two dims larger than 1 that meet in one dim of `to` have a dim of 1 between them.
// The products are equal.
bool JoinsAcrossOnes(const spec::Dims& from, const spec::Dims& to);

// Gapped, permuted, with regions, with odd strides on ones; not empty.
Cases<DescriptorCase> ReshapeParents();
Cases<ReshapeCase> AnyReshape();  // equal products
Cases<ReshapeCase> OtherProduct();
Cases<ReshapeCase> AddingOnes();
Cases<ReshapeCase> RemovingOnes();
Cases<ReshapeCase> Splitting();
Cases<ReshapeCase> Joining();  // possible ones and impossible ones
Cases<ReshapeCase> Mixing();   // mostly impossible ones
Cases<ReshapeCase> JoiningAcrossOnes();
Cases<ReshapeCase> JoiningSeveral();       // three to five axes, one border of which may be torn
Cases<ReshapeCase> ReshapingBroadcasts();  // of views that repeat elements, in any way
Cases<ReshapeCase> Chains();
Cases<ReshapeCase> EmptyReshapes();
// Of a tensor without elements, to one that has some.
Cases<ReshapeCase> EmptyToElements();
// One dim is long, and rows are dense or apart. One step: another dim of 1, or one less, the long
// dim in two, or two dims as one; or as many elements as 32 bits do not tell from those there are.
enum class LongStep { kAdd, kRemove, kSplit, kJoin, kOther };
Cases<ReshapeCase> LongReshapes(LongStep step);
std::vector<ReshapeCase> JoinsOfTheCatalogue();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_MEMORY_RESHAPE_CASES_H_
