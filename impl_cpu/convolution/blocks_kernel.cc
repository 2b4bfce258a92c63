#include <algorithm>

#include "impl_cpu/convolution/direct_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/blocks_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

RowKernel KernelOfBlocks(int64_t) { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kMostPlaces = HWY_MAX_BYTES >= 64 ? 8 : 6;

// Channel kChannel of the group of each lane.
template <int kGroup, int kChannel, class V>
HWY_INLINE V OfGroup(V v) {
  if constexpr (kGroup == 4) {
    return hn::Broadcast<kChannel>(v);
  } else {
    return kChannel == 0 ? hn::DupEven(v) : hn::DupOdd(v);
  }
}

// A vector of channels of kPlaces neighbouring places.
template <class D, int kGroup, int kPlaces>
HWY_INLINE void SumBlocks(const RowArgs& args, int64_t place, int64_t c) {
  using V = hn::Vec<D>;
  const D d;
  V sum[kPlaces];
  const V first = hn::LoadU(d, args.first + c);
#pragma GCC unroll 8
  for (int p = 0; p < kPlaces; ++p) sum[p] = first;
  const int64_t step = args.src_step, row = args.channels;
  const auto add = [&](const float* weights, V in, V& to) HWY_ATTR {
    to = hn::MulAdd(OfGroup<kGroup, 0>(in), hn::LoadU(d, weights), to);
    to = hn::MulAdd(OfGroup<kGroup, 1>(in), hn::LoadU(d, weights + row), to);
    if constexpr (kGroup == 4) {
      to = hn::MulAdd(OfGroup<kGroup, 2>(in), hn::LoadU(d, weights + 2 * row), to);
      to = hn::MulAdd(OfGroup<kGroup, 3>(in), hn::LoadU(d, weights + 3 * row), to);
    }
  };
  for (int64_t r = 0; r < args.rows; ++r) {
    for (int64_t t = 0; t < args.tap_count; ++t) {
      const RowTap& tap = args.taps[t];
      const int64_t begin = tap.begin - place, end = tap.end - place;
      if (begin >= kPlaces || end <= 0) continue;
      const float* const from = args.src + (place * step + args.src_rows[r] + tap.src + c);
      const float* const weights = args.weights + args.weight_rows[r] + tap.weights + c;
      if (HWY_LIKELY(begin <= 0 && end >= kPlaces)) {
#pragma GCC unroll 8
        for (int p = 0; p < kPlaces; ++p) add(weights, hn::LoadU(d, from + p * step), sum[p]);
      } else {
#pragma GCC unroll 8
        for (int p = 0; p < kPlaces; ++p)
          if (p >= begin && p < end) add(weights, hn::LoadU(d, from + p * step), sum[p]);
      }
    }
  }
  float* const to = args.sums + (place - args.begin) * args.sums_row + c;
#pragma GCC unroll 8
  for (int p = 0; p < kPlaces; ++p) hn::StoreU(sum[p], d, to + p * args.sums_row);
}

template <class D, int kGroup, int kPlaces>
void SumBlocksIf(const RowArgs& args, int64_t count, int64_t place, int64_t c) {
  if (count == kPlaces) return SumBlocks<D, kGroup, kPlaces>(args, place, c);
  if constexpr (kPlaces > 1) SumBlocksIf<D, kGroup, kPlaces - 1>(args, count, place, c);
}

template <class D, int kGroup>
void RunBlockRow(const RowArgs& args) {
  constexpr int64_t kLanes = hn::MaxLanes(D());
  const int64_t places = args.end - args.begin, pieces = (places + kMostPlaces - 1) / kMostPlaces;
  for (int64_t from = 0; from < args.channels; from += kLanes) {
    const int64_t c = std::min(from, args.channels - kLanes);
    for (int64_t i = 0; i < pieces; ++i) {
      const int64_t begin = i * places / pieces, end = (i + 1) * places / pieces;
      SumBlocksIf<D, kGroup, kMostPlaces>(args, end - begin, args.begin + begin, c);
    }
  }
}

template <int kGroup>
void RunBlocks(const RowArgs& args) {
  if (args.channels < 8) return RunBlockRow<hn::CappedTag<float, 4>, kGroup>(args);
  if (args.channels < 16) return RunBlockRow<hn::CappedTag<float, 8>, kGroup>(args);
  RunBlockRow<hn::CappedTag<float, 16>, kGroup>(args);
}

RowKernel KernelOfBlocks(int64_t channels) { return channels == 4 ? RunBlocks<4> : RunBlocks<2>; }

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfBlocks);

RowKernel FindBlockKernel(int64_t channels) {
  return HWY_DYNAMIC_DISPATCH(KernelOfBlocks)(channels);
}

}  // namespace impl_cpu
#endif
