// The loops of a tile, per target. `Step` says what elements are, how they are loaded and
// multiplied, in how many parts an element of b, whether a is shifted, how b is looked at, and how
// results become bf16.

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "impl_cpu/numeric/lanes-inl.h"
#include "impl_cpu/product/bf16_rounding-inl.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/store_rows-inl.h"

#if defined(DNNSPEC_IMPL_CPU_PRODUCT_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_PRODUCT_TILE_INL_H_
#undef DNNSPEC_IMPL_CPU_PRODUCT_TILE_INL_H_
#else
#define DNNSPEC_IMPL_CPU_PRODUCT_TILE_INL_H_
#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

constexpr int kLanes = HWY_MAX_BYTES / 4 < kPanel ? HWY_MAX_BYTES / 4 : kPanel;
constexpr int kVectors = kPanel / kLanes;  // of a panel

// 32 registers take 12 rows of two vectors of 512 bits, 16 take 6 rows of two of 256 or 3 of four
// of 128, beside what is multiplied.
constexpr int kTileRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 3;
constexpr int kGroup = kLanes == 16 ? 2 : 1;

// Fewer sums than eight wait for each other: few rows take several k at a time, each with sums of
// its own.
constexpr int KAtATime(int rows, int vectors) {
  const int sums = rows * vectors;
  return sums >= 6 ? 1 : sums >= 3 ? 2 : 4;
}

// A `Look` sees all of b that a tile reads.
struct NoLook {
  template <class V>
  HWY_INLINE void At(V) {}
  HWY_INLINE bool Refuses(const TileArgs&) const { return false; }
};

// What steps of bytes, two or four to an element, have in common.
struct IntegerStep {
  using A = int32_t;
  using B = int32_t;
  using Sum = int32_t;
  using D = hn::CappedTag<int32_t, kPanel>;
  using V = hn::Vec<D>;
  using Line = V;
  using Look = NoLook;
  using Rounding = BitRounding;
  static constexpr int kParts = 1;
  static constexpr bool kShifted = false;
  static HWY_INLINE Line Load(const B* p) { return hn::LoadU(D(), p); }
};

// A sum and what follows it.
HWY_INLINE VF ResultOf(VF sum, const float* bias, const float* scale) {
  return hn::Mul(hn::Add(sum, hn::LoadU(DF(), bias)), hn::LoadU(DF(), scale));
}
HWY_INLINE VF ResultOf(VI sum, const float* bias, const float* scale) {
  return ResultOf(hn::ConvertTo(DF(), sum), bias, scale);
}

template <class Rounding, int kRows, int kPanels, typename T>
HWY_INLINE void StoreLines(const VF (&values)[kRows][kPanels * kVectors], TileResults* results) {
  constexpr int kLines = kRows * kPanels;
  T* const to = static_cast<T*>(results->to);
  const int64_t row = results->row, panel = results->panel;
  results->to = to + kRows * row;
#pragma GCC unroll 12
  for (int i = 0; i < kLines; i += 2) {
    VF lines[2][kVectors];
    T* at[2];
#pragma GCC unroll 2
    for (int j = 0; j < 2; ++j) {
      // An odd line is its own neighbour.
      const int line = i + j < kLines ? i + j : i, r = line / kPanels, p = line % kPanels;
      at[j] = to + r * row + p * panel;
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) lines[j][v] = values[r][p * kVectors + v];
    }
    StoreRows<Rounding>(lines, at);
  }
}

// What StoresResults names.
template <class Step, int kRows, int kPanels>
HWY_INLINE void StoreResults(const typename Step::V (&sums)[kRows][kPanels * kVectors],
                             TileResults* results) {
  using R = typename Step::Rounding;
  const float *const bias = results->bias, *const scales = results->scales;
  VF values[kRows][kPanels * kVectors];
#pragma GCC unroll 12
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kPanels * kVectors; ++v)
      values[r][v] = ResultOf(sums[r][v], bias + v * kLanes, scales + v * kLanes);
  const spi::DataType type = results->type;
  if (type == spi::DataType::kF32) return StoreLines<R, kRows, kPanels, float>(values, results);
  if constexpr (std::is_same<typename Step::Sum, int32_t>::value) {
    if (type == spi::DataType::kU8) return StoreLines<R, kRows, kPanels, uint8_t>(values, results);
    if (type == spi::DataType::kS8) return StoreLines<R, kRows, kPanels, int8_t>(values, results);
  }
  StoreLines<R, kRows, kPanels, BF16>(values, results);
}

// False where `Look` refuses what it saw: then nothing is stored.
template <class Step, class Look, int kRows, int kPanels, bool kResults>
HWY_INLINE bool Tile(const TileArgs& args, const typename Step::A* HWY_RESTRICT a,
                     typename Step::Sum* HWY_RESTRICT sums, const char*& ahead) {
  using A = typename Step::A;
  using B = typename Step::B;
  using V = typename Step::V;
  using Line = typename Step::Line;
  using X = decltype(Step::Broadcast(a));
  using W = decltype(Step::template Part<0>(std::declval<Line>()));
  constexpr int kV = kPanels * kVectors, kBases = (kRows + 2) / 3;
  // Lines that become several vectors leave registers for fewer sums.
  constexpr int kK = std::is_same<W, V>::value ? KAtATime(kRows, kV) : kRows * kV > 2 ? 1 : 2;
  const typename Step::D d;
  Look look;
  V sum[kK][kRows][kV], shift[kV];
#pragma GCC unroll 4
  for (int v = 0; v < kV; ++v) shift[v] = hn::Zero(d);
  const auto* const first = static_cast<const typename Step::Sum*>(args.first);
#pragma GCC unroll 4
  for (int v = 0; v < kV; ++v) {
    const V begin = first == nullptr ? hn::Zero(d) : hn::LoadU(d, first + v * kLanes);
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) sum[0][r][v] = begin;
  }
