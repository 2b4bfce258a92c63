// Reorders into hand-written blocks, for OPT-045.
#ifndef DNNSPEC_CONFORMANCE_REORDER_BLOCKED_CASES_H_
#define DNNSPEC_CONFORMANCE_REORDER_BLOCKED_CASES_H_

#include <cstdint>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/gen/attributes.h"
#include "conformance/gen/blocks.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/values.h"
#include "conformance/reorder/cases.h"

namespace conformance {

// `src=f32:2x19:s19,1:b- dst=s8:2x19:s32,16:b16@1 mask=2 scales=pow2 values=mixed seed=7`, and
// `unknown=1` where the primitive is made for run-time strides of the destination.
struct BlockedReorder {
  BlockedTensor src, dst;  // equal dims
  AttributesSpec attributes;
  ValueKind values = ValueKind::kMixed;
  bool run_time = false;
  Placement from, to;
  uint64_t seed = 0;

  // The same in row-major tensors: what the oracle has to say is the same.
  ReorderCase AsPlain() const;

  void Print(Fields* fields) const;
  static BlockedReorder Parse(const Fields& fields);
  std::vector<BlockedReorder> Simpler() const;
};

// The destination always has blocks, and mostly padding; the source may.
Cases<BlockedReorder> AnyBlockedReorder();

// The same without attributes and run-time strides.
Cases<BlockedReorder> BlockedCopies();
// Copies along an axis that both sides split into blocks, of which neither divides the other: the
// pattern that they make together, several times for most, and what is left over.
Cases<BlockedReorder> UnevenBlocks();

// With scales for each index of two axes and more, mostly of such that have padding.
Cases<BlockedReorder> MaskedBlockedReorders();

// f32 weights of groups to s8 in blocks, with a scale for each output of each group.
Cases<BlockedReorder> GroupedBlockedWeights();

// Axes so long, and of so many pieces, that no table of where their elements lie is worth it: their
// blocks on the two sides do not nest, and together repeat beyond 2^14. Few, since they take long.
Cases<BlockedReorder> LongBlockedReorders();

// Blocks on both sides, of one type, without attributes. The destination lies in the source's
// buffer: on it, where its layout and start are the same; in other layouts, or elsewhere.
Cases<BlockedReorder> BlocksInOneBuffer();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REORDER_BLOCKED_CASES_H_
