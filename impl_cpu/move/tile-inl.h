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

// A vector of 16-byte blocks, each `step` bytes after the one before.
template <class D>
HWY_INLINE hn::Vec<D> LoadBlocks(D d, const uint8_t* from, int64_t step) {
  using T = hn::TFromD<D>;
  if constexpr (hn::MaxLanes(D()) * sizeof(T) == 16) {
    return hn::LoadU(d, reinterpret_cast<const T*>(from));
  } else {
    const hn::Half<D> half;
    constexpr int64_t kHalfBlocks = hn::MaxLanes(D()) * sizeof(T) / 32;
    return hn::Combine(d, LoadBlocks(half, from + kHalfBlocks * step, step),
                       LoadBlocks(half, from, step));
  }
}

// log2(kColumns) rounds of interleaving transpose each group of kColumns blocks of kColumns
// elements that lie at the same place in the kColumns vectors. The compiler drops what leads to
// results that nobody uses.
template <size_t kColumns, class D, class V>
HWY_INLINE void TransposeBlocks(D d, V (&v)[kColumns]) {
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

// Loads one 16-byte block from each of kBytes / kWidth rows and transposes them: v[k] is column k.
// The blocks move to their place while they are loaded: vector k takes those of rows k, k +
// kColumns, k + 2 * kColumns, ...
template <size_t kColumns, class D, class V>
HWY_INLINE void LoadTransposed(D d, const uint8_t* src, int64_t src_row, V (&v)[kColumns]) {
  HWY_UNROLL(16)
  for (size_t k = 0; k < kColumns; ++k)
    v[k] = LoadBlocks(d, src + static_cast<int64_t>(k) * src_row,
                      static_cast<int64_t>(kColumns) * src_row);
  TransposeBlocks<kColumns>(d, v);
}

template <size_t kWidth, size_t kBytes>
HWY_INLINE void TransposeTile(const uint8_t* src, int64_t src_row, uint8_t* dst, int64_t dst_col) {
  constexpr size_t kColumns = 16 / kWidth;
  const TileTag<kWidth, kBytes> d;
  using T = hn::TFromD<decltype(d)>;
  hn::Vec<decltype(d)> v[kColumns];
  LoadTransposed<kColumns>(d, src, src_row, v);
  HWY_UNROLL(16)
  for (size_t k = 0; k < kColumns; ++k)
    hn::StoreU(v[k], d, reinterpret_cast<T*>(dst + static_cast<int64_t>(k) * dst_col));
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
