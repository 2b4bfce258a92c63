#include "impl_cpu/inner_product/dots.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/inner_product/dots.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/product/pair_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

DotKernel KernelOfDots(spi::DataType, spi::DataType) { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;

// A tile is up to so many rows by so many columns; or one row by twice as many columns, or the
// other way round.
constexpr int kSide = 4;

using DF = hn::CappedTag<float, 16>;
using DI = hn::CappedTag<int32_t, 16>;

// What a line of elements is: so many that they fill a vector or two of sums.
struct F32Dot {
  using A = float;
  using B = float;
  using D = DF;
  static constexpr int64_t kLine = hn::MaxLanes(DF());
  using Line = hn::Vec<DF>;
  static HWY_INLINE Line Load(const float* p) { return hn::LoadU(DF(), p); }
  static HWY_INLINE Line MulAdd(Line x, Line w, Line sum) { return hn::MulAdd(x, w, sum); }
};

struct Bf16Dot {
  using A = uint16_t;
  using B = uint16_t;
  using D = DF;
  using Bits = hn::RebindToUnsigned<DF>;
  static constexpr int64_t kLine = 2 * hn::MaxLanes(DF());
  struct Line {
    hn::Vec<DF> even, odd;
  };
  // A bf16 is the upper half of an f32.
  static HWY_INLINE Line Load(const uint16_t* p) {
    const auto pairs = hn::LoadU(Bits(), reinterpret_cast<const uint32_t*>(p));
    return {hn::BitCast(DF(), hn::ShiftLeft<16>(pairs)),
            hn::BitCast(DF(), hn::And(pairs, hn::Set(Bits(), 0xffff0000u)))};
  }
  static HWY_INLINE hn::Vec<DF> MulAdd(Line x, Line w, hn::Vec<DF> sum) {
    return hn::MulAdd(x.odd, w.odd, hn::MulAdd(x.even, w.even, sum));
  }
};

template <typename T>
struct ByteDot {
  using A = T;
  using B = int8_t;
  using D = DI;
  using D16 = hn::Repartition<int16_t, DI>;
  static constexpr int64_t kLine = 2 * hn::MaxLanes(DI());
  using Line = hn::Vec<DI>;
  template <typename Byte>
  static HWY_INLINE Line Load(const Byte* p) {
    return hn::BitCast(DI(), hn::PromoteTo(D16(), hn::LoadU(hn::Rebind<Byte, D16>(), p)));
  }
  static HWY_INLINE Line MulAdd(Line x, Line w, Line sum) { return AddPairs(DI(), x, w, sum); }
};

// The first `count` elements, and zeros.
template <class Step, typename T>
HWY_INLINE typename Step::Line LoadFirst(const T* from, int64_t count) {
  HWY_ALIGN T line[Step::kLine] = {};
  std::memcpy(line, from, static_cast<size_t>(count) * sizeof(T));
  return Step::Load(line);
}

// The sum of the quarters, halves or whole of a vector: four lanes.
template <class D4, class V>
HWY_INLINE hn::Vec<D4> FourLanes(D4 d4, V v) {
  if constexpr (hn::MaxLanes(hn::DFromV<V>()) == 4) {
    return v;
  } else {
    const hn::Half<hn::DFromV<V>> half;
    return FourLanes(d4, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

// Four sums of lanes side by side.
template <class D, class V = hn::Vec<D>>
HWY_INLINE void SumLanes(D, V v0, V v1, V v2, V v3, hn::TFromD<D>* to) {
  const hn::CappedTag<hn::TFromD<D>, 4> d4;
  const auto q0 = FourLanes(d4, v0), q1 = FourLanes(d4, v1), q2 = FourLanes(d4, v2),
             q3 = FourLanes(d4, v3);
  const auto low = hn::Add(hn::InterleaveLower(d4, q0, q1), hn::InterleaveUpper(d4, q0, q1));
  const auto high = hn::Add(hn::InterleaveLower(d4, q2, q3), hn::InterleaveUpper(d4, q2, q3));
  hn::Store(hn::Add(hn::ConcatLowerLower(d4, high, low), hn::ConcatUpperUpper(d4, high, low)), d4,
            to);
}

template <class Step, int kRows, int kCols>
HWY_INLINE void Dots(const DotArgs& args, int64_t r0, int64_t c0) {
  using D = typename Step::D;
  using V = hn::Vec<D>;
  using T = hn::TFromD<D>;
  constexpr int kSums = kRows * kCols;
  // Fewer than eight sums wait for each other.
  constexpr int kK = kSums >= 8 ? 1 : kSums >= 4 ? 2 : kSums >= 2 ? 4 : 8;
  constexpr int64_t kLine = Step::kLine;
  const D d;
  V sum[kK][kSums];
#pragma GCC unroll 8
  for (int u = 0; u < kK; ++u)
#pragma GCC unroll 16
    for (int i = 0; i < kSums; ++i) sum[u][i] = hn::Zero(d);
  const typename Step::A* a[kRows];
  const typename Step::B* b[kCols];
#pragma GCC unroll 8
  for (int r = 0; r < kRows; ++r)
    a[r] = reinterpret_cast<const typename Step::A*>(args.a) + (r0 + r) * args.a_row;
#pragma GCC unroll 8
  for (int c = 0; c < kCols; ++c)
    b[c] = reinterpret_cast<const typename Step::B*>(args.b) + (c0 + c) * args.b_col;
  const auto line = [&](V(&to)[kSums], auto load) HWY_ATTR {
    typename Step::Line x[kRows];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r) x[r] = load(a[r]);
#pragma GCC unroll 8
    for (int c = 0; c < kCols; ++c) {
      const typename Step::Line w = load(b[c]);
#pragma GCC unroll 8
      for (int r = 0; r < kRows; ++r) to[r * kCols + c] = Step::MulAdd(x[r], w, to[r * kCols + c]);
    }
  };
  int64_t k = 0;
  for (; k + kK * kLine <= args.depth; k += kK * kLine)
#pragma GCC unroll 8
    for (int u = 0; u < kK; ++u)
      line(sum[u], [=](const auto* p) HWY_ATTR { return Step::Load(p + k + u * kLine); });
  for (; k + kLine <= args.depth; k += kLine)
    line(sum[0], [=](const auto* p) HWY_ATTR { return Step::Load(p + k); });
  if (k < args.depth)
    line(sum[0], [&](const auto* p) HWY_ATTR { return LoadFirst<Step>(p + k, args.depth - k); });
  HWY_ALIGN T sums[(kSums + 3) / 4 * 4];
#pragma GCC unroll 8
  for (int u = 1; u < kK; ++u)
#pragma GCC unroll 16
    for (int i = 0; i < kSums; ++i) sum[0][i] = hn::Add(sum[0][i], sum[u][i]);
#pragma GCC unroll 4
  for (int i = 0; i < kSums; i += 4) {
    const auto at = [&](int j) HWY_ATTR { return j < kSums ? sum[0][j] : hn::Zero(d); };
    SumLanes(d, at(i), at(i + 1), at(i + 2), at(i + 3), sums + i);
  }
  for (int r = 0; r < kRows; ++r)
    for (int c = 0; c < kCols; ++c)
      static_cast<T*>(args.sums)[(r0 + r) * args.sums_row + c0 + c] = sums[r * kCols + c];
}

template <class Step, int kRows>
void RowsOfDots(const DotArgs& args, int64_t r) {
  int64_t c = 0;
  if constexpr (kRows == 1)
    for (; c + 2 * kSide <= args.cols; c += 2 * kSide) Dots<Step, 1, 2 * kSide>(args, r, c);
  for (; c + kSide <= args.cols; c += kSide) Dots<Step, kRows, kSide>(args, r, c);
  const int64_t left = args.cols - c;
  if (left == 3) Dots<Step, kRows, 3>(args, r, c);
  if (left == 2) Dots<Step, kRows, 2>(args, r, c);
  if (left == 1) Dots<Step, kRows, 1>(args, r, c);
}

template <class Step>
void AllDots(const DotArgs& args) {
  int64_t r = 0;
  if (args.cols == 1)
    for (; r + 2 * kSide <= args.rows; r += 2 * kSide) Dots<Step, 2 * kSide, 1>(args, r, 0);
  for (; r + kSide <= args.rows; r += kSide) RowsOfDots<Step, kSide>(args, r);
  const int64_t left = args.rows - r;
  if (left == 3) RowsOfDots<Step, 3>(args, r);
  if (left == 2) RowsOfDots<Step, 2>(args, r);
  if (left == 1) RowsOfDots<Step, 1>(args, r);
}

DotKernel KernelOfDots(spi::DataType a, spi::DataType b) {
  using spi::DataType;
  if (a == DataType::kF32 && b == a) return AllDots<F32Dot>;
  if (a == DataType::kBF16 && b == a) return AllDots<Bf16Dot>;
  if (a == DataType::kU8 && b == DataType::kS8) return AllDots<ByteDot<uint8_t>>;
  if (a == DataType::kS8 && b == a) return AllDots<ByteDot<int8_t>>;
  return nullptr;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfDots);

DotKernel FindDotKernel(spi::DataType a, spi::DataType b) {
  return HWY_DYNAMIC_DISPATCH(KernelOfDots)(a, b);
}

}  // namespace impl_cpu
#endif
