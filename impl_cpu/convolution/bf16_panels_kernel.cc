#include <cstdint>
#include <cstring>

#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/isa/avx3_dl.h"  // machines that multiply bf16 have this level of AVX-512
#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/bf16_panels_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convolution/group_row-inl.h"
#include "impl_cpu/convolution/panels-inl.h"
#include "impl_cpu/product/bf16_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

// A word is two bf16, whose products are added to an f32.
template <int kMost>
struct Bf16PanelStep {
  using D = hn::CappedTag<float, kMost>;
  using V = hn::Vec<D>;
  static HWY_INLINE V Broadcast(const float* p) {
    int32_t word;
    std::memcpy(&word, p, sizeof(word));  // of any alignment
    return hn::BitCast(D(), hn::Set(hn::RebindToSigned<D>(), word));
  }
  static HWY_INLINE V MulAdd(V x, V w, V sum) { return AddBf16Pairs(x, w, sum); }
};

PanelRowKernel KernelOfBf16Panels() {
  return MultipliesBf16Fast() ? PanelsOfStep<Bf16PanelStep>() : PanelRowKernel();
}

GroupRowKernel KernelOfBf16GroupRow(int64_t depth, int64_t columns) {
  return MultipliesBf16Fast() ? GroupRowOfStep<Bf16PanelStep, 2>(depth, columns) : GroupRowKernel();
}

#else

PanelRowKernel KernelOfBf16Panels() { return {}; }
GroupRowKernel KernelOfBf16GroupRow(int64_t, int64_t) { return {}; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfBf16Panels);
HWY_EXPORT(KernelOfBf16GroupRow);

PanelRowKernel FindBf16PanelRowKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfBf16Panels)(); }
GroupRowKernel FindBf16GroupRowKernel(int64_t depth, int64_t columns) {
  return HWY_DYNAMIC_DISPATCH(KernelOfBf16GroupRow)(depth, columns);
}

}  // namespace impl_cpu
#endif
