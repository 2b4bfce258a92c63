// Transposition of register tiles and interleaving of few rows, per target.

#include "hwy/highway.h"

#if defined(DNNSPEC_IMPL_CPU_MOVE_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_MOVE_TILE_INL_H_
#undef DNNSPEC_IMPL_CPU_MOVE_TILE_INL_H_
#else
#define DNNSPEC_IMPL_CPU_MOVE_TILE_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// A rows x cols matrix; element (r, c) goes from src + r * src_row + c * kWidth to
// dst + r * kWidth + c * dst_col.
struct Matrix {
  const uint8_t* src;
  uint8_t* dst;
  int64_t src_row, dst_col;
  size_t rows, cols;
  int64_t prefetch = 0;  // bytes ahead in a row of the source; 0: none
  bool along_rows = false;
  bool non_temporal = false;
};

// `count` matrices of one shape, each some bytes after the one before.
struct Batch {
  Matrix first;
  int64_t count, src_step, dst_step;
};

template <class F>
HWY_INLINE void ForEachMatrix(const Batch& batch, F f) {
  Matrix m = batch.first;
  for (int64_t i = 0; i < batch.count; ++i) {
    f(m);
    m.src += batch.src_step;
    m.dst += batch.dst_step;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Non-temporal stores are of whole lines, so all of them must begin where a line does.
HWY_INLINE bool CanStream(const Matrix& m) {
  return m.non_temporal && m.dst_col % 64 == 0 && reinterpret_cast<uintptr_t>(m.dst) % 64 == 0;
}

// Bytes of the widest vector.
constexpr size_t kVectorBytes = hn::MaxLanes(hn::ScalableTag<uint8_t>());

// The lane that stands for an element of kWidth bytes; 16 bytes are a block of two lanes.
template <size_t kWidth>
struct LaneOf;
template <>
struct LaneOf<1> {
  using Type = uint8_t;
};
template <>
struct LaneOf<2> {
  using Type = uint16_t;
};
template <>
struct LaneOf<4> {
  using Type = uint32_t;
};
template <>
struct LaneOf<8> {
  using Type = uint64_t;
};
template <>
struct LaneOf<16> {
  using Type = uint64_t;
};

template <size_t kWidth, size_t kBytes>
using TileTag =
    hn::CappedTag<typename LaneOf<kWidth>::Type, kBytes / sizeof(typename LaneOf<kWidth>::Type)>;

// Gives `stride`, of which the compiler then cannot compute multiples ahead of a loop: it would
// keep more of them than there are registers.
HWY_INLINE int64_t Opaque(int64_t stride) {
  asm volatile("" : "+r"(stride));
  return stride;
}

// Where the rows of a matrix lie: `step` bytes apart, or anywhere.
struct EvenRows {
  const uint8_t* first;
  int64_t step;
  HWY_INLINE const uint8_t* operator()(size_t row) const {
    return first + static_cast<int64_t>(row) * step;
  }
};
struct ListedRows {
  const uint8_t* const* list;
  size_t offset;  // bytes, in each
  HWY_INLINE const uint8_t* operator()(size_t row) const { return list[row] + offset; }
};

// A vector of one row. The compiler reads lines twice rather than keep many of them in registers,
// unless it must believe that something else may have changed them there.
template <class D>
HWY_INLINE hn::Vec<D> LoadRow(D d, const uint8_t* row) {
  const auto v = hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(row));
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 64) {
    auto raw = v.raw;
    asm volatile("" : "+v"(raw));
    return hn::Vec<D>{raw};
  }
#endif
  return v;
}

