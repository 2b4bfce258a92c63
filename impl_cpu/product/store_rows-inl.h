// Stores two lines of f32, each 16 results of a row, as elements of any type, per target.

#include <cstdint>

#include "hwy/highway.h"
#include "impl_cpu/numeric/lanes-inl.h"
#include "impl_cpu/product/kernel.h"

#if defined(DNNSPEC_IMPL_CPU_PRODUCT_STORE_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_PRODUCT_STORE_ROWS_INL_H_
#undef DNNSPEC_IMPL_CPU_PRODUCT_STORE_ROWS_INL_H_
#else
#define DNNSPEC_IMPL_CPU_PRODUCT_STORE_ROWS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// Line i, of kV vectors, from to[i] on.
template <class Rounding, int kV, typename T>
HWY_INLINE void StoreRows(const VF (&rows)[2][kV], T* const (&to)[2]) {
#pragma GCC unroll 2
  for (int r = 0; r < 2; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kV; ++v) Store1(rows[r][v], to[r] + v * (kPanel / kV));
}

// Two vectors become one, where that may be.
template <class Rounding, int kV>
HWY_INLINE void StoreRows(const VF (&rows)[2][kV], BF16* const (&to)[2]) {
  VF all[2 * kV];
#pragma GCC unroll 8
  for (int i = 0; i < 2 * kV; ++i) all[i] = rows[i / kV][i % kV];
  if (HWY_UNLIKELY(!Rounding::Takes(all))) return StoreRows<Rounding, kV, BF16>(rows, to);
  const auto at = [&to](int r, int v) {
    return reinterpret_cast<uint16_t*>(to[r]) + v * (kPanel / kV);
  };
  if constexpr (kV == 1) {
    const auto both = Rounding::Two(rows[0][0], rows[1][0]);
    if (to[1] == to[0] + kPanel) return hn::StoreU(both, DU16(), at(0, 0));
    StoreBoth(both, at(0, 0), at(1, 0));
  } else {
#pragma GCC unroll 2
    for (int r = 0; r < 2; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kV; v += 2)
        hn::StoreU(Rounding::Two(rows[r][v], rows[r][v + 1]), DU16(), at(r, v));
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
