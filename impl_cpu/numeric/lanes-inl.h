// Vectors of f32 or s32 from and to elements of every type, per target.
//
// Load(d, p) reads Lanes(d) elements; Load4 and Store4 are four vectors at once, which packs bytes
// with fewer shuffles. Results are those of numeric/element.h.

#include <limits>
#include <type_traits>

#include "hwy/highway.h"
#include "impl_cpu/numeric/element.h"

#if defined(DNNSPEC_IMPL_CPU_NUMERIC_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_NUMERIC_LANES_INL_H_
#undef DNNSPEC_IMPL_CPU_NUMERIC_LANES_INL_H_
#else
#define DNNSPEC_IMPL_CPU_NUMERIC_LANES_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using DF = hn::ScalableTag<float>;
using DI = hn::ScalableTag<int32_t>;
using DU = hn::ScalableTag<uint32_t>;
using DU16 = hn::ScalableTag<uint16_t>;
using DU8 = hn::ScalableTag<uint8_t>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;
using VU = hn::Vec<DU>;

// As many narrow elements as there are lanes of 32 bits.
template <typename T>
using Narrow32 = hn::Rebind<T, DF>;

// F16C converts f16 by itself from AVX2 on; below it, Highway truncates.
#undef DNNSPEC_HAVE_F16
#if HWY_TARGET <= HWY_AVX2 || !HWY_ARCH_X86
#define DNNSPEC_HAVE_F16 1
#else
#define DNNSPEC_HAVE_F16 0
#endif

// Whether vectors are those of x86: clang also compiles for a target that emulates them.
#undef DNNSPEC_X86_VECTORS
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR
#define DNNSPEC_X86_VECTORS 1
#else
#define DNNSPEC_X86_VECTORS 0
#endif

// ---- widening to f32

// The integer lanes that hold elements of type T.
template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 2, uint16_t, T>;
template <typename T>
using Elements = hn::Vec<Narrow32<BitsOf<T>>>;

// `T` is the first argument's, which is not read.
HWY_INLINE VF F32Of(const float*, VF v) { return v; }
HWY_INLINE VF F32Of(const int32_t*, VI v) { return hn::ConvertTo(DF(), v); }
HWY_INLINE VF F32Of(const int8_t*, Elements<int8_t> v) {
  return hn::ConvertTo(DF(), hn::PromoteTo(DI(), v));
}
HWY_INLINE VF F32Of(const uint8_t*, Elements<uint8_t> v) {
  return hn::ConvertTo(DF(), hn::PromoteTo(DI(), v));
}
HWY_INLINE VF F32Of(const BF16*, Elements<BF16> bits) {
  return hn::BitCast(DF(), hn::ShiftLeft<16>(hn::PromoteTo(DU(), bits)));
}
HWY_INLINE VF F32Of(const F16*, Elements<F16> half) {
#if DNNSPEC_HAVE_F16
  return hn::PromoteTo(DF(), hn::BitCast(Narrow32<hwy::float16_t>(), half));
#else
  const DU du;
  const VU bits = hn::PromoteTo(du, half);
  const VU sign = hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000)));
  const VU fraction = hn::And(bits, hn::Set(du, 0x3ff));
  const VU shifted = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7fff)));
  const VU normal = hn::Add(shifted, hn::Set(du, 112u << 23));
  // fraction * 2^-24: an integer times a power of two, so exact.
  const VF subnormal =
      hn::Mul(hn::ConvertTo(DF(), hn::BitCast(DI(), fraction)), hn::Set(DF(), 0x1p-24f));
  const VU quiet = hn::IfThenZeroElse(hn::Eq(fraction, hn::Zero(du)), hn::Set(du, 0x400000));
  const VU special = hn::Or(hn::Or(shifted, hn::Set(du, 0x7f800000)), quiet);
  const VU exponent = hn::And(bits, hn::Set(du, 0x7c00));
  VU magnitude = hn::IfThenElse(hn::Eq(exponent, hn::Set(du, 0x7c00)), special, normal);
  magnitude = hn::IfThenElse(hn::Eq(exponent, hn::Zero(du)), hn::BitCast(du, subnormal), magnitude);
  return hn::BitCast(DF(), hn::Or(sign, magnitude));
