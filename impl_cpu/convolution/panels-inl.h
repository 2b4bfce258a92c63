// Rows of places by panels of channels, per target. `Step` says what elements are, how one of the
// source is loaded and how they are multiplied.

#include <algorithm>
#include <cstdint>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "impl_cpu/convolution/direct_kernel.h"
#include "impl_cpu/product/kernel.h"

#if defined(DNNSPEC_IMPL_CPU_CONVOLUTION_PANELS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_CONVOLUTION_PANELS_INL_H_
#undef DNNSPEC_IMPL_CPU_CONVOLUTION_PANELS_INL_H_
#else
#define DNNSPEC_IMPL_CPU_CONVOLUTION_PANELS_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kMostLanes = HWY_MAX_BYTES / 4 < kPanel ? HWY_MAX_BYTES / 4 : kPanel;
// Sums that stay in registers beside what is multiplied.
constexpr int kSums = kMostLanes == 16 ? 24 : 12;
// Places of a tile that has all columns of a unit.
constexpr int kTilePlaces = kMostLanes == 16 ? 12 : kMostLanes == 8 ? 6 : 3;

// kPlaces neighbouring places by kVectors vectors of channels.
template <class Step, int kVectors, int kPlaces>
class PanelTile {
  using D = typename Step::D;
  using T = hn::TFromD<D>;

