// Rows of places of groups of 8 or 16 channels by three neighbouring taps, per target. `Step` is as
// in panels-inl.h.

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "hwy/highway.h"
#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/product/kernel.h"

#if defined(DNNSPEC_IMPL_CPU_CONVOLUTION_GROUP_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_CONVOLUTION_GROUP_ROW_INL_H_
#undef DNNSPEC_IMPL_CPU_CONVOLUTION_GROUP_ROW_INL_H_
#else
#define DNNSPEC_IMPL_CPU_CONVOLUTION_GROUP_ROW_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// Vectors of 4 sums take too many loads.
#if HWY_TARGET == HWY_SCALAR || HWY_MAX_BYTES < 32

template <template <int> class Step, int kOfWord>
GroupRowKernel GroupRowOfStep(int64_t, int64_t) {
  return {};
}

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr bool kWide = HWY_MAX_BYTES >= 64;

// Sums of kPlaces neighbouring places, by three neighbouring taps: each number that is read is
// multiplied by the weights of all taps that read it. A place at each end may lack one of them.
template <class Step, int kDepth, int kStride, int kPlaces>
HWY_NOINLINE void SumGroupPlaces(const RowArgs& args, int64_t place) {
  using D = typename Step::D;
  using T = hn::TFromD<D>;
  constexpr int kRead = (kPlaces - 1) * kStride + 3;
  hn::Vec<D> sum[kPlaces];
  const auto first = hn::LoadU(D(), reinterpret_cast<const T*>(args.first));
#pragma GCC unroll 14
  for (int p = 0; p < kPlaces; ++p) sum[p] = first;
  const bool lacks_first = args.taps[0].begin > place;
  const bool lacks_last = args.taps[2].end < place + kPlaces;
  const int64_t weights_tap = args.taps[1].weights - args.taps[0].weights;
  const T* const src =
      reinterpret_cast<const T*>(args.src) + (place * kStride * kDepth + args.taps[0].src);
  const T* const all_weights = reinterpret_cast<const T*>(args.weights) + args.taps[0].weights;
  for (int64_t r = 0; r < args.rows; ++r) {
    const T* from = src + args.src_rows[r];
    const T* HWY_RESTRICT weights = all_weights + args.weight_rows[r];
    for (int k = 0; k < kDepth; ++k, ++from, weights += kPanel) {
      hn::Vec<D> w[3];
#pragma GCC unroll 3
      for (int t = 0; t < 3; ++t) w[t] = hn::LoadU(D(), weights + t * weights_tap);
#pragma GCC unroll 29
      for (int j = 0; j < kRead; ++j) {
        if ((j == 0 && lacks_first) || (j == kRead - 1 && lacks_last)) continue;
        const auto in = Step::Broadcast(from + j * kDepth);
#pragma GCC unroll 14
        for (int p = 0; p < kPlaces; ++p) {
          const int t = j - p * kStride;
          if (t >= 0 && t < 3) sum[p] = Step::MulAdd(in, w[t], sum[p]);
        }
      }
    }
  }
  T* const to = reinterpret_cast<T*>(args.sums) + (place - args.begin) * args.sums_row;
#pragma GCC unroll 14
  for (int p = 0; p < kPlaces; ++p) hn::StoreU(sum[p], D(), to + p * args.sums_row);
}

// Tiles that overlap where the row is not a multiple of kPlaces.
template <class Step, int kDepth, int kStride, int kPlaces>
void SumGroupTiles(const RowArgs& args) {
  const int64_t last = args.end - kPlaces;
  for (int64_t p = args.begin; p < args.end; p += kPlaces)
    SumGroupPlaces<Step, kDepth, kStride, kPlaces>(args, std::min(p, last));
}

// Places of a tile: few tiles, whose sums are enough to hide how long a product takes.
template <class Step, int kDepth, int kStride>
void SumGroupRow(const RowArgs& args) {
  const int64_t places = args.end - args.begin;
  const auto cost = [places](int64_t most) {
    return (places + most - 1) / most * (std::max<int64_t>(most, 7) + 1);
  };
  if constexpr (kWide)
    if (places >= 14 && cost(14) <= std::min(cost(10), cost(7)))
      return SumGroupTiles<Step, kDepth, kStride, 14>(args);
  // Of 16 registers, products of integers take one before they are added.
  if constexpr (kWide || std::is_same<hn::TFromD<typename Step::D>, float>::value)
    if (places >= 10 && cost(10) <= cost(7)) return SumGroupTiles<Step, kDepth, kStride, 10>(args);
  if (places >= 7) return SumGroupTiles<Step, kDepth, kStride, 7>(args);
  if (places >= 4) return SumGroupTiles<Step, kDepth, kStride, 4>(args);
  SumGroupTiles<Step, kDepth, kStride, 1>(args);
}

template <class Step, int kDepth>
void RunGroupRow(const RowArgs& args) {
  args.src_step == kDepth ? SumGroupRow<Step, kDepth, 1>(args) : SumGroupRow<Step, kDepth, 2>(args);
}

// `Step` is a template of a number of lanes; what is read lies in words of kOfWord channels, of
// which `depth` are those of a group.
template <template <int> class Step, int kOfWord>
GroupRowKernel GroupRowOfStep(int64_t depth, int64_t columns) {
  constexpr int k8 = 8 / kOfWord, k16 = 16 / kOfWord;
  if ((depth != k8 && depth != k16) || columns % 8 != 0) return {};
  if (columns % 16 != 0)
    return {depth == k8 ? RunGroupRow<Step<8>, k8> : RunGroupRow<Step<8>, k16>, 8};
  // Panels of two vectors keep more sums.
  if constexpr (kWide)
    return {depth == k8 ? RunGroupRow<Step<16>, k8> : RunGroupRow<Step<16>, k16>, 16};
  return {};
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
