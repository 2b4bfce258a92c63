#include "impl_cpu/strided/pipeline.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "api/spi/types.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/loops.h"
#include "impl_cpu/strided/planner.h"

namespace impl_cpu {
namespace {

// Bytes of source and destination that a thread must have for itself before another one pays.
// What is permuted moves from one core's own cache to the other's when threads share it out anew;
// runs of a copy do not, and arithmetic takes longer than that.
constexpr int64_t kMovedBytesPerThread = 512 << 10;
constexpr int64_t kCopiedBytesPerThread = 192 << 10;
constexpr int64_t kComputedBytesPerThread = 96 << 10;

// Rows shorter than this lie close together, where the hardware does follow.
constexpr int64_t kFetchedRow = 128;

// Bytes of a row of the source that tiles run along, and the least number of boxes.
constexpr int64_t kAlongRows = 8 << 10;
constexpr int64_t kSharedBoxes = 8;

Loops LoopsOf(const spi::LoopNest& nest, int64_t src_width, int64_t dst_width) {
  Loops loops;
  for (const spi::LoopDim& dim : nest.loops)
    loops.push_back(
        {dim.extent, dim.src_stride * src_width, dim.dst_stride * dst_width, dim.scale_stride});
  return loops;
}

// Whether rows that lie so many bytes apart share few sets of L1d.
bool ShareSets(int64_t step) {
  const int64_t beyond = std::abs(step) % 1024;
  return beyond < 16 || beyond > 1024 - 16;
}

// Whether tiles that are whole lines on both sides better follow one another along the rows: that
// reads each line of the source once, as going down the columns writes each line of the destination
// once. The side whose rows lie askew to lines decides, or else the longer loop.
bool PrefersRows(const Boxes& b) {
  const bool src_lines = b.rows.src % 64 == 0, dst_lines = b.cols.dst % 64 == 0;
  if (ShareSets(b.cols.dst) || (src_lines && !dst_lines)) return false;
  return !src_lines || b.cols.extent >= b.rows.extent;
}

// Whether the bits of elements change. Passing through f32 changes nothing but s32.
bool Changes(const Arithmetic& a) {
  return a.src != a.dst || a.scale != Arithmetic::Scale::kNone || a.sum || a.shifted ||
         (a.computed && a.src == spi::DataType::kS32);
}

int ThreadsFor(int64_t bytes, const Strategy& strategy) {
  const bool computes =
      std::holds_alternative<Convert>(strategy) || std::holds_alternative<StagedPlan>(strategy);
  const bool copies = std::holds_alternative<CopyRows>(strategy);
  const int64_t bytes_per_thread = computes ? kComputedBytesPerThread
                                   : copies ? kCopiedBytesPerThread
                                            : kMovedBytesPerThread;
  return static_cast<int>(std::clamp<int64_t>(bytes / bytes_per_thread, 1, 1 << 10));
}

}  // namespace

void PrefetchFar(Draft& draft, int64_t step) {
  if (draft.bytes > kOwnCacheBytes && (draft.pipeline.non_temporal || ShareSets(step)))
    draft.traversal.prefetch = kPrefetchAhead;
}

// Tiles follow one another along the longer of the two loops: the hardware fetches what lies ahead,
// and it takes a while before it does. Of boxes there are enough to share out.
void CutTransposed(Draft& draft, int64_t width, bool whole_lines) {
  Boxes& b = draft.boxes();
  if (b.cols.extent * width >= kFetchedRow && (!whole_lines || draft.pipeline.non_temporal))
    PrefetchFar(draft, b.rows.src);
  int64_t around = b.batch.extent;
  for (const Loop& loop : draft.loops) around *= loop.extent;
  if (whole_lines && draft.traversal.prefetch == 0 && PrefersRows(b)) {
    draft.traversal.along_rows = true;
    CutLong(b.cols, kAlongRows / width, 64);
    if (draft.bytes < 2 * kMovedBytesPerThread) return;
    const int64_t share = b.rows.extent * around / kSharedBoxes / 16 * 16;
    const int64_t room = std::max<int64_t>(64, kAlongRows * 64 / (b.cols.chunk * width));
    CutLong(b.rows, std::clamp<int64_t>(share, 16, room), 16);
    return;
  }
  draft.traversal.along_rows = b.cols.extent > b.rows.extent && b.cols.extent * width > kAlongRows;
  if (draft.traversal.along_rows) {
    const int64_t share = b.cols.extent * around / kSharedBoxes / 64 * 64;
    CutLong(b.cols, std::max<int64_t>(128, std::min(kAlongRows / width, share)), 64);
    CutLong(b.rows, std::max<int64_t>(64, kAlongRows * 64 / (b.cols.chunk * width)), 64);
    return;
  }
  const bool few_cols = b.cols.extent * width < 64;
  CutLong(b.rows, few_cols ? kBoxBytes / 2 / (b.cols.extent * width) : 1024 / width, 64);
  CutLong(b.cols, std::max<int64_t>(64, kBoxBytes / 2 / (b.rows.chunk * width)), 64);
}

bool PlanPipeline(const Arithmetic& arithmetic, const spi::LoopNest& nest, Pipeline* pipeline) {
  Pipeline& p = *pipeline;
  Boxes& b = p.boxes;
  p.src_width = static_cast<int>(spi::SizeOf(arithmetic.src));
  p.dst_width = static_cast<int>(spi::SizeOf(arithmetic.dst));
  p.computes = Computes(arithmetic);
  p.scaled = arithmetic.scale != Arithmetic::Scale::kNone;
  b.src = nest.src_offset * p.src_width;
  b.dst = nest.dst_offset * p.dst_width;
  b.scale = nest.scale_offset;
  Draft draft{arithmetic, LoopsOf(nest, p.src_width, p.dst_width), p.src_width + p.dst_width, p};
  for (const Loop& loop : draft.loops)
    if (__builtin_mul_overflow(draft.bytes, loop.extent, &draft.bytes))
      draft.bytes = std::numeric_limits<int64_t>::max();
  if (!Changes(arithmetic)) {
    PlanMove(draft);
  } else if (!PlanConvertTransposed(draft) && !PlanConvert(draft)) {
    return false;
  }
  b.outer.assign(draft.loops.begin(), draft.loops.end());
  b.count = b.batch.chunks * b.rows.chunks * b.cols.chunks;
  for (const Loop& loop : b.outer) b.count *= loop.extent;
  p.threads_wanted = ThreadsFor(draft.bytes, p.strategy);
  return true;
}

}  // namespace impl_cpu
