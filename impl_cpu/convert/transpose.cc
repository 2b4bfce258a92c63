#include "impl_cpu/convert/transpose.h"

#include <algorithm>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convert/transpose.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/move/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

TransposeKernel F32Kernel(bool, bool, bool) { return nullptr; }

#else

enum class ScaleOf { kNone, kColumn, kRow };  // rows lie along the vectors

// The columns of one matrix, over the rows that one vector holds.
template <ScaleOf kScale, bool kSum>
struct Strips {
  const TransposeShape& shape;
  const uint8_t* src;
  uint8_t* dst;
  const float* scales;

  template <class D>
  HWY_INLINE void Finish(D d, hn::Vec<D> value, int64_t r, int64_t c) const {
    float* const to = reinterpret_cast<float*>(dst + c * shape.dst_col) + r;
    const float* const scale = scales + c * shape.scale_col;
    if constexpr (kScale == ScaleOf::kRow) value = hn::Mul(value, hn::LoadU(d, scale + r));
    if constexpr (kScale == ScaleOf::kColumn) value = hn::Mul(value, hn::Set(d, *scale));
    if constexpr (kSum) value = hn::Add(value, hn::Mul(hn::Set(d, shape.beta), hn::LoadU(d, to)));
    hn::StoreU(value, d, to);
  }

  // Columns [begin, end) of as many rows as kBytes hold, from r on.
  template <size_t kBytes, size_t kLongest>
  HWY_INLINE void Run(int64_t r, int64_t begin, int64_t end) const {
    const hn::CappedTag<uint32_t, kBytes / 4> d;
    const hn::RebindToFloat<decltype(d)> df;
    constexpr size_t kPiece = std::min(kBytes, kLongest);
    constexpr int64_t kColumns = kPiece / 4;
    for (int64_t c = begin; c < end; c += kColumns) {
      // The last tile begins early, and leaves out the columns that are done: a sum must not see an
      // element twice.
      const int64_t column = std::min(c, shape.cols - kColumns);
      const uint8_t* const from = src + r * shape.src_row + column * 4;
      if (shape.traversal.prefetch != 0) {
        for (size_t k = 0; k < kBytes / 4; ++k)
          hwy::Prefetch(from + static_cast<int64_t>(k) * shape.src_row + shape.traversal.prefetch);
        if (kSum) {
          // What the tile after the next adds to: the hardware follows no rows this short.
          const int64_t next = std::min(column + 2 * kColumns, shape.cols - kColumns);
          for (int64_t k = 0; k < kColumns; ++k)
            hwy::Prefetch(dst + (next + k) * shape.dst_col + r * 4);
        }
      }
      hn::Vec<decltype(d)> v[kColumns];
      LoadTransposed<4, kPiece>(d, EvenRows{from, shape.src_row}, v);
      HWY_UNROLL(16)
      for (int64_t k = 0; k < kColumns; ++k)
        if (column + k >= c) Finish(df, hn::BitCast(df, v[k]), r, column + k);
    }
  }

  HWY_INLINE void RunRow(int64_t r, int64_t begin, int64_t end) const {
    const hn::CappedTag<float, 1> d;
    const float* const from = reinterpret_cast<const float*>(src + r * shape.src_row);
    for (int64_t c = begin; c < std::min(end, shape.cols); ++c)
      Finish(d, hn::LoadU(d, from + c), r, c);
  }
};

template <size_t kPiece, class S>
void RunStrips(const S& strips) {
  const TransposeShape& shape = strips.shape;
  constexpr int64_t kRows = kVectorBytes / 4;
  const int64_t strip = shape.traversal.along_rows ? shape.cols : 16;
  for (int64_t begin = 0; begin < shape.cols; begin += strip) {
    const int64_t end = std::min(shape.cols, begin + strip);
    int64_t r = 0;
    for (; r + kRows <= shape.rows; r += kRows)
      strips.template Run<kVectorBytes, kPiece>(r, begin, end);
    if (kVectorBytes > 32 && r + 8 <= shape.rows) {
      strips.template Run<std::min<size_t>(32, kVectorBytes), kPiece>(r, begin, end);
      r += 8;
    }
    if (kVectorBytes > 16 && r + 4 <= shape.rows) {
      strips.template Run<16, kPiece>(r, begin, end);
      r += 4;
    }
    for (; r < shape.rows; ++r) strips.RunRow(r, begin, end);
  }
}

template <ScaleOf kScale, bool kSum>
void TransposeF32(const TransposeShape& shape, const std::byte* src, std::byte* dst,
                  const float* scales) {
  const Strips<kScale, kSum> strips{shape, reinterpret_cast<const uint8_t*>(src),
                                    reinterpret_cast<uint8_t*>(dst), scales};
  constexpr size_t kLong = kLongPiece<4, kVectorBytes>;
  if (shape.cols * 4 >= static_cast<int64_t>(kLong)) {
    RunStrips<kLong>(strips);
  } else {
    RunStrips<16>(strips);
  }
}

TransposeKernel F32Kernel(bool scaled, bool scale_row, bool sum) {
  if (!scaled) return TransposeF32<ScaleOf::kNone, true>;
  if (scale_row) {
    return sum ? TransposeF32<ScaleOf::kRow, true> : TransposeF32<ScaleOf::kRow, false>;
  }
  return sum ? TransposeF32<ScaleOf::kColumn, true> : TransposeF32<ScaleOf::kColumn, false>;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(F32Kernel);

TransposeKernel FindTransposeF32Kernel(bool scaled, bool scale_row, bool sum) {
  return HWY_DYNAMIC_DISPATCH(F32Kernel)(scaled, scale_row, sum);
}

}  // namespace impl_cpu
#endif
