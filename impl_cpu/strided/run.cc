#include "impl_cpu/strided/run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/strided/pipeline.h"
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
  p.in.move(shape, box.src, buffer);
}

void MoveOut(const Pipeline& p, const Box& box, const std::byte* buffer) {
  const int64_t width = p.dst_width;
  MoveShape shape =
      ShapeOf(box.rows, box.cols, {box.cols * width, width}, {p.rows.dst, p.cols.dst});
  shape.cols_inner = p.cols.inner;
  shape.dst_outer_col = p.cols.outer;
  p.out.move(shape, buffer, box.dst);
}

// A box that needs no buffer.
void RunDirect(const Pipeline& p, float beta, const Box& box) {
  if (p.compute != nullptr) {
    TransposeShape shape;
    shape.rows = box.rows;
    shape.cols = box.cols;
    shape.src_row = p.rows.src;
    shape.dst_col = p.cols.dst;
    shape.scale_row = p.scaled ? p.rows.scale : 0;
    shape.scale_col = p.scaled ? p.cols.scale : 0;
    shape.beta = beta;
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
  shape.beta = beta;
  p.convert(shape, box.src, box.dst, box.scales);
}

// A box through buffers, in each of which the columns of a row lie side by side and the rows follow
// one another.
void RunStaged(const Pipeline& p, float beta, const Box& box) {
  constexpr int64_t kElements = kStageElements;
  alignas(64) std::byte before[kElements * 4];
  alignas(64) std::byte after[kElements * 4];
  alignas(64) float scales[kElements];

  const int64_t sw = p.src_width, dw = p.dst_width;
  ConvertShape shape;
  shape.rows = box.rows;
  shape.cols = box.cols;
  shape.beta = beta;

  const std::byte* from = box.src;
  shape.src_row = p.rows.src;
  if (p.in.kind != Kind::kNone) {
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
    p.pack_scales(pack, reinterpret_cast<const std::byte*>(box.scales),
                  reinterpret_cast<std::byte*>(scales));
    scale = scales;
    shape.scale_row = pack.rows == 1 ? 0 : box.cols;
    shape.scale_col = 1;
  }
  std::byte* to = box.dst;
  shape.dst_row = p.rows.dst;
  if (p.out.kind != Kind::kNone) {
    to = after;
    shape.dst_row = box.cols * dw;
    if (p.pack_old != nullptr) {
      MoveShape pack;
      pack.rows = box.rows;
      pack.cols = box.cols;
      pack.src_row = p.rows.dst;
      pack.src_col = p.cols.dst;
      pack.dst_row = shape.dst_row;
      pack.dst_col = dw;
      p.pack_old(pack, box.dst, after);
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
    alignas(64) std::byte scaled[kElements * 4];
    ConvertShape first = shape;
    first.dst_row = shape.cols * 4;
    p.convert(first, from, scaled, scale);
    shape.src_row = first.dst_row;
    shape.scale_row = shape.scale_col = 0;
    p.combine(shape, scaled, to, &kOne);
  }
  if (p.out.kind != Kind::kNone) MoveOut(p, box, after);
}

// The boxes of a pipeline in order: the loops around them, then their chunks.
class Walk {
 public:
  Walk(const Pipeline& p, float beta, const std::byte* src, std::byte* dst, const float* scales)
      : p_(p), beta_(beta), src_(src + p.src), dst_(dst + p.dst), scales_(scales) {
    direct_ = p.convert == nullptr || (p.in.kind == Kind::kNone && p.out.kind == Kind::kNone &&
                                       p.combine == nullptr && p.pack_scales == nullptr);
    boxes_ = p.batch.chunks * p.rows.chunks * p.cols.chunks;
    for (const Loop& loop : p.outer) boxes_ *= loop.extent;
  }

  int64_t boxes() const { return boxes_; }

  // Boxes [begin, end).
  void Run(int64_t begin, int64_t end) const {
    constexpr int kMaxLoops = 64;
    Loop loops[kMaxLoops];
    int64_t index[kMaxLoops];
    int count = 0;
    for (const Loop& loop : p_.outer) loops[count++] = loop;
    const int batch = count;
    const int rows = count + (p_.cols_outside ? 2 : 1), cols = count + (p_.cols_outside ? 1 : 2);
    for (const ChunkedLoop* chunked : {&p_.batch, p_.cols_outside ? &p_.cols : &p_.rows,
                                       p_.cols_outside ? &p_.rows : &p_.cols}) {
      loops[count++] = {chunked->chunks, chunked->src_step(), chunked->dst_step(),
                        chunked->scale * chunked->chunk};
    }
    int64_t src = 0, dst = 0, scale = p_.scale;
    int64_t left = begin;
    for (int k = count; k-- > 0;) {
      index[k] = left % loops[k].extent;
      left /= loops[k].extent;
      src += index[k] * loops[k].src;
      dst += index[k] * loops[k].dst;
      scale += index[k] * loops[k].scale;
    }
    for (int64_t box = begin;;) {
      RunBox({p_.batch.size(index[batch]), p_.rows.size(index[rows]), p_.cols.size(index[cols]),
              src_ + src, dst_ + dst, p_.scaled ? scales_ + scale : &kOne});
      if (++box == end) return;
      for (int k = count - 1;; --k) {
        src += loops[k].src;
        dst += loops[k].dst;
        scale += loops[k].scale;
        if (++index[k] < loops[k].extent) break;
        index[k] = 0;
        src -= loops[k].extent * loops[k].src;
        dst -= loops[k].extent * loops[k].dst;
        scale -= loops[k].extent * loops[k].scale;
      }
    }
  }

 private:
  void RunBox(const Box& box) const {
    if (direct_) {
      RunDirect(p_, beta_, box);
    } else {
      RunStaged(p_, beta_, box);
    }
  }

  const Pipeline& p_;
  const float beta_;
  const std::byte* const src_;
  std::byte* const dst_;
  const float* const scales_;
  bool direct_;
  int64_t boxes_;
};

}  // namespace

void RunPipeline(const Pipeline& p, float beta, const std::byte* src, std::byte* dst,
                 const float* scales) {
  const Walk walk(p, beta, src, dst, scales);
  const int64_t boxes = walk.boxes();
  int threads = p.threads_wanted;
  if (threads > 1 && boxes > 1) threads = std::min(threads, MaxThreads());
  if (threads <= 1 || boxes <= 1) return walk.Run(0, boxes);
  const int64_t pieces = std::min(boxes, threads * kPiecesPerThread);
  ParallelFor(pieces, threads, [&walk, boxes, pieces](int64_t i) {
    walk.Run(boxes * i / pieces, boxes * (i + 1) / pieces);
  });
}

}  // namespace impl_cpu
