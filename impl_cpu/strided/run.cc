#include "impl_cpu/strided/run.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/move/kernel.h"
#include "impl_cpu/numeric/subnormals.h"
#include "impl_cpu/plain/problem.h"
#include "impl_cpu/strided/pipeline.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

// A thread takes its share in this many pieces, so that one that starts late or is slow is helped.
constexpr int64_t kPiecesPerThread = 4;

constexpr float kOne = 1.0f;

// The size of a box.
struct Size {
  int64_t batch, rows, cols;
};

// Where a box, or all of the data, begins.
struct Place {
  const std::byte* src;
  std::byte* dst;
  const float* scales;
};

void RunStaged(const Staged& staged, const Zeros& zeros, const Size& size, const Place& at);

// A strategy as one thread carries it out, a function of (size, place): with its own copy of the
// shape, in which nothing changes from box to box but the size.
template <class S>
auto RunnerOf(const S& strategy, const Zeros& zeros) {
  if constexpr (std::is_same_v<S, StagedPlan>) {
    return [&staged = *strategy, zeros](const Size& size, const Place& at) {
      RunStaged(staged, zeros, size, at);
    };
  } else if constexpr (std::is_same_v<S, Convert> || std::is_same_v<S, ConvertTransposed>) {
    auto shape = strategy.shape;
    shape.src_zero = zeros.src;
    shape.dst_zero = zeros.dst;
    return [kernel = strategy.kernel, shape](const Size& size, const Place& at) mutable {
      shape.rows = size.rows;
      shape.cols = size.cols;
      kernel(shape, at.src, at.dst, at.scales);
    };
  } else {
    return [kernel = strategy.kernel, shape = strategy.shape](const Size& size,
                                                              const Place& at) mutable {
      shape.batch = size.batch;
      shape.rows = size.rows;
      shape.cols = size.cols;
      kernel(shape, at.src, at.dst);
    };
  }
}

// One move between the tensor and a buffer.
template <class M>
void RunMove(const M& move, int64_t rows, int64_t cols, const std::byte* src, std::byte* dst) {
  RunnerOf(move, Zeros())({1, rows, cols}, {src, dst, nullptr});
}

void RunIn(const Move& in, const Size& size, const std::byte* src, std::byte* buffer) {
  if (const auto* permute = std::get_if<Permute>(&in))
    return RunMove(*permute, size.rows, 1, src, buffer);
  // The rows of a transposition are the loop that is contiguous where it writes: the columns.
  const bool turned =
      std::holds_alternative<Transpose>(in) || std::holds_alternative<TransposeSplit>(in);
  const int64_t rows = turned ? size.cols : size.rows, cols = turned ? size.rows : size.cols;
  std::visit([&](const auto& move) { RunMove(move, rows, cols, src, buffer); }, in);
}

void RunOut(const Move& out, const Size& size, const std::byte* buffer, std::byte* dst) {
  const auto* copy = std::get_if<CopyRows>(&out);
  if (copy != nullptr && copy->dense) return RunMove(*copy, 1, size.rows * size.cols, buffer, dst);
  std::visit([&](const auto& move) { RunMove(move, size.rows, size.cols, buffer, dst); }, out);
}

// A box through buffers, which are on the stack of this function and of no other.
[[gnu::noinline]] void RunStaged(const Staged& staged, const Zeros& zeros, const Size& size,
                                 const Place& at) {
  alignas(kStageAlignment) std::byte stage[kStageBytes + 4 * kStageAlignment];
  Place from_to = at;
  if (staged.in.has_value()) {
    RunIn(*staged.in, size, at.src, stage);
    from_to.src = stage;
  }
  if (staged.pack_scales.has_value()) {
    std::byte* const scales = stage + staged.buffers.scales;
    const int64_t rows = staged.convert.shape.scale_row == 0 ? 1 : size.rows;
    RunMove(*staged.pack_scales, rows, size.cols, reinterpret_cast<const std::byte*>(at.scales),
            scales);
    from_to.scales = reinterpret_cast<const float*>(scales);
  }
  if (staged.out.has_value()) from_to.dst = stage + staged.buffers.out;
  if (staged.pack_old.has_value())
    RunMove(*staged.pack_old, size.rows, size.cols, at.dst, from_to.dst);

  const Size rows = staged.one_row ? Size{1, 1, size.rows * size.cols} : size;
  if (!staged.combine.has_value()) {
    RunnerOf(staged.convert, zeros)(rows, from_to);
  } else {
    std::byte* const combined = stage + staged.buffers.combined;
    RunnerOf(staged.convert, {zeros.src, Zeros().dst})(rows,
                                                       {from_to.src, combined, from_to.scales});
    RunnerOf(*staged.combine, {Zeros().src, zeros.dst})(rows, {combined, from_to.dst, &kOne});
  }
  if (staged.out.has_value()) RunOut(*staged.out, size, from_to.dst, at.dst);
}

