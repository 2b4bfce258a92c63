#include <algorithm>
#include <type_traits>

#include "impl_cpu/convolution/direct_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/depthwise_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convolution/depthwise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

RowKernel KernelOfDepthwise(spi::DataType) { return nullptr; }

#else

constexpr int kMostLanes = HWY_MAX_BYTES / 4 < 16 ? HWY_MAX_BYTES / 4 : 16;
// Places at once whose three taps of a row share what they read, by stride, and vectors of each.
constexpr int kPlacesOf[] = {0, 4, kMostLanes == 16 ? 4 : 3};
constexpr int kPair = kMostLanes == 4 ? 1 : 2;

// Some vectors of channels of neighbouring places.
template <typename T, class D, int kPlaces, int kVectors>
struct DepthwisePiece {
  static constexpr int kLanes = hn::MaxLanes(D());
  hn::Vec<D> sum[kVectors][kPlaces];

  HWY_INLINE void Begin(const float* first) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const auto start = hn::LoadU(D(), first + v * kLanes);
#pragma GCC unroll 4
      for (int p = 0; p < kPlaces; ++p) sum[v][p] = start;
    }
  }

  // From channel `c` on.
  HWY_INLINE void Store(const RowArgs& args, int64_t place, int64_t c) const {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      StoreSums<T>(D(), sum[v], args.rounds, args.sums,
                   (place - args.begin) * args.sums_row + c + v * kLanes, args.sums_row);
  }

  HWY_INLINE void Tap(const T* from, int64_t step, const float* weights) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const auto w = hn::LoadU(D(), weights + v * kLanes);
#pragma GCC unroll 4
      for (int p = 0; p < kPlaces; ++p)
        sum[v][p] = hn::MulAdd(LoadAs(D(), from + p * step + v * kLanes), w, sum[v][p]);
    }
  }

  // Three taps `step` apart, where places are kStride times as far apart.
  template <int kStride>
  HWY_INLINE void ThreeTaps(const T* from, int64_t step, const float* weights, const RowTap* taps) {
    constexpr int kRead = (kPlaces - 1) * kStride + 3;
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      hn::Vec<D> in[kRead];
#pragma GCC unroll 9
      for (int j = 0; j < kRead; ++j) in[j] = LoadAs(D(), from + j * step + v * kLanes);
#pragma GCC unroll 3
      for (int q = 0; q < 3; ++q) {
        const auto w = hn::LoadU(D(), weights + taps[q].weights + v * kLanes);
#pragma GCC unroll 4
        for (int p = 0; p < kPlaces; ++p) sum[v][p] = hn::MulAdd(in[p * kStride + q], w, sum[v][p]);
      }
    }
  }
};

// Taps [first, last), which all of the places have.
template <typename T, class D, int kPlaces, int kVectors>
HWY_INLINE void SumTaps(const RowArgs& args, int64_t place, int64_t first, int64_t last,
                        int64_t c) {
  DepthwisePiece<T, D, kPlaces, kVectors> piece;
  const T* const src = reinterpret_cast<const T*>(args.src);
  piece.Begin(args.first + c);
  for (int64_t r = 0; r < args.rows; ++r) {
    const int64_t from = place * args.src_step + args.src_rows[r] + c;
    const float* const weights = args.weights + args.weight_rows[r] + c;
    for (int64_t t = first; t < last; ++t)
      piece.Tap(src + from + args.taps[t].src, args.src_step, weights + args.taps[t].weights);
  }
  piece.Store(args, place, c);
}

template <typename T, class D, int kStride, int kPlaces, int kVectors>
HWY_INLINE void SumThree(const RowArgs& args, int64_t place, int64_t c) {
  DepthwisePiece<T, D, kPlaces, kVectors> piece;
  const T* const src = reinterpret_cast<const T*>(args.src);
  piece.Begin(args.first + c);
  const int64_t step = args.taps[1].src - args.taps[0].src;
  for (int64_t r = 0; r < args.rows; ++r)
    piece.template ThreeTaps<kStride>(
        src + place * args.src_step + args.src_rows[r] + args.taps[0].src + c, step,
        args.weights + args.weight_rows[r] + c, args.taps);
  piece.Store(args, place, c);
}

// All channels of some places. The last vector may begin before the one in front of it ends.
template <typename T, class D, int kPlaces, int kVectors>
HWY_INLINE void ChannelsOfTaps(const RowArgs& args, int64_t place, int64_t first, int64_t last) {
  constexpr int64_t kLanes = hn::MaxLanes(D());
  int64_t c = 0;
  for (; c + kVectors * kLanes <= args.channels; c += kVectors * kLanes)
    SumTaps<T, D, kPlaces, kVectors>(args, place, first, last, c);
  for (; c < args.channels; c += kLanes)
    SumTaps<T, D, kPlaces, 1>(args, place, first, last, std::min(c, args.channels - kLanes));
}

