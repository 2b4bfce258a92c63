#include "impl_cpu/eltwise/run.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "impl_cpu/eltwise/plain.h"
#include "impl_cpu/numeric/element.h"
#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/plain/kernel.h"
#include "impl_cpu/strided/non_temporal.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

using spi::DataType;

// Elements that pass through buffers on the stack at once, and of which a share of a thread is a
// multiple.
constexpr int64_t kStage = 1024;
// Elements of f32 that lie side by side are not brought there if they are so many.
constexpr int64_t kDirect = 64;
// Elements side by side that are worth streaming.
constexpr int64_t kNonTemporal = 512;
// Elements side by side for which a kernel that converts is called.
constexpr int64_t kConverted = 16;

// Bytes of source and destination that a thread must have for itself before another one pays.
constexpr int64_t kBytesPerThread = 256 << 10;
// A thread takes its share in this many pieces, so that one that starts late or is slow is helped.
constexpr int64_t kPiecesPerThread = 4;

spi::LoopDim Innermost(const spi::LoopNest& nest) {
  return nest.loops.empty() ? spi::LoopDim() : nest.loops.back();
}

int64_t CountOf(const spi::LoopNest& nest) {
  int64_t count = 1;
  for (const spi::LoopDim& loop : nest.loops) count *= loop.extent;
  return count;
}

// Calls `use(rows, count, src offset, dst offset)` for the rows of elements [begin, end) of `nest`,
// whole ones or what is within. Only where they come `together` are there more of them than one,
// each a step of the loop around them from the one before.
template <typename Use>
void ForRows(const spi::LoopNest& nest, int64_t begin, int64_t end, bool together, Use use) {
  const spi::LoopDim inner = Innermost(nest);
  const size_t around = nest.loops.empty() ? 0 : nest.loops.size() - 1;
  int64_t step[kLimits.max_loops];
  int64_t src = nest.src_offset, dst = nest.dst_offset, left = begin / inner.extent;
  for (size_t k = around; k-- > 0;) {
    const spi::LoopDim& loop = nest.loops[k];
    step[k] = left % loop.extent;
    left /= loop.extent;
    src += step[k] * loop.src_stride;
    dst += step[k] * loop.dst_stride;
  }
  for (int64_t col = begin % inner.extent;; col = 0) {
    const int64_t count = std::min(inner.extent - col, end - begin);
    int64_t rows = 1;
    if (together && around > 0 && count == inner.extent)
      rows =
          std::min(nest.loops[around - 1].extent - step[around - 1], (end - begin) / inner.extent);
    use(rows, count, src + col * inner.src_stride, dst + col * inner.dst_stride);
    begin += rows * count;
    if (begin == end) return;
    step[around - 1] += rows - 1;
    src += (rows - 1) * nest.loops[around - 1].src_stride;
    dst += (rows - 1) * nest.loops[around - 1].dst_stride;
    for (size_t k = around - 1;; --k) {
      const spi::LoopDim& loop = nest.loops[k];
      src += loop.src_stride;
      dst += loop.dst_stride;
      if (++step[k] < loop.extent) break;
      step[k] = 0;
      src -= loop.extent * loop.src_stride;
      dst -= loop.extent * loop.dst_stride;
    }
  }
}

// The loops of `view`. A tensor without gaps whose padding is less than its elements is one loop
// with its padding, which is zeroed behind it.
Problem ProblemOf(const spi::EltwiseView& view) {
  const spi::Layout& to = view.to;
  Problem problem;
  problem.arithmetic.src = problem.arithmetic.dst = to.type;
  if (spi::IsEmpty(to)) return problem;
  if (view.data == to && spi::HasPadding(to)) {
    spi::Layout padded = to;
    double share = 1;
    for (int j = 0; j < to.rank; ++j) {
      padded.dims[j] = spi::PaddedDim(to, j);
      share *= static_cast<double>(to.dims[j]) / static_cast<double>(padded.dims[j]);
    }
    Problem run = problem;
    PlanNests(padded, padded, {}, &run);
    if (share >= 0.5 && run.nests.size() == 1 && run.nests[0].loops.size() == 1 &&
        Innermost(run.nests[0]).dst_stride == 1) {
      run.padding = spi::PaddingOf(to);
      return run;
    }
  }
  PlanNests(view.data, to, {}, &problem);
  return problem;
}

}  // namespace

