#include <cstdint>

#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/product/kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/group_pairs_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// A vector of 16 channels is two groups.
#if HWY_TARGET == HWY_SCALAR || HWY_MAX_BYTES < 64

RowKernel KernelOfGroupPairs() { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;
using PairD = hn::CappedTag<float, kPanel>;
using PairV = hn::Vec<PairD>;
using Lookup = decltype(hn::SetTableIndices(PairD(), static_cast<const int32_t*>(nullptr)));
constexpr int kHalf = kPanel / 2;
constexpr int kPairPlaces = 8;

// Both groups of kPlaces neighbouring places.
template <int kPlaces>
class PairTile {
 public:
  HWY_INLINE explicit PairTile(const RowArgs& args)
      : step_(args.src_step), group_(args.weights_panel) {
    const PairV first = hn::LoadU(PairD(), args.first);
#pragma GCC unroll 8
    for (int p = 0; p < kPlaces; ++p) sum_[p] = first;
      // Lane i of channel k: that of the group which lane i belongs to.
#pragma GCC unroll 8
    for (int k = 0; k < kHalf; ++k) {
      HWY_ALIGN int32_t lanes[kPanel];
      for (int i = 0; i < kPanel; ++i) lanes[i] = k + i / kHalf * kHalf;
      channel_[k] = hn::SetTableIndices(PairD(), lanes);
    }
  }

  // One tap of places [kBegin, kEnd).
  template <int kBegin, int kEnd>
  HWY_INLINE void Add(const float* from, const float* HWY_RESTRICT weights) {
    PairV in[kPlaces];
#pragma GCC unroll 8
    for (int p = kBegin; p < kEnd; ++p) in[p] = hn::LoadU(PairD(), from + p * step_);
#pragma GCC unroll 8
    for (int k = 0; k < kHalf; ++k) {
      const PairV w = WeightsOf(weights, k);
#pragma GCC unroll 8
      for (int p = kBegin; p < kEnd; ++p)
        sum_[p] = hn::MulAdd(hn::TableLookupLanes(in[p], channel_[k]), w, sum_[p]);
    }
  }

  // The same of places [begin, end) only.
  HWY_INLINE void AddSome(const float* from, const float* HWY_RESTRICT weights, int64_t begin,
                          int64_t end) {
#pragma GCC unroll 8
    for (int p = 0; p < kPlaces; ++p) {
      if (p < begin || p >= end) continue;
      const PairV in = hn::LoadU(PairD(), from + p * step_);
#pragma GCC unroll 8
      for (int k = 0; k < kHalf; ++k)
        sum_[p] = hn::MulAdd(hn::TableLookupLanes(in, channel_[k]), WeightsOf(weights, k), sum_[p]);
    }
  }

  HWY_INLINE void Store(float* to, int64_t row) const {
#pragma GCC unroll 8
    for (int p = 0; p < kPlaces; ++p) hn::StoreU(sum_[p], PairD(), to + p * row);
  }

 private:
  // Those of a group fill the first half of a panel.
  HWY_INLINE PairV WeightsOf(const float* weights, int k) const {
    const hn::Half<PairD> half;
    return hn::Combine(PairD(), hn::LoadU(half, weights + group_ + k * kPanel),
                       hn::LoadU(half, weights + k * kPanel));
  }

  PairV sum_[kPlaces];
  Lookup channel_[kHalf];
  const int64_t step_, group_;
};

template <int kPlaces>
HWY_INLINE void SumPair(const RowArgs& args, int64_t place) {
  PairTile<kPlaces> tile(args);
  for (int64_t r = 0; r < args.rows; ++r)
    for (int64_t t = 0; t < args.tap_count; ++t) {
      const RowTap& tap = args.taps[t];
      const int64_t begin = tap.begin - place, end = tap.end - place;
      if (begin >= kPlaces || end <= 0) continue;
      const float* const from = args.src + (place * args.src_step + args.src_rows[r] + tap.src);
      const float* const weights = args.weights + args.weight_rows[r] + tap.weights;
      if (HWY_LIKELY(begin <= 0 && end >= kPlaces)) {
        tile.template Add<0, kPlaces>(from, weights);
      } else if (begin == 1 && end >= kPlaces) {
        tile.template Add<1, kPlaces>(from, weights);
      } else if (begin <= 0 && end == kPlaces - 1) {
        tile.template Add<0, kPlaces - 1>(from, weights);
      } else {
        tile.AddSome(from, weights, begin, end);
      }
    }
  tile.Store(args.sums + (place - args.begin) * args.sums_row, args.sums_row);
}

template <int kPlaces>
void SumPairIf(const RowArgs& args, int64_t count, int64_t place) {
  if (count == kPlaces) return SumPair<kPlaces>(args, place);
  if constexpr (kPlaces > 1) SumPairIf<kPlaces - 1>(args, count, place);
}

void RunGroupPairs(const RowArgs& args) {
  const int64_t places = args.end - args.begin, tiles = (places + kPairPlaces - 1) / kPairPlaces;
  for (int64_t i = 0; i < tiles; ++i) {
    const int64_t begin = i * places / tiles, end = (i + 1) * places / tiles;
    SumPairIf<kPairPlaces>(args, end - begin, args.begin + begin);
  }
}

RowKernel KernelOfGroupPairs() { return RunGroupPairs; }

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfGroupPairs);

RowKernel FindGroupPairKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfGroupPairs)(); }

}  // namespace impl_cpu
#endif
