#include "impl_cpu/product/widening.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/widening.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

WideningKernel KernelOfWidening() { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;

// Columns from `c` on; what fills no vector by halves of one.
template <class D>
HWY_INLINE void WidenColumns(D d, const uint16_t* from, int64_t c, int64_t cols, float* to) {
  constexpr int64_t kLanes = hn::MaxLanes(D());
  const hn::RebindToUnsigned<D> du;
  for (; c + kLanes <= cols; c += kLanes) {
    const auto bits = hn::PromoteTo(du, hn::LoadU(hn::Rebind<uint16_t, D>(), from + c));
    hn::StoreU(hn::BitCast(d, hn::ShiftLeft<16>(bits)), d, to + c);
  }
  if constexpr (kLanes > 1) WidenColumns(hn::Half<D>(), from, c, cols, to);
}

void Widen(const WideningShape& shape, const uint16_t* from, float* to) {
  constexpr int kMostLanes = 16;
  for (int64_t r = 0; r < shape.rows; ++r, from += shape.from_row, to += shape.to_row)
    WidenColumns(hn::CappedTag<float, kMostLanes>(), from, 0, shape.cols, to);
}

WideningKernel KernelOfWidening() { return Widen; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfWidening);

WideningKernel FindWideningKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfWidening)(); }

}  // namespace impl_cpu
#endif