#pragma GCC unroll 4
  for (int u = 1; u < kK; ++u)
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kV; ++v) sum[u][r][v] = hn::Zero(d);
  const int64_t row = args.a_row, step = args.a_step, panel = args.b_panel;
  const int64_t b_step = args.b_step, ahead_step = args.ahead_step;
  const char* fetch = ahead;
  // Rows by threes have addresses that need one register each and the stride.
  const A* base[kBases];
#pragma GCC unroll 4
  for (int g = 0; g < kBases; ++g) base[g] = a + 3 * g * row;
  const B* HWY_RESTRICT b = static_cast<const B*>(args.b);
  const auto part = [&](V(&to)[kRows][kV], const W(&w)[kV]) HWY_ATTR
      __attribute__((always_inline)) {
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) {
      const X x = Step::Broadcast(base[r / 3] + r % 3 * row);
#pragma GCC unroll 4
      for (int v = 0; v < kV; ++v) to[r][v] = Step::MulAdd(x, w[v], to[r][v]);
    }
#pragma GCC unroll 4
    for (int g = 0; g < kBases; ++g) base[g] += step;
  };
  // What is called keeps its sums in memory.
  const auto one_k = [&](V(&to)[kRows][kV]) HWY_ATTR __attribute__((always_inline)) {
    Line lines[kV];
#pragma GCC unroll 4
    for (int v = 0; v < kV; ++v)
      lines[v] = Step::Load(b + v / kVectors * panel + v % kVectors * kLanes);
#pragma GCC unroll 4
    for (int v = 0; v < kV; ++v) look.At(lines[v]);
    hwy::Prefetch(fetch);
    if (kPanels > 1) hwy::Prefetch(fetch + panel * static_cast<int64_t>(sizeof(B)));
    fetch += ahead_step;
    W w[kV];
#pragma GCC unroll 4
    for (int v = 0; v < kV; ++v) w[v] = Step::template Part<0>(lines[v]);
    if constexpr (Step::kShifted)
#pragma GCC unroll 4
      for (int v = 0; v < kV; ++v) shift[v] = Step::MulAdd(Step::Shift(), w[v], shift[v]);
    part(to, w);
    if constexpr (Step::kParts == 2) {
#pragma GCC unroll 4
      for (int v = 0; v < kV; ++v) w[v] = Step::template Part<1>(lines[v]);
      part(to, w);
    }
    b += b_step;
  };
  int64_t k = 0;
  for (; k + kK <= args.depth; k += kK)
#pragma GCC unroll 4
    for (int u = 0; u < kK; ++u) one_k(sum[u]);
  for (; k < args.depth; ++k) one_k(sum[0]);
  ahead = fetch;
  if (look.Refuses(args)) return false;
  const auto sum_of = [&](int r, int v) HWY_ATTR __attribute__((always_inline)) {
    V total = sum[0][r][v];
#pragma GCC unroll 4
    for (int u = 1; u < kK; ++u) total = hn::Add(total, sum[u][r][v]);
    if constexpr (Step::kShifted) total = hn::Sub(total, shift[v]);
    return total;
  };
  if constexpr (kResults) {
    V all[kRows][kV];
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
      for (int v = 0; v < kV; ++v) all[r][v] = sum_of(r, v);
    StoreResults<Step, kRows, kPanels>(all, args.results);
    return true;
  }
  // What is stored could be what is read of `args`, for all that the compiler knows.
  const int64_t sums_row = args.sums_row, sums_panel = args.sums_panel;
  const bool add = args.add;
#pragma GCC unroll 12
  for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
    for (int v = 0; v < kV; ++v) {
      V total = sum_of(r, v);
      typename Step::Sum* const to =
          sums + r * sums_row + v / kVectors * sums_panel + v % kVectors * kLanes;
      if (add) total = hn::Add(total, hn::LoadU(d, to));
      hn::StoreU(total, d, to);
    }
  return true;
}

// Results have functions of their own: what they need beside sums is not set up for others.
template <class Step, int kRows, int kPanels, bool kResults = false>
HWY_NOINLINE void Tiles(const TileArgs& args) {
  if constexpr (!kResults)
    if (args.results != nullptr) return Tiles<Step, kRows, kPanels, true>(args);
  const auto* a = static_cast<const typename Step::A*>(args.a);
  auto* sums = static_cast<typename Step::Sum*>(args.sums);
  const char* ahead = static_cast<const char*>(args.ahead);
  for (int64_t t = 0; t < args.tiles; ++t) {
    // What b is, the first tile tells for all.
    if (std::is_same<typename Step::Look, NoLook>::value || t > 0 || args.refused == nullptr) {
      Tile<Step, NoLook, kRows, kPanels, kResults>(args, a, sums, ahead);
    } else if (!Tile<Step, typename Step::Look, kRows, kPanels, kResults>(args, a, sums, ahead)) {
      *args.refused = true;
      return;
    }
    a += args.a_tile;
    sums += kRows * args.sums_row;
  }
}

template <class Step, int kRows>
void AddTiles(TileKernels* kernels) {
  kernels->tile[0][kRows] = Tiles<Step, kRows, 1>;
  if constexpr (kGroup > 1) kernels->tile[1][kRows] = Tiles<Step, kRows, kGroup>;
  if constexpr (kRows > 1) AddTiles<Step, kRows - 1>(kernels);
}

template <class Step, int kRows = kTileRows>
TileKernels AllTiles() {
  TileKernels kernels;
  kernels.max_rows = kRows;
  kernels.panels = kGroup;
  AddTiles<Step, kRows>(&kernels);
  return kernels;
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
