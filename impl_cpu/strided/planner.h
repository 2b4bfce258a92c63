// Declares what the planners of single strategies share.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_PLANNER_H_
#define DNNSPEC_IMPL_CPU_STRIDED_PLANNER_H_

#include <cstddef>
#include <cstdint>

#include "impl_cpu/move/kernel.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/loops.h"
#include "impl_cpu/strided/pipeline.h"

namespace impl_cpu {

// Bytes of source and destination of a box that needs no buffer: enough to hide the walk around it,
// and little enough to share out.
constexpr int64_t kBoxBytes = 64 << 10;

// Rows of the destination that non-temporal stores write: long enough for whole lines.
constexpr int64_t kNonTemporalRow = 1 << 10;

// Bytes of source and destination that stay in a core's own cache from one call to the next. From
// there on a transposition prefetches rows that the hardware does not follow: those of non-temporal
// stores, those that share sets of L1d, and what a sum adds to.
constexpr int64_t kOwnCacheBytes = 1 << 20;
constexpr int64_t kPrefetchAhead = 256;

// A pipeline while it is planned.
struct Draft {
  const Arithmetic& arithmetic;
  Loops loops;    // those that no strategy has taken yet
  int64_t bytes;  // of source and destination
  Pipeline& pipeline;
  Traversal traversal = {};

  Boxes& boxes() { return pipeline.boxes; }
};

// Rows of the source that lie `step` bytes apart are prefetched where the hardware does not follow
// them.
void PrefetchFar(Draft& draft, int64_t step);

// Cuts the rows and columns of a transposition, and chooses how its tiles follow one another.
// `whole_lines`: the kernel reads and writes whole lines, which are fetched ahead past the caches
// only.
void CutTransposed(Draft& draft, int64_t width, bool whole_lines);

// How many of the innermost loops are a record, where permuting it beats tiles and gathering; 0
// where it does not. `src_unit` is what FindSourceUnit gave.
size_t CountRecordLoops(const Draft& draft, int src_unit);

// Takes the loops of a record, and as much of the loop around it as keeps it short, and makes the
// table. The shape is that of one record.
Permute TakeRecord(Draft& draft, size_t count);

// Elements keep their bits: the strategy is one move.
void PlanMove(Draft& draft);

// A transposition that computes on its tiles. False, with nothing taken, if it is none, or too
// small for them.
bool PlanConvertTransposed(Draft& draft);

// Everything else. False if there is no kernel.
bool PlanConvert(Draft& draft);

// src + dst, all in one type.
bool JustAdds(const Arithmetic& arithmetic);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_PLANNER_H_
