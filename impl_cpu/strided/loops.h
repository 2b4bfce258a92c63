// The loops of a problem in bytes, and how they are cut into boxes for kernels.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_LOOPS_H_
#define DNNSPEC_IMPL_CPU_STRIDED_LOOPS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"

namespace impl_cpu {

// A loop in bytes of the source and the destination, and elements of the scales.
struct Loop {
  int64_t extent = 1;
  int64_t src = 0, dst = 0, scale = 0;
};

// One loop of the box, taken in `chunks` chunks of `chunk` steps each; the last one is what is
// left.
struct ChunkedLoop : Loop {
  int64_t chunk = 1, chunks = 1;
  // Where not 0, two loops that one side runs through without a gap: the other side steps by
  // `outer` bytes after each `inner` steps, of which `chunk` is a multiple.
  int64_t inner = 0, outer = 0;
  bool split_src = false;  // the other side is the source
  int64_t size(int64_t index) const { return index + 1 < chunks ? chunk : extent - index * chunk; }
  // From one chunk to the next.
  int64_t src_step() const { return inner != 0 && split_src ? chunk / inner * outer : chunk * src; }
  int64_t dst_step() const {
    return inner != 0 && !split_src ? chunk / inner * outer : chunk * dst;
  }
};
using Loops = absl::InlinedVector<Loop, 6>;

// The loop that steps by `width` bytes in the source; -1 if there is none.
int FindSourceUnit(const Loops& loops, int64_t width);

// Removes a loop from the list and gives it; a loop of one step where there is none.
Loop Take(Loops& loops, int index);
Loop TakeLast(Loops& loops);
// The one with the shortest source step.
Loop TakeNearestInSource(Loops& loops);

// The loop in one chunk.
ChunkedLoop Whole(const Loop& loop);

// Cuts `loop` into chunks of about `room` steps, a multiple of `multiple`; the last one takes what
// is left and is up to twice as long, so that none is shorter.
void CutLong(ChunkedLoop& loop, int64_t room, int64_t multiple);

// Cuts `loop` into chunks of at most `room` steps, or one multiple, and nearly the same length, a
// multiple of `multiple`; the last one may be shorter. A split loop takes whole inner loops
// instead.
void CutEven(ChunkedLoop& loop, int64_t room, int64_t multiple);

// `loop`, which is contiguous in the source (else in the destination), and the loop of `loops` that
// goes on where it ends, as one. Nothing changes if there is none, or if `loop` covers a line by
// itself.
void Extend(ChunkedLoop& loop, Loops& loops, bool in_source);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_LOOPS_H_
