#include <algorithm>

#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/isa/avx3_dl.h"  // the level of AVX-512 whose machines may round to bf16

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/depthwise_tile_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/convolution/depthwise-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

DepthwiseKernel KernelOfDepthwiseTiles(spi::DataType) { return nullptr; }

#else

using TileD = hn::CappedTag<float, 16>;
using TileV = hn::Vec<TileD>;
constexpr int64_t kTileLanes = hn::MaxLanes(TileD());
// 32 registers hold the weights of nine taps and the sums of a tile; 16 hold the sums, and what
// they read of a row or its weights.
constexpr bool kWide = HWY_MAX_BYTES >= 64;
constexpr int kTileRows = 2;
// By stride.
constexpr int kMostPlaces[] = {0, kWide ? 6 : 4, kWide ? 4 : 3};

// kRows x kPlaces neighbouring places, which read by kTaps taps of a row.
template <typename T, int kStride, int kRows, int kPlaces, int kTaps>
class DepthwiseTile {
  static constexpr int kReadRows = (kRows - 1) * kStride + 3;
  static constexpr int kRead = (kPlaces - 1) * kStride + kTaps;

 public:
  DepthwiseTile(const DepthwiseArgs& args, int64_t row, int64_t place, int64_t first_tap)
      : args_(args),
        from_(reinterpret_cast<const T*>(args.src) + (row * kStride + args.base) * args.src_row +
              (place * kStride + first_tap) * args.src_place),
        to_(row * args.sums_down + place * args.sums_row) {
    const int64_t top = row * kStride + args.base;
    const int64_t left = place * kStride + args.base_place + first_tap;
    first_row_ = static_cast<int>(std::max<int64_t>(0, -top));
    last_row_ = static_cast<int>(std::min<int64_t>(kReadRows, args.extent - top));
    lacks_first_ = left < 0;
    lacks_last_ = left + kRead > args.places_read;
    for (int r = 0; r < 3; ++r)
      weights_[r] = args.weights + args.weight_rows[r] + args.weight_taps[first_tap];
    weight_step_ = kTaps > 1 ? args.weight_taps[first_tap + 1] - args.weight_taps[first_tap] : 0;
  }

  bool all() const {
    return first_row_ == 0 && last_row_ == kReadRows && !lacks_first_ && !lacks_last_;
  }

  // The channels from `c` on; with kAll, where all() of what is read exists.
  template <bool kAll>
  HWY_INLINE void Sum(int64_t c) const {
    const TileV first = hn::LoadU(TileD(), args_.first + c);
    TileV sums[kRows][kPlaces], weights[3][kTaps];
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 6
      for (int p = 0; p < kPlaces; ++p) sums[r][p] = first;
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k)
#pragma GCC unroll 3
      for (int t = 0; t < kTaps; ++t)
        weights[k][t] = hn::LoadU(TileD(), weights_[k] + (t * weight_step_ + c));
    const T* from = from_ + c;
#pragma GCC unroll 5
    for (int i = 0; i < kReadRows; ++i, from += args_.src_row) {
      if (!kAll && (i < first_row_ || i >= last_row_)) continue;
#pragma GCC unroll 13
      for (int j = 0; j < kRead; ++j) {
        if (!kAll && ((j == 0 && lacks_first_) || (j == kRead - 1 && lacks_last_))) continue;
        const TileV in = LoadAs(TileD(), from + j * args_.src_place);
#pragma GCC unroll 2
        for (int r = 0; r < kRows; ++r) {
          const int k = i - r * kStride;
          if (k < 0 || k >= 3) continue;
#pragma GCC unroll 6
          for (int p = 0; p < kPlaces; ++p) {
            const int t = j - p * kStride;
            if (t >= 0 && t < kTaps) sums[r][p] = hn::MulAdd(in, weights[k][t], sums[r][p]);
          }
        }
      }
    }
    if constexpr (sizeof(T) == 1) {
      if (args_.results == spi::DataType::kU8) return StoreBytes<uint8_t>(sums, c);
      if (args_.results == spi::DataType::kS8) return StoreBytes<int8_t>(sums, c);
    }
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r)
      StoreSums<T>(TileD(), sums[r], args_.rounds, args_.sums, to_ + r * args_.sums_down + c,
                   args_.sums_row);
  }

 private:
  // The results of sums, four vectors at a time.
  template <typename TResult>
  HWY_INLINE void StoreBytes(const TileV (&sums)[kRows][kPlaces], int64_t c) const {
    const TileV bias = hn::LoadU(TileD(), args_.bias + c);
    const TileV scale = hn::LoadU(TileD(), args_.scales + c);
    TResult* const to = reinterpret_cast<TResult*>(args_.sums) + to_ + c;
    constexpr int kResults = kRows * kPlaces;
#pragma GCC unroll 3
    for (int i = 0; i < kResults; i += 4) {
      TileV values[4];
      TResult* at[4];
#pragma GCC unroll 4
      for (int j = 0; j < 4; ++j) {
        // Behind the last one, the last one again.
        const int n = i + j < kResults ? i + j : kResults - 1, r = n / kPlaces, p = n % kPlaces;
        values[j] = hn::Mul(hn::Add(sums[r][p], bias), scale);
        at[j] = to + r * args_.sums_down + p * args_.sums_row;
      }
      StoreQuarters(Pack4<TResult>(values[0], values[1], values[2], values[3]), at);
    }
  }

  const DepthwiseArgs& args_;
  const T* const from_;
  const int64_t to_;  // in the sums
  // Of what is read: rows that exist; at most one place on each side does not.
  int first_row_, last_row_;
  bool lacks_first_, lacks_last_;
  const float* weights_[3];
  int64_t weight_step_;
};

