// Transposition. See tile-inl.h for what happens in registers; here is the order of the tiles.

#include <algorithm>
#include <cstdint>

#include "impl_cpu/move/kinds.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/move/transpose.cc"
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

// All columns [begin, end) of the rows from r on that one vector holds.
template <size_t kWidth, size_t kBytes>
HWY_INLINE void TransposeStrip(const Matrix& m, size_t r, size_t begin, size_t end) {
  constexpr size_t kColumns = 16 / kWidth;
  const uint8_t* const src = m.src + static_cast<int64_t>(r) * m.src_row;
  uint8_t* const dst = m.dst + r * kWidth;
  if (m.prefetch != 0) {
    for (size_t k = 0; k < kBytes / kWidth; ++k)
      __builtin_prefetch(src + begin * kWidth + static_cast<int64_t>(k) * m.src_row + m.prefetch);
  }
  for (size_t c = begin; c < end; c += kColumns) {
    // The last tile of the matrix begins early instead of being cut.
    const size_t column = std::min(c, m.cols - kColumns);
    TransposeTile<kWidth, kBytes>(src + column * kWidth, m.src_row,
                                  dst + static_cast<int64_t>(column) * m.dst_col, m.dst_col);
  }
}

// At least 16 / kWidth rows and columns. A line of columns at a time, all the way down the rows:
// lines of the source are read once, and those of the destination are complete while they are in
// L1.
template <size_t kWidth>
void TransposeTiles(const Matrix& m) {
  constexpr size_t kLine = 64 / kWidth;
  constexpr size_t kRows = kVectorBytes / kWidth;
  for (size_t begin = 0; begin < m.cols; begin += kLine) {
    const size_t end = std::min(m.cols, begin + kLine);
    size_t r = 0;
    for (; r + kRows <= m.rows; r += kRows) TransposeStrip<kWidth, kVectorBytes>(m, r, begin, end);
    const size_t left = m.rows - r;
    if (left == 0) continue;
    // The smallest vector that holds what is left, begun early.
    constexpr size_t kHalf = kVectorBytes >= 32 ? kVectorBytes / 2 : kVectorBytes;
    constexpr size_t kQuarter = kVectorBytes >= 64 ? kVectorBytes / 4 : kHalf;
    if (kQuarter < kHalf && left * kWidth <= kQuarter && m.rows * kWidth >= kQuarter) {
      TransposeStrip<kWidth, kQuarter>(m, m.rows - kQuarter / kWidth, begin, end);
    } else if (kHalf < kVectorBytes && left * kWidth <= kHalf && m.rows * kWidth >= kHalf) {
      TransposeStrip<kWidth, kHalf>(m, m.rows - kHalf / kWidth, begin, end);
    } else if (m.rows >= kRows) {
      TransposeStrip<kWidth, kVectorBytes>(m, m.rows - kRows, begin, end);
    } else {
      // Fewer rows than the vector has: halves of it, as many as it takes.
      size_t s = 0;
      if (m.rows * kWidth >= kHalf) {
        TransposeStrip<kWidth, kHalf>(m, 0, begin, end);
        s = kHalf / kWidth;
      }
      for (; s < m.rows; s += kQuarter / kWidth)
        TransposeStrip<kWidth, kQuarter>(m, std::min(s, m.rows - kQuarter / kWidth), begin, end);
    }
  }
}

template <size_t kWidth>
void TransposeBatch(const Batch& batch) {
  constexpr size_t kColumns = 16 / kWidth;
  const Matrix& first = batch.first;
  if constexpr (kWidth <= 8) {
    if (TransposeNeighbours<kWidth>(batch)) return;
  }
  if (first.rows >= kColumns && first.cols >= kColumns) {
    ForEachMatrix(batch, [](const Matrix& m) HWY_ATTR { TransposeTiles<kWidth>(m); });
  } else {
    ForEachMatrix(batch, [](const Matrix& m) HWY_ATTR { TransposeNarrow<kWidth>(m); });
  }
}

#endif

template <size_t kWidth>
void Transpose(const MoveShape& shape, const std::byte* src, std::byte* dst) {
  if (shape.rows == 0 || shape.cols == 0) return;
  TransposeBatch<kWidth>({{reinterpret_cast<const uint8_t*>(src), reinterpret_cast<uint8_t*>(dst),
                           shape.src_row, shape.dst_col, static_cast<size_t>(shape.rows),
                           static_cast<size_t>(shape.cols), shape.prefetch},
                          shape.batch,
                          shape.src_batch,
                          shape.dst_batch});
}

MoveKernel TransposeKernel(int width) {
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

MoveKernel FindTransposeKernel(int width) { return HWY_DYNAMIC_DISPATCH(TransposeKernel)(width); }

}  // namespace impl_cpu
#endif