template <typename T, class D, int kStride, int kPlaces, int kVectors>
HWY_INLINE void ChannelsOfThree(const RowArgs& args, int64_t place) {
  constexpr int64_t kLanes = hn::MaxLanes(D());
  int64_t c = 0;
  for (; c + kVectors * kLanes <= args.channels; c += kVectors * kLanes)
    SumThree<T, D, kStride, kPlaces, kVectors>(args, place, c);
  for (; c < args.channels; c += kLanes)
    SumThree<T, D, kStride, kPlaces, 1>(args, place, std::min(c, args.channels - kLanes));
}

// The taps of a place.
TapRange TapsOf(const RowArgs& args, int64_t place) {
  const auto has = [&](int64_t t) {
    return args.taps[t].begin <= place && place < args.taps[t].end;
  };
  TapRange range = {0, args.tap_count};
  while (range.first < range.last && !has(range.first)) ++range.first;
  while (range.first < range.last && !has(range.last - 1)) --range.last;
  return range;
}

template <typename T, class D, int kStride>
void InnerOfThree(const RowArgs& args, int64_t begin, int64_t end) {
  constexpr int kPlaces = kPlacesOf[kStride];
  for (; begin + kPlaces <= end; begin += kPlaces)
    ChannelsOfThree<T, D, kStride, kPlaces, kPair>(args, begin);
  for (; begin + 2 <= end; begin += 2) ChannelsOfThree<T, D, kStride, 2, 2>(args, begin);
  for (; begin < end; ++begin) ChannelsOfThree<T, D, kStride, 1, 4>(args, begin);
}

template <typename T, class D>
void InnerOfAny(const RowArgs& args, int64_t begin, int64_t end) {
  for (; begin + 4 <= end; begin += 4)
    ChannelsOfTaps<T, D, 4, kPair>(args, begin, 0, args.tap_count);
  for (; begin < end; ++begin) ChannelsOfTaps<T, D, 1, 4>(args, begin, 0, args.tap_count);
}

template <typename T, class D>
void RunDepthwiseRow(const RowArgs& args) {
  int64_t begin = args.begin, end = args.end;
  for (int64_t t = 0; t < args.tap_count; ++t) {
    begin = std::max(begin, args.taps[t].begin);
    end = std::min(end, args.taps[t].end);
  }
  begin = std::min(begin, args.end);
  end = std::max(begin, end);
  const auto edge = [&](int64_t place) HWY_ATTR {
    const TapRange taps = TapsOf(args, place);
    ChannelsOfTaps<T, D, 1, 4>(args, place, taps.first, taps.last);
  };
  for (int64_t p = args.begin; p < begin; ++p) edge(p);
  const bool three = args.tap_count == 3 &&
                     args.taps[1].src - args.taps[0].src == args.taps[2].src - args.taps[1].src;
  const int64_t step = three ? args.taps[1].src - args.taps[0].src : 0;
  if (three && args.src_step == step) {
    InnerOfThree<T, D, 1>(args, begin, end);
  } else if (three && args.src_step == 2 * step) {
    InnerOfThree<T, D, 2>(args, begin, end);
  } else {
    InnerOfAny<T, D>(args, begin, end);
  }
  for (int64_t p = end; p < args.end; ++p) edge(p);
}

// Tap by tap, so that no place waits for its own sum.
void FewChannels(const RowArgs& args) {
  const int64_t channels = args.channels, row = args.sums_row;
  float* HWY_RESTRICT const sums = args.sums - args.begin * row;
  for (int64_t p = args.begin; p < args.end; ++p)
    for (int64_t c = 0; c < channels; ++c) sums[p * row + c] = args.first[c];
  for (int64_t r = 0; r < args.rows; ++r)
    for (int64_t t = 0; t < args.tap_count; ++t) {
      const RowTap& tap = args.taps[t];
      const float* const from = args.src + args.src_rows[r] + tap.src;
      const float* const weights = args.weights + args.weight_rows[r] + tap.weights;
      const int64_t end = std::min(args.end, tap.end);
      for (int64_t c = 0; c < channels; ++c) {
        const float w = weights[c];
        for (int64_t p = std::max(args.begin, tap.begin); p < end; ++p)
          sums[p * row + c] += from[p * args.src_step + c] * w;
      }
    }
}

template <typename T>
void RunDepthwise(const RowArgs& args) {
  if constexpr (std::is_same_v<T, float>)
    if (args.channels < 4) return FewChannels(args);
  if (args.channels < 8) return RunDepthwiseRow<T, hn::CappedTag<float, 4>>(args);
  if (args.channels < 16) return RunDepthwiseRow<T, hn::CappedTag<float, 8>>(args);
  RunDepthwiseRow<T, hn::CappedTag<float, 16>>(args);
}

RowKernel KernelOfDepthwise(spi::DataType type) {
  return DepthwiseOf(type, [](auto t) -> RowKernel { return RunDepthwise<decltype(t)>; });
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfDepthwise);

RowKernel FindDepthwiseKernel(spi::DataType type) {
  return HWY_DYNAMIC_DISPATCH(KernelOfDepthwise)(type);
}

}  // namespace impl_cpu
#endif
