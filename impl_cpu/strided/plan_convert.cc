#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "api/spi/types.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/strided/loops.h"
#include "impl_cpu/strided/non_temporal.h"
#include "impl_cpu/strided/planner.h"

namespace impl_cpu {
namespace {

// Bytes of a buffer that leave room in L1d for what is read and written.
constexpr int64_t kOwnStage = 16 << 10;

// Elements that are converted before they are streamed: fewer, so that reading and storing take
// turns often.
constexpr int64_t kNonTemporalStage = 2048;

// A row that is converted in one call; shorter ones are gathered into longer ones.
constexpr int64_t kLongRow = 16;

enum class Step { kNone, kRows, kNonTemporalRows, kTranspose, kTransposeSplit, kPermute, kGeneric };

bool IsTransposition(Step step) {
  return step == Step::kTranspose || step == Step::kTransposeSplit;
}

// Which steps a box takes, before it is known how large it is.
struct Route {
  ConvertKernel convert = nullptr, combine = nullptr;  // combine: null if one conversion will do
  Step in = Step::kNone, out = Step::kNone;
  std::optional<Permute> permute;  // for in == kPermute
  bool one_row = false;
  bool packs_scales = false;

  bool has_buffers() const {
    return in != Step::kNone || out != Step::kNone || combine != nullptr || packs_scales;
  }
};

ConvertMode ModeOf(const Arithmetic& a) {
  if (a.shifted) return a.sum ? ConvertMode::kShiftSum : ConvertMode::kShift;
  return !a.computed ? ConvertMode::kCopy : a.sum ? ConvertMode::kScaleSum : ConvertMode::kScale;
}

bool FindConversions(const Arithmetic& a, Route& route) {
  const ConvertMode mode = ModeOf(a);
  if (JustAdds(a)) {
    route.convert = FindAddBytesKernel(a.dst);
    if (route.convert != nullptr) return true;
  }
  route.convert = FindConvertKernel(a.src, a.dst, mode, a.sum_type);
  if (route.convert != nullptr) return true;
  if (!a.sum) return false;
  route.convert = FindConvertKernel(a.src, spi::DataType::kF32,
                                    a.shifted ? ConvertMode::kShift : ConvertMode::kScale, a.dst);
  route.combine = FindConvertKernel(spi::DataType::kF32, a.dst, mode, a.sum_type);
  return route.convert != nullptr && route.combine != nullptr;
}

// The columns are contiguous on both sides.
void TakeRows(Draft& draft, Route& route) {
  Boxes& b = draft.boxes();
  const int sw = draft.pipeline.src_width, dw = draft.pipeline.dst_width;
  route.one_row = draft.loops.size() > 1 && draft.loops.back().extent < kLongRow;
  b.cols = Whole(TakeLast(draft.loops));
  b.rows = Whole(TakeLast(draft.loops));
  if (route.one_row) {
    if (b.rows.src != b.cols.extent * sw) route.in = Step::kRows;
    if (b.rows.dst != b.cols.extent * dw) route.out = Step::kRows;
  } else if (!draft.arithmetic.sum && draft.bytes >= NonTemporalBytes() &&
             b.cols.extent * dw >= kNonTemporalRow) {
    route.out = Step::kNonTemporalRows;
  }
}

// One loop is contiguous in the source, another in the destination: transposed in the narrower
// type, unless that would make short rows, or leave the scales of a row apart. A sum reads the
// destination, so its conversion is the last step.
void TakeTransposed(Draft& draft, int src_unit, Route& route) {
  Boxes& b = draft.boxes();
  Loops& loops = draft.loops;
  const bool widens = draft.pipeline.src_width < draft.pipeline.dst_width;
  const bool sum = draft.arithmetic.sum;
  const Loop src_loop = Take(loops, src_unit), dst_loop = TakeLast(loops);
  ChunkedLoop along_src = Whole(src_loop), along_dst = Whole(dst_loop);
  if (!sum) Extend(along_src, loops, true);
  const bool short_src = along_src.extent < kLongRow && dst_loop.extent >= kLongRow;
  const bool scales_along_dst = src_loop.scale > 1 && dst_loop.scale <= 1;
  if (sum || (widens && along_src.inner == 0) || short_src || scales_along_dst) {
    if (along_src.inner != 0) {
      loops.push_back({along_src.extent / along_src.inner, src_loop.extent * src_loop.src,
                       along_src.outer, src_loop.extent * src_loop.scale});
      along_src = Whole(src_loop);
    }
    Extend(along_dst, loops, false);
    route.in = along_dst.inner != 0 ? Step::kTransposeSplit : Step::kTranspose;
    b.cols = along_dst;
    b.rows = along_src;
  } else {
    route.out = along_src.inner != 0 ? Step::kTransposeSplit : Step::kTranspose;
    b.cols = along_src;
    b.rows = along_dst;
  }
}

// Takes the loops of a box, and chooses how they become rows.
void TakeLoops(Draft& draft, Route& route) {
  Boxes& b = draft.boxes();
  Loops& loops = draft.loops;
  const int sw = draft.pipeline.src_width, dw = draft.pipeline.dst_width;
  const bool dst_unit = !loops.empty() && loops.back().dst == dw;
  const int src_unit = FindSourceUnit(loops, sw);
  if (loops.empty()) {
    b.cols = Whole({1, sw, dw, 0});
  } else if (dst_unit && loops.back().src == sw) {
    TakeRows(draft, route);
  } else if (const size_t record = CountRecordLoops(draft, src_unit); record > 0) {
    route.in = Step::kPermute;
    route.permute = TakeRecord(draft, record);
    b.cols = Whole({route.permute->table->elements, sw, dw, 0});
    b.rows = Whole(TakeLast(loops));
  } else if (dst_unit && src_unit >= 0) {
    TakeTransposed(draft, src_unit, route);
  } else if (src_unit >= 0) {
    route.out = Step::kGeneric;
    b.cols = Whole(Take(loops, src_unit));
    b.rows = Whole(TakeLast(loops));
  } else {
    route.in = Step::kGeneric;
    if (!dst_unit) route.out = Step::kGeneric;
    b.cols = Whole(TakeLast(loops));
    b.rows = Whole(TakeNearestInSource(loops));
  }
  route.packs_scales =
      draft.pipeline.scaled && (b.cols.scale > 1 || b.cols.scale < 0 ||
                                (route.one_row && (b.cols.scale != 0 || b.rows.scale != 0)));
}

void ChooseStreams(Draft& draft, const Route& route) {
  const Boxes& b = draft.boxes();
  draft.pipeline.non_temporal = route.out == Step::kNonTemporalRows;
  if (route.out == Step::kTranspose)
    draft.pipeline.non_temporal = !draft.arithmetic.sum && draft.bytes >= NonTemporalBytes();
  if (route.in == Step::kTranspose || route.out == Step::kTranspose)
    PrefetchFar(draft, route.in == Step::kTranspose ? b.cols.src : b.rows.src);
}

// Bytes of all buffers together for each element of a box.
int64_t StagedBytes(const Pipeline& p, const Route& route) {
  return (route.in == Step::kNone ? 0 : p.src_width) +
         (route.out == Step::kNone ? 0 : p.dst_width) + (route.packs_scales ? 4 : 0) +
         (route.combine == nullptr ? 0 : 4);
}

void CutToBuffers(Draft& draft, const Route& route) {
  Boxes& b = draft.boxes();
  const int64_t sw = draft.pipeline.src_width, dw = draft.pipeline.dst_width;
  if (!route.has_buffers()) {
    CutLong(b.cols, kBoxBytes / (sw + dw), 64);
    CutLong(b.rows, std::max<int64_t>(1, kBoxBytes / (b.cols.chunk * (sw + dw))), 1);
    return;
  }
  const int64_t most = kStageBytes / StagedBytes(draft.pipeline, route);
  if (route.in == Step::kPermute || route.one_row) {
    CutEven(b.rows, std::min(kOwnStage / 4, most) / b.cols.extent, 1);
  } else if (route.out == Step::kNonTemporalRows) {
    CutEven(b.cols, kNonTemporalStage, 64);
    CutEven(b.rows, std::max<int64_t>(1, kNonTemporalStage / b.cols.chunk), 1);
  } else {
    // The loop across the lines gets as many steps as two lines of the side that is transposed have
    // elements, so that lines are read and written whole; the loop along them gets the rest.
    const bool out_transposes = IsTransposition(route.out);
    const int64_t width = out_transposes ? dw : sw;
    const int64_t room = std::min({kStageElements, kOwnStage / width, most});
    const int64_t lines = std::min(128 / width, room / 64);
    CutEven(b.rows, std::max(lines, room / b.cols.extent / lines * lines), lines);
    CutEven(b.cols, std::max<int64_t>(64, room / b.rows.chunk / 64 * 64), 64);
    b.cols_outside = out_transposes;
  }
}

// Bytes from one row to the next, and from one column to the next.
struct Steps {
  int64_t row, col;
};

BoxShape Between(Steps src, Steps dst) {
  BoxShape shape;
  shape.src_row = src.row;
  shape.src_col = src.col;
  shape.dst_row = dst.row;
  shape.dst_col = dst.col;
  return shape;
}

// A step as a move. `split` is the loop that is two in kTransposeSplit, and `turned` says that the
// rows of the kernel step along it.
Move MoveOf(Step step, int width, const BoxShape& shape, const ChunkedLoop& split, bool turned) {
  switch (step) {
    case Step::kTranspose:
      return Transpose{FindTransposeKernel(width), {shape, {}}};
    case Step::kTransposeSplit:
      return TransposeSplit{FindSplitKernel(width),
                            turned ? SplitShape{shape, split.inner, split.outer}
                                   : SplitShape{shape, 0, 0, split.inner, split.outer}};
    case Step::kGeneric:
      return Generic{FindGenericKernel(width), shape};
    default:
      return CopyRows{FindRowsKernel(width, step == Step::kNonTemporalRows), shape,
                      step == Step::kNonTemporalRows};
  }
}

// From the tensor to rows of a buffer.
Move MoveIn(const Draft& draft, Steps src, Steps buffer, Route& route) {
  if (route.in == Step::kPermute) {
    route.permute->shape.src_row = src.row;
    route.permute->shape.dst_row = buffer.row;
    return *std::move(route.permute);
  }
  // The rows of a transposition are the columns of the box.
  const bool turned = IsTransposition(route.in);
  const BoxShape shape =
      turned ? Between({src.col, src.row}, {buffer.col, buffer.row}) : Between(src, buffer);
  Move move = MoveOf(route.in, draft.pipeline.src_width, shape, draft.pipeline.boxes.cols, true);
  if (auto* transpose = std::get_if<Transpose>(&move)) transpose->shape.traversal = draft.traversal;
  return move;
}

// From rows of a buffer to the tensor.
Move MoveOut(const Draft& draft, Steps buffer, Steps dst, const Route& route) {
  Move move = MoveOf(route.out, draft.pipeline.dst_width, Between(buffer, dst),
                     draft.pipeline.boxes.cols, false);
  if (auto* transpose = std::get_if<Transpose>(&move))
    transpose->shape.non_temporal = draft.pipeline.non_temporal;
  if (auto* copy = std::get_if<CopyRows>(&move))
    copy->dense = copy->non_temporal && buffer.row == dst.row;
  return move;
}

Convert ConvertOf(const Draft& draft, const Route& route, int64_t src_row, int64_t dst_row) {
  const Boxes& b = draft.pipeline.boxes;
  const bool scaled = draft.pipeline.scaled;
  const bool prefetches = route.in == Step::kNone && route.out != Step::kNone;
  constexpr Zeros kNoZeros;
  return {route.convert,
          {b.rows.extent, b.cols.extent, src_row, dst_row, scaled ? b.rows.scale : 0,
           scaled ? b.cols.scale : 0, draft.arithmetic.beta, kNoZeros.src, kNoZeros.dst,
           prefetches ? draft.traversal : Traversal()}};
}

void PlaceBuffers(const Draft& draft, const Route& route, Staged::Buffers& at) {
  const Boxes& b = draft.pipeline.boxes;
  const auto place = [&at, elements = b.rows.chunk * b.cols.chunk](bool used, int64_t width) {
    const int64_t begin = at.end;
    if (used)
      at.end += (elements * width + kStageAlignment - 1) / kStageAlignment * kStageAlignment;
    return begin;
  };
  place(route.in != Step::kNone, draft.pipeline.src_width);
  at.scales = place(route.packs_scales, sizeof(float));
  at.out = place(route.out != Step::kNone, draft.pipeline.dst_width);
  at.combined = place(route.combine != nullptr, sizeof(float));
}

// The strategy of a route, for boxes that are cut. A row of a buffer has room for the columns of
// the largest box.
// Apart from what is planned more often, whose frame stays small.
[[gnu::noinline]] Staged StagedOf(const Draft& draft, Route& route) {
  constexpr int64_t kFloat = sizeof(float);
  const Pipeline& p = draft.pipeline;
  const Boxes& b = p.boxes;
  const int64_t row = b.cols.chunk;
  const Steps src{b.rows.src, b.cols.src}, dst{b.rows.dst, b.cols.dst};
  const Steps in{row * p.src_width, p.src_width}, out{row * p.dst_width, p.dst_width};
  Staged staged;
  staged.one_row = route.one_row;
  staged.convert = ConvertOf(draft, route, route.in == Step::kNone ? src.row : in.row,
                             route.out == Step::kNone ? dst.row : out.row);
  ConvertShape& shape = staged.convert.shape;
  if (route.packs_scales) {
    staged.pack_scales =
        Generic{FindGenericKernel(kFloat),
                Between({b.rows.scale * kFloat, b.cols.scale * kFloat}, {row * kFloat, kFloat})};
    // One row of scales serves all rows that have the same.
    shape.scale_row = b.rows.scale == 0 && !route.one_row ? 0 : row;
    shape.scale_col = 1;
  }
  if (route.combine != nullptr) {
    staged.combine = Convert{route.combine, {}};
    staged.combine->shape.src_row = row * kFloat;
    staged.combine->shape.dst_row = shape.dst_row;
    staged.combine->shape.beta = shape.beta;
    shape.dst_row = row * kFloat;
  }
  if (route.in != Step::kNone) staged.in = MoveIn(draft, src, in, route);
  if (route.out != Step::kNone) {
    staged.out = MoveOut(draft, out, dst, route);
    if (draft.arithmetic.sum)
      staged.pack_old = Generic{FindGenericKernel(p.dst_width), Between(dst, out)};
  }
  PlaceBuffers(draft, route, staged.buffers);
  return staged;
}

}  // namespace

bool JustAdds(const Arithmetic& a) {
  return a.sum && !a.shifted && a.beta == 1 && a.scale == Arithmetic::Scale::kNone &&
         a.src == a.dst && a.sum_type == a.dst;
}

bool PlanConvert(Draft& draft) {
  Route route;
  if (!FindConversions(draft.arithmetic, route)) return false;
  TakeLoops(draft, route);
  ChooseStreams(draft, route);
  CutToBuffers(draft, route);
  const Boxes& b = draft.boxes();
  if (route.has_buffers() || route.one_row) {
    draft.pipeline.strategy = std::make_shared<const Staged>(StagedOf(draft, route));
  } else {
    draft.pipeline.strategy = ConvertOf(draft, route, b.rows.src, b.rows.dst);
  }
  return true;
}

}  // namespace impl_cpu
