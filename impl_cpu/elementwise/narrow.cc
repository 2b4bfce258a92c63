#include <cstddef>
#include <cstdint>
#include <cstring>

#include "impl_cpu/elementwise/kernel.h"
#include "impl_cpu/numeric/storage.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/elementwise/narrow.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/elementwise/backward-inl.h"
#include "impl_cpu/elementwise/forward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

NarrowKernel NarrowKernelOf(const Function&, spi::DataType) { return nullptr; }
NarrowBackwardKernel NarrowBackwardKernelOf(const Function&, spi::DataType) { return nullptr; }

#else

// Elements that are widened, computed and narrowed in registers at once.
constexpr int64_t kStep = 4 * hn::MaxLanes(DF());

template <class F, typename T>
HWY_INLINE void MapStep(const F& f, const T* src, T* dst) {
  constexpr int64_t kLanes = kStep / 4;
  const VF v0 = f(LoadF32(src)), v1 = f(LoadF32(src + kLanes));
  const VF v2 = f(LoadF32(src + 2 * kLanes)), v3 = f(LoadF32(src + 3 * kLanes));
  Store4(v0, v1, v2, v3, dst);
}

template <class F, typename T>
void MapNarrow(const Function& function, int64_t count, const std::byte* from, std::byte* to) {
  const F f(function);
  const T* const src = reinterpret_cast<const T*>(from);
  T* const dst = reinterpret_cast<T*>(to);
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) MapStep(f, src + i, dst + i);
  if (i == count) return;
  HWY_ALIGN T part[kStep] = {};
  const size_t bytes = static_cast<size_t>(count - i) * sizeof(T);
  std::memcpy(part, src + i, bytes);
  MapStep(f, part, part);
  std::memcpy(dst + i, part, bytes);
}

template <typename T>
NarrowKernel NarrowKernelOfType(const Function& f) {
  switch (f.algorithm) {
    case spi::Algorithm::kEltwiseRelu:
      return f.alpha == 0 ? MapNarrow<Rectify, T> : MapNarrow<LeakyRectify, T>;
    case spi::Algorithm::kEltwiseSquare:
      return MapNarrow<Square, T>;
    case spi::Algorithm::kEltwiseAbs:
      return MapNarrow<Magnitude, T>;
    case spi::Algorithm::kEltwiseLinear:
      return MapNarrow<Linear, T>;
    case spi::Algorithm::kEltwiseBoundedRelu:
      return MapNarrow<BoundedRectify, T>;
    case spi::Algorithm::kEltwiseClip:
    case spi::Algorithm::kEltwiseClipV2:
      return MapNarrow<Clip, T>;
    default:
      return nullptr;
  }
}

NarrowKernel NarrowKernelOf(const Function& function, spi::DataType type) {
  switch (type) {
    case spi::DataType::kBF16:
      return NarrowKernelOfType<BF16>(function);
    case spi::DataType::kF16:
      return NarrowKernelOfType<F16>(function);
    case spi::DataType::kS8:
      return NarrowKernelOfType<int8_t>(function);
    case spi::DataType::kU8:
      return NarrowKernelOfType<uint8_t>(function);
    default:
      return nullptr;
  }
}

// ---- backward

template <class G>
HWY_INLINE void MapGradientStep(const G& gradient, const BF16* data, const BF16* diff_dst,
                                BF16* diff_src) {
  constexpr int64_t kLanes = kStep / 4;
  const auto at = [&](int64_t i)
                      HWY_ATTR { return gradient(LoadF32(data + i), LoadF32(diff_dst + i)); };
  const VF v0 = at(0), v1 = at(kLanes), v2 = at(2 * kLanes), v3 = at(3 * kLanes);
  Store4(v0, v1, v2, v3, diff_src);
}

template <class G>
void MapNarrowGradient(const Function& function, int64_t count, const std::byte* data_bytes,
                       const std::byte* diff_dst_bytes, std::byte* diff_src_bytes) {
  const G gradient(function);
  const BF16* const data = reinterpret_cast<const BF16*>(data_bytes);
  const BF16* const diff_dst = reinterpret_cast<const BF16*>(diff_dst_bytes);
  BF16* const diff_src = reinterpret_cast<BF16*>(diff_src_bytes);
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep)
    MapGradientStep(gradient, data + i, diff_dst + i, diff_src + i);
  if (i == count) return;
  HWY_ALIGN BF16 part[kStep] = {}, diff[kStep] = {};
  const size_t bytes = static_cast<size_t>(count - i) * sizeof(BF16);
  std::memcpy(part, data + i, bytes);
  std::memcpy(diff, diff_dst + i, bytes);
  MapGradientStep(gradient, part, diff, diff);
  std::memcpy(diff_src + i, diff, bytes);
}

NarrowBackwardKernel NarrowBackwardKernelOf(const Function& f, spi::DataType type) {
  if (type != spi::DataType::kBF16) return nullptr;
  switch (f.algorithm) {
    case spi::Algorithm::kEltwiseRelu:
      return MapNarrowGradient<RectifyGradient>;
    case spi::Algorithm::kEltwiseSquare:
      return MapNarrowGradient<SquareGradient>;
    case spi::Algorithm::kEltwiseAbs:
      return MapNarrowGradient<MagnitudeGradient>;
    case spi::Algorithm::kEltwiseLinear:
      return MapNarrowGradient<ScaleGradient>;
    case spi::Algorithm::kEltwiseBoundedRelu:
      return MapNarrowGradient<BoundedRectifyGradient>;
    case spi::Algorithm::kEltwiseClip:
      return MapNarrowGradient<ClipGradient>;
    case spi::Algorithm::kEltwiseClipV2:
      return MapNarrowGradient<OpenClipGradient>;
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

HWY_EXPORT(NarrowKernelOf);
HWY_EXPORT(NarrowBackwardKernelOf);

NarrowKernel FindNarrowKernel(const Function& function, spi::DataType type) {
  return HWY_DYNAMIC_DISPATCH(NarrowKernelOf)(function, type);
}

NarrowBackwardKernel FindNarrowBackwardKernel(const Function& function, spi::DataType type) {
  return HWY_DYNAMIC_DISPATCH(NarrowBackwardKernelOf)(function, type);
}

}  // namespace impl_cpu
#endif