bool EltwiseRun::Plan(const spi::EltwiseView& view, bool vectors) {
  type_ = view.to.type;
  function_ = {spi::PlainOf(view.algorithm), view.alpha, view.beta};
  problem_ = ProblemOf(view);
  // In double: what is never executed may be of any size.
  double bytes = 0;
  for (const spi::LoopNest& nest : problem_.nests)
    bytes += 2.0 * static_cast<double>(spi::SizeOf(type_)) * static_cast<double>(CountOf(nest));
  non_temporal_ = bytes >= static_cast<double>(NonTemporalBytes());
  const bool from_dst = spi::UsesDst(view.algorithm);
  if (vectors) {
    if (FindForwardKernel({spi::Algorithm::kEltwiseRelu}) == nullptr) return false;
    if (view.forward) {
      forward_ = FindForwardKernel(function_);
      narrow_forward_ = FindNarrowKernel(function_, type_);
    } else {
      backward_ = FindBackwardKernel(function_, from_dst);
      narrow_backward_ = FindNarrowBackwardKernel(function_, type_);
    }
    if (type_ != DataType::kF32) {
      const ConvertMode copy = ConvertMode::kCopy;
      widen_ = FindConvertKernel(type_, DataType::kF32, copy, DataType::kF32);
      narrow_ = FindConvertKernel(DataType::kF32, type_, copy, type_);
    }
  }
  if (view.forward && forward_ == nullptr) forward_ = PlainForwardKernel();
  if (!view.forward && backward_ == nullptr) backward_ = PlainBackwardKernel(from_dst);
  row_ = OnlyRow(bytes);
  return true;
}

// The elements, if one call of the kernel does them all where they lie.
int64_t EltwiseRun::OnlyRow(int64_t bytes) const {
  if (type_ != DataType::kF32 || non_temporal_ || bytes >= 2 * kBytesPerThread) return 0;
  const bool one_nest = problem_.nests.size() == 1 && problem_.padding.empty();
  if (!one_nest || problem_.nests[0].loops.size() > 1) return 0;
  const spi::LoopDim row = Innermost(problem_.nests[0]);
  return row.extent == 1 || (row.src_stride == 1 && row.dst_stride == 1) ? row.extent : 0;
}

void EltwiseRun::Run(const EltwiseData& at) const {
  if (row_ > 0) return RunRow(at);
  for (const spi::LoopNest& nest : problem_.nests) RunNest(nest, at);
  if (problem_.walk != nullptr)
    problem_.walk->ForEachLoop(
        [&](const spi::LoopDim& loop, int64_t src_offset, int64_t dst_offset, int64_t) {
          spi::LoopNest nest;
          nest.loops.push_back(loop);
          nest.src_offset = src_offset;
          nest.dst_offset = dst_offset;
          RunPart(nest, 0, loop.extent, at);
        });
  if (!problem_.padding.empty()) ZeroPadding(problem_, at.to);
}

void EltwiseRun::RunRow(const EltwiseData& at) const {
  const spi::LoopNest& only = *problem_.nests.data();
  const float* const data = reinterpret_cast<const float*>(at.data) + only.src_offset;
  const auto* diff_dst = reinterpret_cast<const float*>(at.diff_dst);
  if (diff_dst != nullptr) diff_dst += only.dst_offset;
  float* const to = reinterpret_cast<float*>(at.to) + only.dst_offset;
  EltwiseRows row;
  row.cols = row_;
  Apply(row, data, diff_dst, to);
}

void EltwiseRun::RunNest(const spi::LoopNest& nest, const EltwiseData& at) const {
  const int64_t count = CountOf(nest), stages = (count + kStage - 1) / kStage;
  const int64_t wanted = count / (kBytesPerThread / (2 * spi::SizeOf(type_)));
  const int threads = wanted < 2 ? 1 : static_cast<int>(std::min<int64_t>(wanted, MaxThreads()));
  if (threads == 1) return RunPart(nest, 0, count, at);
  const int64_t pieces = std::min(stages, threads * kPiecesPerThread);
  ParallelFor(pieces, threads, [&](int64_t i) {
    RunPart(nest, stages * i / pieces * kStage, std::min(count, stages * (i + 1) / pieces * kStage),
            at);
  });
}