#endif
}

HWY_INLINE VI I32Of(const int32_t*, VI v) { return v; }
HWY_INLINE VI I32Of(const int8_t*, Elements<int8_t> v) { return hn::PromoteTo(DI(), v); }
HWY_INLINE VI I32Of(const uint8_t*, Elements<uint8_t> v) { return hn::PromoteTo(DI(), v); }

template <typename T>
HWY_INLINE Elements<T> LoadElements(const T* p) {
  return hn::LoadU(Narrow32<BitsOf<T>>(), reinterpret_cast<const BitsOf<T>*>(p));
}
template <typename T>
HWY_INLINE VF LoadF32(const T* p) {
  return F32Of(p, LoadElements(p));
}
template <typename T>
HWY_INLINE VI LoadI32(const T* p) {
  return I32Of(p, LoadElements(p));
}

// ---- narrowing to 32-bit lanes whose low or high bits are the result

// Bits of the f16 in the low half of each lane.
#if !DNNSPEC_HAVE_F16
HWY_INLINE VU HalfBits(VF value) {
  const DU du;
  const VU bits = hn::BitCast(du, value);
  const VU sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 0x8000));
  const VU magnitude = hn::And(bits, hn::Set(du, 0x7fffffff));
  const VI signed_magnitude = hn::BitCast(DI(), magnitude);
  const auto below = [&](uint32_t limit) {
    return hn::RebindMask(du, hn::Lt(signed_magnitude, hn::Set(DI(), static_cast<int32_t>(limit))));
  };
  // Above half of the least subnormal value, and below the least normal one.
  const auto tiny = below(0x33000001), small = hn::AndNot(tiny, below(0x38800000));
  VU exact = hn::Sub(magnitude, hn::Set(du, 0x38000000));
  if (HWY_UNLIKELY(!hn::AllFalse(du, small))) {
    // With 13 bits below the last one, as normal values have them: scaling is exact, conversion
    // truncates in every rounding mode, and what it cuts off stays visible in the lowest bit.
    const VF scaled =
        hn::Mul(hn::BitCast(DF(), hn::IfThenElseZero(small, magnitude)), hn::Set(DF(), 0x1p37f));
    const VI truncated = hn::ConvertTo(DI(), scaled);
    const VU rest = hn::IfThenZeroElse(
        hn::RebindMask(du, hn::Eq(hn::ConvertTo(DF(), truncated), scaled)), hn::Set(du, 1));
    exact = hn::IfThenElse(small, hn::Or(hn::BitCast(du, truncated), rest), exact);
  }
  const VU odd = hn::And(hn::ShiftRight<13>(exact), hn::Set(du, 1));
  const VU rounded = hn::ShiftRight<13>(hn::Add(hn::Add(exact, hn::Set(du, 0xfff)), odd));
  const VU nan =
      hn::Or(hn::Set(du, 0x7e00), hn::And(hn::ShiftRight<13>(magnitude), hn::Set(du, 0x3ff)));
  VU half = hn::IfThenZeroElse(tiny, rounded);
  half = hn::IfThenElse(below(0x477ff000), half, hn::Set(du, 0x7c00));
  half = hn::IfThenElse(below(0x7f800001), half, nan);
  return hn::Or(sign, half);
}
#endif

// Values that need no care for NaN.
struct Numbers {
  VF values;
};

// Integers of 8 bits: every float type holds them exactly.
struct SmallIntegers {
  VF values;
};

// The rounded bf16 in the high half of each lane, of a vector of any length; the first, of no NaN.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> BrainBitsOfNumbers(D, hn::Vec<D> value) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, value);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
  return hn::Add(hn::Add(bits, hn::Set(du, 0x7fff)), odd);
}
template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> BrainBitsOf(D d, hn::Vec<D> value) {
  const hn::RebindToUnsigned<D> du;
  const auto quiet = hn::Or(hn::BitCast(du, value), hn::Set(du, 0x400000));
  const auto numbers = hn::RebindMask(du, hn::Eq(value, value));
  return hn::IfThenElse(numbers, BrainBitsOfNumbers(d, value), quiet);
}
HWY_INLINE VU BrainBits(SmallIntegers small) { return hn::BitCast(DU(), small.values); }
HWY_INLINE VU BrainBits(Numbers numbers) { return BrainBitsOfNumbers(DF(), numbers.values); }
HWY_INLINE VU BrainBits(VF value) { return BrainBitsOf(DF(), value); }

