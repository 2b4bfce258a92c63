// Transposition. See tile-inl.h for what happens in registers; here is the order of the tiles.

#include <algorithm>
#include <cstdint>

#include "impl_cpu/isa/avx3_dl.h"  // the level of AVX-512 that permutes bytes
#include "impl_cpu/move/kernel.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/move/transpose.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/move/interleave-inl.h"
#include "impl_cpu/move/narrow-inl.h"
#include "impl_cpu/move/small-inl.h"
#include "impl_cpu/move/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

template <size_t kWidth>
void TransposeBatch(const Batch& batch) {
  ForEachMatrix(batch, [](const Matrix& m) {
    for (size_t r = 0; r < m.rows; ++r) {
      for (size_t c = 0; c < m.cols; ++c)
        hwy::CopyBytes<kWidth>(m.src + static_cast<int64_t>(r) * m.src_row + c * kWidth,
                               m.dst + static_cast<int64_t>(c) * m.dst_col + r * kWidth);
    }
  });
}

#else

// One line of each of kRows rows, side by side: what a tile reads in several pieces stays in L1d,
// wherever the rows lie.
template <size_t kRows>
struct Lines {
  HWY_ALIGN uint8_t bytes[kRows * 64];

  HWY_INLINE void Load(const uint8_t* src, int64_t src_row) {
    const hn::CappedTag<uint8_t, 64> d;
    const size_t lanes = hn::Lanes(d);
    for (size_t k = 0; k < kRows; ++k)
      for (size_t i = 0; i < 64; i += lanes)
        hn::Store(hn::LoadU(d, src + static_cast<int64_t>(k) * src_row + i), d, bytes + k * 64 + i);
  }
};

// Columns [begin, end) of the rows from r on, kSide vectors of them at a time, as many as there are
// below row `rows`. Gives the first row that is left.
template <size_t kWidth, size_t kBytes, size_t kPiece, bool kStream, size_t kSide>
HWY_INLINE size_t TransposePlain(const Matrix& m, size_t r, size_t rows, size_t begin, size_t end) {
  constexpr size_t kColumns = kPiece / kWidth, kRows = kSide * kBytes / kWidth;
  // The last tile of the matrix begins early instead of being cut, and is narrow where that is
  // enough.
  constexpr size_t kLeast = kWidth == 4 ? 16 : kPiece;
  const int64_t src_row = m.src_row, dst_col = m.dst_col;
  const size_t whole = (end - begin) / kColumns, done = begin + whole * kColumns;
  const bool narrow = (end - done) * kWidth <= kLeast;
  const size_t last = std::min(done, m.cols - (narrow ? kLeast / kWidth : kColumns));
  const uint8_t* src = m.src + static_cast<int64_t>(r) * src_row;
  uint8_t* dst = m.dst + r * kWidth;
  for (; r + kRows <= rows; r += kRows) {
    const uint8_t* from = src + begin * kWidth;
    uint8_t* to = dst + static_cast<int64_t>(begin) * dst_col;
    for (size_t i = 0; i < whole; ++i) {
      TransposeTile<kWidth, kBytes, kPiece, kStream, kSide>(from, Opaque(src_row), to,
                                                            Opaque(dst_col));
      from += kPiece;
      to += static_cast<int64_t>(kColumns) * dst_col;
    }
    if (done < end) {
      from = src + last * kWidth;
      to = dst + static_cast<int64_t>(last) * dst_col;
      if (narrow) {
        TransposeTile<kWidth, kBytes, kLeast, kStream, kSide>(from, Opaque(src_row), to,
                                                              Opaque(dst_col));
      } else {
        TransposeTile<kWidth, kBytes, kPiece, kStream, kSide>(from, Opaque(src_row), to,
                                                              Opaque(dst_col));
      }
    }
    src += static_cast<int64_t>(kRows) * src_row;
    dst += kRows * kWidth;
  }
  return r;
}

// The same, where rows are fetched ahead. Where these share sets of L1d, lines that are read in
// several pieces are first copied.
template <size_t kWidth, size_t kBytes, size_t kPiece, bool kStream, size_t kSide>
HWY_INLINE size_t TransposeFetched(const Matrix& m, size_t r, size_t rows, size_t begin,
                                   size_t end) {
  constexpr size_t kColumns = kPiece / kWidth, kLine = 64 / kWidth;
  constexpr size_t kRows = kSide * kBytes / kWidth;
  for (; r + kRows <= rows; r += kRows) {
    const uint8_t* const src = m.src + static_cast<int64_t>(r) * m.src_row;
    uint8_t* const dst = m.dst + r * kWidth;
    for (size_t line = begin; line < end; line += kLine) {
      for (size_t k = 0; k < kRows; ++k)
        hwy::Prefetch(src + line * kWidth + static_cast<int64_t>(k) * m.src_row + m.prefetch);
      if (kPiece < 64 && kBytes >= 32 && line + kLine <= end &&
          (kWidth > 1 || m.src_row % 512 == 0)) {
        Lines<kRows> lines;
        lines.Load(src + line * kWidth, m.src_row);
        for (size_t c = 0; c < kLine; c += kColumns)
          TransposeTile<kWidth, kBytes, kPiece, kStream, kSide>(
              lines.bytes + c * kWidth, 64, dst + static_cast<int64_t>(line + c) * m.dst_col,
              m.dst_col);
        continue;
      }
      for (size_t c = line; c < std::min(end, line + kLine); c += kColumns) {
        const size_t column = std::min(c, m.cols - kColumns);
        TransposeTile<kWidth, kBytes, kPiece, kStream, kSide>(
            src + column * kWidth, m.src_row, dst + static_cast<int64_t>(column) * m.dst_col,
            m.dst_col);
      }
    }
  }
  return r;
}

