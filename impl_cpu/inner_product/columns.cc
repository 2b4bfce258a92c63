#include "impl_cpu/inner_product/columns.h"

#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/inner_product/columns.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/numeric/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

ColumnKernels KernelsOfColumns() { return {}; }

#else

template <class D>
HWY_INLINE hn::Vec<D> Widened(D d, const uint16_t* p) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::PromoteTo(du, hn::LoadU(hn::Rebind<uint16_t, D>(), p));
  return hn::BitCast(d, hn::ShiftLeft<16>(bits));
}

template <class D>
HWY_INLINE hn::Vec<D> LoadColumns(D d, const float* p) {
  return hn::LoadU(d, p);
}
template <class D>
HWY_INLINE hn::Vec<D> LoadColumns(D d, const uint16_t* p) {
  return Widened(d, p);
}

// Column i of panels that lie `panel` elements apart.
HWY_INLINE int64_t ColumnAt(int64_t i, int64_t panel) {
  return (i & ~int64_t{kPanel - 1}) / kPanel * panel + (i & (kPanel - 1));
}

// The same of vector v from the first column of a panel on.
template <class D>
HWY_INLINE int64_t VectorAt(D, int v, int64_t panel) {
  constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
  return v * kLanes / kPanel * panel + v * kLanes % kPanel;
}

// To bf16. Neighbours become one vector where none holds NaN.
template <int kVectors, class D>
HWY_INLINE void StoreRounded(D d, const hn::Vec<D> (&sum)[kVectors], uint16_t* to, int64_t panel) {
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) StoreBf16(d, sum[v], to + VectorAt(d, v, panel));
}
HWY_INLINE void StoreRounded(DF d, const VF (&sum)[4], uint16_t* to, int64_t panel) {
  // NaN in any of them makes the sum NaN; so do infinities, which only costs time.
  const VF any = hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3]));
  if (HWY_UNLIKELY(!hn::AllTrue(d, hn::Eq(any, any))))
    return StoreRounded<4, DF>(d, sum, to, panel);
#pragma GCC unroll 2
  for (int v = 0; v < 4; v += 2) {
    const Numbers v0 = {sum[v]}, v1 = {sum[v + 1]};
    if constexpr (hn::MaxLanes(DF()) == kPanel) {
      StoreBrains(v0, v1, to + VectorAt(d, v, panel), to + VectorAt(d, v + 1, panel));
    } else {
      hn::StoreU(PackBrains(v0, v1), DU16(), to + VectorAt(d, v, panel));
    }
  }
}

// Where a row of columns, the first of b, and its sums begin.
template <typename TB>
struct At {
  const TB* b;
  float* sums;
  uint16_t* rounded;
};

// kVectors vectors of columns of the first `rows` rows.
template <int kVectors, class D, typename TB>
HWY_INLINE void Sums(D d, const ColumnSumsArgs& args, At<TB> at, const float* row, int64_t rows) {
  const int64_t depth = args.depth, a_step = args.a_step, b_step = args.b_step;
  const int64_t b_panel = args.b_panel, panel = args.sums_panel;
  for (; rows > 0; --rows, row += args.a_row, at.sums += args.sums_row) {
    hn::Vec<D> sum[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      sum[v] = args.add ? hn::LoadU(d, at.sums + VectorAt(d, v, panel)) : hn::Zero(d);
    const float* a = row;
    const TB* b = at.b;
    for (int64_t k = 0; k < depth; ++k, a += a_step, b += b_step) {
      const auto x = hn::Set(d, *a);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        sum[v] = hn::MulAdd(x, LoadColumns(d, b + VectorAt(d, v, b_panel)), sum[v]);
    }
    if (at.rounded != nullptr) {
      StoreRounded(d, sum, at.rounded, args.rounded_panel);
      at.rounded += args.rounded_row;
    } else if (kVectors > 1 && args.non_temporal) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) hn::Stream(sum[v], d, at.sums + VectorAt(d, v, panel));
    } else {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, at.sums + VectorAt(d, v, panel));
    }
  }
}

// The panels that are whole groups of `kCols` columns, of some rows.
template <int kVectors, class D, typename TB>
HWY_INLINE void Groups(D d, const ColumnSumsArgs& args, At<TB> at, const float* row, int64_t rows) {
  constexpr int64_t kCols = kVectors * hn::MaxLanes(D()), kPanels = kCols / kPanel;
  for (int64_t i = 0; i + kCols <= args.cols; i += kCols) {
    Sums<kVectors>(d, args, at, row, rows);
    at.b += kPanels * args.b_panel;
    at.sums += kPanels * args.sums_panel;
    if (at.rounded != nullptr) at.rounded += kPanels * args.rounded_panel;
  }
}

// Vectors from column `i` on, and what fills none by halves of them.
template <class D, typename TB>
HWY_INLINE void Rest(D d, const ColumnSumsArgs& args, const TB* b, int64_t i) {
  constexpr int64_t kLanes = hn::MaxLanes(D());
  for (; i + kLanes <= args.cols; i += kLanes) {
    At<TB> at = {b + ColumnAt(i, args.b_panel), args.sums + ColumnAt(i, args.sums_panel), nullptr};
    if (args.rounded != nullptr) at.rounded = args.rounded + ColumnAt(i, args.rounded_panel);
    Sums<1>(d, args, at, args.a, args.rows);
  }
  if constexpr (kLanes > 1) Rest(hn::Half<D>(), args, b, i);
}

template <typename TB>
HWY_INLINE void SumsOf(const ColumnSumsArgs& args, const TB* b) {
  constexpr int kVectors = 4;
  const hn::CappedTag<float, kPanel> d;
  constexpr int64_t kCols = kVectors * hn::MaxLanes(hn::CappedTag<float, kPanel>());
  // Along what lies side by side in the result.
  const bool across = args.rounded != nullptr ? args.rounded_row > args.rounded_panel
                                              : args.sums_row > args.sums_panel;
  if (!across) {
    Groups<kVectors>(d, args, At<TB>{b, args.sums, args.rounded}, args.a, args.rows);
  } else {
    for (int64_t r = 0; r < args.rows; ++r) {
      At<TB> at = {b, args.sums + r * args.sums_row, nullptr};
      if (args.rounded != nullptr) at.rounded = args.rounded + r * args.rounded_row;
      Groups<kVectors>(d, args, at, args.a + r * args.a_row, 1);
    }
  }
  Rest(d, args, b, args.cols / kCols * kCols);
}

void ColumnSums(const ColumnSumsArgs& args) {
  return args.b_bf16 != nullptr ? SumsOf(args, args.b_bf16) : SumsOf(args, args.b);
}

template <class D>
HWY_INLINE void WidenRest(D d, const uint16_t* from, float* to, int64_t i, int64_t count) {
  constexpr int64_t kLanes = hn::MaxLanes(D());
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(Widened(d, from + i), d, to + i);
  if constexpr (kLanes > 1) WidenRest(hn::Half<D>(), from, to, i, count);
}

void Widen(const WideningArgs& args) {
  for (int64_t r = 0; r < args.rows; ++r)
    WidenRest(hn::CappedTag<float, kPanel>(), args.from + r * args.from_row,
              args.to + r * args.to_row, 0, args.cols);
}

ColumnKernels KernelsOfColumns() { return {ColumnSums, Widen}; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelsOfColumns);

ColumnKernels FindColumnKernels() { return HWY_DYNAMIC_DISPATCH(KernelsOfColumns)(); }

}  // namespace impl_cpu
#endif