// The nearest integer, saturated; NaN is 0.
HWY_INLINE VI NearestOrZero(VF value) {
  return hn::NearestInt(hn::IfThenElseZero(hn::Eq(value, value), value));
}

// The nearest integer, for values below 2^31; the least integer for NaN and for what is too small.
// Highway's NearestInt also repairs the other overflow, which costs more than the conversion.
#if DNNSPEC_X86_VECTORS
HWY_INLINE hn::Vec<hn::CappedTag<int32_t, 4>> NearestBelow(hn::Vec<hn::CappedTag<float, 4>> v) {
  return hn::Vec<hn::CappedTag<int32_t, 4>>{_mm_cvtps_epi32(v.raw)};
}
#if HWY_TARGET <= HWY_AVX2
HWY_INLINE hn::Vec<hn::CappedTag<int32_t, 8>> NearestBelow(hn::Vec<hn::CappedTag<float, 8>> v) {
  return hn::Vec<hn::CappedTag<int32_t, 8>>{_mm256_cvtps_epi32(v.raw)};
}
#endif
#if HWY_TARGET <= HWY_AVX3
HWY_INLINE VI NearestBelow(VF v) { return VI{_mm512_cvtps_epi32(v.raw)}; }
#endif
#else
HWY_INLINE VI NearestBelow(VF v) { return hn::NearestInt(v); }
#endif

// The nearest integer to a value that is to end in a byte: right for values from far below to
// kHigh, kHigh for all above. Saturation to the type does the rest. For s8, NaN is 0. For u8 it is
// the least integer, so that it saturates to 0: x86's minimum is its second operand when one is
// NaN.
template <typename T>
HWY_INLINE VI NearestForByte(VF value) {
  const VF high = hn::Set(DF(), std::is_signed<T>::value ? 127.0f : 255.0f);
#if DNNSPEC_X86_VECTORS
  if (!std::is_signed<T>::value) return NearestBelow(hn::Min(high, value));
#endif
  return NearestBelow(hn::IfThenElseZero(hn::Eq(value, value), hn::Min(value, high)));
}
template <typename T>
HWY_INLINE VI NearestForByte(VI value) {
  return value;
}

// ---- stores of one vector and of four

HWY_INLINE void Store1(VF v, float* p) { hn::StoreU(v, DF(), p); }
HWY_INLINE void Store1(VF v, int32_t* p) { hn::StoreU(NearestOrZero(v), DI(), p); }
HWY_INLINE void Store1(VI v, int32_t* p) { hn::StoreU(v, DI(), p); }
// A vector of any length. Not by TruncateTo: Highway 1.0.3 has it wrong for AVX3_DL, of 32 bytes.
template <class D>
HWY_INLINE void StoreBf16(D d, hn::Vec<D> v, uint16_t* p) {
  const hn::Rebind<uint16_t, D> d16;
  const auto bits = hn::ShiftRight<16>(BrainBitsOf(d, v));
  hn::StoreU(hn::DemoteTo(d16, hn::BitCast(hn::RebindToSigned<D>(), bits)), d16, p);
}
template <class V>
HWY_INLINE void Store1(V v, BF16* p) {
  const Narrow32<uint16_t> d16;
  hn::StoreU(hn::TruncateTo(d16, hn::ShiftRight<16>(BrainBits(v))), d16,
             reinterpret_cast<uint16_t*>(p));
}
HWY_INLINE Elements<F16> Halves(VF v) {
#if DNNSPEC_HAVE_F16
  return hn::BitCast(Narrow32<uint16_t>(), hn::DemoteTo(Narrow32<hwy::float16_t>(), v));
#else
  return hn::TruncateTo(Narrow32<uint16_t>(), HalfBits(v));
#endif
}
HWY_INLINE void Store1(VF v, F16* p) {
  hn::StoreU(Halves(v), Narrow32<uint16_t>(), reinterpret_cast<uint16_t*>(p));
}
template <class V, typename T, std::enable_if_t<sizeof(T) == 1>* = nullptr>
HWY_INLINE void Store1(V v, T* p) {
  const Narrow32<T> d8;
  // Highway 1.0.3 demotes 0x8080 to the u8 0x80: what is above the range is cut before.
  hn::StoreU(hn::DemoteTo(d8, hn::Min(NearestForByte<T>(v), hn::Set(DI(), 255))), d8, p);
}