template <size_t kWidth, size_t kBytes, size_t kLongest, bool kStream, size_t kSide>
HWY_INLINE size_t TransposeStrips(const Matrix& m, size_t r, size_t rows, size_t begin,
                                  size_t end) {
  constexpr size_t kPiece = std::min(kLongest, kBytes);
  if (m.prefetch != 0)
    return TransposeFetched<kWidth, kBytes, kPiece, kStream, kSide>(m, r, rows, begin, end);
  return TransposePlain<kWidth, kBytes, kPiece, kStream, kSide>(m, r, rows, begin, end);
}

// As many rows as one vector holds.
template <size_t kWidth, size_t kBytes, size_t kLongest>
HWY_INLINE void TransposeStrip(const Matrix& m, size_t r, size_t begin, size_t end) {
  TransposeStrips<kWidth, kBytes, kLongest, false, 1>(m, r, r + kBytes / kWidth, begin, end);
}

// At least kPiece / kWidth columns and 16 / kWidth rows. A line of columns at a time, all the way
// down the rows: lines of the source are read once, and those of the destination are complete while
// they are in L1. Or whole lines of the destination at a time, all along the rows.
template <size_t kWidth, size_t kPiece, bool kStream>
void TransposeTiles(const Matrix& m) {
  constexpr size_t kLine = 64 / kWidth;
  constexpr size_t kRows = kVectorBytes / kWidth;
  constexpr size_t kSide = kWholeLine<kWidth, kPiece>;
  // Down the columns halves of lines are as good where no group of rows fills them.
  const bool whole_lines = m.along_rows || kVectorBytes == 16 || m.dst_col % 64 == 0;
  const size_t strip = m.along_rows ? m.cols : kLine;
  for (size_t begin = 0; begin < m.cols; begin += strip) {
    const size_t end = std::min(m.cols, begin + strip);
    size_t r = 0;
    if (kStream || (kSide > 1 && whole_lines))
      r = TransposeStrips<kWidth, kVectorBytes, kPiece, kStream, kSide>(m, r, m.rows, begin, end);
    if (!kStream || kSide > 1)
      r = TransposeStrips<kWidth, kVectorBytes, kPiece, false, 1>(m, r, m.rows, begin, end);
    const size_t left = m.rows - r;
    if (left == 0) continue;
    // The smallest vector that holds what is left, begun early.
    constexpr size_t kHalf = kVectorBytes >= 32 ? kVectorBytes / 2 : kVectorBytes;
    constexpr size_t kQuarter = kVectorBytes >= 64 ? kVectorBytes / 4 : kHalf;
    if (kQuarter < kHalf && left * kWidth <= kQuarter && m.rows * kWidth >= kQuarter) {
      TransposeStrip<kWidth, kQuarter, kPiece>(m, m.rows - kQuarter / kWidth, begin, end);
    } else if (kHalf < kVectorBytes && left * kWidth <= kHalf && m.rows * kWidth >= kHalf) {
      TransposeStrip<kWidth, kHalf, kPiece>(m, m.rows - kHalf / kWidth, begin, end);
    } else if (m.rows >= kRows) {
      TransposeStrip<kWidth, kVectorBytes, kPiece>(m, m.rows - kRows, begin, end);
    } else {
      // Fewer rows than the vector has: halves of it, as many as it takes.
      size_t s = 0;
      if (m.rows * kWidth >= kHalf) {
        TransposeStrip<kWidth, kHalf, kPiece>(m, 0, begin, end);
        s = kHalf / kWidth;
      }
      for (; s < m.rows; s += kQuarter / kWidth)
        TransposeStrip<kWidth, kQuarter, kPiece>(m, std::min(s, m.rows - kQuarter / kWidth), begin,
                                                 end);
    }
  }
}

