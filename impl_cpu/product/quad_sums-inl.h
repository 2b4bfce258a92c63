// Sums of the four products of u8 by s8, exactly, per target.

#include "hwy/highway.h"

#if defined(DNNSPEC_IMPL_CPU_PRODUCT_QUAD_SUMS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_PRODUCT_QUAD_SUMS_INL_H_
#undef DNNSPEC_IMPL_CPU_PRODUCT_QUAD_SUMS_INL_H_
#else
#define DNNSPEC_IMPL_CPU_PRODUCT_QUAD_SUMS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

// Each lane of 32 bits of `x` is four u8, of `w` four s8. Written out, since Highway 1.0.3 lets
// compilers take AVX-VNNI for it instead.
template <class V>
HWY_INLINE V AddQuads(V x, V w, V sum) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sum.raw) : "v"(x.raw), "v"(w.raw));
  return sum;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
