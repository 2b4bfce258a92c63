// Transposition where the rows are two loops that the destination runs through without a gap, or
// the columns two loops that the source does: weights such as oihw and hwio. Short loops, long
// lines: the tiles are as in transpose.cc, but every row and column has an address of its own.

#include <algorithm>
#include <cstdint>

#include "impl_cpu/isa/avx3_dl.h"  // the level of AVX-512 that permutes bytes
#include "impl_cpu/move/kernel.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/move/split.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/move/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// Offsets index / inner * outer_step + index % inner * step of consecutive indices.
class SplitOffsets {
 public:
  SplitOffsets(int64_t inner, int64_t step, int64_t outer_step, int64_t begin)
      : inner_(inner), step_(step), outer_step_(outer_step) {
    at_ = inner == 0 ? begin : begin % inner;
    offset_ = (inner == 0 ? 0 : begin / inner * outer_step) + at_ * step;
  }
  int64_t Next() {
    const int64_t offset = offset_;
    offset_ += step_;
    if (++at_ == inner_) {
      at_ = 0;
      offset_ += outer_step_ - inner_ * step_;
    }
    return offset;
  }

 private:
  const int64_t inner_, step_, outer_step_;
  int64_t at_, offset_;
};

SplitOffsets RowsFrom(const SplitShape& s, int64_t begin) {
  return SplitOffsets(s.rows_inner, s.src_row, s.src_outer_row, begin);
}
SplitOffsets ColsFrom(const SplitShape& s, int64_t begin) {
  return SplitOffsets(s.cols_inner, s.dst_col, s.dst_outer_col, begin);
}

template <size_t kWidth>
void SplitByElement(const SplitShape& s, const uint8_t* src, uint8_t* dst) {
  SplitOffsets rows = RowsFrom(s, 0);
  for (int64_t r = 0; r < s.rows; ++r) {
    const uint8_t* const from = src + rows.Next();
    SplitOffsets cols = ColsFrom(s, 0);
    for (int64_t c = 0; c < s.cols; ++c)
      hwy::CopyBytes<kWidth>(from + c * static_cast<int64_t>(kWidth),
                             dst + cols.Next() + r * static_cast<int64_t>(kWidth));
  }
}

#if HWY_TARGET == HWY_SCALAR

template <size_t kWidth>
void SplitMatrix(const SplitShape& s, const uint8_t* src, uint8_t* dst) {
  SplitByElement<kWidth>(s, src, dst);
}

#else

// Rows whose addresses are listed at a time.
constexpr size_t kListedRows = 512;

// Rows that lie evenly need no list of addresses.
struct EvenRowsOf {
  const SplitShape& shape;
  const uint8_t* src;

  HWY_INLINE void List(size_t, size_t) {}
  HWY_INLINE EvenRows At(size_t row, size_t offset) const {
    return {src + static_cast<int64_t>(row) * shape.src_row + offset, shape.src_row};
  }
};

// The addresses of some rows at a time.
struct ListedRowsOf {
  const SplitShape& shape;
  const uint8_t* src;
  size_t first;
  const uint8_t* list[kListedRows];

  ListedRowsOf(const SplitShape& s, const uint8_t* from) : shape(s), src(from) {}
  HWY_INLINE void List(size_t begin, size_t end) {
    SplitOffsets offsets = RowsFrom(shape, static_cast<int64_t>(begin));
    for (size_t row = begin; row < end; ++row) list[row - begin] = src + offsets.Next();
    first = begin;
  }
  HWY_INLINE ListedRows At(size_t row, size_t offset) const {
    return {list + (row - first), offset};
  }
};

// The columns from `column` on, kSide vectors of rows from `row` on, whose pieces of a column are
// stored side by side.
template <size_t kWidth, size_t kBytes, size_t kPiece, size_t kSide, class Rows>
HWY_INLINE void SplitTile(const Rows& rows, size_t row, size_t column, uint8_t* const* columns) {
  constexpr size_t kColumns = kPiece / kWidth, kRows = kBytes / kWidth;
  const TileTag<kWidth, kBytes> d;
  using T = hn::TFromD<decltype(d)>;
  hn::Vec<decltype(d)> v[kSide][kColumns];
  HWY_UNROLL(4)
  for (size_t i = 0; i < kSide; ++i)
    LoadTransposed<kWidth, kPiece>(d, rows.At(row + i * kRows, column * kWidth), v[i]);
  HWY_UNROLL(16)
  for (size_t k = 0; k < kColumns; ++k) {
    HWY_UNROLL(4)
    for (size_t i = 0; i < kSide; ++i)
      hn::StoreU(v[i][k], d, reinterpret_cast<T*>(columns[k] + row * kWidth + i * kBytes));
  }
}

