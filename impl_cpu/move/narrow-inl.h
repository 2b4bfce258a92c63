// Transposition of matrices with few rows or few columns, per target.

#include <algorithm>
#include <cstring>

#include "hwy/highway.h"
#include "impl_cpu/move/tile-inl.h"

#if defined(DNNSPEC_IMPL_CPU_MOVE_NARROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_MOVE_NARROW_INL_H_
#undef DNNSPEC_IMPL_CPU_MOVE_NARROW_INL_H_
#else
#define DNNSPEC_IMPL_CPU_MOVE_NARROW_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

template <size_t kWidth>
HWY_INLINE void TransposeByElement(const Matrix& m, size_t r, size_t c) {
  for (; r < m.rows; ++r) {
    const uint8_t* HWY_RESTRICT from = m.src + static_cast<int64_t>(r) * m.src_row + c * kWidth;
    uint8_t* HWY_RESTRICT to = m.dst + r * kWidth + static_cast<int64_t>(c) * m.dst_col;
    for (size_t k = c; k < m.cols; ++k) {
      hwy::CopyBytes<kWidth>(from, to);
      from += kWidth;
      to += m.dst_col;
    }
  }
}

// ---- fewer columns than a piece holds

// kColumns >= m.cols of the kPiece / kWidth columns are computed; those beyond the matrix go
// nowhere.
template <size_t kWidth, size_t kBytes, size_t kPiece, size_t kColumns>
HWY_INLINE void TransposeFewColumns(const Matrix& m, const uint8_t* src, int64_t src_row,
                                    size_t r) {
  const TileTag<kWidth, kBytes> d;
  using T = hn::TFromD<decltype(d)>;
  HWY_ALIGN uint8_t nowhere[kBytes];
  hn::Vec<decltype(d)> v[kPiece / kWidth];
  LoadTransposed<kWidth, kPiece>(d, EvenRows{src, src_row}, v);
  HWY_UNROLL(16)
  for (size_t k = 0; k < kColumns; ++k) {
    uint8_t* const to =
        k < m.cols ? m.dst + static_cast<int64_t>(k) * m.dst_col + r * kWidth : nowhere;
    hn::StoreU(v[k], d, reinterpret_cast<T*>(to));
  }
}

// Each row is read as a whole piece, which reaches into what follows it. Where that is not a part
// of the matrix, the rows are first moved to where they have room.
template <size_t kWidth, size_t kBytes, size_t kColumns>
void TransposeColumnsBy(const Matrix& m) {
  constexpr size_t kRows = kBytes / kWidth, kPiece = 16;
  const size_t row_bytes = m.cols * kWidth;
  size_t r = 0;
  for (; r < m.rows; r += kRows) {
    const size_t row = std::min(r, m.rows - kRows);
    const uint8_t* const src = m.src + static_cast<int64_t>(row) * m.src_row;
    const size_t last = row + kRows - 1;
    const int64_t end = static_cast<int64_t>(last) * m.src_row + static_cast<int64_t>(kPiece);
    const bool has_room = m.src_row > 0 && end <= static_cast<int64_t>(m.rows - 1) * m.src_row +
                                                      static_cast<int64_t>(row_bytes);
    if (has_room) {
      TransposeFewColumns<kWidth, kBytes, kPiece, kColumns>(m, src, m.src_row, row);
    } else {
      HWY_ALIGN uint8_t roomy[kRows * kPiece] = {};
      for (size_t k = 0; k < kRows; ++k)
        std::memcpy(roomy + k * kPiece, src + static_cast<int64_t>(k) * m.src_row, row_bytes);
      TransposeFewColumns<kWidth, kBytes, kPiece, kColumns>(m, roomy, kPiece, row);
    }
  }
}

template <size_t kWidth, size_t kBytes>
HWY_INLINE void TransposeColumns(const Matrix& m) {
  constexpr size_t kBlock = 16 / kWidth;
  if constexpr (kBlock >= 8) {
    if (m.cols <= kBlock / 4) return TransposeColumnsBy<kWidth, kBytes, kBlock / 4>(m);
  }
  if constexpr (kBlock >= 4) {
    if (m.cols <= kBlock / 2) return TransposeColumnsBy<kWidth, kBytes, kBlock / 2>(m);
  }
  TransposeColumnsBy<kWidth, kBytes, kBlock>(m);
}

// ---- fewer rows than a block holds

