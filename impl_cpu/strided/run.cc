#include "impl_cpu/strided/run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "api/spi/types.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/strided/pipeline.h"
#include "impl_cpu/strided/problem.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

using Kind = Step::Kind;

// A thread takes its share in this many pieces, so that one that starts late or is slow is helped.
constexpr int64_t kPiecesPerThread = 4;

constexpr float kOne = 1.0f;

// The sizes of a box, and where it lies.
struct Box {
  int64_t batch, rows, cols;
  const std::byte* src;
  std::byte* dst;
  const float* scales;
};

struct Strides {
  int64_t row, col;
};

// The move of a box between the tensor and a buffer. Transposing, the kernel's rows are the loop
// that is contiguous where it writes, and its columns the one that is contiguous where it reads.
MoveShape ShapeOf(int64_t rows, int64_t cols, Strides src, Strides dst) {
  MoveShape shape;
  shape.rows = rows;
  shape.cols = cols;
  shape.src_row = src.row;
  shape.src_col = src.col;
  shape.dst_row = dst.row;
  shape.dst_col = dst.col;
  return shape;
}

void MoveIn(const Pipeline& p, const Box& box, std::byte* buffer) {
  const int64_t width = p.src_width;
  MoveShape shape =
      ShapeOf(box.rows, box.cols, {p.rows.src, p.cols.src}, {box.cols * width, width});
  if (p.in.kind == Kind::kRecord) {
    // A row is one record.
    shape.cols = 1;
    shape.table = p.record.get();
  } else if (p.in.kind == Kind::kTranspose || p.in.kind == Kind::kTransposeSplit) {
    shape = ShapeOf(box.cols, box.rows, {p.cols.src, p.rows.src}, {width, box.cols * width});
    shape.rows_inner = p.cols.inner;
    shape.src_outer_row = p.cols.outer;
  }
  shape.prefetch = p.prefetch;
  p.in.move(shape, box.src, buffer);
}

void MoveOut(const Pipeline& p, const Box& box, const std::byte* buffer) {
  const int64_t width = p.dst_width;
  MoveShape shape =
      ShapeOf(box.rows, box.cols, {box.cols * width, width}, {p.rows.dst, p.cols.dst});
  shape.cols_inner = p.cols.inner;
  shape.dst_outer_col = p.cols.outer;
  if (p.out.kind == Kind::kStreamRows && shape.src_row == shape.dst_row) {
    shape.cols *= shape.rows;
    shape.rows = 1;
  }
  shape.stream = p.streams;
  p.out.move(shape, buffer, box.dst);
}

// A box that needs no buffer.
void RunDirect(const Pipeline& p, const Factors& factors, const Box& box) {
  if (p.compute != nullptr) {
    TransposeShape shape;
    shape.rows = box.rows;
    shape.cols = box.cols;
    shape.src_row = p.rows.src;
    shape.dst_col = p.cols.dst;
    shape.scale_row = p.scaled ? p.rows.scale : 0;
    shape.scale_col = p.scaled ? p.cols.scale : 0;
    shape.beta = factors.beta;
    shape.src_zero = factors.zeros.src;
    shape.dst_zero = factors.zeros.dst;
    shape.prefetch = p.prefetch;
    shape.along_rows = p.along_rows;
    p.compute(shape, box.src, box.dst, box.scales);
    return;
  }
  if (p.convert == nullptr) {
    MoveShape shape;
    shape.batch = box.batch;
    shape.rows = box.rows;
    shape.cols = box.cols;
    shape.src_batch = p.batch.src;
    shape.src_row = p.rows.src;
    shape.src_col = p.cols.src;
    shape.dst_batch = p.batch.dst;
    shape.dst_row = p.rows.dst;
    shape.dst_col = p.cols.dst;
    shape.rows_inner = p.rows.inner;
    shape.src_outer_row = p.rows.outer;
    shape.cols_inner = p.cols.inner;
    shape.dst_outer_col = p.cols.outer;
    shape.table = p.record.get();
    shape.prefetch = p.prefetch;
    shape.along_rows = p.along_rows;
    shape.stream = p.streams;
    p.in.move(shape, box.src, box.dst);
    return;
  }
  ConvertShape shape;
  shape.rows = box.rows;
  shape.cols = box.cols;
  shape.src_row = p.rows.src;
  shape.dst_row = p.rows.dst;
  shape.scale_row = p.scaled ? p.rows.scale : 0;
  shape.scale_col = p.scaled ? p.cols.scale : 0;
  shape.beta = factors.beta;
  shape.src_zero = factors.zeros.src;
  shape.dst_zero = factors.zeros.dst;
  p.convert(shape, box.src, box.dst, box.scales);
}