template <class V, typename T>
HWY_INLINE void StoreEach(V v0, V v1, V v2, V v3, T* p) {
  const size_t lanes = hn::Lanes(DF());
  Store1(v0, p);
  Store1(v1, p + lanes);
  Store1(v2, p + 2 * lanes);
  Store1(v3, p + 3 * lanes);
}
template <class V, typename T, std::enable_if_t<sizeof(T) == 4>* = nullptr>
HWY_INLINE void Store4(V v0, V v1, V v2, V v3, T* p) {
  StoreEach(v0, v1, v2, v3, p);
}
HWY_INLINE void Store4(VF v0, VF v1, VF v2, VF v3, int32_t* p) {
#if DNNSPEC_X86_VECTORS
  // Where none of them becomes the least integer, none is NaN or too large.
  const VI i0 = NearestBelow(v0), i1 = NearestBelow(v1);
  const VI i2 = NearestBelow(v2), i3 = NearestBelow(v3);
  const VI least = hn::Min(hn::Min(i0, i1), hn::Min(i2, i3));
  if (HWY_LIKELY(
          hn::AllFalse(DI(), hn::Eq(least, hn::Set(DI(), std::numeric_limits<int32_t>::min()))))) {
    StoreEach(i0, i1, i2, i3, p);
    return;
  }
#endif
  StoreEach(v0, v1, v2, v3, p);
}
// The bits of two vectors of 16-bit floats in one.
template <class V>
HWY_INLINE hn::Vec<DU16> PackBrains(V lo, V hi) {
  const DU16 d16;
  return hn::ConcatOdd(d16, hn::BitCast(d16, BrainBits(hi)), hn::BitCast(d16, BrainBits(lo)));
}
// To two places.
HWY_INLINE void StoreBoth(hn::Vec<DU16> both, uint16_t* p0, uint16_t* p1) {
  const hn::Half<DU16> half;
  hn::StoreU(hn::LowerHalf(half, both), half, p0);
  hn::StoreU(hn::UpperHalf(half, both), half, p1);
}
HWY_INLINE hn::Vec<DU16> PackHalves(VF lo, VF hi) {
#if DNNSPEC_HAVE_F16
  return hn::Combine(DU16(), Halves(hi), Halves(lo));
#else
  const DU16 d16;
  return hn::ConcatEven(d16, hn::BitCast(d16, HalfBits(hi)), hn::BitCast(d16, HalfBits(lo)));
#endif
}

template <class V>
HWY_INLINE void StoreBrains(V v0, V v1, V v2, V v3, BF16* p) {
  const DU16 d16;
  uint16_t* const to = reinterpret_cast<uint16_t*>(p);
  hn::StoreU(PackBrains(v0, v1), d16, to);
  hn::StoreU(PackBrains(v2, v3), d16, to + hn::Lanes(d16));
}
HWY_INLINE void Store4(SmallIntegers v0, SmallIntegers v1, SmallIntegers v2, SmallIntegers v3,
                       BF16* p) {
  StoreBrains(v0, v1, v2, v3, p);
}
HWY_INLINE void Store4(VF v0, VF v1, VF v2, VF v3, BF16* p) {
  // NaN in any of them makes the sum NaN; so do infinities, which only costs time.
  const VF sum = hn::Add(hn::Add(v0, v1), hn::Add(v2, v3));
  if (HWY_LIKELY(hn::AllTrue(DF(), hn::Eq(sum, sum)))) {
    StoreBrains(Numbers{v0}, Numbers{v1}, Numbers{v2}, Numbers{v3}, p);
  } else {
    StoreBrains(v0, v1, v2, v3, p);
  }
}
HWY_INLINE void Store4(VF v0, VF v1, VF v2, VF v3, F16* p) {
#if DNNSPEC_HAVE_F16
  StoreEach(v0, v1, v2, v3, p);
#else
  const DU16 d16;
  uint16_t* const to = reinterpret_cast<uint16_t*>(p);
  hn::StoreU(PackHalves(v0, v1), d16, to);
  hn::StoreU(PackHalves(v2, v3), d16, to + hn::Lanes(d16));
#endif
}