 public:
  HWY_INLINE PanelTile(const RowArgs& args, const char* ahead)
      : step_(args.src_step),
        panel_(args.weights_panel),
        ahead_step_(args.ahead_step),
        ahead_(ahead) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const V first = hn::LoadU(D(), reinterpret_cast<const T*>(args.first) + v * kLanes);
#pragma GCC unroll 12
      for (int p = 0; p < kPlaces; ++p) sum_[p][v] = first;
    }
  }

  // `depth` channels, of places [kBegin, kEnd). With kNextFollow
  // also fetches what the tile behind this one reads.
  template <int kBegin, int kEnd, bool kNextFollow = false>
  HWY_INLINE void Add(const T* from, const T* HWY_RESTRICT weights, int64_t depth) {
    const int64_t step = step_;
    // Places by threes have addresses that need one register each and the stride.
    const T* base[kBases];
#pragma GCC unroll 4
    for (int g = 0; g < kBases; ++g) base[g] = from + 3 * g * step;
    const T* next = from + kPlaces * step;
    const char* ahead = ahead_;
    for (int64_t k = 0; k < depth; ++k) {
      V w[kVectors];
      Load(weights, w);
      weights += kPanel;
      hwy::Prefetch(ahead);
      if (kNextFollow && kMostLanes == 16) {
        hwy::Prefetch(next);
      } else if (kVectors > kOfPanel) {
        hwy::Prefetch(ahead + panel_ * static_cast<int64_t>(sizeof(T)));
      }
      ahead += ahead_step_;
      next += kPlaces;
#pragma GCC unroll 12
      for (int p = kBegin; p < kEnd; ++p) {
        const V x = Step::Broadcast(base[p / 3] + p % 3 * step);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sum_[p][v] = Step::MulAdd(x, w[v], sum_[p][v]);
      }
#pragma GCC unroll 4
      for (int g = 0; g < kBases; ++g) ++base[g];
    }
    ahead_ = ahead;
  }

  // Channels that lie anywhere, of all places.
  HWY_INLINE void AddEach(const T* from, const int64_t* offsets, const T* HWY_RESTRICT weights,
                          int64_t count) {
    const int64_t step = step_, step3 = 3 * step;
    for (int64_t k = 0; k < count; ++k) {
      V w[kVectors];
      Load(weights, w);
      weights += kPanel;
      const T* base[kBases];
      base[0] = from + offsets[k];
#pragma GCC unroll 4
      for (int g = 1; g < kBases; ++g) base[g] = base[g - 1] + step3;
#pragma GCC unroll 12
      for (int p = 0; p < kPlaces; ++p) {
        const V x = Step::Broadcast(base[p / 3] + p % 3 * step);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sum_[p][v] = Step::MulAdd(x, w[v], sum_[p][v]);
      }
    }
  }

  // Of places [begin, end) only.
  HWY_INLINE void AddSome(const T* from, const T* HWY_RESTRICT weights, int64_t depth,
                          int64_t begin, int64_t end) {
    for (int64_t k = 0; k < depth; ++k, ++from, weights += kPanel) {
      V w[kVectors];
      Load(weights, w);
#pragma GCC unroll 12
      for (int p = 0; p < kPlaces; ++p) {
        if (p < begin || p >= end) continue;
        const V x = Step::Broadcast(from + p * step_);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sum_[p][v] = Step::MulAdd(x, w[v], sum_[p][v]);
      }
    }
  }

  const char* ahead() const { return ahead_; }

  HWY_INLINE void Store(T* to, int64_t row, int64_t channels) const {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      const int64_t count = channels - v * kLanes;
      if (count >= kLanes) {
#pragma GCC unroll 12
        for (int p = 0; p < kPlaces; ++p) hn::StoreU(sum_[p][v], D(), to + p * row + v * kLanes);
      } else if (count > 0) {
        StoreSome(v, count, to + v * kLanes, row);
      }
    }
  }

 private:
  using V = hn::Vec<D>;
  static constexpr int kLanes = hn::MaxLanes(D());
  static constexpr int kOfPanel = kPanel / kLanes, kBases = (kPlaces + 2) / 3;

  HWY_INLINE void Load(const T* weights, V (&w)[kVectors]) const {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v)
      w[v] = hn::LoadU(D(), weights + v / kOfPanel * panel_ + v % kOfPanel * kLanes);
  }

  // The first `count` lanes, at least one, of vectors `v`. What lies behind is not touched: another
  // thread may write it.
  HWY_INLINE void StoreSome(int v, int64_t count, T* to, int64_t row) const {
#if HWY_TARGET <= HWY_AVX3
    const auto first = hn::FirstN(D(), static_cast<size_t>(count));
#pragma GCC unroll 12
    for (int p = 0; p < kPlaces; ++p) hn::BlendedStore(sum_[p][v], first, D(), to + p * row);
#else
    V whole[kPlaces];
#pragma GCC unroll 12
    for (int p = 0; p < kPlaces; ++p) whole[p] = sum_[p][v];
    StoreByHalves(D(), whole, count, to, row);
#endif
  }

  // Stores by a mask take many cycles on machines without AVX-512, and the mask a register.
  template <class DPart>
  static HWY_INLINE void StoreByHalves(DPart, const hn::Vec<DPart> (&part)[kPlaces], int64_t count,
                                       T* to, int64_t row) {
    constexpr int64_t kHalf = hn::MaxLanes(DPart()) / 2;
    if constexpr (kHalf > 0) {
      const hn::Half<DPart> half;
      hn::Vec<decltype(half)> rest[kPlaces];
      if (count >= kHalf) {
#pragma GCC unroll 12
        for (int p = 0; p < kPlaces; ++p)
          hn::StoreU(hn::LowerHalf(half, part[p]), half, to + p * row);
#pragma GCC unroll 12
        for (int p = 0; p < kPlaces; ++p) rest[p] = hn::UpperHalf(half, part[p]);
        count -= kHalf;
        to += kHalf;
      } else {
#pragma GCC unroll 12
        for (int p = 0; p < kPlaces; ++p) rest[p] = hn::LowerHalf(half, part[p]);
      }
      if (count > 0) StoreByHalves(half, rest, count, to, row);
    }
  }

  V sum_[kPlaces][kVectors];
  const int64_t step_, panel_, ahead_step_;
  const char* ahead_;
};

