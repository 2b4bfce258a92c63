#include "impl_cpu/strided/loops.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace impl_cpu {

namespace {

// The nearest to `multiple` that suits a split loop too.
int64_t Multiple(const ChunkedLoop& loop, int64_t multiple) {
  if (loop.inner == 0) return multiple;
  return std::max<int64_t>(1, multiple / loop.inner) * loop.inner;
}

}  // namespace

int FindSourceUnit(const Loops& loops, int64_t width) {
  for (size_t i = loops.size(); i-- > 0;)
    if (loops[i].src == width) return static_cast<int>(i);
  return -1;
}

Loop Take(Loops& loops, int index) {
  if (loops.empty() || index < 0) return Loop();
  const Loop loop = loops[static_cast<size_t>(index)];
  loops.erase(loops.begin() + index);
  return loop;
}

Loop TakeLast(Loops& loops) { return Take(loops, static_cast<int>(loops.size()) - 1); }

Loop TakeNearestInSource(Loops& loops) {
  int best = -1;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (best < 0 || std::abs(loops[i].src) <= std::abs(loops[static_cast<size_t>(best)].src))
      best = static_cast<int>(i);
  }
  return Take(loops, best);
}

ChunkedLoop Whole(const Loop& loop) {
  ChunkedLoop chunked;
  static_cast<Loop&>(chunked) = loop;
  chunked.chunk = loop.extent;
  return chunked;
}

void CutLong(ChunkedLoop& loop, int64_t room, int64_t multiple) {
  if (loop.extent <= room) return;
  multiple = Multiple(loop, multiple);
  loop.chunk = std::max(multiple, room / multiple * multiple);
  loop.chunks = std::max<int64_t>(1, loop.extent / loop.chunk);
}

void CutEven(ChunkedLoop& loop, int64_t room, int64_t multiple) {
  if (loop.extent <= room) return;
  multiple = Multiple(loop, multiple);
  room = std::max(multiple, room / multiple * multiple);
  const int64_t count = (loop.extent + room - 1) / room;
  const int64_t even = (loop.extent + count - 1) / count;
  loop.chunk = (even + multiple - 1) / multiple * multiple;
  loop.chunks = (loop.extent + loop.chunk - 1) / loop.chunk;
}

void Extend(ChunkedLoop& loop, Loops& loops, bool in_source) {
  const int64_t run = loop.extent * (in_source ? loop.src : loop.dst);
  if (run >= 64) return;
  for (size_t i = 0; i < loops.size(); ++i) {
    const Loop& next = loops[i];
    if ((in_source ? next.src : next.dst) != run || next.scale != loop.extent * loop.scale)
      continue;
    loop.inner = loop.extent;
    loop.outer = in_source ? next.dst : next.src;
    loop.split_src = !in_source;
    loop.extent *= next.extent;
    loop.chunk = loop.extent;
    loops.erase(loops.begin() + static_cast<ptrdiff_t>(i));
    return;
  }
}

}  // namespace impl_cpu
