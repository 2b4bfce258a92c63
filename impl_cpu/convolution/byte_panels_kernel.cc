#include <cstdint>
#include <cstring>

#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/isa/avx3_dl.h"  // the level of AVX-512 that sums four products of bytes
#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/byte_panels_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convolution/group_row-inl.h"
#include "impl_cpu/convolution/panels-inl.h"
#include "impl_cpu/product/pair_sums-inl.h"
#include "impl_cpu/product/quad_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

template <int kMost>
struct WordStep {
  using D = hn::CappedTag<int32_t, kMost>;
  using V = hn::Vec<D>;
  static HWY_INLINE V Broadcast(const int32_t* p) {
    int32_t word;
    std::memcpy(&word, p, sizeof(word));  // bytes are not aligned
    return hn::Set(D(), word);
  }
};

template <int kMost>
struct PairPanelStep : WordStep<kMost> {
  using typename WordStep<kMost>::D;
  using typename WordStep<kMost>::V;
  static HWY_INLINE V MulAdd(V x, V w, V sum) { return AddPairs(D(), x, w, sum); }
};

#endif

#if HWY_TARGET == HWY_SCALAR

PanelRowKernel KernelOfPairPanels() { return {}; }
GroupRowKernel KernelOfPairGroupRow(int64_t, int64_t) { return {}; }

#elif HWY_TARGET < HWY_AVX3 && (HWY_TARGETS & HWY_AVX3)

// No better by pairs.
PanelRowKernel KernelOfPairPanels() { return N_AVX3::KernelOfPairPanels(); }
GroupRowKernel KernelOfPairGroupRow(int64_t depth, int64_t columns) {
  return N_AVX3::KernelOfPairGroupRow(depth, columns);
}

#else

PanelRowKernel KernelOfPairPanels() { return PanelsOfStep<PairPanelStep>(); }
GroupRowKernel KernelOfPairGroupRow(int64_t depth, int64_t columns) {
  return GroupRowOfStep<PairPanelStep, 2>(depth, columns);
}

#endif

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

template <int kMost>
struct QuadPanelStep : WordStep<kMost> {
  using typename WordStep<kMost>::V;
  static HWY_INLINE V MulAdd(V x, V w, V sum) { return AddQuads(x, w, sum); }
};

PanelRowKernel KernelOfQuadPanels() { return PanelsOfStep<QuadPanelStep>(); }
GroupRowKernel KernelOfQuadGroupRow(int64_t depth, int64_t columns) {
  return GroupRowOfStep<QuadPanelStep, 4>(depth, columns);
}

#else

PanelRowKernel KernelOfQuadPanels() { return {}; }
GroupRowKernel KernelOfQuadGroupRow(int64_t, int64_t) { return {}; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfPairPanels);
HWY_EXPORT(KernelOfQuadPanels);
HWY_EXPORT(KernelOfPairGroupRow);
HWY_EXPORT(KernelOfQuadGroupRow);

PanelRowKernel FindPairPanelRowKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfPairPanels)(); }
PanelRowKernel FindQuadPanelRowKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfQuadPanels)(); }
GroupRowKernel FindPairGroupRowKernel(int64_t depth, int64_t columns) {
  return HWY_DYNAMIC_DISPATCH(KernelOfPairGroupRow)(depth, columns);
}
GroupRowKernel FindQuadGroupRowKernel(int64_t depth, int64_t columns) {
  return HWY_DYNAMIC_DISPATCH(KernelOfQuadGroupRow)(depth, columns);
}

}  // namespace impl_cpu
#endif