template <class Step, int kVectors, int kPlaces>
HWY_NOINLINE void SumTile(const RowArgs& args, int64_t place, bool inner, const char*& ahead) {
  using T = hn::TFromD<typename Step::D>;
  PanelTile<Step, kVectors, kPlaces> tile(args, ahead);
  // Not a pointer of its own, which would take a register of the loops below.
  const auto source = [&args](int64_t at) { return reinterpret_cast<const T*>(args.src) + at; };
  const int64_t rows = inner && args.offset_count > 0 ? 0 : args.rows;
  if (rows < args.rows)
    tile.AddEach(source(place * args.src_step + args.first_row), args.offsets,
                 reinterpret_cast<const T*>(args.weights), args.offset_count);
  for (int64_t r = 0; r < rows; ++r) {
    const T* const weights = reinterpret_cast<const T*>(args.weights) + args.weight_rows[r];
    const int64_t from = place * args.src_step + args.src_rows[r];
    const auto full = [&](int64_t t) {
      return inner || (args.taps[t].begin <= place && args.taps[t].end >= place + kPlaces);
    };
    for (int64_t t = 0; t < args.tap_count;) {
      const RowTap& tap = args.taps[t++];
      const int64_t begin = tap.begin - place, end = tap.end - place;
      if (begin <= 0 && end >= kPlaces) {
        // With those that follow, if they may be.
        int64_t depth = args.depth;
        if (args.runs)
          for (; t < args.tap_count && full(t); ++t) depth += args.depth;
        tile.template Add<0, kPlaces>(source(from + tap.src), weights + tap.weights, depth);
      } else if (begin == 1 && end >= kPlaces) {
        tile.template Add<1, kPlaces>(source(from + tap.src), weights + tap.weights, args.depth);
      } else if (begin <= 0 && end == kPlaces - 1) {
        tile.template Add<0, kPlaces - 1>(source(from + tap.src), weights + tap.weights,
                                          args.depth);
      } else if (begin < kPlaces && end > 0) {
        tile.AddSome(source(from + tap.src), weights + tap.weights, args.depth, begin, end);
      }
    }
  }
  ahead = tile.ahead();
  tile.Store(reinterpret_cast<T*>(args.sums) + (place - args.begin) * args.sums_row, args.sums_row,
             args.channels);
}

// `tiles` neighbouring tiles of `places` places each; the first begins at place `first`.
struct TileRun {
  int64_t places, first, tiles;
};

// Sums tiles whose places have all taps: a single one, or those of the list. Little is done between
// two tiles, so that the sums of the second begin while those of the first are stored.
template <class Step, int kVectors, int kPlaces, bool kListed>
HWY_NOINLINE void SumInner(const RowArgs& args, const TileRun& run, const char*& ahead) {
  using T = hn::TFromD<typename Step::D>;
  const RowTap& tap = args.taps[0];
  const T* const weights =
      reinterpret_cast<const T*>(args.weights) + (kListed ? 0 : args.weight_rows[0] + tap.weights);
  const T* from = reinterpret_cast<const T*>(args.src) + run.first * args.src_step +
                  (kListed ? args.first_row : args.src_rows[0] + tap.src);
  T* to = reinterpret_cast<T*>(args.sums) + (run.first - args.begin) * args.sums_row;
  const char* at = ahead;
  for (int64_t i = 0; i < run.tiles; ++i) {
    PanelTile<Step, kVectors, kPlaces> tile(args, at);
    if constexpr (kListed) {
      tile.AddEach(from, args.offsets, weights, args.offset_count);
    } else {
      tile.template Add<0, kPlaces, true>(from, weights, args.depth);
    }
    tile.Store(to, args.sums_row, args.channels);
    at = tile.ahead();
    from += kPlaces * args.src_step;
    to += kPlaces * args.sums_row;
  }
  ahead = at;
}

// Places of a row that have all taps.
struct InnerPlaces {
  int64_t first, last;
};

