#include <cstdint>

#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/panels_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convolution/group_row-inl.h"
#include "impl_cpu/convolution/panels-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

PanelRowKernel KernelOfPanels() { return {}; }
GroupRowKernel KernelOfGroupRow(int64_t, int64_t) { return {}; }

#else

template <int kMost>
struct FloatStep {
  using D = hn::CappedTag<float, kMost>;
  using V = hn::Vec<D>;
  static HWY_INLINE V Broadcast(const float* p) { return hn::Set(D(), *p); }
  static HWY_INLINE V MulAdd(V x, V w, V sum) { return hn::MulAdd(x, w, sum); }
};

PanelRowKernel KernelOfPanels() { return PanelsOfStep<FloatStep>(); }
GroupRowKernel KernelOfGroupRow(int64_t depth, int64_t columns) {
  return GroupRowOfStep<FloatStep, 1>(depth, columns);
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfPanels);
HWY_EXPORT(KernelOfGroupRow);

PanelRowKernel FindPanelRowKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfPanels)(); }
GroupRowKernel FindGroupRowKernel(int64_t depth, int64_t columns) {
  return HWY_DYNAMIC_DISPATCH(KernelOfGroupRow)(depth, columns);
}

}  // namespace impl_cpu
#endif
