#include <algorithm>
#include <cstddef>

#include "impl_cpu/convolution/direct_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/column_kernel.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

ColumnKernel KernelOfColumns() { return {}; }

#else

namespace hn = hwy::HWY_NAMESPACE;
using ColumnD = hn::CappedTag<float, 16>;
using ColumnV = hn::Vec<ColumnD>;
constexpr int64_t kColumnLanes = hn::MaxLanes(ColumnD());
constexpr int64_t kColumnLine = 16;
// 32 registers hold the weights and the sums of six places in three rows; 16 hold the sums of
// three, what these read of a row, and one weight, and serve stride 1.
constexpr bool kHoldsWeights = HWY_MAX_BYTES >= 64;
constexpr int kColumnPlaces = kHoldsWeights ? 6 : 3;

HWY_INLINE const float* WeightsAt(const DepthwiseArgs& args, int row, int64_t tap) {
  return args.weights + args.weight_rows[row] + args.weight_taps[tap];
}

// The weights of kVectors vectors of channels: for each, one row of taps after the other.
template <int kTaps, int kVectors>
struct ColumnWeights {
  ColumnWeights(const DepthwiseArgs& args, int64_t first_tap, int64_t c) {
    float* to = at;
    for (int v = 0; v < kVectors; ++v, c += kColumnLanes)
      for (int r = 0; r < 3; ++r)
        for (int t = 0; t < kTaps; ++t, to += kColumnLanes)
          hn::Store(hn::LoadU(ColumnD(), WeightsAt(args, r, first_tap + t) + c), ColumnD(), to);
  }
  HWY_ALIGN float at[kVectors * 3 * kTaps * kColumnLanes];
};

// Sums of places of a row of the result, for which a row that is read is row kRow of the taps.
template <int kRow, class Sums>
struct ColumnTo {
  Sums& sums;
};

// What each of some places reads by tap `t`, of which kRow is the row.
template <int kTaps, int kRow, int kRead, int kPlaces>
HWY_INLINE void AddTap(const ColumnV (&in)[kRead], const float* weights, int t,
                       ColumnTo<kRow, ColumnV[kPlaces]> to) {
  const ColumnV w = hn::Load(ColumnD(), weights + (kRow * kTaps + t) * kColumnLanes);
#pragma GCC unroll 3
  for (int p = 0; p < kPlaces; ++p) to.sums[p] = hn::MulAdd(in[p + t], w, to.sums[p]);
}

// What some places read of a row, and the weights one by one.
template <int kTaps, int kPlaces, int... kRows>
HWY_INLINE void AddTaps(const float* from, int64_t src_place, const float* weights,
                        ColumnTo<kRows, ColumnV[kPlaces]>... to) {
  constexpr int kRead = kPlaces - 1 + kTaps;
  ColumnV in[kRead];
#pragma GCC unroll 5
  for (int j = 0; j < kRead; ++j) in[j] = hn::LoadU(ColumnD(), from + j * src_place);
#pragma GCC unroll 3
  for (int t = 0; t < kTaps; ++t) (AddTap<kTaps>(in, weights, t, to), ...);
}

// A vector of channels of kPlaces neighbouring places, from the first row to the last: each row
// that is read is read once and added to the sums of all rows that have it.
template <int kStride, int kPlaces, int kTaps, bool kAhead>
class Column {
 public:
  HWY_INLINE Column(const DepthwiseArgs& args, int64_t place, int64_t first_tap, int64_t c)
      : args_(args),
        from_(args.src + (place * kStride + first_tap) * args.src_place + c),
        to_(args.sums + place * args.sums_row + c),
        first_(args.first + c) {
#pragma GCC unroll 3
    for (int r = 0; r < 3; ++r)
#pragma GCC unroll 3
      for (int t = 0; t < kTaps; ++t)
        held_[r * kTaps + t] = hn::LoadU(ColumnD(), WeightsAt(args, r, first_tap + t) + c);
  }

  HWY_INLINE void Sum() const { kStride == 1 ? SumByOne() : SumByTwo(); }

 private:
  using Sums = ColumnV[kPlaces];
  template <int kRow>
  using To = ColumnTo<kRow, Sums>;
  static constexpr int kRead = (kPlaces - 1) * kStride + kTaps;

  HWY_INLINE void Begin(Sums& sums) const {
    const ColumnV first = hn::LoadU(ColumnD(), first_);
#pragma GCC unroll 6
    for (int p = 0; p < kPlaces; ++p) sums[p] = first;
  }

  HWY_INLINE void Store(const Sums& sums, int64_t row) const {
    float* const to = to_ + row * args_.sums_down;
#pragma GCC unroll 6
    for (int p = 0; p < kPlaces; ++p) hn::StoreU(sums[p], ColumnD(), to + p * args_.sums_row);
  }

