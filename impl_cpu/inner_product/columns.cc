#include "impl_cpu/inner_product/columns.h"

#include <algorithm>
#include <type_traits>

#include "impl_cpu/isa/avx3_dl.h"  // machines that round to bf16 have this level of AVX-512
#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/inner_product/columns.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/numeric/lanes-inl.h"
#include "impl_cpu/product/bf16_rounding-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

ColumnKernels KernelsOfColumns() { return {}; }

#else

template <class D>
HWY_INLINE hn::Vec<D> LoadColumns(D d, const float* p) {
  return hn::LoadU(d, p);
}
template <class D>
HWY_INLINE hn::Vec<D> LoadColumns(D d, const uint16_t* p) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::PromoteTo(du, hn::LoadU(hn::Rebind<uint16_t, D>(), p));
  return hn::BitCast(d, hn::ShiftLeft<16>(bits));
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

// To bf16, neighbours as one vector where that may be.
template <class Rounding, int kVectors, class D>
HWY_INLINE void StoreRounded(D d, const hn::Vec<D> (&sum)[kVectors], uint16_t* to, int64_t panel) {
  if constexpr (kVectors == 4 && std::is_same<D, DF>::value) {
    if (HWY_LIKELY(Rounding::Takes(sum))) {
#pragma GCC unroll 2
      for (int v = 0; v < 4; v += 2) {
        const auto both = Rounding::Two(sum[v], sum[v + 1]);
        uint16_t* const at = to + VectorAt(d, v, panel);
        if (hn::MaxLanes(d) < kPanel || panel == kPanel) {
          hn::StoreU(both, DU16(), at);
          continue;
        }
        StoreBoth(both, at, at + panel);
      }
      return;
    }
  }
#pragma GCC unroll 4
  for (int v = 0; v < kVectors; ++v) StoreBf16(d, sum[v], to + VectorAt(d, v, panel));
}

// Where a row of columns, the first of b, and its sums begin.
template <typename T, class R>
struct At {
  using TB = T;
  using Rounding = R;
  const TB* b;
  float* sums;
  uint16_t* rounded;
};

// The sums of a row of kVectors vectors of columns, to where `at` says.
template <int kVectors, class D, class TAt>
HWY_INLINE void StoreSums(D d, const hn::Vec<D> (&sum)[kVectors], const TAt& at, int64_t panel,
                          int64_t rounded_panel, bool non_temporal) {
  if (at.rounded != nullptr) {
    StoreRounded<typename TAt::Rounding>(d, sum, at.rounded, rounded_panel);
  } else if (non_temporal) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) hn::Stream(sum[v], d, at.sums + VectorAt(d, v, panel));
  } else {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, at.sums + VectorAt(d, v, panel));
  }
}

