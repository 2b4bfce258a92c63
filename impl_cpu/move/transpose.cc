// Transposition. See tile-inl.h for what happens in registers; here is the order of the tiles.

#include <algorithm>
#include <cstdint>

#include "impl_cpu/move/kernel.h"

#define HWY_WANT_AVX3_DL  // the level of AVX-512 that permutes bytes
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/move/transpose.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/move/interleave-inl.h"
#include "impl_cpu/move/narrow-inl.h"
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

// One line of each row that a vector holds, side by side: what a tile reads in several pieces stays
// in L1d, wherever the rows lie.
template <size_t kWidth, size_t kBytes>
struct Lines {
  HWY_ALIGN uint8_t bytes[kBytes / kWidth * 64];

  HWY_INLINE void Load(const uint8_t* src, int64_t src_row) {
    const hn::CappedTag<uint8_t, 64> d;
    const size_t lanes = hn::Lanes(d);
    for (size_t k = 0; k < kBytes / kWidth; ++k)
      for (size_t i = 0; i < 64; i += lanes)
        hn::Store(hn::LoadU(d, src + static_cast<int64_t>(k) * src_row + i), d, bytes + k * 64 + i);
  }
};

// All columns [begin, end) of the rows from r on that one vector holds.
template <size_t kWidth, size_t kBytes, size_t kLongest, bool kStream>
HWY_INLINE void TransposeStrip(const Matrix& m, size_t r, size_t begin, size_t end) {
  constexpr size_t kPiece = std::min(kLongest, kBytes);
  constexpr size_t kColumns = kPiece / kWidth, kLine = 64 / kWidth;
  const uint8_t* const src = m.src + static_cast<int64_t>(r) * m.src_row;
  uint8_t* const dst = m.dst + r * kWidth;
  for (size_t line = begin; line < end; line += kLine) {
    if (m.prefetch != 0) {
      for (size_t k = 0; k < kBytes / kWidth; ++k)
        hwy::Prefetch(src + line * kWidth + static_cast<int64_t>(k) * m.src_row + m.prefetch);
      if (kPiece < 64 && kBytes >= 32 && line + kLine <= end &&
          (kWidth > 1 || m.src_row % 512 == 0)) {
        Lines<kWidth, kBytes> lines;
        lines.Load(src + line * kWidth, m.src_row);
        for (size_t c = 0; c < kLine; c += kColumns)
          TransposeTile<kWidth, kBytes, kPiece, kStream>(
              lines.bytes + c * kWidth, 64, dst + static_cast<int64_t>(line + c) * m.dst_col,
              m.dst_col);
        continue;
      }
    }
    for (size_t c = line; c < std::min(end, line + kLine); c += kColumns) {
      // The last tile of the matrix begins early instead of being cut.
      const size_t column = std::min(c, m.cols - kColumns);
      TransposeTile<kWidth, kBytes, kPiece, kStream>(src + column * kWidth, m.src_row,
                                                     dst + static_cast<int64_t>(column) * m.dst_col,
                                                     m.dst_col);
    }
  }
}

// At least kPiece / kWidth columns and 16 / kWidth rows. A line of columns at a time, all the way
// down the rows: lines of the source are read once, and those of the destination are complete while
// they are in L1. Or a vector of rows at a time, all along them.
template <size_t kWidth, size_t kPiece, bool kStream>
void TransposeTiles(const Matrix& m) {
  constexpr size_t kLine = 64 / kWidth;
  constexpr size_t kRows = kVectorBytes / kWidth;
  const size_t strip = m.along_rows ? m.cols : kLine;
  for (size_t begin = 0; begin < m.cols; begin += strip) {
    const size_t end = std::min(m.cols, begin + strip);
    size_t r = 0;
    for (; r + kRows <= m.rows; r += kRows)
      TransposeStrip<kWidth, kVectorBytes, kPiece, kStream>(m, r, begin, end);
    const size_t left = m.rows - r;
    if (left == 0) continue;
    // The smallest vector that holds what is left, begun early.
    constexpr size_t kHalf = kVectorBytes >= 32 ? kVectorBytes / 2 : kVectorBytes;
    constexpr size_t kQuarter = kVectorBytes >= 64 ? kVectorBytes / 4 : kHalf;
    if (kQuarter < kHalf && left * kWidth <= kQuarter && m.rows * kWidth >= kQuarter) {
      TransposeStrip<kWidth, kQuarter, kPiece, false>(m, m.rows - kQuarter / kWidth, begin, end);
    } else if (kHalf < kVectorBytes && left * kWidth <= kHalf && m.rows * kWidth >= kHalf) {
      TransposeStrip<kWidth, kHalf, kPiece, false>(m, m.rows - kHalf / kWidth, begin, end);
    } else if (m.rows >= kRows) {
      TransposeStrip<kWidth, kVectorBytes, kPiece, false>(m, m.rows - kRows, begin, end);
    } else {
      // Fewer rows than the vector has: halves of it, as many as it takes.
      size_t s = 0;
      if (m.rows * kWidth >= kHalf) {
        TransposeStrip<kWidth, kHalf, kPiece, false>(m, 0, begin, end);
        s = kHalf / kWidth;
      }
      for (; s < m.rows; s += kQuarter / kWidth)
        TransposeStrip<kWidth, kQuarter, kPiece, false>(m, std::min(s, m.rows - kQuarter / kWidth),
                                                        begin, end);
    }
  }
}

// Non-temporal stores are of whole lines, so all of them must begin where a line does.
HWY_INLINE bool CanStream(const Matrix& m) {
  return kVectorBytes == 64 && m.non_temporal && m.dst_col % 64 == 0 &&
         reinterpret_cast<uintptr_t>(m.dst) % 64 == 0;
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
  if (CanStream(m)) return TransposeTiles<kWidth, kLong, true>(m);
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
  if (first.rows * kWidth == kVectorBytes && first.cols * kWidth == kLong) {
    ForEachMatrix(batch, [](const Matrix& m) HWY_ATTR {
      TransposeTile<kWidth, kVectorBytes, kLong, false>(m.src, m.src_row, m.dst, m.dst_col);
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
    case 2:
      return Transpose<2>;
    case 4:
      return Transpose<4>;
    case 8:
      return Transpose<8>;
    default:
      return Transpose<16>;
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