// Tiles of kBytes / kWidth rows and kPiece / kWidth columns; at least as many of both. kSide of
// them at a time, as long as there are so many rows: halves of lines that share a set of L1d, as do
// the planes of weights, are not there any more when the other half comes.
template <size_t kWidth, size_t kBytes, size_t kPiece, size_t kSide, class Rows>
void SplitTiles(const SplitShape& s, uint8_t* dst, Rows& rows) {
  constexpr size_t kColumns = kPiece / kWidth, kLine = 64 / kWidth, kRows = kBytes / kWidth;
  const size_t row_count = static_cast<size_t>(s.rows), col_count = static_cast<size_t>(s.cols);
  for (size_t block = 0; block < row_count; block += kListedRows - kLine) {
    // The last tiles begin early instead of being cut.
    const size_t block_end = std::min(row_count, block + (kListedRows - kLine));
    rows.List(std::min(block, row_count - kRows), block_end);
    for (size_t begin = 0; begin < col_count; begin += kLine) {
      const size_t first = std::min(begin, col_count - kColumns);
      const size_t end = std::min(col_count, begin + kLine);
      uint8_t* columns[kLine + kColumns];
      SplitOffsets cols = ColsFrom(s, static_cast<int64_t>(first));
      for (size_t c = first; c < end; ++c) columns[c - first] = dst + cols.Next();
      size_t r = block;
      for (; kSide > 1 && r + kSide * kRows <= block_end; r += kSide * kRows)
        for (size_t c = begin; c < end; c += kColumns) {
          const size_t column = std::min(c, col_count - kColumns);
          SplitTile<kWidth, kBytes, kPiece, kSide>(rows, r, column, columns + (column - first));
        }
      for (; r < block_end; r += kRows)
        for (size_t c = begin; c < end; c += kColumns) {
          const size_t row = std::min(r, row_count - kRows);
          const size_t column = std::min(c, col_count - kColumns);
          SplitTile<kWidth, kBytes, kPiece, 1>(rows, row, column, columns + (column - first));
        }
    }
  }
}

template <size_t kWidth, class Rows>
void SplitMatrix(const SplitShape& s, uint8_t* dst, Rows& rows) {
  constexpr size_t kHalf = std::min<size_t>(32, kVectorBytes);
  constexpr size_t kLong = std::min<size_t>(32, kLongPiece<kWidth, kVectorBytes>);
  const int64_t row_bytes = s.rows * static_cast<int64_t>(kWidth);
  if (row_bytes >= static_cast<int64_t>(kVectorBytes)) {
    if (s.cols * static_cast<int64_t>(kWidth) >= static_cast<int64_t>(kLong))
      return SplitTiles<kWidth, kVectorBytes, kLong, kWholeLine<kWidth, kLong>>(s, dst, rows);
    return SplitTiles<kWidth, kVectorBytes, 16, kWholeLine<kWidth, 16>>(s, dst, rows);
  }
  if (kVectorBytes > 32 && row_bytes >= 32) return SplitTiles<kWidth, kHalf, 16, 1>(s, dst, rows);
  SplitTiles<kWidth, 16, 16, 1>(s, dst, rows);
}

template <size_t kWidth>
void SplitMatrix(const SplitShape& s, const uint8_t* src, uint8_t* dst) {
  if (std::min(s.rows, s.cols) * static_cast<int64_t>(kWidth) < 16)
    return SplitByElement<kWidth>(s, src, dst);
  if (s.rows_inner == 0) {
    EvenRowsOf rows{s, src};
    return SplitMatrix<kWidth>(s, dst, rows);
  }
  ListedRowsOf rows(s, src);
  SplitMatrix<kWidth>(s, dst, rows);
}

#endif

template <size_t kWidth>
void TransposeSplit(const SplitShape& shape, const std::byte* src, std::byte* dst) {
  if (shape.rows == 0 || shape.cols == 0) return;
  for (int64_t b = 0; b < shape.batch; ++b) {
    SplitMatrix<kWidth>(shape, reinterpret_cast<const uint8_t*>(src + b * shape.src_batch),
                        reinterpret_cast<uint8_t*>(dst + b * shape.dst_batch));
  }
}

SplitMoveKernel SplitKernel(int width) {
  switch (width) {
    case 1:
      return TransposeSplit<1>;
    case 2:
      return TransposeSplit<2>;
    case 4:
      return TransposeSplit<4>;
    case 8:
      return TransposeSplit<8>;
  }
  return nullptr;
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(SplitKernel);

SplitMoveKernel FindSplitKernel(int width) { return HWY_DYNAMIC_DISPATCH(SplitKernel)(width); }

}  // namespace impl_cpu
#endif
