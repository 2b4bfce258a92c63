// Any strides. Elements that lie two, three or four apart are split from their neighbours in whole
// vectors where the destination is contiguous; all others move one at a time.

#include <algorithm>
#include <cstdint>

#include "impl_cpu/isa/avx3_dl.h"  // the level of AVX-512 that permutes bytes
#include "impl_cpu/move/kernel.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/move/generic.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/move/interleave-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// Gives how many of `count` elements were moved: those whose vectors do not reach beyond the last
// one.
template <size_t kWidth, size_t kStep>
HWY_INLINE int64_t GatherNear(const uint8_t* from, uint8_t* to, int64_t count) {
  using S = Streams<kWidth, kStep, kVectorBytes>;
  const typename S::D d;
  using T = typename S::T;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const S streams(d);
  int64_t i = 0;
  for (; i + lanes < count; i += lanes) {
    typename S::V v[4];
    streams.Load(d, reinterpret_cast<const T*>(from) + i * static_cast<int64_t>(kStep), v);
    hn::StoreU(v[0], d, reinterpret_cast<T*>(to) + i);
  }
  return i;
}

template <size_t kWidth>
HWY_INLINE int64_t Gather(const BoxShape& shape, const uint8_t* from, uint8_t* to) {
  constexpr int64_t kBytes = static_cast<int64_t>(kWidth);
  if constexpr (kWidth <= 4) {
    if (shape.dst_col == kBytes) {
      if (shape.src_col == 2 * kBytes) return GatherNear<kWidth, 2>(from, to, shape.cols);
      if (shape.src_col == 3 * kBytes) return GatherNear<kWidth, 3>(from, to, shape.cols);
      if (shape.src_col == 4 * kBytes) return GatherNear<kWidth, 4>(from, to, shape.cols);
    }
  }
  return 0;
}

#else

template <size_t kWidth>
int64_t Gather(const BoxShape&, const uint8_t*, uint8_t*) {
  return 0;
}

#endif

template <size_t kWidth>
void MoveGeneric(const BoxShape& shape, const std::byte* src, std::byte* dst) {
  for (int64_t b = 0; b < shape.batch; ++b) {
    for (int64_t r = 0; r < shape.rows; ++r) {
      const uint8_t* HWY_RESTRICT from =
          reinterpret_cast<const uint8_t*>(src + b * shape.src_batch + r * shape.src_row);
      uint8_t* HWY_RESTRICT to =
          reinterpret_cast<uint8_t*>(dst + b * shape.dst_batch + r * shape.dst_row);
      int64_t c = Gather<kWidth>(shape, from, to);
      from += c * shape.src_col;
      to += c * shape.dst_col;
      for (; c + 4 <= shape.cols; c += 4) {
        hwy::CopyBytes<kWidth>(from, to);
        hwy::CopyBytes<kWidth>(from + shape.src_col, to + shape.dst_col);
        hwy::CopyBytes<kWidth>(from + 2 * shape.src_col, to + 2 * shape.dst_col);
        hwy::CopyBytes<kWidth>(from + 3 * shape.src_col, to + 3 * shape.dst_col);
        from += 4 * shape.src_col;
        to += 4 * shape.dst_col;
      }
      for (; c < shape.cols; ++c) {
        hwy::CopyBytes<kWidth>(from, to);
        from += shape.src_col;
        to += shape.dst_col;
      }
    }
  }
}

BoxKernel GenericKernel(int width) {
  switch (width) {
    case 1:
      return MoveGeneric<1>;
    case 2:
      return MoveGeneric<2>;
    case 4:
      return MoveGeneric<4>;
    case 8:
      return MoveGeneric<8>;
    default:
      return MoveGeneric<16>;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(GenericKernel);

BoxKernel FindGenericKernel(int width) { return HWY_DYNAMIC_DISPATCH(GenericKernel)(width); }

}  // namespace impl_cpu
#endif
