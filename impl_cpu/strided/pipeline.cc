#include "impl_cpu/strided/pipeline.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "api/spi/types.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/strided/problem.h"

namespace impl_cpu {
namespace {

using Loops = absl::InlinedVector<Loop, 6>;
using Kind = Step::Kind;

// Bytes of source and destination that a thread must have for itself before another one pays.
constexpr int64_t kBytesPerThread = 128 << 10;

// Bytes of source and destination of a box that needs no buffer: enough to hide the walk around it,
// and little enough to share out.
constexpr int64_t kBoxBytes = 64 << 10;

// Rows and columns of a box that passes through buffers.
constexpr int64_t kStagedRows = 64, kStagedCols = kStageElements / kStagedRows;

// A row that is converted in one call; shorter ones are gathered into longer ones.
constexpr int64_t kLongRow = 16;

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

// The loop that steps from one element to the next in the source; -1 if there is none.
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

// The loop with the shortest source step.
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

// Cuts `loop` into chunks of about `room` steps, a multiple of `multiple`; the last one takes what
// is left and is up to twice as long, so that none is shorter.
void CutLong(ChunkedLoop& loop, int64_t room, int64_t multiple) {
  if (loop.extent <= room) return;
  loop.chunk = std::max(multiple, room / multiple * multiple);
  loop.chunks = std::max<int64_t>(1, loop.extent / loop.chunk);
}

// Cuts `loop` into chunks of at most `room` steps and nearly the same length, a multiple of
// `multiple`, which divides `room`; the last one may be shorter.
void CutEven(ChunkedLoop& loop, int64_t room, int64_t multiple) {
  if (loop.extent <= room) return;
  const int64_t count = (loop.extent + room - 1) / room;
  const int64_t even = (loop.extent + count - 1) / count;
  loop.chunk = (even + multiple - 1) / multiple * multiple;
  loop.chunks = (loop.extent + loop.chunk - 1) / loop.chunk;
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
    case Kind::kAny:
      step.move = FindMoveKernel(MoveKind::kAny, width);
      break;
  }
  return step;
}

void PlanMove(Loops& loops, Pipeline& p) {
  const int width = p.src_width = p.dst_width = WidenElements(loops, p.src_width);
  const bool dst_unit = !loops.empty() && loops.back().dst == width;
  const int src_unit = FindSourceUnit(loops, width);
  Kind kind = Kind::kAny;
  if (loops.empty() || (dst_unit && loops.back().src == width)) {
    kind = Kind::kRows;
    p.cols = Whole(loops.empty() ? Loop{1, width, width, 0} : TakeLast(loops));
    p.rows = Whole(TakeLast(loops));
  } else if (dst_unit && src_unit >= 0) {
    kind = Kind::kTranspose;
    p.cols = Whole(Take(loops, src_unit));
    p.rows = Whole(TakeLast(loops));
  } else {
    p.cols = Whole(TakeLast(loops));
    p.rows = Whole(TakeNearestInSource(loops));
  }
  p.batch = Whole(TakeLast(loops));
  p.in = MakeStep(kind, width);
  if (kind == Kind::kTranspose) {
    const int64_t line = 64 / width;
    CutLong(p.rows, p.cols.extent < line ? kBoxBytes / 2 / (p.cols.extent * width) : 1024 / width,
            64);
    CutLong(p.cols, std::max<int64_t>(64, kBoxBytes / 2 / (p.rows.chunk * width)), 64);
  } else {
    CutLong(p.cols, kBoxBytes / 2 / width, 64);
    CutLong(p.rows, std::max<int64_t>(1, kBoxBytes / 2 / (p.cols.chunk * width)), 1);
  }
  CutLong(p.batch, std::max<int64_t>(1, kBoxBytes / 2 / (p.rows.chunk * p.cols.chunk * width)), 1);
}

ConvertMode ModeOf(const Arithmetic& a) {
  return !a.computed ? ConvertMode::kCopy : a.sum ? ConvertMode::kScaleSum : ConvertMode::kScale;
}

bool FindConversions(const Arithmetic& a, Pipeline& p) {
  const ConvertMode mode = ModeOf(a);
  p.convert = FindConvertKernel(a.src, a.dst, mode, a.sum_type);
  if (p.convert != nullptr) return true;
  if (mode != ConvertMode::kScaleSum) return false;
  p.convert = FindConvertKernel(a.src, spi::DataType::kF32, ConvertMode::kScale, a.dst);
  p.combine = FindConvertKernel(spi::DataType::kF32, a.dst, mode, a.sum_type);
  return p.convert != nullptr && p.combine != nullptr;
}

bool PlanConvert(const Arithmetic& a, Loops& loops, Pipeline& p) {
  if (!FindConversions(a, p)) return false;
  p.scaled = a.scale != Arithmetic::Scale::kNone;
  const int sw = p.src_width, dw = p.dst_width;
  const bool dst_unit = !loops.empty() && loops.back().dst == dw;
  const int src_unit = FindSourceUnit(loops, sw);
  Kind in = Kind::kNone, out = Kind::kNone;
  if (loops.empty()) {
    p.cols = Whole({1, sw, dw, 0});
  } else if (dst_unit && loops.back().src == sw) {
    if (loops.size() > 1 && loops.back().extent < kLongRow) in = out = Kind::kRows;
    p.cols = Whole(TakeLast(loops));
    p.rows = Whole(TakeLast(loops));
  } else if (dst_unit && src_unit >= 0) {
    const Loop &along_src = loops[static_cast<size_t>(src_unit)], &along_dst = loops.back();
    const bool short_src = along_src.extent < kLongRow && along_dst.extent >= kLongRow;
    const bool scales_along_dst = along_src.scale > 1 && along_dst.scale <= 1;
    const bool transpose_first = a.sum || sw < dw || short_src || scales_along_dst;
    (transpose_first ? in : out) = Kind::kTranspose;
    const Loop src_loop = Take(loops, src_unit), dst_loop = TakeLast(loops);
    p.cols = Whole(transpose_first ? dst_loop : src_loop);
    p.rows = Whole(transpose_first ? src_loop : dst_loop);
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
  p.in = MakeStep(in, sw);
  p.out = MakeStep(out, dw);
  if (a.sum && out != Kind::kNone) p.pack_old = FindMoveKernel(MoveKind::kAny, dw);
  const bool packs_scales =
      p.scaled && (p.cols.scale > 1 || p.cols.scale < 0 ||
                   (in == Kind::kRows && (p.cols.scale != 0 || p.rows.scale != 0)));
  if (packs_scales) p.pack_scales = FindMoveKernel(MoveKind::kAny, sizeof(float));

  if (in == Kind::kNone && out == Kind::kNone && p.combine == nullptr && !packs_scales) {
    CutLong(p.cols, kBoxBytes / (sw + dw), 64);
    CutLong(p.rows, std::max<int64_t>(1, kBoxBytes / (p.cols.chunk * (sw + dw))), 1);
  } else {
    CutEven(p.cols, std::max(kStagedCols, kStageElements / p.rows.extent / 16 * 16), 16);
    CutEven(p.rows, kStageElements / p.cols.chunk, 1);
  }
  return true;
}

}  // namespace

bool PlanPipeline(const Arithmetic& arithmetic, const Part& part, Pipeline* pipeline) {
  Pipeline& p = *pipeline;
  p.src_width = static_cast<int>(spi::SizeOf(arithmetic.src));
  p.dst_width = static_cast<int>(spi::SizeOf(arithmetic.dst));
  p.src = part.src * p.src_width;
  p.dst = part.dst * p.dst_width;
  p.scale = part.scale;
  Loops loops = LoopsOf(part, p.src_width, p.dst_width);
  int64_t bytes = p.src_width + p.dst_width;
  for (const Loop& loop : loops) bytes *= loop.extent;
  if (arithmetic.src == arithmetic.dst && !arithmetic.computed) {
    PlanMove(loops, p);
  } else if (!PlanConvert(arithmetic, loops, p)) {
    return false;
  }
  p.outer.assign(loops.begin(), loops.end());
  p.threads_wanted =
      static_cast<int>(std::min<int64_t>(1 << 10, std::max<int64_t>(1, bytes / kBytesPerThread)));
  return true;
}

std::string NameOf(const Pipeline& p) {
  const auto name = [](Kind kind, const char* rows) {
    switch (kind) {
      case Kind::kNone:
        return "";
      case Kind::kRows:
        return rows;
      case Kind::kStreamRows:
        return "stream";
      case Kind::kTranspose:
        return "transpose";
      case Kind::kAny:
        break;
    }
    return "gather";
  };
  std::string text;
  const auto add = [&text](const char* step) {
    if (*step != 0) absl::StrAppend(&text, text.empty() ? "" : "+", step);
  };
  add(name(p.in.kind, p.convert == nullptr ? "copy" : "pack"));
  if (p.convert != nullptr) add("convert");
  if (p.combine != nullptr) add("combine");
  add(name(p.out.kind, "unpack"));
  return text;
}

std::string ToString(const Pipeline& p) {
  return absl::StrCat("box ", p.batch.chunk, "x", p.rows.chunk, "x", p.cols.chunk, " of ",
                      p.batch.extent, "x", p.rows.extent, "x", p.cols.extent);
}

}  // namespace impl_cpu
