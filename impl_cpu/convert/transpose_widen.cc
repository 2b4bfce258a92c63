// Transposition into f32 from a type that is no wider, and of bytes into s32. Elements are
// transposed as they are, and each vector of a column is converted in parts as it is stored.

#include <cstdint>
#include <type_traits>

#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/numeric/element.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convert/transpose_widen.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convert/tiles-inl.h"
#include "impl_cpu/move/tile-inl.h"
#include "impl_cpu/numeric/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

FusedTranspose Widening(spi::DataType, spi::DataType, TransposeScale, bool) { return {}; }

#else

// Part kPart of kParts of a vector.
template <size_t kPart, size_t kParts, class D, class V>
HWY_INLINE auto PartOf(D d, V v) {
  if constexpr (kParts == 1) {
    static_cast<void>(d);
    return v;
  } else {
    const hn::Half<D> half;
    if constexpr (kPart < kParts / 2) {
      return PartOf<kPart, kParts / 2>(half, hn::LowerHalf(half, v));
    } else {
      return PartOf<kPart - kParts / 2, kParts / 2>(half, hn::UpperHalf(half, v));
    }
  }
}

template <typename From, typename To, TransposeScale kScale, bool kShifted>
struct WideTiles {
  static constexpr size_t kWidth = sizeof(From), kPiece = kLongPiece<kWidth, kVectorBytes>;
  static constexpr size_t kRows = kVectorBytes / kWidth, kColumns = kPiece / kWidth;
  static constexpr size_t kSourceBytes = kWidth;
  static constexpr size_t kParts = 4 / kWidth;

  const TransposeShape& shape;
  const uint8_t* src;
  uint8_t* dst;
  const float* scales;

  template <size_t kPart, class V>
  HWY_INLINE void Finish(V column, int64_t r, int64_t c) const {
    constexpr int64_t kLanes = hn::MaxLanes(DF());
    const TileTag<kWidth, kVectorBytes> d;
    const auto bits = PartOf<kPart, kParts>(d, column);
    const auto part = hn::BitCast(Narrow32<BitsOf<From>>(), bits);
    constexpr const From* kType = nullptr;
    r += static_cast<int64_t>(kPart) * kLanes;
    To* const to = reinterpret_cast<To*>(dst + c * shape.dst_col) + r;
    if constexpr (kScale == TransposeScale::kNone) {
      if constexpr (std::is_integral_v<To>) {
        Store1(I32Of(kType, part), to);
      } else {
        Store1(F32Of(kType, part), to);
      }
    } else {
      VF value = F32Of(kType, part);
      if constexpr (kShifted) value = hn::Sub(value, hn::Set(DF(), shape.src_zero));
      if constexpr (kScale == TransposeScale::kRows) {
        value = hn::Mul(value, hn::LoadU(DF(), scales + r));
      } else {
        value = hn::Mul(value, hn::Set(DF(), scales[c * shape.scale_col]));
      }
      if constexpr (kShifted) value = hn::Add(value, hn::Set(DF(), shape.dst_zero));
      Store1(value, to);
    }
  }

  HWY_INLINE void Tile(int64_t r, int64_t c, Done) const {
    const TileTag<kWidth, kVectorBytes> d;
    const uint8_t* const from = src + r * shape.src_row + c * static_cast<int64_t>(kWidth);
    hn::Vec<decltype(d)> v[kColumns];
    LoadTransposed<kWidth, kPiece>(d, EvenRows{from, shape.src_row}, v);
    HWY_UNROLL(16)
    for (size_t k = 0; k < kColumns; ++k) {
      const int64_t column = c + static_cast<int64_t>(k);
      Finish<0>(v[k], r, column);
      if constexpr (kParts >= 2) Finish<1>(v[k], r, column);
      if constexpr (kParts == 4) {
        Finish<2>(v[k], r, column);
        Finish<3>(v[k], r, column);
      }
    }
  }
};

FusedTranspose ToF32(spi::DataType from, TransposeScale scale, bool shifted) {
  switch (from) {
    case spi::DataType::kS8:
      return FusedPair<WideTiles, int8_t, float>(scale, shifted);
    case spi::DataType::kU8:
      return FusedPair<WideTiles, uint8_t, float>(scale, shifted);
    case spi::DataType::kBF16:
      return FusedPair<WideTiles, BF16, float>(scale, shifted);
    case spi::DataType::kF16:
      return FusedPair<WideTiles, F16, float>(scale, shifted);
    case spi::DataType::kS32:
      return FusedPair<WideTiles, int32_t, float>(scale, shifted);
    default:
      return {};
  }
}

// Rounding to s32 takes so long that it does not matter where it is done.
template <typename From>
FusedTranspose BytesToS32() {
  return FusedBy<WideTiles<From, int32_t, TransposeScale::kNone, false>>();
}

FusedTranspose Widening(spi::DataType from, spi::DataType to, TransposeScale scale, bool shifted) {
  if (to == spi::DataType::kF32) return ToF32(from, scale, shifted);
  if (to != spi::DataType::kS32 || scale != TransposeScale::kNone || shifted) return {};
  if (from == spi::DataType::kS8) return BytesToS32<int8_t>();
  if (from == spi::DataType::kU8) return BytesToS32<uint8_t>();
  return {};
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(Widening);

FusedTranspose FindWideningTranspose(spi::DataType from, spi::DataType to, TransposeScale scale,
                                     bool shifted) {
  return HWY_DYNAMIC_DISPATCH(Widening)(from, to, scale, shifted);
}

}  // namespace impl_cpu
#endif