// A box through buffers, in each of which the columns of a row lie side by side and the rows follow
// one another.
void RunStaged(const Pipeline& p, const Factors& factors, const Box& box) {
  // Up to four buffers, each from a line on.
  constexpr int64_t kLine = 64;
  alignas(kLine) std::byte stage[kStageBytes + 4 * kLine];
  std::byte* room = stage;
  const auto buffer_of = [&room, elements = box.rows * box.cols](int64_t width) {
    std::byte* const buffer = room;
    room += (elements * width + kLine - 1) / kLine * kLine;
    return buffer;
  };

  const int64_t sw = p.src_width, dw = p.dst_width;
  ConvertShape shape;
  shape.rows = box.rows;
  shape.cols = box.cols;
  shape.beta = factors.beta;
  shape.src_zero = factors.zeros.src;
  shape.dst_zero = factors.zeros.dst;

  const std::byte* from = box.src;
  shape.src_row = p.rows.src;
  if (p.in.kind == Kind::kNone && p.out.kind != Kind::kNone) shape.prefetch = p.prefetch;
  if (p.in.kind != Kind::kNone) {
    std::byte* const before = buffer_of(sw);
    MoveIn(p, box, before);
    from = before;
    shape.src_row = box.cols * sw;
  }
  const float* scale = box.scales;
  shape.scale_row = p.scaled ? p.rows.scale : 0;
  shape.scale_col = p.scaled ? p.cols.scale : 0;
  if (p.pack_scales != nullptr) {
    constexpr int64_t kBytes = sizeof(float);
    MoveShape pack;
    // One row of scales serves all rows that have the same.
    pack.rows = p.rows.scale == 0 && !p.flat ? 1 : box.rows;
    pack.cols = box.cols;
    pack.src_row = p.rows.scale * kBytes;
    pack.src_col = p.cols.scale * kBytes;
    pack.dst_row = box.cols * kBytes;
    pack.dst_col = kBytes;
    std::byte* const scales = buffer_of(kBytes);
    p.pack_scales(pack, reinterpret_cast<const std::byte*>(box.scales), scales);
    scale = reinterpret_cast<const float*>(scales);
    shape.scale_row = pack.rows == 1 ? 0 : box.cols;
    shape.scale_col = 1;
  }
  std::byte* to = box.dst;
  shape.dst_row = p.rows.dst;
  if (p.out.kind != Kind::kNone) {
    to = buffer_of(dw);
    shape.dst_row = box.cols * dw;
    if (p.pack_old != nullptr) {
      MoveShape pack;
      pack.rows = box.rows;
      pack.cols = box.cols;
      pack.src_row = p.rows.dst;
      pack.src_col = p.cols.dst;
      pack.dst_row = shape.dst_row;
      pack.dst_col = dw;
      p.pack_old(pack, box.dst, to);
    }
  }
  if (p.flat) {
    // Dense on both sides: one long row.
    shape.cols *= shape.rows;
    shape.src_row *= shape.rows;
    shape.dst_row *= shape.rows;
    shape.rows = 1;
  }
  if (p.combine == nullptr) {
    p.convert(shape, from, to, scale);
  } else {
    std::byte* const scaled = buffer_of(sizeof(float));
    ConvertShape first = shape;
    first.dst_row = shape.cols * 4;
    first.dst_zero = Zeros().dst;
    p.convert(first, from, scaled, scale);
    shape.src_row = first.dst_row;
    shape.scale_row = shape.scale_col = 0;
    shape.src_zero = Zeros().src;
    p.combine(shape, scaled, to, &kOne);
  }
  if (p.out.kind != Kind::kNone) MoveOut(p, box, to);
}