template <class Step, int kVectors, int kPlaces>
void SumTiles(const RowArgs& args, TileRun run, const InnerPlaces& inner, const char*& ahead) {
  const auto sum_while = [&](const auto& is_next) HWY_ATTR {
    for (; run.tiles > 0 && is_next(run.first); --run.tiles, run.first += kPlaces) {
      const bool all = inner.first <= run.first && run.first + kPlaces <= inner.last;
      SumTile<Step, kVectors, kPlaces>(args, run.first, all, ahead);
    }
  };
  sum_while([&](int64_t place) { return place < inner.first; });
  const bool single = args.rows == 1 && args.tap_count == 1;
  if (single || args.offset_count > 0) {
    TileRun alone = run;
    alone.tiles = std::clamp<int64_t>((inner.last - run.first) / kPlaces, 0, run.tiles);
    if (single) {
      SumInner<Step, kVectors, kPlaces, false>(args, alone, ahead);
    } else {
      SumInner<Step, kVectors, kPlaces, true>(args, alone, ahead);
    }
    run.first += alone.tiles * kPlaces;
    run.tiles -= alone.tiles;
  }
  sum_while([](int64_t) { return true; });
}

template <class Step, int kVectors, int kPlaces>
void SumTilesIf(const RowArgs& args, const TileRun& run, const InnerPlaces& inner,
                const char*& ahead) {
  if (run.places == kPlaces) return SumTiles<Step, kVectors, kPlaces>(args, run, inner, ahead);
  if constexpr (kPlaces > 1) SumTilesIf<Step, kVectors, kPlaces - 1>(args, run, inner, ahead);
}

// Tiles as few as there must be, whose places differ by one at most.
template <class Step, int kVectors>
void SumPlaces(const RowArgs& args, int64_t begin, int64_t end, const InnerPlaces& inner,
               const char*& ahead) {
  constexpr int kPlaces = kSums / kVectors < kMaxTileRows ? kSums / kVectors : kMaxTileRows;
  if (begin >= end) return;
  const TileCut cut = CutRows(end - begin, RowsAtOnce(args.src_step, kPlaces));
  SumTilesIf<Step, kVectors, kPlaces>(args, {cut.height, begin, cut.tall}, inner, ahead);
  if (cut.others == 0) return;
  begin += cut.tall * cut.height;
  SumTilesIf<Step, kVectors, kPlaces>(args, {cut.height - 1, begin, cut.others}, inner, ahead);
}

template <class Step, int kVectors>
void RunPanelRow(const RowArgs& args) {
  InnerPlaces inner = {args.begin, args.end};
  for (int64_t t = 0; t < args.tap_count; ++t) {
    inner.first = std::max(inner.first, args.taps[t].begin);
    inner.last = std::min(inner.last, args.taps[t].end);
  }
  const char* ahead = reinterpret_cast<const char*>(args.ahead);
  // A place that lacks taps is done within a tile; more of them take tiles of their own.
  int64_t begin = args.begin, end = args.end;
  if (inner.first < inner.last) {
    if (inner.first - begin > 1) begin = inner.first;
    if (end - inner.last > 1) end = inner.last;
  }
  SumPlaces<Step, kVectors>(args, args.begin, begin, inner, ahead);
  SumPlaces<Step, kVectors>(args, begin, end, inner, ahead);
  SumPlaces<Step, kVectors>(args, end, args.end, inner, ahead);
}

// `Step` is a template of a number of lanes.
template <template <int> class Step>
void RunPanels(const RowArgs& args) {
#if HWY_MAX_BYTES >= 64
  if (args.channels <= 8) return RunPanelRow<Step<8>, 1>(args);
  if (args.channels <= 16) return RunPanelRow<Step<kPanel>, 1>(args);
  RunPanelRow<Step<kPanel>, 2>(args);
#elif HWY_MAX_BYTES == 32
  if (args.channels <= 8) return RunPanelRow<Step<kPanel>, 1>(args);
  RunPanelRow<Step<kPanel>, 2>(args);
#else
  if (args.channels <= 8) return RunPanelRow<Step<kPanel>, 2>(args);
  RunPanelRow<Step<kPanel>, 4>(args);
#endif
}

template <template <int> class Step>
PanelRowKernel PanelsOfStep() {
  PanelRowKernel kernel;
  kernel.run = RunPanels<Step>;
  kernel.most = kMostLanes == 16 ? 2 * kPanel : kPanel;
  kernel.places = kTilePlaces;
  return kernel;
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
