// The walk over the tiles of a transposition that converts, per target.

#include <algorithm>

#include "hwy/cache_control.h"
#include "impl_cpu/convert/transpose.h"

#if defined(DNNSPEC_IMPL_CPU_CONVERT_TILES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_CONVERT_TILES_INL_H_
#undef DNNSPEC_IMPL_CPU_CONVERT_TILES_INL_H_
#else
#define DNNSPEC_IMPL_CPU_CONVERT_TILES_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// What a tile that begins early has done before: rows from its first on, and columns.
struct Done {
  int64_t rows, cols;
};

// Tiles::Tile(r, c, done) does kRows x kColumns elements from there on; those of the source have
// kSourceBytes.
template <class Tiles>
void RunTiles(const TransposeShape& shape, const std::byte* src, std::byte* dst,
              const float* scales) {
  const Tiles tiles{shape, reinterpret_cast<const uint8_t*>(src), reinterpret_cast<uint8_t*>(dst),
                    scales};
  constexpr int64_t kRows = Tiles::kRows, kColumns = Tiles::kColumns, kWidth = Tiles::kSourceBytes;
  // A line of the source at a time.
  const int64_t strip = shape.traversal.along_rows ? shape.cols : 64 / kWidth;
  for (int64_t begin = 0; begin < shape.cols; begin += strip) {
    const int64_t end = std::min(shape.cols, begin + strip);
    for (int64_t r = 0; r < shape.rows; r += kRows) {
      // The last tiles begin early.
      const int64_t row = std::min(r, shape.rows - kRows);
      for (int64_t c = begin; c < end; c += kColumns) {
        const int64_t column = std::min(c, shape.cols - kColumns);
        if (shape.traversal.prefetch != 0) {
          const uint8_t* const ahead = tiles.src + column * kWidth + shape.traversal.prefetch;
          for (int64_t k = row; k < row + kRows; ++k) hwy::Prefetch(ahead + k * shape.src_row);
        }
        tiles.Tile(row, column, Done{r - row, c - column});
      }
    }
  }
}

template <class Tiles>
FusedTranspose FusedBy() {
  return {RunTiles<Tiles>, Tiles::kRows, Tiles::kColumns};
}

// `shifted`: with zero points, and then with scales.
template <template <typename, typename, TransposeScale, bool> class Tiles, typename From,
          typename To>
FusedTranspose FusedPair(TransposeScale scale, bool shifted) {
  switch (scale) {
    case TransposeScale::kNone:
      if (shifted) return {};
      return FusedBy<Tiles<From, To, TransposeScale::kNone, false>>();
    case TransposeScale::kRows:
      if (shifted) return FusedBy<Tiles<From, To, TransposeScale::kRows, true>>();
      return FusedBy<Tiles<From, To, TransposeScale::kRows, false>>();
    case TransposeScale::kColumns:
      if (shifted) return FusedBy<Tiles<From, To, TransposeScale::kColumns, true>>();
      return FusedBy<Tiles<From, To, TransposeScale::kColumns, false>>();
  }
  return {};
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