void RunBox(const Pipeline& p, const Factors& factors, const Box& box) {
  if (p.direct) {
    RunDirect(p, factors, box);
  } else {
    RunStaged(p, factors, box);
  }
}

// Where the data begins.
struct Data {
  const std::byte* src;
  std::byte* dst;
  const float* scales;
};

// Boxes [begin, end) of a pipeline: the loops around them in order, then their chunks.
void RunBoxes(const Pipeline& p, const Factors& factors, const Data& data, int64_t begin,
              int64_t end) {
  // Those of a part, of which three may have been cut in two.
  constexpr size_t kMaxLoops = kMaxNodes + 3;
  struct Around {
    int64_t extent, src, dst, scale, index;
  };
  Around loops[kMaxLoops];
  size_t count = 0;
  for (const Loop& loop : p.outer)
    loops[count++] = {loop.extent, loop.src, loop.dst, loop.scale, 0};
  const Around& batch = loops[count];
  const Around& rows = loops[count + (p.cols_outside ? 2 : 1)];
  const Around& cols = loops[count + (p.cols_outside ? 1 : 2)];
  for (const ChunkedLoop* chunked :
       {&p.batch, p.cols_outside ? &p.cols : &p.rows, p.cols_outside ? &p.rows : &p.cols}) {
    loops[count++] = {chunked->chunks, chunked->src_step(), chunked->dst_step(),
                      chunked->scale * chunked->chunk, 0};
  }
  Data at = data;
  int64_t left = begin;
  for (size_t k = count; k-- > 0;) {
    Around& loop = loops[k];
    loop.index = left % loop.extent;
    left /= loop.extent;
    at.src += loop.index * loop.src;
    at.dst += loop.index * loop.dst;
    at.scales += loop.index * loop.scale;
  }
  for (int64_t box = begin;;) {
    RunBox(p, factors,
           {p.batch.size(batch.index), p.rows.size(rows.index), p.cols.size(cols.index), at.src,
            at.dst, at.scales});
    if (++box == end) break;
    for (size_t k = count - 1;; --k) {
      Around& loop = loops[k];
      at.src += loop.src;
      at.dst += loop.dst;
      at.scales += loop.scale;
      if (++loop.index < loop.extent) break;
      loop.index = 0;
      at.src -= loop.extent * loop.src;
      at.dst -= loop.extent * loop.dst;
      at.scales -= loop.extent * loop.scale;
    }
  }
  if (p.streams) FlushStreams();
}

}  // namespace

void RunPipeline(const Pipeline& p, const Factors& factors, const std::byte* src, std::byte* dst,
                 const float* scales) {
  const Data data = {src + p.src, dst + p.dst, p.scaled ? scales + p.scale : &kOne};
  if (p.boxes == 1) {
    RunBox(p, factors,
           {p.batch.extent, p.rows.extent, p.cols.extent, data.src, data.dst, data.scales});
    if (p.streams) FlushStreams();
    return;
  }
  const int threads = p.threads_wanted > 1 ? std::min(p.threads_wanted, MaxThreads()) : 1;
  if (threads == 1) return RunBoxes(p, factors, data, 0, p.boxes);
  const int64_t pieces = std::min(p.boxes, threads * kPiecesPerThread);
  ParallelFor(pieces, threads, [&](int64_t i) {
    RunBoxes(p, factors, data, p.boxes * i / pieces, p.boxes * (i + 1) / pieces);
  });
}

}  // namespace impl_cpu
