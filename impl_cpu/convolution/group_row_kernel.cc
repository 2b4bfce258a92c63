#include <algorithm>
#include <cstdint>

#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/group_row_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// Vectors of 4 sums take too many loads.
#if HWY_TARGET == HWY_SCALAR || HWY_MAX_BYTES < 32

GroupRowKernel KernelOfGroupRow(int64_t, int64_t) { return {}; }

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr bool kWide = HWY_MAX_BYTES >= 64;

// Sums of kPlaces neighbouring places, by three neighbouring taps: each number that is read is
// multiplied by the weights of all taps that read it. A place at each end may lack one of them.
template <int kDepth, int kLanes, int kStride, int kPlaces>
HWY_NOINLINE void SumGroupPlaces(const RowArgs& args, int64_t place) {
  using D = hn::CappedTag<float, kLanes>;
  constexpr int kRead = (kPlaces - 1) * kStride + 3;
  hn::Vec<D> sum[kPlaces];
  const auto first = hn::LoadU(D(), args.first);
#pragma GCC unroll 14
  for (int p = 0; p < kPlaces; ++p) sum[p] = first;
  const bool lacks_first = args.taps[0].begin > place;
  const bool lacks_last = args.taps[2].end < place + kPlaces;
  const int64_t weights_tap = args.taps[1].weights - args.taps[0].weights;
  const float* const src = args.src + (place * kStride * kDepth + args.taps[0].src);
  const float* const all_weights = args.weights + args.taps[0].weights;
  for (int64_t r = 0; r < args.rows; ++r) {
    const float* from = src + args.src_rows[r];
    const float* HWY_RESTRICT weights = all_weights + args.weight_rows[r];
    for (int k = 0; k < kDepth; ++k, ++from, weights += kPanel) {
      hn::Vec<D> w[3];
#pragma GCC unroll 3
      for (int t = 0; t < 3; ++t) w[t] = hn::LoadU(D(), weights + t * weights_tap);
#pragma GCC unroll 29
      for (int j = 0; j < kRead; ++j) {
        if ((j == 0 && lacks_first) || (j == kRead - 1 && lacks_last)) continue;
        const auto in = hn::Set(D(), from[j * kDepth]);
#pragma GCC unroll 14
        for (int p = 0; p < kPlaces; ++p) {
          const int t = j - p * kStride;
          if (t >= 0 && t < 3) sum[p] = hn::MulAdd(in, w[t], sum[p]);
        }
      }
    }
  }
  float* const to = args.sums + (place - args.begin) * args.sums_row;
#pragma GCC unroll 14
  for (int p = 0; p < kPlaces; ++p) hn::StoreU(sum[p], D(), to + p * args.sums_row);
}

// Tiles that overlap where the row is not a multiple of kPlaces.
template <int kDepth, int kLanes, int kStride, int kPlaces>
void SumTiles(const RowArgs& args) {
  const int64_t last = args.end - kPlaces;
  for (int64_t p = args.begin; p < args.end; p += kPlaces)
    SumGroupPlaces<kDepth, kLanes, kStride, kPlaces>(args, std::min(p, last));
}

// Places of a tile: few tiles, whose sums are enough to hide how long a product takes.
template <int kDepth, int kLanes, int kStride>
void SumRow(const RowArgs& args) {
  const int64_t places = args.end - args.begin;
  const auto cost = [places](int64_t most) {
    return (places + most - 1) / most * (std::max<int64_t>(most, 7) + 1);
  };
  if constexpr (kWide)
    if (places >= 14 && cost(14) <= std::min(cost(10), cost(7)))
      return SumTiles<kDepth, kLanes, kStride, 14>(args);
  if (places >= 10 && cost(10) <= cost(7)) return SumTiles<kDepth, kLanes, kStride, 10>(args);
  if (places >= 7) return SumTiles<kDepth, kLanes, kStride, 7>(args);
  if (places >= 4) return SumTiles<kDepth, kLanes, kStride, 4>(args);
  SumTiles<kDepth, kLanes, kStride, 1>(args);
}

template <int kDepth, int kLanes>
void RunGroupRow(const RowArgs& args) {
  args.src_step == kDepth ? SumRow<kDepth, kLanes, 1>(args) : SumRow<kDepth, kLanes, 2>(args);
}

GroupRowKernel KernelOfGroupRow(int64_t depth, int64_t columns) {
  if ((depth != 8 && depth != 16) || columns % 8 != 0) return {};
  if (columns % 16 != 0) return {depth == 8 ? RunGroupRow<8, 8> : RunGroupRow<16, 8>, 8};
  // Panels of two vectors keep more sums.
  if constexpr (kWide) return {depth == 8 ? RunGroupRow<8, 16> : RunGroupRow<16, 16>, 16};
  return {};
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfGroupRow);

GroupRowKernel FindGroupRowKernel(int64_t depth, int64_t columns) {
  return HWY_DYNAMIC_DISPATCH(KernelOfGroupRow)(depth, columns);
}

}  // namespace impl_cpu
#endif
