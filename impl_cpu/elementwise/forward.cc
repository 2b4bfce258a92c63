#include <cmath>
#include <cstdint>
#include <cstring>

#include "impl_cpu/elementwise/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/elementwise/forward.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/elementwise/forward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

ForwardKernel ForwardKernelOf(const Function&) { return nullptr; }

#else

constexpr int64_t kLanes = hn::MaxLanes(DF());

// `count` elements, fewer than a vector has.
template <class F>
HWY_INLINE void MapPart(const F& f, const float* src, float* dst, int64_t count) {
  HWY_ALIGN float part[kLanes] = {};
  std::memcpy(part, src, static_cast<size_t>(count) * sizeof(float));
  hn::Store(f(hn::Load(DF(), part)), DF(), part);
  std::memcpy(dst, part, static_cast<size_t>(count) * sizeof(float));
}

// Elements from `i` on by four vectors at once, up to where those end. With kStream by non-temporal
// stores, the parts of a line at once: a line that waits for its second half takes long.
template <bool kStream, class F>
HWY_INLINE int64_t MapFours(const F& f, const float* src, float* dst, int64_t i, int64_t count) {
  for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
    const VF v0 = f(hn::LoadU(DF(), src + i));
    const VF v1 = f(hn::LoadU(DF(), src + i + kLanes));
    const VF v2 = f(hn::LoadU(DF(), src + i + 2 * kLanes));
    const VF v3 = f(hn::LoadU(DF(), src + i + 3 * kLanes));
    if constexpr (kStream) {
      hn::Stream(v0, DF(), dst + i);
      hn::Stream(v1, DF(), dst + i + kLanes);
      hn::Stream(v2, DF(), dst + i + 2 * kLanes);
      hn::Stream(v3, DF(), dst + i + 3 * kLanes);
    } else {
      hn::StoreU(v0, DF(), dst + i);
      hn::StoreU(v1, DF(), dst + i + kLanes);
      hn::StoreU(v2, DF(), dst + i + 2 * kLanes);
      hn::StoreU(v3, DF(), dst + i + 3 * kLanes);
    }
  }
  return i;
}

// Elements by non-temporal stores, from where `dst` is aligned to a vector on: how many were done.
template <class F>
HWY_INLINE int64_t StreamRow(const F& f, const float* src, float* dst, int64_t count) {
  const uintptr_t beyond = reinterpret_cast<uintptr_t>(dst) % (kLanes * sizeof(float));
  if (beyond % sizeof(float) != 0 || count < kLanes) return 0;
  int64_t i = beyond == 0 ? 0 : kLanes - static_cast<int64_t>(beyond / sizeof(float));
  if (i > 0) MapPart(f, src, dst, i);
  return MapFours<true>(f, src, dst, i, count);
}

template <class F>
HWY_INLINE void MapRow(const F& f, const float* src, float* dst, int64_t count, bool non_temporal) {
  int64_t i = non_temporal ? StreamRow(f, src, dst, count) : 0;
  i = MapFours<false>(f, src, dst, i, count);
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(f(hn::LoadU(DF(), src + i)), DF(), dst + i);
  if (i < count) MapPart(f, src + i, dst + i, count - i);
}

template <class F>
void Map(const Function& function, const EltwiseRows& rows, const float* src, float* dst) {
  const F f(function);
  for (int64_t r = 0; r < rows.rows; ++r)
    MapRow(f, src + r * rows.src_row, dst + r * rows.dst_row, rows.cols, rows.non_temporal);
  if (rows.non_temporal) hwy::FlushStream();
}

ForwardKernel PowerKernelOf(const Function& f) {
  if (!std::isfinite(f.beta)) return nullptr;
  if (f.beta == 0) return Map<Constant>;
  if (f.beta == 2 && f.alpha == 1) return Map<Square>;
  return Map<PowerOf>;
}

ForwardKernel SwishKernelOf(const Function& f) {
  if (f.alpha == 0) return Map<HalfOf>;
  int exponent;
  return std::fabs(std::frexp(f.alpha, &exponent)) == 0.5f && exponent > -100 ? Map<ExactSwish>
                                                                              : Map<Swish>;
}

ForwardKernel ForwardKernelOf(const Function& f) {
  switch (f.algorithm) {
    case spi::Algorithm::kEltwiseRelu:
      return f.alpha == 0 ? Map<Rectify> : Map<LeakyRectify>;
    case spi::Algorithm::kEltwiseTanh:
      return Map<TanhOf>;
    case spi::Algorithm::kEltwiseElu:
      return Map<EluOf>;
    case spi::Algorithm::kEltwiseSquare:
      return Map<Square>;
    case spi::Algorithm::kEltwiseAbs:
      return Map<Magnitude>;
    case spi::Algorithm::kEltwiseSqrt:
      return Map<SquareRoot>;
    case spi::Algorithm::kEltwiseLinear:
      return Map<Linear>;
    case spi::Algorithm::kEltwiseBoundedRelu:
      return Map<BoundedRectify>;
    case spi::Algorithm::kEltwiseSoftRelu:
      return Map<SoftRectify>;
    case spi::Algorithm::kEltwiseLogistic:
      return Map<LogisticOf>;
    case spi::Algorithm::kEltwiseExp:
      return Map<ExpOf>;
    case spi::Algorithm::kEltwiseGeluTanh:
      return Map<GeluTanh>;
    case spi::Algorithm::kEltwiseSwish:
      return SwishKernelOf(f);
    case spi::Algorithm::kEltwiseLog:
      return Map<LogOf>;
    case spi::Algorithm::kEltwiseClip:
    case spi::Algorithm::kEltwiseClipV2:
      return Map<Clip>;
    case spi::Algorithm::kEltwisePow:
      return PowerKernelOf(f);
    case spi::Algorithm::kEltwiseGeluErf:
      return Map<GeluErf>;
    case spi::Algorithm::kEltwiseRound:
      return Map<RoundToEven>;
    case spi::Algorithm::kEltwiseLogsigmoid:
      return Map<LogSigmoid>;
    case spi::Algorithm::kEltwiseMish:
      return Map<Mish>;
    case spi::Algorithm::kEltwiseHardswish:
      return Map<HardSwish>;
    default:
      return nullptr;
  }
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(ForwardKernelOf);

ForwardKernel FindForwardKernel(const Function& function) {
  return HWY_DYNAMIC_DISPATCH(ForwardKernelOf)(function);
}

}  // namespace impl_cpu
#endif