// A vector of pieces of kPiece bytes, from row `first` and each `step`th after it.
template <size_t kPiece, class D, class Rows>
HWY_INLINE hn::Vec<D> LoadPieces(D d, const Rows& rows, size_t first, size_t step) {
  constexpr size_t kBytes = hn::MaxLanes(D()) * sizeof(hn::TFromD<D>);
  if constexpr (kBytes == kPiece) {
    return LoadRow(d, rows(first));
  } else {
    const hn::Half<D> half;
    constexpr size_t kHalfPieces = kBytes / kPiece / 2;
    return hn::Combine(d, LoadPieces<kPiece>(half, rows, first + kHalfPieces * step, step),
                       LoadPieces<kPiece>(half, rows, first, step));
  }
}

// log2(kColumns) rounds of interleaving transpose each group of kColumns blocks of kColumns
// elements that lie at the same place in the kColumns vectors. The compiler drops what leads to
// results that nobody uses.
template <size_t kColumns, class D, class V>
HWY_INLINE void TransposeBlocks(D d, V* v) {
  V t[kColumns];
  HWY_UNROLL(4)
  for (size_t round = 1; round < kColumns; round *= 2) {
    HWY_UNROLL(8)
    for (size_t i = 0; i < kColumns / 2; ++i) {
      t[2 * i] = hn::InterleaveLower(d, v[i], v[i + kColumns / 2]);
      t[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kColumns / 2]);
    }
    HWY_UNROLL(16)
    for (size_t i = 0; i < kColumns; ++i) v[i] = t[i];
  }
}

// Of each two neighbouring blocks of `a` and of `b`, the first ones: a0 b0 a2 b2, and the second
// ones: a1 b1 a3 b3.
template <class D, class V>
HWY_INLINE void ZipBlocks(D d, V& a, V& b) {
  static_cast<void>(d);
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) == 32) {
    // Of ConcatLowerLower the compiler makes a load of what it has just stored.
    const V first = V{_mm256_permute2x128_si256(a.raw, b.raw, 0x20)};
    b = V{_mm256_permute2x128_si256(a.raw, b.raw, 0x31)};
    a = first;
    return;
  }
#endif
  const V first = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
  b = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
  a = first;
}

// The four blocks of each of four vectors change places with the vectors: v[0] gets all first ones.
template <class D, class V>
HWY_INLINE void TransposeFourBlocks(D d, V& a, V& b, V& c, V& e) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
  static_cast<void>(d);
  const auto even_ab = _mm512_shuffle_i32x4(a.raw, b.raw, 0x88);
  const auto odd_ab = _mm512_shuffle_i32x4(a.raw, b.raw, 0xdd);
  const auto even_ce = _mm512_shuffle_i32x4(c.raw, e.raw, 0x88);
  const auto odd_ce = _mm512_shuffle_i32x4(c.raw, e.raw, 0xdd);
  a = V{_mm512_shuffle_i32x4(even_ab, even_ce, 0x88)};
  b = V{_mm512_shuffle_i32x4(odd_ab, odd_ce, 0x88)};
  c = V{_mm512_shuffle_i32x4(even_ab, even_ce, 0xdd)};
  e = V{_mm512_shuffle_i32x4(odd_ab, odd_ce, 0xdd)};
#else
  const V a_upper = hn::ConcatUpperUpper(d, c, a), b_upper = hn::ConcatUpperUpper(d, e, b);
  a = hn::ConcatLowerLower(d, c, a);
  b = hn::ConcatLowerLower(d, e, b);
  c = a_upper;
  e = b_upper;
  ZipBlocks(d, a, b);
  ZipBlocks(d, c, e);
#endif
}

// Pieces of one, two or four blocks to pieces of one: before, vector k holds the pieces of rows k,
// k + kCount, ...; after, vector g * kBlock + k block g of rows k, k + kBlock, ...
template <size_t kPiece, size_t kBlock, class D, class V>
HWY_INLINE void SplitPieces(D d, V* v) {
  static_cast<void>(d);
  static_cast<void>(v);
  HWY_UNROLL(8)
  for (size_t k = 0; k < kBlock; ++k) {
    if constexpr (kPiece == 32) {
      ZipBlocks(d, v[k], v[k + kBlock]);
    } else if constexpr (kPiece == 64) {
      TransposeFourBlocks(d, v[k], v[k + kBlock], v[k + 2 * kBlock], v[k + 3 * kBlock]);
    }
  }
}