  // What lies `j` places from the first one that is read, to all sums that it belongs to.
  template <int kRow>
  HWY_INLINE void AddPlace(ColumnV in, int j, To<kRow> to) const {
#pragma GCC unroll 6
    for (int p = 0; p < kPlaces; ++p) {
      const int t = j - p * kStride;
      if (t >= 0 && t < kTaps) to.sums[p] = hn::MulAdd(in, held_[kRow * kTaps + t], to.sums[p]);
    }
  }

  // Row i of what is read.
  template <int... kRows>
  HWY_INLINE void AddRow(int64_t i, To<kRows>... to) const {
    const float* const from = from_ + i * args_.src_row;
    if constexpr (kAhead)
#pragma GCC unroll 13
      for (int j = 0; j < kRead; ++j) hwy::Prefetch(from + j * args_.src_place + kColumnLine);
#pragma GCC unroll 13
    for (int j = 0; j < kRead; ++j) {
      const ColumnV in = hn::LoadU(ColumnD(), from + j * args_.src_place);
      (AddPlace(in, j, to), ...);
    }
  }

  // Row i is tap 2 of the result's row i - base - 2, tap 1 of the next and tap 0 of the one after.
  HWY_INLINE void SumByOne() const {
    const int64_t base = args_.base;
    const int64_t begin = std::max<int64_t>(0, args_.begin + base);
    const int64_t end = std::min(args_.extent, args_.end + base + 2);
    Sums a, b, c;
    Begin(a);
    Begin(b);
    int64_t row = begin - base - 2;
    for (int64_t i = begin; i < end; ++i, ++row) {
      Begin(c);
      AddRow(i, To<2>{a}, To<1>{b}, To<0>{c});
      if (row >= args_.begin) Store(a, row);
#pragma GCC unroll 6
      for (int p = 0; p < kPlaces; ++p) {
        a[p] = b[p];
        b[p] = c[p];
      }
    }
    // Those that read nothing further.
    if (row >= args_.begin && row < args_.end) Store(a, row);
    if (row + 1 >= args_.begin && row + 1 < args_.end) Store(b, row + 1);
  }

  // Tap 2 of a row of the result reads what tap 0 of the next does.
  HWY_INLINE void SumByTwo() const {
    Sums a, b;
    Begin(a);
    int64_t i = args_.begin * 2 + args_.base;
    if (i >= 0 && i < args_.extent) AddRow(i, To<0>{a});
    for (int64_t row = args_.begin; row < args_.end; ++row) {
      ++i;
      if (i >= 0 && i < args_.extent) AddRow(i, To<1>{a});
      ++i;
      Begin(b);
      if (i >= 0 && i < args_.extent) AddRow(i, To<2>{a}, To<0>{b});
      Store(a, row);
#pragma GCC unroll 6
      for (int p = 0; p < kPlaces; ++p) a[p] = b[p];
    }
  }

  const DepthwiseArgs& args_;
  const float* const from_;
  float* const to_;
  const float* const first_;
  ColumnV held_[3 * kTaps];
};

// The same of all vectors of a line, whose sums are in memory from row to row: a line is read and
// written once, not once for each of its vectors.
template <int kPlaces, int kTaps>
class ColumnOfLines {
 public:
  HWY_INLINE ColumnOfLines(const DepthwiseArgs& args, int64_t place, int64_t first_tap, int64_t c)
      : args_(args),
        from_(args.src + (place + first_tap) * args.src_place + c),
        to_(args.sums + place * args.sums_row + c),
        first_(args.first + c) {}

  HWY_INLINE void Sum(const float* weights) {
    for (int v = 0; v < kColumnLine; v += kColumnLanes)
      for (int i = 0; i < 2 * kSums; i += kColumnLanes)
        hn::Store(hn::LoadU(ColumnD(), first_ + v), ColumnD(), sums_ + 2 * kPlaces * v + i);
    const int64_t base = args_.base, src_row = args_.src_row, src_place = args_.src_place;
    const int64_t down = args_.sums_down, along = args_.sums_row, first_row = args_.begin;
    const int64_t begin = std::max<int64_t>(0, first_row + base);
    const int64_t end = std::min(args_.extent, args_.end + base + 2);
    int64_t row = begin - base - 2;
    const float* from = from_ + begin * src_row;
    float* to = to_ + row * down;
    for (int64_t i = begin; i < end; ++i, ++row, from += src_row, to += down)
      for (int v = 0; v < kColumnLine; v += kColumnLanes) {
        float* const held = sums_ + 2 * kPlaces * v;
        Sums a, b, c;
        const ColumnV first = hn::LoadU(ColumnD(), first_ + v);
#pragma GCC unroll 3
        for (int p = 0; p < kPlaces; ++p) {
          a[p] = hn::Load(ColumnD(), held + p * kColumnLanes);
          b[p] = hn::Load(ColumnD(), held + kSums + p * kColumnLanes);
          c[p] = first;
        }
        AddTaps<kTaps>(from + v, src_place, weights + 3 * kTaps * v, To<2>{a}, To<1>{b}, To<0>{c});
        if (row >= first_row) Store(a, to + v, along);
        Store(b, held, kColumnLanes);
        Store(c, held + kSums, kColumnLanes);
      }
    // Those that read nothing further.
    for (int64_t rest = 0; rest < 2; ++rest, ++row, to += down)
      if (row >= first_row && row < args_.end) StoreLines(rest * kSums, to, along);
  }

