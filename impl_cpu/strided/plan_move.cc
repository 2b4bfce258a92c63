#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "impl_cpu/move/kernel.h"
#include "impl_cpu/strided/loops.h"
#include "impl_cpu/strided/non_temporal.h"
#include "impl_cpu/strided/planner.h"

namespace impl_cpu {
namespace {

// So few rows, or columns, are as many long runs, on one side or the other.
constexpr int64_t kFewRows = 4;

// A run of 2, 4, 8 or 16 contiguous bytes on both sides is one wider element.
int WidenElements(Loops& loops, int width) {
  while (!loops.empty()) {
    const Loop& last = loops.back();
    const int64_t run = last.extent * width;
    if (last.src != width || last.dst != width || run > 16 || (run & (run - 1)) != 0) break;
    width = static_cast<int>(run);
    loops.pop_back();
  }
  return width;
}

// The whole boxes and their strides.
BoxShape ShapeOf(const Boxes& b) {
  return {b.batch.extent, b.rows.extent, b.cols.extent, b.batch.src, b.rows.src,
          b.cols.src,     b.batch.dst,   b.rows.dst,    b.cols.dst};
}

void CutBatch(Boxes& b, int64_t width) {
  CutLong(b.batch, std::max<int64_t>(1, kBoxBytes / 2 / (b.rows.chunk * b.cols.chunk * width)), 1);
}

void CutRows(Boxes& b, int64_t width) {
  CutLong(b.cols, kBoxBytes / 2 / width, 64);
  CutLong(b.rows, std::max<int64_t>(1, kBoxBytes / 2 / (b.cols.chunk * width)), 1);
  CutBatch(b, width);
}

void PlanPermute(Draft& draft, size_t count) {
  Boxes& b = draft.boxes();
  Loops& loops = draft.loops;
  Permute permute = TakeRecord(draft, count);
  const int64_t bytes = permute.shape.src_col;
  b.cols = Whole(loops.empty() ? Loop{1, bytes, bytes, 0} : TakeLast(loops));
  b.rows = Whole(TakeLast(loops));
  b.batch = Whole(TakeLast(loops));
  CutLong(b.cols, kBoxBytes / 2 / bytes, 1);
  CutLong(b.rows, std::max<int64_t>(1, kBoxBytes / 2 / (b.cols.chunk * bytes)), 1);
  static_cast<BoxShape&>(permute.shape) = ShapeOf(b);
  draft.pipeline.strategy = std::move(permute);
}

// Whether the box is all there is, and one row.
bool IsOneRow(Draft& draft) {
  const Boxes& b = draft.boxes();
  return draft.loops.empty() && b.batch.extent == 1 && b.rows.extent == 1 && b.cols.chunks == 1;
}

void PlanCopy(Draft& draft, int width) {
  Boxes& b = draft.boxes();
  Loops& loops = draft.loops;
  b.cols = Whole(loops.empty() ? Loop{1, width, width, 0} : TakeLast(loops));
  b.rows = Whole(TakeLast(loops));
  b.batch = Whole(TakeLast(loops));
  const bool non_temporal =
      draft.bytes >= NonTemporalBytes() && b.cols.extent * width >= kNonTemporalRow;
  CutRows(b, width);
  draft.pipeline.non_temporal = non_temporal;
  CopyRows copy{FindRowsKernel(width, non_temporal), ShapeOf(b), non_temporal};
  if (IsOneRow(draft) && !non_temporal) {
    copy.shape.cols *= width;
    copy.kernel = FindRowKernel(copy.shape.cols);
  }
  draft.pipeline.strategy = copy;
}

void PlanTranspose(Draft& draft, int width, int src_unit) {
  Boxes& b = draft.boxes();
  Loops& loops = draft.loops;
  b.cols = Whole(Take(loops, src_unit));
  b.rows = Whole(TakeLast(loops));
  if (width <= 8) {
    Extend(b.cols, loops, true);
    Extend(b.rows, loops, false);
  }
  b.batch = Whole(TakeLast(loops));
  const bool split = b.cols.inner != 0 || b.rows.inner != 0;
  const bool few = std::min(b.rows.extent, b.cols.extent) <= kFewRows;
  const bool non_temporal = draft.pipeline.non_temporal =
      !split && draft.bytes >= (few ? NonTemporalBytes() : NonTemporalTransposeBytes());
  CutTransposed(draft, width, width == 4 && !split);
  CutBatch(b, width);
  if (split) {
    draft.pipeline.strategy =
        TransposeSplit{FindSplitKernel(width),
                       {ShapeOf(b), b.rows.inner, b.rows.outer, b.cols.inner, b.cols.outer}};
  } else {
    draft.pipeline.strategy =
        Transpose{FindTransposeKernel(width), {ShapeOf(b), draft.traversal, non_temporal}};
  }
}

void PlanGeneric(Draft& draft, int width) {
  Boxes& b = draft.boxes();
  b.cols = Whole(TakeLast(draft.loops));
  b.rows = Whole(TakeNearestInSource(draft.loops));
  b.batch = Whole(TakeLast(draft.loops));
  CutRows(b, width);
  draft.pipeline.strategy = Generic{FindGenericKernel(width), ShapeOf(b)};
}

}  // namespace

void PlanMove(Draft& draft) {
  Pipeline& p = draft.pipeline;
  const Loops& loops = draft.loops;
  const int width = p.src_width = p.dst_width = WidenElements(draft.loops, p.src_width);
  const bool dst_unit = !loops.empty() && loops.back().dst == width;
  const int src_unit = FindSourceUnit(loops, width);
  if (const size_t record = CountRecordLoops(draft, src_unit); record > 0) {
    PlanPermute(draft, record);
  } else if (loops.empty() || (dst_unit && loops.back().src == width)) {
    PlanCopy(draft, width);
  } else if (dst_unit && src_unit >= 0) {
    PlanTranspose(draft, width, src_unit);
  } else {
    PlanGeneric(draft, width);
  }
}

}  // namespace impl_cpu
