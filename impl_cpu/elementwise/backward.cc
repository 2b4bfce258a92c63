#include <cmath>
#include <cstring>

#include "impl_cpu/elementwise/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/elementwise/backward.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/elementwise/backward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

BackwardKernel BackwardKernelOf(const Function&, bool) { return nullptr; }

#else

constexpr int64_t kLanes = hn::MaxLanes(DF());

// `count` elements, fewer than a vector has.
template <class G>
HWY_INLINE void MapPart(const G& gradient, const float* data, const float* diff_dst,
                        float* diff_src, int64_t count) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(float);
  HWY_ALIGN float x[kLanes] = {};
  HWY_ALIGN float dd[kLanes] = {};
  std::memcpy(x, data, bytes);
  std::memcpy(dd, diff_dst, bytes);
  hn::Store(gradient(hn::Load(DF(), x), hn::Load(DF(), dd)), DF(), dd);
  std::memcpy(diff_src, dd, bytes);
}

template <class G>
HWY_INLINE void MapRow(const G& gradient, const float* data, const float* diff_dst, float* diff_src,
                       int64_t count) {
  const auto at = [&](int64_t i) HWY_ATTR {
    return gradient(hn::LoadU(DF(), data + i), hn::LoadU(DF(), diff_dst + i));
  };
  int64_t i = 0;
  for (; i + 2 * kLanes <= count; i += 2 * kLanes) {
    const VF v0 = at(i), v1 = at(i + kLanes);
    hn::StoreU(v0, DF(), diff_src + i);
    hn::StoreU(v1, DF(), diff_src + i + kLanes);
  }
  for (; i + kLanes <= count; i += kLanes) hn::StoreU(at(i), DF(), diff_src + i);
  if (i < count) MapPart(gradient, data + i, diff_dst + i, diff_src + i, count - i);
}

template <class G>
void Map(const Function& function, const EltwiseRows& rows, const float* data,
         const float* diff_dst, float* diff_src) {
  const G gradient(function);
  for (int64_t r = 0; r < rows.rows; ++r)
    MapRow(gradient, data + r * rows.src_row, diff_dst + r * rows.dst_row,
           diff_src + r * rows.dst_row, rows.cols);
}

BackwardKernel FromDstKernelOf(const Function& f) {
  switch (f.algorithm) {
    case spi::Algorithm::kEltwiseRelu:
      return Map<RectifyGradient>;
    case spi::Algorithm::kEltwiseTanh:
      return Map<TanhGradientFromDst>;
    case spi::Algorithm::kEltwiseElu:
      return Map<EluGradientFromDst>;
    case spi::Algorithm::kEltwiseSqrt:
      return Map<SquareRootGradientFromDst>;
    case spi::Algorithm::kEltwiseLogistic:
      return Map<LogisticGradientFromDst>;
    case spi::Algorithm::kEltwiseExp:
      return Map<ExpGradientFromDst>;
    default:
      return nullptr;
  }
}

BackwardKernel FromSrcKernelOf(const Function& f) {
  switch (f.algorithm) {
    case spi::Algorithm::kEltwiseRelu:
      return Map<RectifyGradient>;
    case spi::Algorithm::kEltwiseTanh:
      return Map<TanhGradient>;
    case spi::Algorithm::kEltwiseElu:
      return Map<EluGradient>;
    case spi::Algorithm::kEltwiseSquare:
      return Map<SquareGradient>;
    case spi::Algorithm::kEltwiseAbs:
      return Map<MagnitudeGradient>;
    case spi::Algorithm::kEltwiseSqrt:
      return Map<SquareRootGradient>;
    case spi::Algorithm::kEltwiseLinear:
      return Map<ScaleGradient>;
    case spi::Algorithm::kEltwiseBoundedRelu:
      return Map<BoundedRectifyGradient>;
    case spi::Algorithm::kEltwiseSoftRelu:
      return Map<LogisticTimes>;
    case spi::Algorithm::kEltwiseLogistic:
      return Map<LogisticGradient>;
    case spi::Algorithm::kEltwiseExp:
      return Map<ExpGradient>;
    case spi::Algorithm::kEltwiseGeluTanh:
      return Map<GeluTanhGradient>;
    case spi::Algorithm::kEltwiseSwish:
      return f.alpha == 0 ? Map<HalfGradient> : Map<SwishGradient>;
    case spi::Algorithm::kEltwiseLog:
      return Map<LogGradient>;
    case spi::Algorithm::kEltwiseClip:
      return Map<ClipGradient>;
    case spi::Algorithm::kEltwiseClipV2:
      return Map<OpenClipGradient>;
    case spi::Algorithm::kEltwisePow:
      return f.beta == 0 ? Map<NoGradient> : std::isfinite(f.beta) ? Map<PowerGradient> : nullptr;
    case spi::Algorithm::kEltwiseGeluErf:
      return Map<GeluErfGradient>;
    case spi::Algorithm::kEltwiseLogsigmoid:
      return Map<LogSigmoidGradient>;
    case spi::Algorithm::kEltwiseMish:
      return Map<MishGradient>;
    case spi::Algorithm::kEltwiseHardswish:
      return Map<HardSwishGradient>;
    default:
      return nullptr;
  }
}

BackwardKernel BackwardKernelOf(const Function& f, bool from_dst) {
  return from_dst ? FromDstKernelOf(f) : FromSrcKernelOf(f);
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(BackwardKernelOf);

BackwardKernel FindBackwardKernel(const Function& function, bool from_dst) {
  return HWY_DYNAMIC_DISPATCH(BackwardKernelOf)(function, from_dst);
}

}  // namespace impl_cpu
#endif
