#include "impl_cpu/inner_product/columns.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/inner_product/columns.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

ColumnSumsKernel KernelOfColumnSums() { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;

// All rows of kVectors vectors of columns from `i` on.
template <int kVectors, class D>
HWY_INLINE void Sums(D d, const ColumnSumsArgs& args, int64_t i) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (int64_t r = 0; r < args.rows; ++r) {
    float* const c = args.c + r * args.c_row + i;
    hn::Vec<D> sum[kVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      sum[v] = args.add ? hn::LoadU(d, c + v * lanes) : hn::Zero(d);
    for (int64_t k = 0; k < args.depth; ++k) {
      const auto x = hn::Set(d, args.a[r * args.a_row + k * args.a_step]);
      const float* const b = args.b + k * args.b_step + i;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v)
        sum[v] = hn::MulAdd(x, hn::LoadU(d, b + v * lanes), sum[v]);
    }
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) hn::StoreU(sum[v], d, c + v * lanes);
  }
}

// Vectors, and what fills none by halves of them.
template <class D>
HWY_INLINE void Rest(D d, const ColumnSumsArgs& args, int64_t i) {
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  for (; i + lanes <= args.cols; i += lanes) Sums<1>(d, args, i);
  if constexpr (hn::MaxLanes(D()) > 1) Rest(hn::Half<D>(), args, i);
}

void ColumnSums(const ColumnSumsArgs& args) {
  constexpr int kVectors = 4;
  const hn::CappedTag<float, 16> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + kVectors * lanes <= args.cols; i += kVectors * lanes) Sums<kVectors>(d, args, i);
  Rest(d, args, i);
}

ColumnSumsKernel KernelOfColumnSums() { return ColumnSums; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfColumnSums);

ColumnSumsKernel FindColumnSumsKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfColumnSums)(); }

}  // namespace impl_cpu
#endif