// kVectors vectors of columns of `rows` rows, kRows of them at a time, as long as there are so
// many. Returns how many rows are left; `first` and `row` are moved on to them.
template <int kVectors, int kRows, class D, class TAt>
HWY_INLINE int64_t SumsOfMany(D d, const ColumnSumsArgs& args, TAt* first, const float** row,
                              int64_t rows) {
  // What is stored could be what is read of `args`, for all that the compiler knows.
  const int64_t depth = args.depth, a_row = args.a_row, a_step = args.a_step, b_step = args.b_step;
  const int64_t b_panel = args.b_panel, panel = args.sums_panel, sums_row = args.sums_row;
  const int64_t rounded_row = args.rounded_row, rounded_panel = args.rounded_panel;
  const bool add = args.add, non_temporal = kVectors > 1 && args.non_temporal;
  TAt at = *first;
  for (; rows >= kRows; rows -= kRows, *row += kRows * a_row) {
    hn::Vec<D> sum[kRows][kVectors];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        sum[r][v] =
            add ? hn::LoadU(d, at.sums + r * sums_row + VectorAt(d, v, panel)) : hn::Zero(d);
    const float* a = *row;
    const auto* b = at.b;
    for (int64_t k = 0; k < depth; ++k, a += a_step, b += b_step) {
      hn::Vec<D> columns[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) columns[v] = LoadColumns(d, b + VectorAt(d, v, b_panel));
#pragma GCC unroll 4
      for (int r = 0; r < kRows; ++r) {
        const auto x = hn::Set(d, a[r * a_row]);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sum[r][v] = hn::MulAdd(x, columns[v], sum[r][v]);
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      StoreSums<kVectors>(d, sum[r], at, panel, rounded_panel, non_temporal);
      at.sums += sums_row;
      if (at.rounded != nullptr) at.rounded += rounded_row;
    }
  }
  *first = at;
  return rows;
}

// The same of so few k as kHeld, whose columns stay in registers. `args.add` is false.
template <int kVectors, int kHeld, class D, class TAt>
HWY_INLINE void SumsOfFew(D d, const ColumnSumsArgs& args, TAt at, const float* row, int64_t rows) {
  const int64_t a_row = args.a_row, a_step = args.a_step, b_step = args.b_step;
  const int64_t b_panel = args.b_panel, panel = args.sums_panel, sums_row = args.sums_row;
  const int64_t rounded_row = args.rounded_row, rounded_panel = args.rounded_panel;
  const bool non_temporal = args.non_temporal;
  hn::Vec<D> held[kHeld][kVectors];
#pragma GCC unroll 4
  for (int k = 0; k < kHeld; ++k)
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      held[k][v] = LoadColumns(d, at.b + k * b_step + VectorAt(d, v, b_panel));
  for (; rows > 0; --rows, row += a_row) {
    hn::Vec<D> sum[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
    const float* a = row;
#pragma GCC unroll 4
    for (int k = 0; k < kHeld; ++k, a += a_step) {
      const auto x = hn::Set(d, *a);
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[v] = hn::MulAdd(x, held[k][v], sum[v]);
    }
    StoreSums<kVectors>(d, sum, at, panel, rounded_panel, non_temporal);
    at.sums += sums_row;
    if (at.rounded != nullptr) at.rounded += rounded_row;
  }
}

template <int kVectors, int kHeld, class D, class TAt>
HWY_INLINE void Sums(D d, const ColumnSumsArgs& args, TAt at, const float* row, int64_t rows) {
  constexpr int kRows = kVectors == 1 ? 1 : 8 / kVectors;  // whose sums have room in registers
  if constexpr (kHeld > 0) {
    SumsOfFew<kVectors, kHeld>(d, args, at, row, rows);
  } else {
    if constexpr (kRows > 1) rows = SumsOfMany<kVectors, kRows>(d, args, &at, &row, rows);
    SumsOfMany<kVectors, 1>(d, args, &at, &row, rows);
  }
}

// The panels that are whole groups of `kCols` columns, of some rows.
template <int kVectors, int kHeld, class D, class TAt>
HWY_INLINE void Groups(D d, const ColumnSumsArgs& args, TAt at, const float* row, int64_t rows) {
  constexpr int64_t kCols = kVectors * hn::MaxLanes(D()), kPanels = kCols / kPanel;
  for (int64_t i = 0; i + kCols <= args.cols; i += kCols) {
    Sums<kVectors, kHeld>(d, args, at, row, rows);
    at.b += kPanels * args.b_panel;
    at.sums += kPanels * args.sums_panel;
    if (at.rounded != nullptr) at.rounded += kPanels * args.rounded_panel;
  }
}

// The same of more k than are held.
template <int kVectors, class D, class TAt>
HWY_INLINE void GroupsOfMany(D d, const ColumnSumsArgs& args, TAt at) {
  // Along what lies side by side in the result.
  const bool across = args.rounded != nullptr ? args.rounded_row > args.rounded_panel
                                              : args.sums_row > args.sums_panel;
  if (!across) return Groups<kVectors, 0>(d, args, at, args.a, args.rows);
  for (int64_t r = 0; r < args.rows; ++r) {
    Groups<kVectors, 0>(d, args, at, args.a + r * args.a_row, 1);
    at.sums += args.sums_row;
    if (at.rounded != nullptr) at.rounded += args.rounded_row;
  }
}

// Vectors from column `i` on, and what fills none by halves of them.
template <class D, class TAt>
HWY_INLINE void Rest(D d, const ColumnSumsArgs& args, TAt first, int64_t i) {
  constexpr int64_t kLanes = hn::MaxLanes(D());
  for (; i + kLanes <= args.cols; i += kLanes) {
    TAt at = {first.b + ColumnAt(i, args.b_panel), args.sums + ColumnAt(i, args.sums_panel),
              nullptr};
    if (args.rounded != nullptr) at.rounded = args.rounded + ColumnAt(i, args.rounded_panel);
    Sums<1, 0>(d, args, at, args.a, args.rows);
  }
  if constexpr (kLanes > 1) Rest(hn::Half<D>(), args, first, i);
}

template <int kVectors, class TAt>
HWY_INLINE void SumsBy(const ColumnSumsArgs& args, const typename TAt::TB* b) {
  const hn::CappedTag<float, kPanel> d;
  constexpr int64_t kCols = kVectors * hn::MaxLanes(hn::CappedTag<float, kPanel>());
  const TAt at = {b, args.sums, args.rounded};
  switch (args.add ? 0 : args.depth) {
    case 1:
      Groups<kVectors, 1>(d, args, at, args.a, args.rows);
      break;
    case 2:
      Groups<kVectors, 2>(d, args, at, args.a, args.rows);
      break;
    case 3:
      Groups<kVectors, 3>(d, args, at, args.a, args.rows);
      break;
    case kMostHeldDepth:
      Groups<kVectors, kMostHeldDepth>(d, args, at, args.a, args.rows);
      break;
    default:
      GroupsOfMany<kVectors>(d, args, at);
  }
  Rest(d, args, at, args.cols / kCols * kCols);
}

template <class TAt>
HWY_INLINE void SumsOf(const ColumnSumsArgs& args, const typename TAt::TB* b) {
  constexpr int kOfPanel = kPanel / hn::MaxLanes(hn::CappedTag<float, kPanel>());
  // Loads wait for non-temporal stores that are pending at the same place of another page: one
  // panel at a time. Stores of whole lines are not pending.
  if constexpr (kOfPanel > 1 && kOfPanel < 4) {
    if (args.non_temporal && args.sums_panel != kPanel) return SumsBy<kOfPanel, TAt>(args, b);
  }
  SumsBy<4, TAt>(args, b);
}

template <class Rounding>
void ColumnSums(const ColumnSumsArgs& args) {
  return args.b_bf16 != nullptr ? SumsOf<At<uint16_t, Rounding>>(args, args.b_bf16)
                                : SumsOf<At<float, Rounding>>(args, args.b);
}

ColumnKernels KernelsOfColumns() {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  if (MultipliesBf16Fast())
    return {ColumnSums<Bf16Rounding<false>>, ColumnSums<Bf16Rounding<true>>};
#endif
  return {ColumnSums<BitRounding>, nullptr};
}

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