// A column is a whole block in a register. Where columns follow one another without a gap, it is
// stored whole and the next one repairs what follows it, at the end in a place that has room; else
// only what belongs to it.
template <size_t kWidth>
void TransposeRows(const Matrix& m) {
  constexpr size_t kBlock = 16 / kWidth;
  const TileTag<kWidth, 16> d;
  using T = hn::TFromD<decltype(d)>;
  const size_t column_bytes = m.rows * kWidth;
  const bool dense = m.dst_col == static_cast<int64_t>(column_bytes);
  // Columns before this one have room for a block behind them.
  const size_t whole =
      dense ? m.cols - std::min(m.cols, (16 + column_bytes - 1) / column_bytes) : 0;
  for (size_t c = 0; c < m.cols; c += kBlock) {
    const size_t column = std::min(c, m.cols - kBlock);
    hn::Vec<decltype(d)> v[kBlock];
    HWY_UNROLL(16)
    for (size_t k = 0; k < kBlock; ++k) {
      const size_t row = std::min(k, m.rows - 1);
      v[k] = hn::LoadU(
          d, reinterpret_cast<const T*>(m.src + static_cast<int64_t>(row) * m.src_row) + column);
    }
    TransposeBlocks<kBlock>(d, v);
    uint8_t* const dst = m.dst + static_cast<int64_t>(column) * m.dst_col;
    if (column + kBlock <= whole) {
      HWY_UNROLL(16)
      for (size_t k = 0; k < kBlock; ++k)
        hn::StoreU(v[k], d, reinterpret_cast<T*>(dst + static_cast<int64_t>(k) * m.dst_col));
    } else if (dense) {
      HWY_ALIGN uint8_t columns[kBlock * 16];
      HWY_UNROLL(16)
      for (size_t k = 0; k < kBlock; ++k)
        hn::StoreU(v[k], d, reinterpret_cast<T*>(columns + k * column_bytes));
      std::memcpy(dst, columns, kBlock * column_bytes);
    } else {
      HWY_ALIGN uint8_t block[kBlock * 16];
      HWY_UNROLL(16)
      for (size_t k = 0; k < kBlock; ++k) hn::Store(v[k], d, reinterpret_cast<T*>(block + k * 16));
      for (size_t k = 0; k < kBlock; ++k)
        std::memcpy(dst + static_cast<int64_t>(k) * m.dst_col, block + k * 16, column_bytes);
    }
  }
}

// ---- eight rows or columns of bytes, side by side on the other side: eight vectors of 16

// Where each byte of eight vectors lies is a number of seven bits: a round moves its upper bit to
// the lower end.
template <size_t kRounds, class D, class V>
HWY_INLINE void ZipEight(D d, V (&v)[8]) {
  HWY_UNROLL(4)
  for (size_t round = 0; round < kRounds; ++round) {
    V t[8];
    HWY_UNROLL(4)
    for (size_t i = 0; i < 4; ++i) {
      t[2 * i] = hn::InterleaveLower(d, v[i], v[i + 4]);
      t[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + 4]);
    }
    HWY_UNROLL(8)
    for (size_t i = 0; i < 8; ++i) v[i] = t[i];
  }
}

inline void JoinEightRows(const Matrix& m) {
  const TileTag<1, 16> d;
  for (size_t c = 0; c < m.cols; c += 16) {
    const size_t column = std::min(c, m.cols - 16);
    hn::Vec<decltype(d)> v[8];
    HWY_UNROLL(8)
    for (size_t k = 0; k < 8; ++k)
      v[k] = hn::LoadU(d, m.src + static_cast<int64_t>(k) * m.src_row + column);
    ZipEight<3>(d, v);
    HWY_UNROLL(8)
    for (size_t k = 0; k < 8; ++k) hn::StoreU(v[k], d, m.dst + column * 8 + k * 16);
  }
}

inline void SplitEightColumns(const Matrix& m) {
  const TileTag<1, 16> d;
  for (size_t r = 0; r < m.rows; r += 16) {
    const size_t row = std::min(r, m.rows - 16);
    hn::Vec<decltype(d)> v[8];
    HWY_UNROLL(8)
    for (size_t k = 0; k < 8; ++k) v[k] = hn::LoadU(d, m.src + row * 8 + k * 16);
    ZipEight<4>(d, v);
    HWY_UNROLL(8)
    for (size_t k = 0; k < 8; ++k)
      hn::StoreU(v[k], d, m.dst + static_cast<int64_t>(k) * m.dst_col + row);
  }
}

// Fewer than 16 / kWidth rows or columns.
template <size_t kWidth>
void TransposeNarrow(const Matrix& m) {
  constexpr size_t kBlock = 16 / kWidth;
  constexpr size_t kRows = kVectorBytes / kWidth;
  if constexpr (kWidth == 1) {
    if (m.rows == 8 && m.dst_col == 8 && m.cols >= 16) return JoinEightRows(m);
    if (m.cols == 8 && m.src_row == 8 && m.rows >= 16) return SplitEightColumns(m);
  }
  if constexpr (kBlock >= 4) {
    if (m.rows >= kRows) return TransposeColumns<kWidth, kVectorBytes>(m);
    if (m.rows >= kBlock) return TransposeColumns<kWidth, 16>(m);
    if (m.cols >= kBlock && m.rows > 1) return TransposeRows<kWidth>(m);
  }
  TransposeByElement<kWidth>(m, 0, 0);
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
