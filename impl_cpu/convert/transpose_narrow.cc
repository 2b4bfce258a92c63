// Transposition into a narrower type. Rows are converted as they are read and packed to the vectors
// that the rounds of move/tile-inl.h begin with: nothing is stored in between.

#include <cstdint>
#include <type_traits>

#include "impl_cpu/convert/transpose.h"
#include "impl_cpu/numeric/element.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convert/transpose_narrow.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convert/tiles-inl.h"
#include "impl_cpu/move/tile-inl.h"
#include "impl_cpu/numeric/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

FusedTranspose Narrowing(spi::DataType, spi::DataType, TransposeScale, bool) { return {}; }

#else

template <typename From, typename To, TransposeScale kScale, bool kShifted>
struct NarrowTiles {
  static constexpr size_t kWidth = sizeof(To), kPiece = kLongPiece<kWidth, kVectorBytes>;
  static constexpr size_t kRows = kVectorBytes / kWidth, kColumns = kPiece / kWidth;
  static constexpr size_t kSourceBytes = 4;

  const TransposeShape& shape;
  const uint8_t* src;
  uint8_t* dst;
  const float* scales;

  HWY_INLINE auto Load(int64_t r, int64_t c) const {
    const From* const from = reinterpret_cast<const From*>(src + r * shape.src_row) + c;
    if constexpr (kScale == TransposeScale::kNone) {
      if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
        return LoadI32(from);
      } else {
        return LoadF32(from);
      }
    } else {
      VF value = LoadF32(from);
      if constexpr (kShifted) value = hn::Sub(value, hn::Set(DF(), shape.src_zero));
      if constexpr (kScale == TransposeScale::kColumns) {
        value = hn::Mul(value, hn::LoadU(DF(), scales + c));
      } else {
        value = hn::Mul(value, hn::Set(DF(), scales[r * shape.scale_row]));
      }
      if constexpr (kShifted) value = hn::Add(value, hn::Set(DF(), shape.dst_zero));
      return value;
    }
  }

  // Vector k holds the pieces of rows k, k + kColumns, ..., as LoadPieces does.
  HWY_INLINE auto Pack(int64_t r, int64_t c) const {
    constexpr size_t kLanes = hn::MaxLanes(DF());
    const auto at = [&](size_t j) {
      constexpr size_t kStep = kColumns;
      return Load(r + static_cast<int64_t>(j * kLanes / kColumns * kStep),
                  c + static_cast<int64_t>(j * kLanes % kColumns));
    };
    if constexpr (kWidth == 1) {
      return Pack4<To>(at(0), at(1), at(2), at(3));
    } else if constexpr (std::is_same_v<To, BF16>) {
      const VF lo = at(0), hi = at(1), sum = hn::Add(lo, hi);
      // NaN in one of them makes the sum NaN; so may infinities, which only costs time.
      if (HWY_LIKELY(hn::AllTrue(DF(), hn::Eq(sum, sum))))
        return PackBrains(Numbers{lo}, Numbers{hi});
      return PackBrains(lo, hi);
    } else {
      return PackHalves(at(0), at(1));
    }
  }

  HWY_INLINE void Tile(int64_t r, int64_t c, Done) const {
    const TileTag<kWidth, kVectorBytes> d;
    using T = hn::TFromD<decltype(d)>;
    constexpr size_t kBlock = 16 / kWidth;
    hn::Vec<decltype(d)> v[kColumns];
    HWY_UNROLL(16)
    for (size_t k = 0; k < kColumns; ++k)
      v[k] = hn::BitCast(d, Pack(r + static_cast<int64_t>(k), c));
    SplitPieces<kPiece, kBlock>(d, v);
    HWY_UNROLL(4)
    for (size_t g = 0; g < kColumns; g += kBlock) TransposeBlocks<kBlock>(d, v + g);
    uint8_t* const to = dst + r * static_cast<int64_t>(kWidth) + c * shape.dst_col;
    HWY_UNROLL(16)
    for (size_t k = 0; k < kColumns; ++k)
      hn::StoreU(v[k], d, reinterpret_cast<T*>(to + static_cast<int64_t>(k) * shape.dst_col));
  }
};

template <typename From>
FusedTranspose NarrowingFrom(spi::DataType to, TransposeScale scale, bool shifted) {
  switch (to) {
    case spi::DataType::kS8:
      return FusedPair<NarrowTiles, From, int8_t>(scale, shifted);
    case spi::DataType::kU8:
      return FusedPair<NarrowTiles, From, uint8_t>(scale, shifted);
    case spi::DataType::kBF16:
      return FusedPair<NarrowTiles, From, BF16>(scale, shifted);
    case spi::DataType::kF16:
      return FusedPair<NarrowTiles, From, F16>(scale, shifted);
    default:
      return {};
  }
}

FusedTranspose Narrowing(spi::DataType from, spi::DataType to, TransposeScale scale, bool shifted) {
  if (from == spi::DataType::kF32) return NarrowingFrom<float>(to, scale, shifted);
  if (from == spi::DataType::kS32) return NarrowingFrom<int32_t>(to, scale, shifted);
  return {};
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(Narrowing);

FusedTranspose FindNarrowingTranspose(spi::DataType from, spi::DataType to, TransposeScale scale,
                                      bool shifted) {
  return HWY_DYNAMIC_DISPATCH(Narrowing)(from, to, scale, shifted);
}

}  // namespace impl_cpu
#endif
