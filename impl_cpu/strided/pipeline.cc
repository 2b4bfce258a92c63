#include "impl_cpu/strided/pipeline.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "api/spi/types.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/move/record.h"
#include "impl_cpu/strided/loops.h"
#include "impl_cpu/strided/problem.h"

namespace impl_cpu {
namespace {

using Kind = Step::Kind;

// Bytes of source and destination that a thread must have for itself before another one pays:
// waking it costs about as much as moving half a megabyte within a core's own cache, and arithmetic
// is slower than moving.
constexpr int64_t kMovedBytesPerThread = 512 << 10;
constexpr int64_t kComputedBytesPerThread = 256 << 10;

// Bytes of source and destination of a box that needs no buffer: enough to hide the walk around it,
// and little enough to share out.
constexpr int64_t kBoxBytes = 64 << 10;

// Permuting a longer record costs more instructions for each of its bytes.
constexpr int64_t kShortRecordBytes = 256;

// Bytes of a buffer that leave room in the first cache for what is read and written.
constexpr int64_t kOwnStage = 16 << 10;

// Elements that are converted before they are stored past the caches: fewer, so that reading and
// storing take turns often.
constexpr int64_t kStreamedStage = 2048;

// A row that is converted in one call; shorter ones are gathered into longer ones.
constexpr int64_t kLongRow = 16;

// Rows of the destination that are streamed: long enough for whole lines.
constexpr int64_t kStreamedRow = 1 << 10;

// Bytes of source and destination that stay in a core's own cache from one call to the next. From
// there on a transposition fetches rows ahead that the hardware does not follow: those of a stream,
// those that share sets of the first cache, and what a sum adds to.
constexpr int64_t kOwnCacheBytes = 1 << 20;
constexpr int64_t kPrefetchAhead = 256;
// Shorter rows lie close together, where the hardware does follow.
constexpr int64_t kFetchedRow = 128;

// Bytes of a row of the source that tiles run along, and the least number of boxes.
constexpr int64_t kAlongRows = 8 << 10;
constexpr int64_t kSharedBoxes = 8;

// Bytes of source and destination from which on the result will not be found in a cache: then
// stores go past it.
int64_t StreamBytes() {
  static const int64_t bytes = [] {
    int64_t value = 0;
    const char* const text = std::getenv("DNNSPEC_STREAM_BYTES");
    return text != nullptr && absl::SimpleAtoi(text, &value) && value > 0 ? value : 16 << 20;
  }();
  return bytes;
}

Loops LoopsOf(const Part& part, int64_t src_width, int64_t dst_width) {
  Loops loops;
  for (const Node& node : part.nodes)
    loops.push_back({node.extent, node.src * src_width, node.dst * dst_width, node.scale});
  return loops;
}

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

Step MakeStep(Kind kind, int width) {
  Step step;
  step.kind = kind;
  switch (kind) {
    case Kind::kNone:
      break;
    case Kind::kRows:
      step.move = FindMoveKernel(MoveKind::kRows, width);
      break;
    case Kind::kStreamRows:
      step.move = FindMoveKernel(MoveKind::kStreamRows, width);
      break;
    case Kind::kTranspose:
      step.move = FindMoveKernel(MoveKind::kTranspose, width);
      break;
    case Kind::kTransposeSplit:
      step.move = FindMoveKernel(MoveKind::kTransposeSplit, width);
      break;
    case Kind::kRecord:  // TakeRecord knows more
      break;
    case Kind::kAny:
      step.move = FindMoveKernel(MoveKind::kAny, width);
      break;
  }
  return step;
}

// How many of the innermost loops cover the same contiguous run of elements on both sides, in
// another order, and have one scale: a record. 0 if there is none of at most kMaxRecordBytes.
size_t CountRecordLoops(const Loops& loops, int64_t src_width, int64_t dst_width) {
  int64_t elements = 1;
  for (size_t count = 1; count <= loops.size(); ++count) {
    const Loop& outermost = loops[loops.size() - count];
    if (outermost.dst != elements * dst_width || outermost.scale != 0) return 0;
    elements *= outermost.extent;
    if (elements * src_width > kMaxRecordBytes) return 0;
    if (count < 2) continue;
    // Dense in the source: each step is the next longer one's product.
    int64_t covered = 1;
    for (size_t found = 0; found < count; ++found) {
      size_t k = loops.size() - count;
      while (k < loops.size() && loops[k].src != covered * src_width) ++k;
      if (k == loops.size()) break;
      covered *= loops[k].extent;
    }
    if (covered == elements) return count;
  }
  return 0;
}

// Takes the loops of a record, and as much of the loop around it as keeps it short, and makes the
// table. Gives the number of its elements.
int64_t TakeRecord(Loops& loops, size_t count, Pipeline& p) {
  const int64_t width = p.src_width;
  int64_t elements = 1;
  Loops inside;
  while (inside.size() < count) {
    inside.insert(inside.begin(), TakeLast(loops));
    elements *= inside[0].extent;
  }
  if (!loops.empty()) {
    Loop& around = loops.back();
    const int64_t src_run = elements * width, dst_run = elements * p.dst_width;
    int64_t times = 1;
    if (around.src == src_run && around.dst == dst_run && around.scale == 0) {
      for (int64_t t = 2; t <= around.extent && t * src_run <= kShortRecordBytes; ++t)
        if (around.extent % t == 0) times = t;
    }
    if (times > 1) {
      inside.insert(inside.begin(), {times, src_run, dst_run, 0});
      elements *= times;
      around = {around.extent / times, src_run * times, dst_run * times, 0};
      if (around.extent == 1) loops.pop_back();
    }
  }
  std::vector<int64_t> source(1, 0);
  for (const Loop& loop : inside) {
    std::vector<int64_t> next;
    next.reserve(static_cast<size_t>(elements));
    for (int64_t at : source)
      for (int64_t i = 0; i < loop.extent; ++i) next.push_back(at + i * loop.src / width);
    source = std::move(next);
  }
  p.record = MakeRecordTable(p.src_width, source);
  p.in.kind = Kind::kRecord;
  p.in.move = FindRecordKernel(p.src_width, elements);
  return elements;
}

// Whether rows that lie so many bytes apart share few sets of the first cache.
bool ShareSets(int64_t step) {
  const int64_t beyond = std::abs(step) % 1024;
  return beyond < 16 || beyond > 1024 - 16;
}

// Rows of the source that lie `step` bytes apart are fetched ahead where the hardware does not
// follow them.
void FetchAhead(Pipeline& p, int64_t bytes, int64_t step) {
  if (bytes > kOwnCacheBytes && (p.streams || ShareSets(step))) p.prefetch = kPrefetchAhead;
}

// Tiles follow one another along the longer of the two loops: the hardware fetches what lies ahead,
// and it takes a while before it does. Of boxes there are enough to share out.
void CutTransposed(Pipeline& p, const Loops& outer, int64_t bytes, int64_t width) {
  if (p.cols.extent * width >= kFetchedRow) FetchAhead(p, bytes, p.rows.src);
  int64_t around = p.batch.extent;
  for (const Loop& loop : outer) around *= loop.extent;
  p.along_rows = p.cols.extent > p.rows.extent && p.cols.extent * width > kAlongRows;
  if (p.along_rows) {
    const int64_t share = p.cols.extent * around / kSharedBoxes / 64 * 64;
    CutLong(p.cols, std::max<int64_t>(128, std::min(kAlongRows / width, share)), 64);
    CutLong(p.rows, std::max<int64_t>(64, kAlongRows * 64 / (p.cols.chunk * width)), 64);
    return;
  }
  const bool few_cols = p.cols.extent * width < 64;
  CutLong(p.rows, few_cols ? kBoxBytes / 2 / (p.cols.extent * width) : 1024 / width, 64);
  CutLong(p.cols, std::max<int64_t>(64, kBoxBytes / 2 / (p.rows.chunk * width)), 64);
}

// Tiles and interleaving do better where the matrix is large enough for them.
bool PreferRecord(const Loops& loops, int width, int src_unit) {
  if (!HasRecordKernel(width) || loops.size() < 2 || src_unit < 0) return false;
  const int64_t along_src = loops[static_cast<size_t>(src_unit)].extent;
  const int64_t along_dst = loops.back().extent;
  const int64_t line = 64 / width, block = 16 / width;
  const bool tiles = along_dst >= line && along_src >= block;
  const bool streams =
      (along_dst >= line / 2 && along_src <= 4) || (along_src >= line / 2 && along_dst <= 4);
  return !tiles && !streams;
}

void PlanMove(Loops& loops, int64_t bytes, Pipeline& p) {
  const int width = p.src_width = p.dst_width = WidenElements(loops, p.src_width);
  const bool dst_unit = !loops.empty() && loops.back().dst == width;
  const int src_unit = FindSourceUnit(loops, width);
  Kind kind = Kind::kAny;
  const size_t record =
      PreferRecord(loops, width, src_unit) ? CountRecordLoops(loops, width, width) : 0;
  if (record > 0) {
    kind = Kind::kRecord;
    const int64_t elements = TakeRecord(loops, record, p);
    p.cols =
        Whole(loops.empty() ? Loop{1, elements * width, elements * width, 0} : TakeLast(loops));
    p.rows = Whole(TakeLast(loops));
    p.batch = Whole(TakeLast(loops));
    CutLong(p.cols, kBoxBytes / 2 / (elements * width), 1);
    CutLong(p.rows, std::max<int64_t>(1, kBoxBytes / 2 / (p.cols.chunk * elements * width)), 1);
    return;
  }
  if (loops.empty() || (dst_unit && loops.back().src == width)) {
    kind = Kind::kRows;
    p.cols = Whole(loops.empty() ? Loop{1, width, width, 0} : TakeLast(loops));
    p.rows = Whole(TakeLast(loops));
  } else if (dst_unit && src_unit >= 0) {
    kind = Kind::kTranspose;
    p.cols = Whole(Take(loops, src_unit));
    p.rows = Whole(TakeLast(loops));
    if (width <= 8) {
      Extend(p.cols, loops, true);
      Extend(p.rows, loops, false);
      if (p.cols.inner != 0 || p.rows.inner != 0) kind = Kind::kTransposeSplit;
    }
  } else {
    p.cols = Whole(TakeLast(loops));
    p.rows = Whole(TakeNearestInSource(loops));
  }
  p.batch = Whole(TakeLast(loops));
  if (kind == Kind::kRows && bytes >= StreamBytes() && p.cols.extent * width >= kStreamedRow) {
    kind = Kind::kStreamRows;
    p.streams = true;
  }
  p.in = MakeStep(kind, width);
  if (kind == Kind::kTranspose || kind == Kind::kTransposeSplit) {
    p.streams = kind == Kind::kTranspose && bytes >= StreamBytes();
    CutTransposed(p, loops, bytes, width);
  } else {
    CutLong(p.cols, kBoxBytes / 2 / width, 64);
    CutLong(p.rows, std::max<int64_t>(1, kBoxBytes / 2 / (p.cols.chunk * width)), 1);
  }
  CutLong(p.batch, std::max<int64_t>(1, kBoxBytes / 2 / (p.rows.chunk * p.cols.chunk * width)), 1);
}

ConvertMode ModeOf(const Arithmetic& a) {
  if (a.shifted) return a.sum ? ConvertMode::kShiftSum : ConvertMode::kShift;
  return !a.computed ? ConvertMode::kCopy : a.sum ? ConvertMode::kScaleSum : ConvertMode::kScale;
}

// src + dst, all in one type.
bool JustAdds(const Arithmetic& a) {
  return a.sum && !a.shifted && a.beta == 1 && a.scale == Arithmetic::Scale::kNone &&
         a.src == a.dst && a.sum_type == a.dst;
}

bool FindConversions(const Arithmetic& a, Pipeline& p) {
  const ConvertMode mode = ModeOf(a);
  if (JustAdds(a)) {
    p.convert = FindAddBytesKernel(a.dst);
    if (p.convert != nullptr) return true;
  }
  p.convert = FindConvertKernel(a.src, a.dst, mode, a.sum_type);
  if (p.convert != nullptr) return true;
  if (!a.sum) return false;
  p.convert = FindConvertKernel(a.src, spi::DataType::kF32,
                                a.shifted ? ConvertMode::kShift : ConvertMode::kScale, a.dst);
  p.combine = FindConvertKernel(spi::DataType::kF32, a.dst, mode, a.sum_type);
  return p.convert != nullptr && p.combine != nullptr;
}

// A transposition of f32 with arithmetic, large enough for tiles.
bool PlanCompute(const Arithmetic& a, Loops& loops, int64_t bytes, Pipeline& p) {
  if (a.src != spi::DataType::kF32 || a.dst != spi::DataType::kF32 || loops.size() < 2)
    return false;
  if (a.shifted || (a.sum && a.sum_type != spi::DataType::kF32)) return false;
  const int src_unit = FindSourceUnit(loops, 4);
  const Loop& along_dst = loops.back();
  if (src_unit < 0 || along_dst.dst != 4 || along_dst.src == 4) return false;
  if (along_dst.extent < 8 || loops[static_cast<size_t>(src_unit)].extent < 4) return false;
  p.scaled = a.scale != Arithmetic::Scale::kNone;
  if (p.scaled && along_dst.scale != 0 && along_dst.scale != 1) return false;
  p.compute = FindTransposeF32Kernel(p.scaled, along_dst.scale == 1, a.sum);
  if (p.compute == nullptr) return false;
  p.cols = Whole(Take(loops, src_unit));
  p.rows = Whole(TakeLast(loops));
  CutTransposed(p, loops, bytes, 4);
  if (a.sum && bytes > kOwnCacheBytes) p.prefetch = kPrefetchAhead;
  return true;
}

// A transposition that converts on the way, or adds bytes, large enough for tiles.
bool PlanFused(const Arithmetic& a, Loops& loops, int64_t bytes, Pipeline& p) {
  const bool adds = JustAdds(a);
  if (loops.size() < 2 || (!adds && (a.sum || bytes >= StreamBytes()))) return false;
  const int sw = p.src_width, dw = p.dst_width;
  const int src_unit = FindSourceUnit(loops, sw);
  if (src_unit < 0 || loops.back().dst != dw || loops.back().src == sw) return false;
  const Loop &rows = loops.back(), &cols = loops[static_cast<size_t>(src_unit)];
  const bool narrows = sw > dw;
  // Vectors lie along the columns where rows are packed, along the rows where columns are unpacked.
  const Loop &lanes = narrows ? cols : rows, &others = narrows ? rows : cols;
  const TransposeScale of_lanes = narrows ? TransposeScale::kColumns : TransposeScale::kRows;
  const TransposeScale of_others = narrows ? TransposeScale::kRows : TransposeScale::kColumns;
  TransposeScale scale = TransposeScale::kNone;
  p.scaled = a.scale != Arithmetic::Scale::kNone;
  if (p.scaled) {
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
  p.compute = fused.kernel;
  p.cols = Whole(Take(loops, src_unit));
  p.rows = Whole(TakeLast(loops));
  CutTransposed(p, loops, bytes, std::max(sw, dw));
  // Lines of bytes are short of room in the first cache before a row of them ends.
  if (dw == 1) p.along_rows = true;
  return true;
}

bool PlanConvert(const Arithmetic& a, Loops& loops, int64_t bytes, Pipeline& p) {
  if (a.computed && PlanCompute(a, loops, bytes, p)) return true;
  if (PlanFused(a, loops, bytes, p)) return true;
  if (!FindConversions(a, p)) return false;
  p.scaled = a.scale != Arithmetic::Scale::kNone;
  const int sw = p.src_width, dw = p.dst_width;
  const bool dst_unit = !loops.empty() && loops.back().dst == dw;
  const int src_unit = FindSourceUnit(loops, sw);
  Kind in = Kind::kNone, out = Kind::kNone;
  if (loops.empty()) {
    p.cols = Whole({1, sw, dw, 0});
  } else if (dst_unit && loops.back().src == sw) {
    p.flat = loops.size() > 1 && loops.back().extent < kLongRow;
    p.cols = Whole(TakeLast(loops));
    p.rows = Whole(TakeLast(loops));
    if (p.flat && p.rows.src != p.cols.extent * sw) in = Kind::kRows;
    if (p.flat && p.rows.dst != p.cols.extent * dw) out = Kind::kRows;
    if (!p.flat && !a.sum && bytes >= StreamBytes() && p.cols.extent * dw >= kStreamedRow) {
      out = Kind::kStreamRows;
      p.streams = true;
    }
  } else if (const size_t record =
                 PreferRecord(loops, sw, src_unit) ? CountRecordLoops(loops, sw, dw) : 0;
             record > 0) {
    const int64_t elements = TakeRecord(loops, record, p);
    in = Kind::kRecord;
    p.cols = Whole({elements, sw, dw, 0});
    p.rows = Whole(TakeLast(loops));
  } else if (dst_unit && src_unit >= 0) {
    const Loop src_loop = Take(loops, src_unit), dst_loop = TakeLast(loops);
    ChunkedLoop along_src = Whole(src_loop), along_dst = Whole(dst_loop);
    if (!a.sum) Extend(along_src, loops, true);
    const bool short_src = along_src.extent < kLongRow && dst_loop.extent >= kLongRow;
    const bool scales_along_dst = src_loop.scale > 1 && dst_loop.scale <= 1;
    if (a.sum || (sw < dw && along_src.inner == 0) || short_src || scales_along_dst) {
      if (along_src.inner != 0) {
        loops.push_back({along_src.extent / along_src.inner, src_loop.extent * src_loop.src,
                         along_src.outer, src_loop.extent * src_loop.scale});
        along_src = Whole(src_loop);
      }
      Extend(along_dst, loops, false);
      in = along_dst.inner != 0 ? Kind::kTransposeSplit : Kind::kTranspose;
      p.cols = along_dst;
      p.rows = along_src;
    } else {
      out = along_src.inner != 0 ? Kind::kTransposeSplit : Kind::kTranspose;
      p.cols = along_src;
      p.rows = along_dst;
    }
  } else if (src_unit >= 0) {
    out = Kind::kAny;
    p.cols = Whole(Take(loops, src_unit));
    p.rows = Whole(TakeLast(loops));
  } else {
    in = Kind::kAny;
    if (!dst_unit) out = Kind::kAny;
    p.cols = Whole(TakeLast(loops));
    p.rows = Whole(TakeNearestInSource(loops));
  }
  if (in != Kind::kRecord) p.in = MakeStep(in, sw);
  p.out = MakeStep(out, dw);
  if (in == Kind::kTranspose || out == Kind::kTranspose) {
    p.streams = out == Kind::kTranspose && !a.sum && bytes >= StreamBytes();
    FetchAhead(p, bytes, in == Kind::kTranspose ? p.cols.src : p.rows.src);
  }
  if (a.sum && out != Kind::kNone) p.pack_old = FindMoveKernel(MoveKind::kAny, dw);
  const bool packs_scales = p.scaled && (p.cols.scale > 1 || p.cols.scale < 0 ||
                                         (p.flat && (p.cols.scale != 0 || p.rows.scale != 0)));
  if (packs_scales) p.pack_scales = FindMoveKernel(MoveKind::kAny, sizeof(float));

  if (in == Kind::kNone && out == Kind::kNone && p.combine == nullptr && !packs_scales) {
    CutLong(p.cols, kBoxBytes / (sw + dw), 64);
    CutLong(p.rows, std::max<int64_t>(1, kBoxBytes / (p.cols.chunk * (sw + dw))), 1);
  } else if (in == Kind::kRecord || p.flat) {
    const int64_t room = std::min(kOwnStage / 4, kStageBytes / std::max(1, StagedBytes(p)));
    CutEven(p.rows, room / p.cols.extent, 1);
  } else if (out == Kind::kStreamRows) {
    CutEven(p.cols, kStreamedStage, 64);
    CutEven(p.rows, std::max<int64_t>(1, kStreamedStage / p.cols.chunk), 1);
  } else {
    // The loop across the lines gets as many steps as two lines of the side that is transposed have
    // elements, so that lines are read and written whole; the loop along them gets the rest.
    const bool out_transposes = out == Kind::kTranspose || out == Kind::kTransposeSplit;
    const int64_t width = out_transposes ? dw : sw;
    const int64_t room =
        std::min({kStageElements, kOwnStage / width, kStageBytes / StagedBytes(p)});
    const int64_t lines = std::min(128 / width, room / 64);
    CutEven(p.rows, std::max(lines, room / p.cols.extent / lines * lines), lines);
    CutEven(p.cols, std::max<int64_t>(64, room / p.rows.chunk / 64 * 64), 64);
    p.cols_outside = out_transposes;
  }
  return true;
}

}  // namespace

int StagedBytes(const Pipeline& p) {
  if (p.convert == nullptr) return 0;
  return (p.in.kind == Kind::kNone ? 0 : p.src_width) +
         (p.out.kind == Kind::kNone ? 0 : p.dst_width) + (p.pack_scales == nullptr ? 0 : 4) +
         (p.combine == nullptr ? 0 : 4);
}

bool PlanPipeline(const Arithmetic& arithmetic, const Part& part, Pipeline* pipeline) {
  Pipeline& p = *pipeline;
  p.src_width = static_cast<int>(spi::SizeOf(arithmetic.src));
  p.dst_width = static_cast<int>(spi::SizeOf(arithmetic.dst));
  p.src = part.src * p.src_width;
  p.dst = part.dst * p.dst_width;
  p.scale = part.scale;
  Loops loops = LoopsOf(part, p.src_width, p.dst_width);
  int64_t bytes = p.src_width + p.dst_width;
  for (const Loop& loop : loops)
    if (__builtin_mul_overflow(bytes, loop.extent, &bytes))
      bytes = std::numeric_limits<int64_t>::max();
  // Passing through f32 changes nothing but s32.
  const bool changes = arithmetic.scale != Arithmetic::Scale::kNone || arithmetic.sum ||
                       arithmetic.shifted ||
                       (arithmetic.computed && arithmetic.src == spi::DataType::kS32);
  if (arithmetic.src == arithmetic.dst && !changes) {
    PlanMove(loops, bytes, p);
  } else if (!PlanConvert(arithmetic, loops, bytes, p)) {
    return false;
  }
  p.outer.assign(loops.begin(), loops.end());
  p.boxes = p.batch.chunks * p.rows.chunks * p.cols.chunks;
  for (const Loop& loop : p.outer) p.boxes *= loop.extent;
  const bool one_step = p.in.kind == Kind::kNone && p.out.kind == Kind::kNone;
  p.direct = p.convert == nullptr ||
             (one_step && p.combine == nullptr && p.pack_scales == nullptr && !p.flat);
  const int64_t bytes_per_thread =
      p.convert == nullptr && p.combine == nullptr ? kMovedBytesPerThread : kComputedBytesPerThread;
  p.threads_wanted =
      static_cast<int>(std::min<int64_t>(1 << 10, std::max<int64_t>(1, bytes / bytes_per_thread)));
  return true;
}

}  // namespace impl_cpu
