#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "api/spi/types.h"
#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/strided/loops.h"
#include "impl_cpu/strided/non_temporal.h"
#include "impl_cpu/strided/planner.h"

namespace impl_cpu {
namespace {

using spi::DataType;

// Takes the loops of a matrix. Vectors hold elements of at most `width` bytes.
void TakeMatrix(Draft& draft, int src_unit, int width) {
  Boxes& b = draft.boxes();
  b.cols = Whole(Take(draft.loops, src_unit));
  b.rows = Whole(TakeLast(draft.loops));
  CutTransposed(draft, width, false);
}

Strategy Calling(TransposeKernel kernel, Draft& draft) {
  const Boxes& b = draft.boxes();
  const bool scaled = draft.pipeline.scaled;
  TransposeShape shape;
  shape.rows = b.rows.extent;
  shape.cols = b.cols.extent;
  shape.src_row = b.rows.src;
  shape.dst_col = b.cols.dst;
  shape.scale_row = scaled ? b.rows.scale : 0;
  shape.scale_col = scaled ? b.cols.scale : 0;
  shape.beta = draft.arithmetic.beta;
  shape.traversal = draft.traversal;
  return ConvertTransposed{kernel, shape};
}

// From f32 to f32: with scales, with a sum, or both.
bool PlanF32(Draft& draft, int src_unit) {
  const Arithmetic& a = draft.arithmetic;
  if (!a.computed || a.src != DataType::kF32 || a.dst != DataType::kF32) return false;
  if (a.shifted || (a.sum && a.sum_type != DataType::kF32)) return false;
  const Loop& along_dst = draft.loops.back();
  const bool scaled = draft.pipeline.scaled;
  if (along_dst.extent < 8 || draft.loops[static_cast<size_t>(src_unit)].extent < 4) return false;
  if (scaled && along_dst.scale != 0 && along_dst.scale != 1) return false;
  const TransposeKernel kernel = FindTransposeF32Kernel(scaled, along_dst.scale == 1, a.sum);
  if (kernel == nullptr) return false;
  TakeMatrix(draft, src_unit, 4);
  // What a sum adds to is prefetched with the rows.
  if (a.sum && draft.bytes > kOwnCacheBytes) draft.traversal.prefetch = kPrefetchAhead;
  draft.pipeline.strategy = Calling(kernel, draft);
  return true;
}

// From one type to another, or bytes added to bytes.
bool PlanTypes(Draft& draft, int src_unit) {
  const Arithmetic& a = draft.arithmetic;
  const bool adds = JustAdds(a);
  if (!adds && (a.sum || draft.bytes >= NonTemporalBytes())) return false;
  const int sw = draft.pipeline.src_width, dw = draft.pipeline.dst_width;
  const Loop &rows = draft.loops.back(), &cols = draft.loops[static_cast<size_t>(src_unit)];
  const bool narrows = sw > dw;
  // Vectors lie along the columns where rows are packed, along the rows where columns are unpacked.
  const Loop &lanes = narrows ? cols : rows, &others = narrows ? rows : cols;
  const TransposeScale of_lanes = narrows ? TransposeScale::kColumns : TransposeScale::kRows;
  const TransposeScale of_others = narrows ? TransposeScale::kRows : TransposeScale::kColumns;
  TransposeScale scale = TransposeScale::kNone;
  if (draft.pipeline.scaled) {
    if (lanes.scale != 0 && (lanes.scale != 1 || others.scale != 0)) return false;
    scale = lanes.scale == 0 ? of_others : of_lanes;
  } else if (a.shifted) {
    scale = of_others;  // the one scale of 1
  } else if (a.computed && !adds) {
    return false;
  }
  const FusedTranspose fused = adds      ? FindAddingTranspose(a.dst)
                               : narrows ? FindNarrowingTranspose(a.src, a.dst, scale, a.shifted)
                                         : FindWideningTranspose(a.src, a.dst, scale, a.shifted);
  if (fused.kernel == nullptr || rows.extent < fused.rows || cols.extent < fused.cols) return false;
  TakeMatrix(draft, src_unit, std::max(sw, dw));
  // Lines of bytes are short of room in L1d before a row of them ends.
  if (dw == 1) draft.traversal.along_rows = true;
  draft.pipeline.strategy = Calling(fused.kernel, draft);
  return true;
}

}  // namespace

bool PlanConvertTransposed(Draft& draft) {
  const int sw = draft.pipeline.src_width, dw = draft.pipeline.dst_width;
  const Loops& loops = draft.loops;
  if (loops.size() < 2) return false;
  const int src_unit = FindSourceUnit(loops, sw);
  if (src_unit < 0 || loops.back().dst != dw || loops.back().src == sw) return false;
  return PlanF32(draft, src_unit) || PlanTypes(draft, src_unit);
}

}  // namespace impl_cpu
