// Sums of the two products of pairs of bf16, per target.

#include "hwy/highway.h"

#if defined(DNNSPEC_IMPL_CPU_PRODUCT_BF16_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_PRODUCT_BF16_SUMS_INL_H_
#undef DNNSPEC_IMPL_CPU_PRODUCT_BF16_SUMS_INL_H_
#else
#define DNNSPEC_IMPL_CPU_PRODUCT_BF16_SUMS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

// Machines of this level of AVX-512 may have the instruction, or not.
inline bool MultipliesBf16() { return __builtin_cpu_supports("avx512bf16"); }
// Intel's take two to three times as long for it as for a multiply-add of f32.
inline bool MultipliesBf16Fast() { return MultipliesBf16() && !__builtin_cpu_is("intel"); }

// Each lane of 32 bits of `x` and `w` is two bf16. Numbers that are subnormal, in what is
// multiplied and in sums, are zeros to it. Written out: Highway 1.0.3 has no such operation, and no
// target for it.
template <class V>
HWY_INLINE V AddBf16Pairs(V x, V w, V sum) {
  asm("vdpbf16ps %2, %1, %0" : "+v"(sum.raw) : "v"(x.raw), "v"(w.raw));
  return sum;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