// The one box of a pipeline, which is what the planned shape of a move says.
template <class S>
void RunWhole(const S& strategy, const Zeros& zeros, const Boxes& b, const Place& at) {
  if constexpr (std::is_constructible_v<Move, S>) {
    strategy.kernel(strategy.shape, at.src, at.dst);
  } else {
    RunnerOf(strategy, zeros)({b.batch.extent, b.rows.extent, b.cols.extent}, at);
  }
}

// Boxes [begin, end): the loops around them in order, then their chunks.
template <class Runner>
void RunBoxes(const Boxes& b, Runner run, Place at, int64_t begin, int64_t end) {
  // Those of a nest, of which three may have been cut in two.
  constexpr size_t kMaxLoops = kLimits.max_loops + 3;
  struct Around {
    int64_t extent, src, dst, scale, index;
  };
  Around loops[kMaxLoops];
  size_t count = 0;
  for (const Loop& loop : b.outer)
    loops[count++] = {loop.extent, loop.src, loop.dst, loop.scale, 0};
  const Around& batch = loops[count];
  const Around& rows = loops[count + (b.cols_outside ? 2 : 1)];
  const Around& cols = loops[count + (b.cols_outside ? 1 : 2)];
  for (const ChunkedLoop* chunked :
       {&b.batch, b.cols_outside ? &b.cols : &b.rows, b.cols_outside ? &b.rows : &b.cols}) {
    loops[count++] = {chunked->chunks, chunked->src_step(), chunked->dst_step(),
                      chunked->scale * chunked->chunk, 0};
  }
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
    run({b.batch.size(batch.index), b.rows.size(rows.index), b.cols.size(cols.index)}, at);
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
}

// A OneCall of a strategy.
template <class S>
void CallOnce(const Pipeline& p, const std::byte* src, std::byte* dst, const float* scales) {
  const S& strategy = *std::get_if<S>(&p.strategy);
  const std::byte* const from = src + p.boxes.src;
  std::byte* const to = dst + p.boxes.dst;
  if constexpr (std::is_constructible_v<Move, S>) {
    strategy.kernel(strategy.shape, from, to);
  } else {
    const KeepsSubnormals keeps(p.computes);
    strategy.kernel(strategy.shape, from, to, p.scaled ? scales + p.boxes.scale : &kOne);
  }
}

}  // namespace

void RunPipeline(const Pipeline& p, const Zeros& zeros, const std::byte* src, std::byte* dst,
                 const float* scales) {
  const Boxes& b = p.boxes;
  const Place at = {src + b.src, dst + b.dst, p.scaled ? scales + b.scale : &kOne};
  std::visit(
      [&](const auto& strategy) {
        if (b.count == 1) {
          RunWhole(strategy, zeros, b, at);
          if (p.non_temporal) FenceNonTemporalStores();
          return;
        }
        const auto run = RunnerOf(strategy, zeros);
        const int threads = p.threads_wanted > 1 ? std::min(p.threads_wanted, MaxThreads()) : 1;
        const int64_t pieces = threads == 1 ? 1 : std::min(b.count, threads * kPiecesPerThread);
        const auto run_piece = [&](int64_t i) {
          RunBoxes(b, run, at, b.count * i / pieces, b.count * (i + 1) / pieces);
          if (p.non_temporal) FenceNonTemporalStores();
        };
        if (threads == 1) return run_piece(0);
        ParallelFor(pieces, threads, run_piece);
      },
      p.strategy);
}

OneCall FindOneCall(const Arithmetic& arithmetic, const Pipeline& pipeline) {
  if (pipeline.boxes.count != 1 || pipeline.non_temporal || arithmetic.shifted ||
      arithmetic.run_time_scales)
    return nullptr;
  return std::visit(
      [](const auto& strategy) -> OneCall {
        using S = std::decay_t<decltype(strategy)>;
        if constexpr (std::is_same_v<S, StagedPlan>) {
          return nullptr;
        } else {
          return CallOnce<S>;
        }
      },
      pipeline.strategy);
}

}  // namespace impl_cpu
