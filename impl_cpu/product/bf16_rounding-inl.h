// How vectors of f32 become bf16, two at once, per target.

#include "hwy/highway.h"
#include "impl_cpu/numeric/lanes-inl.h"
#include "impl_cpu/product/bf16_sums-inl.h"

#if defined(DNNSPEC_IMPL_CPU_PRODUCT_BF16_ROUNDING_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_PRODUCT_BF16_ROUNDING_INL_H_
#undef DNNSPEC_IMPL_CPU_PRODUCT_BF16_ROUNDING_INL_H_
#else
#define DNNSPEC_IMPL_CPU_PRODUCT_BF16_ROUNDING_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// By their bits, those that hold no NaN.
struct BitRounding {
  template <int kVectors>
  static HWY_INLINE bool Takes(const VF (&v)[kVectors]) {
    // NaN in any of them makes the sum NaN; so do infinities, which only costs time.
    VF sum = v[0];
#pragma GCC unroll 8
    for (int i = 1; i < kVectors; ++i) sum = hn::Add(sum, v[i]);
    return hn::AllTrue(DF(), hn::Eq(sum, sum));
  }
  static HWY_INLINE hn::Vec<DU16> Two(VF lo, VF hi) { return PackBrains(Numbers{lo}, Numbers{hi}); }
};

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

// By the instruction, where MultipliesBf16(): those that hold nothing subnormal, which is zero
// to it. Where all are `kNormal` nothing is looked at.
template <bool kNormal>
struct Bf16Rounding {
  template <int kVectors>
  static HWY_INLINE bool Takes(const VF (&v)[kVectors]) {
    constexpr int kSubnormal = 0x20;
    if (kNormal) return true;
    unsigned any = 0;
#pragma GCC unroll 8
    for (int i = 0; i < kVectors; ++i) any |= _mm512_fpclass_ps_mask(v[i].raw, kSubnormal);
    return any == 0;
  }
  static HWY_INLINE hn::Vec<DU16> Two(VF lo, VF hi) {
    hn::Vec<DU16> both;
    asm("vcvtne2ps2bf16 %2, %1, %0" : "=v"(both.raw) : "v"(hi.raw), "v"(lo.raw));
    return both;
  }
};

#endif
#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
