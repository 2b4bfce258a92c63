// What depthwise kernels read and store: elements as f32, sums as f32 or bf16, and bytes, per
// target.

#include <cstdint>
#include <type_traits>

#include "api/spi/types.h"
#include "hwy/highway.h"
#include "impl_cpu/numeric/element.h"
#include "impl_cpu/numeric/lanes-inl.h"
#include "impl_cpu/product/bf16_rounding-inl.h"
#include "impl_cpu/product/bf16_sums-inl.h"

#if defined(DNNSPEC_IMPL_CPU_CONVOLUTION_DEPTHWISE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_CONVOLUTION_DEPTHWISE_INL_H_
#undef DNNSPEC_IMPL_CPU_CONVOLUTION_DEPTHWISE_INL_H_
#else
#define DNNSPEC_IMPL_CPU_CONVOLUTION_DEPTHWISE_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// kernel(T()) of the type that is read; null where it is not read but as a copy.
template <class F>
auto DepthwiseOf(spi::DataType type, F kernel) -> decltype(kernel(float())) {
  switch (type) {
    case spi::DataType::kF32:
      return kernel(float());
    case spi::DataType::kBF16:
      return kernel(BF16());
    case spi::DataType::kU8:
      return kernel(uint8_t());
    case spi::DataType::kS8:
      return kernel(int8_t());
    default:
      return {};
  }
}

// What lies side by side from `from` on.
template <class D, typename T>
HWY_INLINE hn::Vec<D> LoadAs(D d, const T* from) {
  if constexpr (std::is_same_v<T, float>) {
    return hn::LoadU(d, from);
  } else if constexpr (std::is_same_v<T, BF16>) {
    const auto bits = hn::LoadU(hn::Rebind<uint16_t, D>(), reinterpret_cast<const uint16_t*>(from));
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(hn::RebindToUnsigned<D>(), bits)));
  } else {
    const auto bytes = hn::LoadU(hn::Rebind<T, D>(), from);
    return hn::ConvertTo(d, hn::PromoteTo(hn::RebindToSigned<D>(), bytes));
  }
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

// By the instruction. False, and nothing is stored, if there is something subnormal.
template <int kPlaces>
HWY_INLINE bool StoreNormal(const VF (&sums)[kPlaces], uint16_t* to, int64_t step) {
  using Rounding = Bf16Rounding<false>;
  if (HWY_UNLIKELY(!Rounding::Takes(sums))) return false;
#pragma GCC unroll 6
  for (int p = 0; p < kPlaces; p += 2) {
    // An odd place is its own neighbour.
    const int q = p + 1 < kPlaces ? p + 1 : p;
    StoreBoth(Rounding::Two(sums[p], sums[q]), to + p * step, to + q * step);
  }
  return true;
}

#endif

// Vectors of neighbouring places, rounded to bf16.
template <class D, int kPlaces>
HWY_INLINE void StoreRounded(D d, const hn::Vec<D> (&sums)[kPlaces], uint16_t* to, int64_t step) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  if constexpr (hn::MaxLanes(D()) == 16)
    if (MultipliesBf16() && StoreNormal(sums, to, step)) return;
#endif
#pragma GCC unroll 6
  for (int p = 0; p < kPlaces; ++p) StoreBf16(d, sums[p], to + p * step);
}

// Those of what was read as T from element `at` on; of bf16 they are rounded if `rounds`.
template <typename T, class D, int kPlaces>
HWY_INLINE void StoreSums(D d, const hn::Vec<D> (&sums)[kPlaces], bool rounds, float* to,
                          int64_t at, int64_t step) {
  if constexpr (std::is_same_v<T, BF16>)
    if (rounds) return StoreRounded(d, sums, reinterpret_cast<uint16_t*>(to) + at, step);
#pragma GCC unroll 6
  for (int p = 0; p < kPlaces; ++p) hn::StoreU(sums[p], d, to + at + p * step);
}

// Each quarter of a vector of bytes to a place of its own.
template <class V, typename T>
HWY_INLINE void StoreQuarters(V bytes, T* const (&to)[4]) {
  const hn::Half<hn::ScalableTag<T>> half;
  const hn::Half<decltype(half)> quarter;
  const auto low = hn::LowerHalf(half, bytes), high = hn::UpperHalf(half, bytes);
  hn::StoreU(hn::LowerHalf(quarter, low), quarter, to[0]);
  hn::StoreU(hn::UpperHalf(quarter, low), quarter, to[1]);
  hn::StoreU(hn::LowerHalf(quarter, high), quarter, to[2]);
  hn::StoreU(hn::UpperHalf(quarter, high), quarter, to[3]);
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
