#include <algorithm>
#include <cstddef>

#include "impl_cpu/convolution/direct_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/convolution/column_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// It takes 32 registers.
#if HWY_TARGET == HWY_SCALAR || HWY_MAX_BYTES < 64

ColumnKernel KernelOfColumns() { return nullptr; }

#else

namespace hn = hwy::HWY_NAMESPACE;
using ColumnD = hn::CappedTag<float, 16>;
using ColumnV = hn::Vec<ColumnD>;
constexpr int64_t kColumnLanes = 16;
constexpr int kColumnPlaces = 6;

// A vector of channels of kPlaces neighbouring places, from the first row to the last: each row
// that is read is read once and added to the sums of all rows that have it.
template <int kStride, int kPlaces, int kTaps>
class Column {
 public:
  HWY_INLINE Column(const ColumnArgs& args, int64_t place, int64_t first_tap, int64_t c)
      : args_(args),
        from_(args.src + (place * kStride + first_tap) * args.src_place + c),
        to_(args.sums + place * args.sums_row + c),
        first_(args.first + c) {
#pragma GCC unroll 3
    for (int r = 0; r < 3; ++r)
#pragma GCC unroll 3
      for (int t = 0; t < kTaps; ++t)
        w_[r][t] = hn::LoadU(
            ColumnD(), args.weights + args.weight_rows[r] + args.weight_taps[first_tap + t] + c);
  }

  HWY_INLINE void Sum() const { kStride == 1 ? SumByOne() : SumByTwo(); }

 private:
  using Sums = ColumnV[kPlaces];

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

  // What place p reads by a tap.
  HWY_INLINE void Add(ColumnV in, int j, int row, Sums& sums) const {
#pragma GCC unroll 6
    for (int p = 0; p < kPlaces; ++p) {
      const int t = j - p * kStride;
      if (t >= 0 && t < kTaps) sums[p] = hn::MulAdd(in, w_[row][t], sums[p]);
    }
  }

  static constexpr int kRead = (kPlaces - 1) * kStride + kTaps;

  HWY_INLINE const float* RowAt(int64_t row) const { return from_ + row * args_.src_row; }
  HWY_INLINE ColumnV In(const float* row, int j) const {
    return hn::LoadU(ColumnD(), row + j * args_.src_place);
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
      const float* const from = RowAt(i);
#pragma GCC unroll 8
      for (int j = 0; j < kRead; ++j) {
        const ColumnV in = In(from, j);
        Add(in, j, 2, a);
        Add(in, j, 1, b);
        Add(in, j, 0, c);
      }
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
    const auto add = [&](int row, Sums& sums) HWY_ATTR {
      const float* const from = RowAt(i);
#pragma GCC unroll 13
      for (int j = 0; j < kRead; ++j) Add(In(from, j), j, row, sums);
    };
    if (i >= 0 && i < args_.extent) add(0, a);
    for (int64_t row = args_.begin; row < args_.end; ++row) {
      ++i;
      if (i >= 0 && i < args_.extent) add(1, a);
      ++i;
      Begin(b);
      if (i >= 0 && i < args_.extent) {
        const float* const from = RowAt(i);
#pragma GCC unroll 13
        for (int j = 0; j < kRead; ++j) {
          const ColumnV in = In(from, j);
          Add(in, j, 2, a);
          Add(in, j, 0, b);
        }
      }
      Store(a, row);
#pragma GCC unroll 6
      for (int p = 0; p < kPlaces; ++p) a[p] = b[p];
    }
  }

  const ColumnArgs& args_;
  const float* const from_;
  float* const to_;
  const float* const first_;
  ColumnV w_[3][kTaps];
};

// All channels. The last vector may begin before the one in front of it ends.
template <int kStride, int kPlaces, int kTaps>
void SumColumn(const ColumnArgs& args, int64_t place, int64_t first_tap) {
  for (int64_t c = 0; c < args.channels; c += kColumnLanes)
    Column<kStride, kPlaces, kTaps>(args, place, first_tap,
                                    std::min(c, args.channels - kColumnLanes))
        .Sum();
}

template <int kStride, int kPlaces>
void SumColumnIf(const ColumnArgs& args, int64_t places, int64_t place) {
  if (places == kPlaces) return SumColumn<kStride, kPlaces, 3>(args, place, 0);
  if constexpr (kPlaces > 1) SumColumnIf<kStride, kPlaces - 1>(args, places, place);
}

// One place, at an edge.
template <int kStride>
void SumEdge(const ColumnArgs& args, int64_t place, int64_t first, int64_t last) {
  if (last - first == 3) return SumColumn<kStride, 1, 3>(args, place, 0);
  if (last - first == 2) return SumColumn<kStride, 1, 2>(args, place, first);
  SumColumn<kStride, 1, 1>(args, place, first);
}

template <int kStride>
void SumColumns(const ColumnArgs& args) {
  for (int64_t p = 0; p < args.inner_begin; ++p) {
    const int64_t at = p * kStride + args.base_place;
    SumEdge<kStride>(args, p, -at, std::min<int64_t>(3, args.places_read - at));
  }
  const int64_t places = args.inner_end - args.inner_begin;
  const int64_t tiles = (places + kColumnPlaces - 1) / kColumnPlaces;
  for (int64_t t = 0; t < tiles; ++t) {
    const int64_t begin = t * places / tiles, end = (t + 1) * places / tiles;
    SumColumnIf<kStride, kColumnPlaces>(args, end - begin, args.inner_begin + begin);
  }
  for (int64_t p = args.inner_end; p < args.places; ++p) {
    const int64_t at = p * kStride + args.base_place;
    SumEdge<kStride>(args, p, std::max<int64_t>(0, -at), args.places_read - at);
  }
}

void RunColumns(const ColumnArgs& args) {
  args.stride == 1 ? SumColumns<1>(args) : SumColumns<2>(args);
}

ColumnKernel KernelOfColumns() { return RunColumns; }

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