// kCount rows in a row.
template <size_t kCount, class D, class V>
HWY_INLINE void LoadRows(D d, const EvenRows& rows, V* v) {
  const uint8_t* row = rows.first;
  HWY_UNROLL(16)
  for (size_t k = 0; k < kCount; ++k) {
    v[k] = LoadRow(d, row);
    row += rows.step;
  }
}
template <size_t kCount, class D, class Rows, class V>
HWY_INLINE void LoadRows(D d, const Rows& rows, V* v) {
  HWY_UNROLL(16)
  for (size_t k = 0; k < kCount; ++k) v[k] = LoadRow(d, rows(k));
}

// Loads a piece of kPiece bytes from each of as many rows as a vector has elements of kWidth bytes,
// and transposes them: v[k] is column k of kPiece / kWidth. Blocks move to their place while they
// are loaded, or, where pieces are longer, in registers: then fewer lines are read more than once.
template <size_t kWidth, size_t kPiece, class D, class Rows, class V>
HWY_INLINE void LoadTransposed(D d, const Rows& rows, V* v) {
  constexpr size_t kCount = kPiece / kWidth, kBlock = 16 / kWidth;
  if constexpr (kPiece == hn::MaxLanes(D()) * sizeof(hn::TFromD<D>)) {
    LoadRows<kCount>(d, rows, v);
  } else {
    HWY_UNROLL(16)
    for (size_t k = 0; k < kCount; ++k) v[k] = LoadPieces<kPiece>(d, rows, k, kCount);
  }
  SplitPieces<kPiece, kBlock>(d, v);
  HWY_UNROLL(4)
  for (size_t g = 0; g < kCount; g += kBlock) TransposeBlocks<kBlock>(d, v + g);
}

// The longest pieces whose columns have room in the registers.
template <size_t kWidth, size_t kBytes>
constexpr size_t kLongPiece = kWidth >= 4                   ? kBytes
                              : kWidth == 2 && kBytes == 64 ? 32
                                                            : 16;

// How many vectors of rows are a line of the destination, where there are registers for them.
template <size_t kWidth, size_t kPiece>
constexpr size_t kWholeLine = kWidth >= 4 && kPiece == kVectorBytes ? 64 / kVectorBytes : 1;

// kPiece / kWidth columns of kSide vectors of rows, whose pieces of a column are stored side by
// side.
template <size_t kWidth, size_t kBytes, size_t kPiece, bool kStream, size_t kSide = 1>
HWY_INLINE void TransposeTile(const uint8_t* src, int64_t src_row, uint8_t* dst, int64_t dst_col) {
  constexpr size_t kColumns = kPiece / kWidth, kRows = kBytes / kWidth;
  const TileTag<kWidth, kBytes> d;
  using T = hn::TFromD<decltype(d)>;
  hn::Vec<decltype(d)> v[kSide][kColumns];
  HWY_UNROLL(4)
  for (size_t i = 0; i < kSide; ++i) {
    const uint8_t* const first = src + static_cast<int64_t>(i * kRows) * src_row;
    LoadTransposed<kWidth, kPiece>(d, EvenRows{first, src_row}, v[i]);
  }
  HWY_UNROLL(16)
  for (size_t k = 0; k < kColumns; ++k) {
    HWY_UNROLL(4)
    for (size_t i = 0; i < kSide; ++i) {
      T* const to = reinterpret_cast<T*>(dst + i * kBytes);
      if constexpr (kStream) {
        hn::Stream(v[i][k], d, to);
      } else {
        hn::StoreU(v[i][k], d, to);
      }
    }
    dst += dst_col;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