// Rows of at most kPiece bytes, read as whole pieces as long as what follows them is a part of the
// matrix; the last ones in blocks.
template <size_t kWidth, size_t kPiece>
void TransposeShortRowsBy(const Matrix& m) {
  constexpr size_t kRows = kVectorBytes / kWidth;
  const size_t beyond = kPiece - m.cols * kWidth, row_step = static_cast<size_t>(m.src_row);
  const size_t behind = (beyond + row_step - 1) / row_step;
  const size_t whole = (m.rows - std::min(m.rows, behind)) / kRows * kRows;
  for (size_t r = 0; r < whole; r += kRows) {
    TransposeFewColumns<kWidth, kVectorBytes, kPiece, kPiece / kWidth>(
        m, m.src + static_cast<int64_t>(r) * m.src_row, m.src_row, r);
  }
  if (whole == m.rows) return;
  if (beyond == 0 && m.rows >= kRows) {
    // Nothing is read beyond a row, so the last vector may begin early.
    const size_t r = m.rows - kRows;
    return TransposeFewColumns<kWidth, kVectorBytes, kPiece, kPiece / kWidth>(
        m, m.src + static_cast<int64_t>(r) * m.src_row, m.src_row, r);
  }
  const size_t begin = std::min(whole, m.rows - 16 / kWidth);
  Matrix rest = m;
  rest.src += static_cast<int64_t>(begin) * m.src_row;
  rest.dst += begin * kWidth;
  rest.rows -= begin;
  TransposeTiles<kWidth, 16, false>(rest);
}

// More columns than a block holds, but fewer than a long piece.
template <size_t kWidth, size_t kLong>
void TransposeShortRows(const Matrix& m) {
  constexpr size_t kHalf = std::min<size_t>(kLong, 32);
  const size_t row_bytes = m.cols * kWidth;
  if (m.src_row > 0 && row_bytes > 16 && row_bytes <= kHalf)
    return TransposeShortRowsBy<kWidth, kHalf>(m);
  if (m.src_row > 0 && row_bytes > 48) return TransposeShortRowsBy<kWidth, kLong>(m);
  TransposeTiles<kWidth, 16, false>(m);
}

template <size_t kWidth>
void TransposeMatrix(const Matrix& m) {
  constexpr size_t kLong = kLongPiece<kWidth, kVectorBytes>;
  if (m.cols * kWidth < kLong) return TransposeShortRows<kWidth, kLong>(m);
  if constexpr (kVectorBytes * kWholeLine<kWidth, kLong> == 64) {
    if (CanStream(m)) return TransposeTiles<kWidth, kLong, true>(m);
  }
  TransposeTiles<kWidth, kLong, false>(m);
}

template <size_t kWidth>
void TransposeBatch(const Batch& batch) {
  constexpr size_t kColumns = 16 / kWidth;
  const Matrix& first = batch.first;
  if constexpr (kWidth <= 8) {
    if (TransposeNeighbours<kWidth>(batch)) return;
  }
  constexpr size_t kLong = kLongPiece<kWidth, kVectorBytes>;
  constexpr size_t kSide = kWholeLine<kWidth, kLong>;
  if constexpr (kWidth == 4) {
    if (TransposeSmall(batch)) return;
  }
  if (first.rows * kWidth == kVectorBytes && first.cols * kWidth == kLong) {
    ForEachMatrix(batch, [](const Matrix& m) HWY_ATTR {
      TransposeTile<kWidth, kVectorBytes, kLong, false>(m.src, m.src_row, m.dst, m.dst_col);
    });
  } else if (kSide > 1 && first.rows * kWidth == 64 && first.cols * kWidth == 64) {
    ForEachMatrix(batch, [](const Matrix& m) HWY_ATTR {
      TransposePlain<kWidth, kVectorBytes, kLong, false, kSide>(m, 0, m.rows, 0, m.cols);
    });
  } else if (first.rows >= kColumns && first.cols >= kColumns) {
    ForEachMatrix(batch, [](const Matrix& m) HWY_ATTR { TransposeMatrix<kWidth>(m); });
  } else {
    ForEachMatrix(batch, [](const Matrix& m) HWY_ATTR { TransposeNarrow<kWidth>(m); });
  }
}

#endif

template <size_t kWidth>
void Transpose(const MatrixShape& shape, const std::byte* src, std::byte* dst) {
  if (shape.rows == 0 || shape.cols == 0) return;
  Matrix first;
  first.src = reinterpret_cast<const uint8_t*>(src);
  first.dst = reinterpret_cast<uint8_t*>(dst);
  first.src_row = shape.src_row;
  first.dst_col = shape.dst_col;
  first.rows = static_cast<size_t>(shape.rows);
  first.cols = static_cast<size_t>(shape.cols);
  first.prefetch = shape.traversal.prefetch;
  first.along_rows = shape.traversal.along_rows;
  first.non_temporal = shape.non_temporal;
  TransposeBatch<kWidth>({first, shape.batch, shape.src_batch, shape.dst_batch});
}

MatrixKernel TransposeKernel(int width) {
  switch (width) {
    case 1:
      return Transpose<1>;
#if HWY_TARGET < HWY_AVX3 && (HWY_TARGETS & HWY_AVX3)
    default:
      return N_AVX3::TransposeKernel(width);  // better levels permute single bytes, no more
#else
    case 2:
      return Transpose<2>;
    case 4:
      return Transpose<4>;
    case 8:
      return Transpose<8>;
    default:
      return Transpose<16>;
#endif
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(TransposeKernel);

MatrixKernel FindTransposeKernel(int width) { return HWY_DYNAMIC_DISPATCH(TransposeKernel)(width); }

}  // namespace impl_cpu
#endif
