// Transposition of many small matrices that follow one another without a gap, per target.

#include <algorithm>
#include <cstring>

#include "hwy/highway.h"
#include "impl_cpu/move/tile-inl.h"

#if defined(DNNSPEC_IMPL_CPU_MOVE_SMALL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_MOVE_SMALL_INL_H_
#undef DNNSPEC_IMPL_CPU_MOVE_SMALL_INL_H_
#else
#define DNNSPEC_IMPL_CPU_MOVE_SMALL_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// Rows at the given distances from the first.
struct OffsetRows {
  const uint8_t* first;
  const int64_t* offsets;
  HWY_INLINE const uint8_t* operator()(size_t row) const { return first + offsets[row]; }
};

// Matrices of kColumns columns, from one to two blocks of four, and of rows for one vector, or for
// more than one and at most two, of which the second begins early. Blocks of columns begin early
// too, so nothing is read beyond a row. A column that does not fill its vector runs over into what
// is stored next, but for the last one of all.
template <size_t kBytes, size_t kColumns, size_t kSide>
HWY_NOINLINE void TransposeSmallBy(const Batch& batch) {
  constexpr size_t kWidth = 4, kRows = kBytes / kWidth, kBlocks = (kColumns + 3) / 4;
  const TileTag<kWidth, kBytes> d;
  using T = hn::TFromD<decltype(d)>;
  const size_t rows = batch.first.rows, column_bytes = rows * kWidth;
  const size_t second = rows - std::min(rows, kRows);
  int64_t offsets[kSide * kRows];
  for (size_t k = 0; k < kSide * kRows; ++k) {
    const size_t row = k < kRows ? std::min(k, rows - 1) : second + k - kRows;
    offsets[k] = static_cast<int64_t>(row) * batch.first.src_row;
  }
  const uint8_t* src = batch.first.src;
  uint8_t* dst = batch.first.dst;
  for (int64_t i = batch.count; i > 0; --i) {
    hn::Vec<decltype(d)> v[kSide][4 * kBlocks];
    HWY_UNROLL(2)
    for (size_t side = 0; side < kSide; ++side) {
      HWY_UNROLL(2)
      for (size_t block = 0; block < kBlocks; ++block) {
        const size_t column = std::min(4 * block, kColumns - 4);
        const OffsetRows from{src + column * kWidth, offsets + side * kRows};
        LoadTransposed<kWidth, 16>(d, from, v[side] + 4 * block);
      }
    }
    const bool last = i == 1 && rows < kRows;
    HWY_UNROLL(8)
    for (size_t c = 0; c < kColumns; ++c) {
      const size_t at = c < 4 ? c : c - (kColumns - 4) + 4;
      uint8_t* const to = dst + c * column_bytes;
      if (c + 1 == kColumns && last) {
        HWY_ALIGN uint8_t column[kBytes];
        hn::Store(v[0][at], d, reinterpret_cast<T*>(column));
        std::memcpy(to, column, column_bytes);
        break;
      }
      hn::StoreU(v[0][at], d, reinterpret_cast<T*>(to));
      if (kSide == 2) hn::StoreU(v[1][at], d, reinterpret_cast<T*>(to + second * kWidth));
    }
    src += batch.src_step;
    dst += batch.dst_step;
  }
}

template <size_t kColumns>
bool TransposeSmallOf(const Batch& batch) {
  constexpr size_t kBytes = std::min<size_t>(32, kVectorBytes), kRows = kBytes / 4;
  if (batch.first.rows > 2 * kRows) return false;
  if (batch.first.rows > kRows) {
    TransposeSmallBy<kBytes, kColumns, 2>(batch);
  } else {
    TransposeSmallBy<kBytes, kColumns, 1>(batch);
  }
  return true;
}

// False if that is not what the matrices are.
HWY_INLINE bool TransposeSmall(const Batch& batch) {
  const Matrix& m = batch.first;
  const int64_t column_bytes = static_cast<int64_t>(m.rows) * 4;
  if (m.rows < 5 || m.dst_col != column_bytes) return false;
  if (batch.count > 1 && batch.dst_step != static_cast<int64_t>(m.cols) * column_bytes)
    return false;
  switch (m.cols) {
    case 4:
      return TransposeSmallOf<4>(batch);
    case 5:
      return TransposeSmallOf<5>(batch);
    case 6:
      return TransposeSmallOf<6>(batch);
    case 7:
      return TransposeSmallOf<7>(batch);
    case 8:
      return TransposeSmallOf<8>(batch);
  }
  return false;
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