// Saturates two vectors of s16 to bytes, block by block: the blocks of `lo` and `hi` alternate by
// halves in the result. Undone by UnpackOrder, together with the same effect of ReorderDemote2To.
template <typename T, class V16>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> PackBytes(V16 lo, V16 hi) {
  using V8 [[maybe_unused]] = hn::Vec<hn::ScalableTag<T>>;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (std::is_signed<T>::value) return V8{_mm512_packs_epi16(lo.raw, hi.raw)};
  return V8{_mm512_packus_epi16(lo.raw, hi.raw)};
#elif HWY_TARGET <= HWY_AVX2
  if constexpr (std::is_signed<T>::value) return V8{_mm256_packs_epi16(lo.raw, hi.raw)};
  return V8{_mm256_packus_epi16(lo.raw, hi.raw)};
#elif DNNSPEC_X86_VECTORS
  if constexpr (std::is_signed<T>::value) return V8{_mm_packs_epi16(lo.raw, hi.raw)};
  return V8{_mm_packus_epi16(lo.raw, hi.raw)};
#else
  const hn::Half<hn::ScalableTag<T>> half;
  return hn::Combine(hn::ScalableTag<T>(), hn::DemoteTo(half, hi), hn::DemoteTo(half, lo));
#endif
}

// Which group of four bytes goes where: after two packs, block b holds group b of each of the four
// vectors in turn.
HWY_INLINE VU UnpackOrder(VU packed) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  HWY_ALIGN static constexpr uint32_t kOrder[16] = {0, 4, 8,  12, 1, 5, 9,  13,
                                                    2, 6, 10, 14, 3, 7, 11, 15};
#elif HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  HWY_ALIGN static constexpr uint32_t kOrder[8] = {0, 4, 1, 5, 2, 6, 3, 7};
#endif
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return hn::TableLookupLanes(packed, hn::SetTableIndices(DU(), kOrder));
#else
  return packed;
#endif
}

// Two pairs of vectors that became s16, as bytes.
template <typename T, class V16>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> Bytes(V16 lo, V16 hi) {
  return hn::BitCast(hn::ScalableTag<T>(), UnpackOrder(hn::BitCast(DU(), PackBytes<T>(lo, hi))));
}

// Four vectors as bytes.
template <typename T, class V>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> Pack4(V v0, V v1, V v2, V v3) {
  const hn::ScalableTag<int16_t> d16;
  return Bytes<T>(hn::ReorderDemote2To(d16, NearestForByte<T>(v0), NearestForByte<T>(v1)),
                  hn::ReorderDemote2To(d16, NearestForByte<T>(v2), NearestForByte<T>(v3)));
}

template <typename T, std::enable_if_t<sizeof(T) == 1>* = nullptr>
HWY_INLINE void Store4(VI v0, VI v1, VI v2, VI v3, T* p) {
  hn::StoreU(Pack4<T>(v0, v1, v2, v3), hn::ScalableTag<T>(), p);
}
template <typename T, std::enable_if_t<sizeof(T) == 1>* = nullptr>
HWY_INLINE void Store4(VF v0, VF v1, VF v2, VF v3, T* p) {
#if DNNSPEC_X86_VECTORS
  // NaN and what is too large become the least integer, and so the least of 16 bits. Where there is
  // none of these, saturation does all.
  const hn::ScalableTag<int16_t> d16;
  const auto lo = hn::ReorderDemote2To(d16, NearestBelow(v0), NearestBelow(v1));
  const auto hi = hn::ReorderDemote2To(d16, NearestBelow(v2), NearestBelow(v3));
  if (HWY_LIKELY(hn::AllFalse(d16, hn::Eq(hn::Min(lo, hi), hn::Set(d16, -32768))))) {
    hn::StoreU(Bytes<T>(lo, hi), hn::ScalableTag<T>(), p);
    return;
  }
#endif
  hn::StoreU(Pack4<T>(v0, v1, v2, v3), hn::ScalableTag<T>(), p);
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