void EltwiseRun::RunPart(const spi::LoopNest& nest, int64_t begin, int64_t end,
                         const EltwiseData& at) const {
  const spi::LoopDim inner = Innermost(nest);
  const bool direct = inner.extent >= kDirect && inner.src_stride == 1 && inner.dst_stride == 1;
  if (direct && (narrow_forward_ != nullptr || narrow_backward_ != nullptr)) {
    const int64_t bytes = spi::SizeOf(type_);
    return ForRows(nest, begin, end, false, [&](int64_t, int64_t count, int64_t src, int64_t dst) {
      src *= bytes, dst *= bytes;
      if (narrow_forward_ != nullptr) {
        narrow_forward_(function_, count, at.data + src, at.to + dst);
      } else {
        narrow_backward_(function_, count, at.data + src, at.diff_dst + dst, at.to + dst);
      }
    });
  }
  if (!direct || type_ != DataType::kF32) {
    for (; begin < end; begin += kStage) RunStaged(nest, begin, std::min(end, begin + kStage), at);
    return;
  }
  const auto* const data = reinterpret_cast<const float*>(at.data);
  const auto* const diff_dst = reinterpret_cast<const float*>(at.diff_dst);
  auto* const to = reinterpret_cast<float*>(at.to);
  // In place the lines of the result are there already.
  const bool non_temporal = non_temporal_ && inner.extent >= kNonTemporal && at.data != at.to;
  const spi::LoopDim around =
      nest.loops.size() > 1 ? nest.loops[nest.loops.size() - 2] : spi::LoopDim();
  EltwiseRows block;
  block.src_row = around.src_stride;
  block.dst_row = around.dst_stride;
  block.non_temporal = non_temporal;
  ForRows(nest, begin, end, true, [&](int64_t rows, int64_t count, int64_t src, int64_t dst) {
    block.rows = rows;
    block.cols = count;
    Apply(block, data + src, diff_dst == nullptr ? nullptr : diff_dst + dst, to + dst);
  });
}

void EltwiseRun::RunStaged(const spi::LoopNest& nest, int64_t begin, int64_t end,
                           const EltwiseData& at) const {
  alignas(64) float data[kStage], diff[kStage];
  const int64_t bytes = spi::SizeOf(type_);
  const spi::LoopDim inner = Innermost(nest);
  int64_t i = 0;
  ForRows(nest, begin, end, false, [&](int64_t, int64_t count, int64_t src, int64_t dst) {
    Widen(at.data + src * bytes, inner.src_stride, count, data + i);
    if (at.diff_dst != nullptr) Widen(at.diff_dst + dst * bytes, inner.dst_stride, count, diff + i);
    i += count;
  });
  EltwiseRows row;
  row.cols = end - begin;
  Apply(row, data, diff, diff);
  i = 0;
  ForRows(nest, begin, end, false, [&](int64_t, int64_t count, int64_t, int64_t dst) {
    Narrow(diff + i, inner.dst_stride, count, at.to + dst * bytes);
    i += count;
  });
}

void EltwiseRun::Widen(const std::byte* from, int64_t stride, int64_t count, float* to) const {
  if (stride == 1 && type_ == DataType::kF32) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(float));
  } else if (stride == 1 && widen_ != nullptr && count >= kConverted) {
    ConvertShape shape;
    shape.cols = count;
    widen_(shape, from, reinterpret_cast<std::byte*>(to), nullptr);
  } else {
    WithType(type_, [&](auto t) {
      using T = decltype(t);
      for (int64_t i = 0; i < count; ++i)
        to[i] = impl_cpu::Widen(LoadElement<T>(from + i * stride * int64_t{sizeof(T)}));
    });
  }
}

void EltwiseRun::Narrow(const float* from, int64_t stride, int64_t count, std::byte* to) const {
  if (stride == 1 && type_ == DataType::kF32) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(float));
  } else if (stride == 1 && narrow_ != nullptr && count >= kConverted) {
    ConvertShape shape;
    shape.cols = count;
    narrow_(shape, reinterpret_cast<const std::byte*>(from), to, nullptr);
  } else {
    WithType(type_, [&](auto t) {
      using T = decltype(t);
      for (int64_t i = 0; i < count; ++i) {
        T element;
        impl_cpu::Narrow(from[i], &element);
        std::memcpy(to + i * stride * int64_t{sizeof(T)}, &element, sizeof(T));
      }
    });
  }
}

void EltwiseRun::Apply(const EltwiseRows& rows, const float* data, const float* diff_dst,
                       float* to) const {
  if (forward_ != nullptr) {
    forward_(function_, rows, data, to);
  } else {
    backward_(function_, rows, data, diff_dst, to);
  }
}

std::string EltwiseRun::ToString() const {
  return absl::StrCat(spi::NameOf(function_.algorithm), " ", impl_cpu::ToString(problem_));
}

}  // namespace impl_cpu
