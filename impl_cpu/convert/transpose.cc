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
TransposeKernel AddBytesTransposed(bool) { return nullptr; }

#else

enum class ScaleOf { kNone, kColumn, kRow };  // rows lie along the vectors

// What becomes of a vector of one column before it is stored, rows from r on.
template <ScaleOf kScale, bool kSum>
struct ScaleAndSum {
  using Type = float;
  template <class D>
  static HWY_INLINE hn::Vec<D> Of(D d, hn::Vec<D> value, const float* old,
                                  const TransposeShape& shape, const float* scales, int64_t r,
                                  int64_t c) {
    const float* const scale = scales + c * shape.scale_col;
    if constexpr (kScale == ScaleOf::kRow) value = hn::Mul(value, hn::LoadU(d, scale + r));
    if constexpr (kScale == ScaleOf::kColumn) value = hn::Mul(value, hn::Set(d, *scale));
    if constexpr (kSum) value = hn::Add(value, hn::Mul(hn::Set(d, shape.beta), hn::LoadU(d, old)));
    return value;
  }
};
template <typename T>
struct Add {
  using Type = T;
  template <class D>
  static HWY_INLINE hn::Vec<D> Of(D d, hn::Vec<D> value, const T* old, const TransposeShape&,
                                  const float*, int64_t, int64_t) {
    return hn::SaturatedAdd(value, hn::LoadU(d, old));
  }
};

// The columns of one matrix, over the rows that one vector holds.
template <class Compute>
struct Strips {
  using T = typename Compute::Type;
  static constexpr size_t kWidth = sizeof(T);
  static constexpr int64_t kStep = sizeof(T);

  const TransposeShape& shape;
  const uint8_t* src;
  uint8_t* dst;
  const float* scales;

  template <class D>
  HWY_INLINE void Finish(D d, hn::Vec<D> value, int64_t r, int64_t c) const {
    T* const to = reinterpret_cast<T*>(dst + c * shape.dst_col) + r;
    hn::StoreU(Compute::Of(d, value, to, shape, scales, r, c), d, to);
  }

  // Columns [begin, end) of as many rows as kBytes hold, from r on.
  template <size_t kBytes, size_t kLongest>
  HWY_INLINE void Run(int64_t r, int64_t begin, int64_t end) const {
    const TileTag<kWidth, kBytes> d;
    const hn::Rebind<T, decltype(d)> dt;
    constexpr size_t kPiece = std::min(kBytes, kLongest);
    constexpr int64_t kColumns = kPiece / kWidth;
    for (int64_t c = begin; c < end; c += kColumns) {
      // The last tile begins early, and leaves out the columns that are done: a sum must not see an
      // element twice.
      const int64_t column = std::min(c, shape.cols - kColumns);
      const uint8_t* const from = src + r * shape.src_row + column * kStep;
      if (shape.prefetch != 0) {
        for (size_t k = 0; k < kBytes / kWidth; ++k)
          hwy::Prefetch(from + static_cast<int64_t>(k) * shape.src_row + shape.prefetch);
      }
      hn::Vec<decltype(d)> v[kColumns];
      LoadTransposed<kWidth, kPiece>(d, EvenRows{from, shape.src_row}, v);
      HWY_UNROLL(16)
      for (int64_t k = 0; k < kColumns; ++k)
        if (column + k >= c) Finish(dt, hn::BitCast(dt, v[k]), r, column + k);
    }
  }

  HWY_INLINE void RunRow(int64_t r, int64_t begin, int64_t end) const {
    const hn::CappedTag<T, 1> d;
    const T* const from = reinterpret_cast<const T*>(src + r * shape.src_row);
    for (int64_t c = begin; c < std::min(end, shape.cols); ++c)
      Finish(d, hn::LoadU(d, from + c), r, c);
  }
};

template <size_t kPiece, class S>
void RunStrips(const S& strips) {
  const TransposeShape& shape = strips.shape;
  constexpr int64_t kVector = kVectorBytes, kStep = S::kStep;
  const int64_t strip = shape.along_rows ? shape.cols : 64 / kStep;
  for (int64_t begin = 0; begin < shape.cols; begin += strip) {
    const int64_t end = std::min(shape.cols, begin + strip);
    int64_t r = 0;
    for (; r + kVector / kStep <= shape.rows; r += kVector / kStep)
      strips.template Run<kVectorBytes, kPiece>(r, begin, end);
    if (kVectorBytes > 32 && r + 32 / kStep <= shape.rows) {
      strips.template Run<std::min<size_t>(32, kVectorBytes), kPiece>(r, begin, end);
      r += 32 / kStep;
    }
    if (kVectorBytes > 16 && r + 16 / kStep <= shape.rows) {
      strips.template Run<16, kPiece>(r, begin, end);
      r += 16 / kStep;
    }
    for (; r < shape.rows; ++r) strips.RunRow(r, begin, end);
  }
}

template <class Compute>
void ComputeTransposed(const TransposeShape& shape, const std::byte* src, std::byte* dst,
                       const float* scales) {
  const Strips<Compute> strips{shape, reinterpret_cast<const uint8_t*>(src),
                               reinterpret_cast<uint8_t*>(dst), scales};
  constexpr size_t kWidth = Strips<Compute>::kWidth, kLong = kLongPiece<kWidth, kVectorBytes>;
  if (shape.cols * Strips<Compute>::kStep >= static_cast<int64_t>(kLong)) {
    RunStrips<kLong>(strips);
  } else {
    RunStrips<16>(strips);
  }
}

template <ScaleOf kScale, bool kSum>
constexpr TransposeKernel kF32 = ComputeTransposed<ScaleAndSum<kScale, kSum> >;

TransposeKernel F32Kernel(bool scaled, bool scale_row, bool sum) {
  if (!scaled) return kF32<ScaleOf::kNone, true>;
  if (scale_row) return sum ? kF32<ScaleOf::kRow, true> : kF32<ScaleOf::kRow, false>;
  return sum ? kF32<ScaleOf::kColumn, true> : kF32<ScaleOf::kColumn, false>;
}

TransposeKernel AddBytesTransposed(bool is_signed) {
  return is_signed ? ComputeTransposed<Add<int8_t> > : ComputeTransposed<Add<uint8_t> >;
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(F32Kernel);
HWY_EXPORT(AddBytesTransposed);

TransposeKernel FindTransposeF32Kernel(bool scaled, bool scale_row, bool sum) {
  return HWY_DYNAMIC_DISPATCH(F32Kernel)(scaled, scale_row, sum);
}

TransposeKernel FindTransposeAddBytesKernel(bool is_signed) {
  return HWY_DYNAMIC_DISPATCH(AddBytesTransposed)(is_signed);
}

}  // namespace impl_cpu
#endif