 private:
  using Sums = ColumnV[kPlaces];
  template <int kRow>
  using To = ColumnTo<kRow, Sums>;
  static constexpr int kSums = kPlaces * kColumnLanes;

  static HWY_INLINE void Store(const Sums& sums, float* to, int64_t step) {
#pragma GCC unroll 3
    for (int p = 0; p < kPlaces; ++p) hn::StoreU(sums[p], ColumnD(), to + p * step);
  }

  HWY_INLINE void StoreLines(int64_t held, float* to, int64_t along) const {
    for (int v = 0; v < kColumnLine; v += kColumnLanes)
      for (int p = 0; p < kPlaces; ++p)
        hn::StoreU(hn::Load(ColumnD(), sums_ + 2 * kPlaces * v + held + p * kColumnLanes),
                   ColumnD(), to + p * along + v);
  }

  const DepthwiseArgs& args_;
  const float* const from_;
  float* const to_;
  const float* const first_;
  // Of each vector, of the next row of the result and of the one after.
  HWY_ALIGN float sums_[2 * kPlaces * kColumnLine];
};

// Not inline, so that weights that registers do not hold are read where they lie.
template <int kPlaces, int kTaps>
HWY_NOINLINE void SumLine(const DepthwiseArgs& args, int64_t place, int64_t first_tap, int64_t c,
                          const float* weights) {
  ColumnOfLines<kPlaces, kTaps>(args, place, first_tap, c).Sum(weights);
}

// All channels. The last ones may begin before those in front of them end.
template <int kStride, int kPlaces, int kTaps>
void SumColumn(const DepthwiseArgs& args, int64_t place, int64_t first_tap) {
  constexpr int64_t kChannels = kHoldsWeights ? kColumnLanes : kColumnLine;
  for (int64_t c = 0; c < args.channels; c += kChannels) {
    const int64_t at = std::min(c, args.channels - kChannels);
    if constexpr (!kHoldsWeights) {
      const ColumnWeights<kTaps, kChannels / kColumnLanes> weights(args, first_tap, at);
      SumLine<kPlaces, kTaps>(args, place, first_tap, at, weights.at);
    } else if (args.fetches_ahead) {
      Column<kStride, kPlaces, kTaps, true>(args, place, first_tap, at).Sum();
    } else {
      Column<kStride, kPlaces, kTaps, false>(args, place, first_tap, at).Sum();
    }
  }
}

template <int kStride, int kPlaces>
void SumColumnIf(const DepthwiseArgs& args, int64_t places, int64_t place) {
  if (places == kPlaces) return SumColumn<kStride, kPlaces, 3>(args, place, 0);
  if constexpr (kPlaces > 1) SumColumnIf<kStride, kPlaces - 1>(args, places, place);
}

// One place, which does not have all taps.
template <int kStride>
void SumEdge(const DepthwiseArgs& args, int64_t place) {
  const TapRange taps = TapsOf(args, place);
  if (taps.last - taps.first == 2) return SumColumn<kStride, 1, 2>(args, place, taps.first);
  SumColumn<kStride, 1, 1>(args, place, taps.first);
}

template <int kStride>
void SumColumns(const DepthwiseArgs& args) {
  for (int64_t p = 0; p < args.inner_begin; ++p) SumEdge<kStride>(args, p);
  const int64_t places = args.inner_end - args.inner_begin;
  const int64_t tiles = (places + kColumnPlaces - 1) / kColumnPlaces;
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t begin = t * places / tiles, end = (t + 1) * places / tiles;
    SumColumnIf<kStride, kColumnPlaces>(args, end - begin, args.inner_begin + begin);
  }
  for (int64_t p = args.inner_end; p < args.places; ++p) SumEdge<kStride>(args, p);
}

void RunColumns(const DepthwiseArgs& args) {
  if (args.stride == 1) return SumColumns<1>(args);
  if constexpr (kHoldsWeights) SumColumns<2>(args);
}

ColumnKernel KernelOfColumns() { return {RunColumns, kHoldsWeights}; }

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfColumns);

ColumnKernel FindColumnKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfColumns)(); }

}  // namespace impl_cpu
#endif
