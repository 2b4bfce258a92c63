#include "impl_cpu/plain/kernel.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "api/spi/strided/nest.h"
#include "api/spi/strided/walk.h"
#include "api/spi/types.h"
#include "impl_cpu/numeric/element.h"
#include "impl_cpu/numeric/storage.h"
#include "impl_cpu/plain/problem.h"

namespace impl_cpu {
namespace {

using spi::DataType;

// One innermost loop, and pointers to its first elements.
struct Row {
  const Arithmetic* arithmetic;
  spi::LoopDim loop;
  const std::byte* src;
  std::byte* dst;
  const float* scale;
  Zeros zeros;
};
using RowFunction = void (*)(const Row&);

template <typename From, typename To>
void CopyRow(const Row& row) {
  for (int64_t i = 0; i < row.loop.extent; ++i) {
    To to;
    Copy(LoadElement<From>(row.src + i * row.loop.src_stride * static_cast<int64_t>(sizeof(From))),
         &to);
    std::memcpy(row.dst + i * row.loop.dst_stride * static_cast<int64_t>(sizeof(To)), &to,
                sizeof(to));
  }
}

// The order of the operations, and that nothing is fused, is part of the contract; the build turns
// contraction off.
template <typename From, typename To>
void ComputeRow(const Row& row) {
  const Arithmetic& arithmetic = *row.arithmetic;
  for (int64_t i = 0; i < row.loop.extent; ++i) {
    std::byte* const dst = row.dst + i * row.loop.dst_stride * static_cast<int64_t>(sizeof(To));
    float value = Widen(
        LoadElement<From>(row.src + i * row.loop.src_stride * static_cast<int64_t>(sizeof(From))));
    if (arithmetic.shifted) value -= row.zeros.src;
    if (arithmetic.scale != Arithmetic::Scale::kNone) value *= row.scale[i * row.loop.scale_stride];
    if (arithmetic.sum) value += arithmetic.beta * LoadWidened(arithmetic.sum_type, dst);
    if (arithmetic.shifted) value += row.zeros.dst;
    To to;
    Narrow(value, &to);
    std::memcpy(dst, &to, sizeof(to));
  }
}

template <typename From>
RowFunction RowFunctionTo(DataType to, bool computed) {
  switch (to) {
    case DataType::kF32:
      return computed ? ComputeRow<From, float> : CopyRow<From, float>;
    case DataType::kS32:
      return computed ? ComputeRow<From, int32_t> : CopyRow<From, int32_t>;
    case DataType::kS8:
      return computed ? ComputeRow<From, int8_t> : CopyRow<From, int8_t>;
    case DataType::kU8:
      return computed ? ComputeRow<From, uint8_t> : CopyRow<From, uint8_t>;
    case DataType::kBF16:
      return computed ? ComputeRow<From, BF16> : CopyRow<From, BF16>;
    case DataType::kF16:
      return computed ? ComputeRow<From, F16> : CopyRow<From, F16>;
    case DataType::kUndef:
      break;
  }
  return nullptr;
}

RowFunction RowFunctionOf(const Arithmetic& arithmetic) {
  switch (arithmetic.src) {
    case DataType::kF32:
      return RowFunctionTo<float>(arithmetic.dst, arithmetic.computed);
    case DataType::kS32:
      return RowFunctionTo<int32_t>(arithmetic.dst, arithmetic.computed);
    case DataType::kS8:
      return RowFunctionTo<int8_t>(arithmetic.dst, arithmetic.computed);
    case DataType::kU8:
      return RowFunctionTo<uint8_t>(arithmetic.dst, arithmetic.computed);
    case DataType::kBF16:
      return RowFunctionTo<BF16>(arithmetic.dst, arithmetic.computed);
    case DataType::kF16:
      return RowFunctionTo<F16>(arithmetic.dst, arithmetic.computed);
    case DataType::kUndef:
      break;
  }
  return nullptr;
}

// Calls `run(loop, src, dst, scale)` with the innermost loop of `nest` and the offsets at which it
// begins, for each step of the loops around it.
template <typename Run>
void ForEachRow(const spi::LoopNest& nest, Run run) {
  if (nest.loops.empty())
    return run(spi::LoopDim(), nest.src_offset, nest.dst_offset, nest.scale_offset);
  const size_t last = nest.loops.size() - 1;
  int64_t step[kLimits.max_loops] = {};
  int64_t src = nest.src_offset, dst = nest.dst_offset, scale = nest.scale_offset;
  for (;;) {
    run(nest.loops[last], src, dst, scale);
    size_t k = last;
    for (; k > 0; --k) {
      const spi::LoopDim& loop = nest.loops[k - 1];
      src += loop.src_stride;
      dst += loop.dst_stride;
      scale += loop.scale_stride;
      if (++step[k - 1] < loop.extent) break;
      step[k - 1] = 0;
      src -= loop.extent * loop.src_stride;
      dst -= loop.extent * loop.dst_stride;
      scale -= loop.extent * loop.scale_stride;
    }
    if (k == 0) return;
  }
}

// From so many bytes on, memset() repays its call.
constexpr int64_t kMemsetBytes = 128;

// Zeros in `extent` elements, `stride` apart. Most rows of padding are a few elements long.
template <int64_t kBytes>
void ZeroRow(std::byte* to, int64_t extent, int64_t stride) {
  constexpr int64_t kPiece = 16;
  int64_t i = 0;
  if (stride == 1) {
    if (extent * kBytes >= kMemsetBytes) {
      std::memset(to, 0, static_cast<size_t>(extent * kBytes));
      return;
    }
    for (; (extent - i) * kBytes >= kPiece; i += kPiece / kBytes)
      std::memset(to + i * kBytes, 0, kPiece);
  }
  for (; i < extent; ++i) std::memset(to + i * stride * kBytes, 0, kBytes);
}

}  // namespace

void RunPlain(const Problem& problem, const std::byte* src, std::byte* dst, const float* scales,
              const Zeros& zeros) {
  const Arithmetic& arithmetic = problem.arithmetic;
  const RowFunction run = RowFunctionOf(arithmetic);
  const int64_t src_bytes = spi::SizeOf(arithmetic.src), dst_bytes = spi::SizeOf(arithmetic.dst);
  const auto run_row = [&](const spi::LoopDim& loop, int64_t from, int64_t to, int64_t scale) {
    const bool scaled = arithmetic.scale != Arithmetic::Scale::kNone;
    run({&arithmetic, loop, src + from * src_bytes, dst + to * dst_bytes,
         scaled ? scales + scale : nullptr, zeros});
  };
  if (problem.walk != nullptr) problem.walk->ForEachLoop(run_row);
  for (const spi::LoopNest& nest : problem.nests) ForEachRow(nest, run_row);
  ZeroPadding(problem, dst);
}

void ZeroPadding(const Problem& problem, std::byte* dst) {
  const int64_t bytes = spi::SizeOf(problem.arithmetic.dst);
  const auto zero = bytes == 1 ? ZeroRow<1> : bytes == 2 ? ZeroRow<2> : ZeroRow<4>;
  for (const spi::LoopNest& nest : problem.padding) {
    ForEachRow(nest, [&](const spi::LoopDim& loop, int64_t, int64_t to, int64_t) {
      zero(dst + to * bytes, loop.extent, loop.dst_stride);
    });
  }
}

}  // namespace impl_cpu