// All channels of a tile. The last ones may begin before those in front of them end.
template <typename T, int kStride, int kRows, int kPlaces, int kTaps>
HWY_NOINLINE void SumTile(const DepthwiseArgs& args, int64_t row, int64_t place,
                          int64_t first_tap) {
  const DepthwiseTile<T, kStride, kRows, kPlaces, kTaps> tile(args, row, place, first_tap);
  const int64_t last = args.channels - kTileLanes;
  if (kTaps == 3 && tile.all()) {
    for (int64_t c = 0; c < args.channels; c += kTileLanes)
      tile.template Sum<kTaps == 3>(std::min(c, last));
  } else {
    for (int64_t c = 0; c < args.channels; c += kTileLanes)
      tile.template Sum<false>(std::min(c, last));
  }
}

template <typename T, int kStride, int kRows, int kPlaces>
void SumTileIf(const DepthwiseArgs& args, int64_t places, int64_t row, int64_t place) {
  if (places == kPlaces) return SumTile<T, kStride, kRows, kPlaces, 3>(args, row, place, 0);
  if constexpr (kPlaces > 1) SumTileIf<T, kStride, kRows, kPlaces - 1>(args, places, row, place);
}

// A place that lacks taps.
template <typename T, int kStride, int kRows>
void SumEdge(const DepthwiseArgs& args, int64_t row, int64_t place) {
  const TapRange taps = TapsOf(args, place);
  if (taps.last - taps.first == 2)
    return SumTile<T, kStride, kRows, 1, 2>(args, row, place, taps.first);
  SumTile<T, kStride, kRows, 1, 1>(args, row, place, taps.first);
}

template <typename T, int kStride, int kRows>
void SumRows(const DepthwiseArgs& args, int64_t row) {
  // Tiles take a place at each end that lacks one tap.
  int64_t first = args.inner_begin, last = args.inner_end;
  if (first < last) {
    if (first > 0 && TapsOf(args, first - 1).first == 1) --first;
    if (last < args.places && TapsOf(args, last).last == 2) ++last;
  }
  for (int64_t p = 0; p < first; ++p) SumEdge<T, kStride, kRows>(args, row, p);
  constexpr int kMost = kMostPlaces[kStride];
  const int64_t places = last - first, tiles = (places + kMost - 1) / kMost;
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t begin = t * places / tiles, end = (t + 1) * places / tiles;
    SumTileIf<T, kStride, kRows, kMost>(args, end - begin, row, first + begin);
  }
  for (int64_t p = last; p < args.places; ++p) SumEdge<T, kStride, kRows>(args, row, p);
}

template <typename T, int kStride>
void SumTiles(const DepthwiseArgs& args) {
  int64_t row = args.begin;
  for (; row + kTileRows <= args.end; row += kTileRows) SumRows<T, kStride, kTileRows>(args, row);
  for (; row < args.end; ++row) SumRows<T, kStride, 1>(args, row);
}

template <typename T>
void RunDepthwiseTiles(const DepthwiseArgs& args) {
  args.stride == 1 ? SumTiles<T, 1>(args) : SumTiles<T, 2>(args);
}

DepthwiseKernel KernelOfDepthwiseTiles(spi::DataType type) {
  return DepthwiseOf(type,
                     [](auto t) -> DepthwiseKernel { return RunDepthwiseTiles<decltype(t)>; });
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfDepthwiseTiles);

DepthwiseKernel FindDepthwiseTileKernel(spi::DataType type) {
  return HWY_DYNAMIC_DISPATCH(KernelOfDepthwiseTiles)(type);
}

}  // namespace impl_cpu
#endif
