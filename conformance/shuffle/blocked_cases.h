// Shuffles of hand-written blocks, for OPT-045.
#ifndef DNNSPEC_CONFORMANCE_SHUFFLE_BLOCKED_CASES_H_
#define DNNSPEC_CONFORMANCE_SHUFFLE_BLOCKED_CASES_H_

#include <cstdint>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/gen/blocks.h"
#include "conformance/gen/placement.h"
#include "conformance/shuffle/cases.h"

namespace conformance {

// `dir=fwd data=s8:2x12:s16,8:b8@1 axis=1 group=3 seed=7`.
struct BlockedShuffle {
  bool forward = true;
  BlockedTensor data;  // of the source and the destination
  int axis = 0;
  int64_t group = 1;  // divides the axis
  Placement from, to;
  uint64_t seed = 0;

  // The same in row-major tensors: what the oracle has to say is the same.
  ShuffleCase AsPlain() const;

  void Print(Fields* fields) const;
  static BlockedShuffle Parse(const Fields& fields);
  std::vector<BlockedShuffle> Simpler() const;
};

Cases<BlockedShuffle> AnyBlockedShuffle();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SHUFFLE_BLOCKED_CASES_H_
