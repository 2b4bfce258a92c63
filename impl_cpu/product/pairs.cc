#include "impl_cpu/product/pairs.h"

#include <algorithm>

#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/rounding.h"
#include "impl_cpu/threads/parallel_for.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/pairs.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

PairKernels KernelsOfPairs(spi::DataType) { return {}; }

int64_t JoinColumns(const uint16_t*, const uint16_t*, int64_t, int64_t c, uint32_t*) { return c; }

#else

namespace hn = hwy::HWY_NAMESPACE;

template <typename T>
void Widen(const std::byte* from, int64_t count, int16_t* to) {
  const hn::ScalableTag<int16_t> d16;
  const hn::Rebind<T, decltype(d16)> d8;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d16));
  const T* const bytes = reinterpret_cast<const T*>(from);
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    hn::StoreU(hn::PromoteTo(d16, hn::LoadU(d8, bytes + i)), d16, to + i);
  for (; i < count; ++i) to[i] = bytes[i];
}

template <typename T>
void Interleave(const std::byte* from, int64_t row, int64_t rows, int16_t* to) {
  // Eight columns are eight lanes of 16 bits on every instruction set.
  const hn::CappedTag<int16_t, 8> d16;
  const hn::Rebind<T, decltype(d16)> d8;
  for (int64_t r = 0; r < rows; r += 2, from += 2 * row) {
    for (int c = 0; c < kPanel; c += 8, to += 16) {
      const T* const bytes = reinterpret_cast<const T*>(from) + c;
      const auto even = hn::PromoteTo(d16, hn::LoadU(d8, bytes));
      const auto odd = hn::PromoteTo(d16, hn::LoadU(d8, bytes + row));
      hn::StoreU(hn::InterleaveLower(d16, even, odd), d16, to);
      hn::StoreU(hn::InterleaveUpper(d16, even, odd), d16, to + 8);
    }
  }
}

template <typename T>
void Split(const std::byte* from, int64_t lines, int16_t* to) {
  const hn::CappedTag<int16_t, 8> d16;
  const hn::Rebind<T, decltype(d16)> d8;
  const hn::Repartition<int32_t, decltype(d16)> d32;
  const T* bytes = reinterpret_cast<const T*>(from);
  for (int64_t line = 0; line < lines; ++line, to += 4 * kPanel)
    for (int c = 0; c < kPanel; c += 4, bytes += 16) {
      const auto low = hn::BitCast(d32, hn::PromoteTo(d16, hn::LoadU(d8, bytes)));
      const auto high = hn::BitCast(d32, hn::PromoteTo(d16, hn::LoadU(d8, bytes + 8)));
      hn::StoreU(hn::BitCast(d16, hn::ConcatEven(d32, high, low)), d16, to + 2 * c);
      hn::StoreU(hn::BitCast(d16, hn::ConcatOdd(d32, high, low)), d16, to + 2 * (kPanel + c));
    }
}

// Columns from `c` on, as far as vectors of up to `kLanes` pairs go.
template <int kLanes>
HWY_INLINE int64_t JoinVectors(const uint16_t* even, const uint16_t* odd, int64_t cols, int64_t c,
                               uint32_t* to) {
  const hn::CappedTag<uint32_t, kLanes> d32;
  const hn::Rebind<uint16_t, decltype(d32)> d16;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d32));
  for (; c + lanes <= cols; c += lanes) {
    const auto low = hn::PromoteTo(d32, hn::LoadU(d16, even + c));
    const auto high = hn::PromoteTo(d32, hn::LoadU(d16, odd + c));
    hn::StoreU(hn::Or(low, hn::ShiftLeft<16>(high)), d32, to + c);
  }
  return c;
}

HWY_INLINE int64_t JoinColumns(const uint16_t* even, const uint16_t* odd, int64_t cols, int64_t c,
                               uint32_t* to) {
  c = JoinVectors<kPanel>(even, odd, cols, c, to);
  return JoinVectors<4>(even, odd, cols, c, to);
}

PairKernels KernelsOfPairs(spi::DataType type) {
  if (type == spi::DataType::kS8) return {Widen<int8_t>, Interleave<int8_t>, Split<int8_t>};
  return {Widen<uint8_t>, Interleave<uint8_t>, Split<uint8_t>};
}

#endif

void Join(const JoinShape& shape, const uint16_t* from, uint32_t* to) {
  static constexpr uint16_t kNoRow[kPanel] = {};
  for (int64_t r = 0; r < shape.rows; r += 2, from += 2 * shape.row, to += shape.to_row) {
    const uint16_t* const odd = r + 1 < shape.rows ? from + shape.row : kNoRow;
    for (int64_t c = JoinColumns(from, odd, shape.cols, 0, to); c < shape.cols; ++c)
      to[c] = from[c] | uint32_t{odd[c]} << 16;
  }
}

JoinKernel KernelOfJoin() { return Join; }

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelsOfPairs);
HWY_EXPORT(KernelOfJoin);

PairKernels FindPairKernels(spi::DataType type) {
  return HWY_DYNAMIC_DISPATCH(KernelsOfPairs)(type);
}

void SplitLines(const PairKernels& kernels, const std::byte* from, int64_t lines, int threads,
                int16_t* to) {
  constexpr int64_t kPiece = 1 << 10, kLineBytes = int64_t{kPanel} * 4;
  ParallelFor(CeilDiv(lines, kPiece), threads, [&](int64_t piece) {
    const int64_t first = piece * kPiece;
    kernels.split(from + first * kLineBytes, std::min(kPiece, lines - first),
                  to + first * kLineBytes);
  });
}

JoinKernel FindJoinKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfJoin)(); }

}  // namespace impl_cpu
#endif
