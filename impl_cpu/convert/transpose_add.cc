// Transposition of bytes that are added to what is there. The tiles are those of move/transpose.cc;
// each vector of a column is added as it is stored.

#include <cstdint>

#include "impl_cpu/convert/transpose.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convert/transpose_add.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convert/tiles-inl.h"
#include "impl_cpu/move/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

FusedTranspose Adding(spi::DataType) { return {}; }

#else

template <typename T>
struct AddTiles {
  static constexpr size_t kPiece = kLongPiece<1, kVectorBytes>;
  static constexpr size_t kRows = kVectorBytes, kColumns = kPiece;
  static constexpr size_t kSourceBytes = 1;

  const TransposeShape& shape;
  const uint8_t* src;
  uint8_t* dst;
  const float* scales;  // none are read

  HWY_INLINE void Tile(int64_t r, int64_t c, Done done) const {
    const TileTag<1, kVectorBytes> bytes;
    const hn::Rebind<T, decltype(bytes)> d;
    uint8_t* const to = dst + r + c * shape.dst_col;
    hn::Vec<decltype(bytes)> v[kColumns];
    LoadTransposed<1, kPiece>(bytes, EvenRows{src + r * shape.src_row + c, shape.src_row}, v);
    if (HWY_UNLIKELY(done.rows != 0)) {
      const auto before = hn::FirstN(bytes, static_cast<size_t>(done.rows));
      for (auto& column : v) column = hn::IfThenZeroElse(before, column);
    }
    HWY_UNROLL(16)
    for (size_t k = 0; k < kColumns; ++k) {
      if (static_cast<int64_t>(k) < done.cols) continue;
      T* const column = reinterpret_cast<T*>(to + static_cast<int64_t>(k) * shape.dst_col);
      hn::StoreU(hn::SaturatedAdd(hn::BitCast(d, v[k]), hn::LoadU(d, column)), d, column);
    }
  }
};

FusedTranspose Adding(spi::DataType type) {
  if (type == spi::DataType::kS8) return FusedBy<AddTiles<int8_t>>();
  if (type == spi::DataType::kU8) return FusedBy<AddTiles<uint8_t>>();
  return {};
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(Adding);

FusedTranspose FindAddingTranspose(spi::DataType type) {
  return HWY_DYNAMIC_DISPATCH(Adding)(type);
}

}  // namespace impl_cpu
#endif
