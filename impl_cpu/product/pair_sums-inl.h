// Sums of the two products of pairs of s16, exactly, per target.

#include "hwy/highway.h"

#if defined(DNNSPEC_IMPL_CPU_PRODUCT_PAIR_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_PRODUCT_PAIR_SUMS_INL_H_
#undef DNNSPEC_IMPL_CPU_PRODUCT_PAIR_SUMS_INL_H_
#else
#define DNNSPEC_IMPL_CPU_PRODUCT_PAIR_SUMS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// Each lane of 32 bits of `x` and `w` is a pair of s16. Elements come from bytes, so two products
// are below 2^17, and nothing saturates.
template <class D, class V = hwy::HWY_NAMESPACE::Vec<D>>
HWY_INLINE V AddPairs(D d, V x, V w, V sum) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  const hn::Repartition<int16_t, D> d16;
  V none = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, hn::BitCast(d16, x), hn::BitCast(d16, w), sum, none);
#else
  static_cast<void>(d);
  const V low =
      hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(x)), hn::ShiftRight<16>(hn::ShiftLeft<16>(w)));
  const V high = hn::Mul(hn::ShiftRight<16>(x), hn::ShiftRight<16>(w));
  return hn::Add(hn::Add(sum, low), high);
#endif
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
