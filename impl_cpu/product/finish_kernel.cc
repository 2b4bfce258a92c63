#include "impl_cpu/product/finish_kernel.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <variant>

#include "impl_cpu/elementwise/kernel.h"
#include "impl_cpu/isa/avx3_dl.h"  // machines that round to bf16 have this level of AVX-512
#include "impl_cpu/numeric/eltwise.h"
#include "impl_cpu/numeric/storage.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/finish_kernel.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "impl_cpu/numeric/lanes-inl.h"
#include "impl_cpu/product/bf16_rounding-inl.h"
#include "impl_cpu/product/store_rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

FinishKernel KernelOfFinish() { return nullptr; }

#else

constexpr int kFinishLanes = hn::MaxLanes(DF());
static_assert(kPanel % kFinishLanes == 0);

// A sum, as f32.
HWY_INLINE float* SumAt(const FinishBlock& block, int64_t row, int64_t col) {
  return static_cast<float*>(block.sums) + row * block.sums_row + col / kPanel * block.sums_panel +
         col % kPanel;
}

// sum = f(sum, column) for whole vectors, those that hold the last columns among them.
template <class F>
HWY_INLINE void ForVectors(const FinishBlock& block, F f) {
  for (int64_t r = 0; r < block.rows; ++r)
    for (int64_t c = 0; c < block.cols; c += kFinishLanes) {
      float* const at = SumAt(block, r, c);
      hn::StoreU(f(hn::LoadU(DF(), at), c), DF(), at);
    }
}

// The columns of a panel.
struct PanelColumns {
  int64_t count;      // at most kPanel
  bool side_by_side;  // their elements in the result
  bool line() const { return side_by_side && count == kPanel; }
};

// Those from column `c` on. Blocks may lie in any order, so that each offset counts.
PanelColumns ColumnsFrom(const FinishBlock& block, int64_t c) {
  static constexpr int64_t kSideBySide[kPanel] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                  8, 9, 10, 11, 12, 13, 14, 15};
  const hn::CappedTag<int64_t, 4> d;
  constexpr int64_t kLanes = hn::MaxLanes(d);
  const int64_t* const at = block.col_offsets + c;
  PanelColumns columns = {std::min<int64_t>(kPanel, block.cols - c), true};
  if (columns.count < kPanel) {
    for (int64_t i = 1; i < columns.count; ++i)
      columns.side_by_side = columns.side_by_side && at[i] - at[0] == i;
    return columns;
  }
  const auto first = hn::Set(d, at[0]);
  auto differs = hn::Zero(d);
  for (int64_t i = 0; i < kPanel; i += kLanes)
    differs = hn::Or(differs,
                     hn::Xor(hn::Sub(hn::LoadU(d, at + i), first), hn::LoadU(d, kSideBySide + i)));
  columns.side_by_side = hn::AllTrue(d, hn::Eq(differs, hn::Zero(d)));
  return columns;
}

template <typename T>
void AddOld(const FinishBlock& block, float scale) {
  const VF factor = hn::Set(DF(), scale);
  const T* const from = reinterpret_cast<const T*>(block.to);
  for (int64_t c = 0; c < block.cols; c += kPanel) {
    const PanelColumns columns = ColumnsFrom(block, c);
    const bool line = columns.line();
    for (int64_t r = 0; r < block.rows; ++r) {
      float* const row = SumAt(block, r, c);
      const int64_t at = block.row_offsets[r];
      HWY_ALIGN float old[kPanel] = {};
      if (!line)
        for (int64_t i = 0; i < columns.count; ++i)
          old[i] = Widen(LoadElement<T>(
              reinterpret_cast<const std::byte*>(from + at + block.col_offsets[c + i])));
      for (int i = 0; i < kPanel; i += kFinishLanes) {
        const VF value =
            line ? LoadF32(from + at + block.col_offsets[c] + i) : hn::Load(DF(), old + i);
        hn::Store(hn::Add(hn::Load(DF(), row + i), hn::Mul(factor, value)), DF(), row + i);
      }
    }
  }
}

void EltwiseBlock(const FinishBlock& block, const spi::EltwiseOp& op) {
  const Function function = {op.algorithm, op.alpha, op.beta};
  if (const ForwardKernel kernel = FindForwardKernel(function)) {
    const EltwiseRows rows = {block.rows, kPanel, block.sums_row, block.sums_row};
    for (int64_t c = 0; c < block.cols; c += kPanel)
      kernel(function, rows, SumAt(block, 0, c), SumAt(block, 0, c));
  } else {
    for (int64_t r = 0; r < block.rows; ++r)
      for (int64_t c = 0; c < block.cols; ++c) {
        float* const at = SumAt(block, r, c);
        *at = Eltwise(op, *at);
      }
  }
  if (op.scale == 1) return;
  const VF scale = hn::Set(DF(), op.scale);
  ForVectors(block, [&](VF v, int64_t) HWY_ATTR { return hn::Mul(scale, v); });
}

// The columns from `c` on of a row, out of a panel.
template <typename T>
void StorePanel(const FinishBlock& block, int64_t c, const PanelColumns& columns, const T* from,
                T* to) {
  const int64_t count = columns.count;
  if (columns.side_by_side) {
    std::memcpy(to + block.col_offsets[c], from, static_cast<size_t>(count) * sizeof(T));
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + block.col_offsets[c + i], from + i, sizeof(T));
}

// From f32, or s32 if `D` is of these.
template <class D, typename T>
void StoreAs(const FinishBlock& block) {
  for (int64_t c = 0; c < block.cols; c += kPanel) {
    const PanelColumns columns = ColumnsFrom(block, c);
    const bool line = columns.line();
    for (int64_t r = 0; r < block.rows; ++r) {
      const auto* const row = reinterpret_cast<const hn::TFromD<D>*>(SumAt(block, r, c));
      T* const to = reinterpret_cast<T*>(block.to) + block.row_offsets[r];
      HWY_ALIGN T panel[kPanel];
      T* const at = line ? to + block.col_offsets[c] : panel;
      for (int i = 0; i < kPanel; i += kFinishLanes) Store1(hn::Load(D(), row + i), at + i);
      if (!line) StorePanel(block, c, columns, panel, to);
    }
  }
}

// Vectors of a panel.
constexpr int kFinishVectors = kPanel / kFinishLanes;

// Of the columns of a panel. Without a bias -0 is added, without a scale each sum is multiplied by
// 1, which leaves it as it is.
struct PanelNumbers {
  VF bias[kFinishVectors], scale[kFinishVectors];
};

HWY_INLINE PanelNumbers NumbersFrom(const FinishBlock& block, int64_t c) {
  const bool biased = block.finish->bias_buffer >= 0;
  const bool scaled = block.finish->scale != Finish::Scale::kNone;
  PanelNumbers numbers;
#pragma GCC unroll 4
  for (int v = 0; v < kFinishVectors; ++v) {
    const int64_t at = c + v * kFinishLanes;
    numbers.bias[v] = biased ? hn::Load(DF(), block.numbers->bias + at) : hn::Set(DF(), -0.0f);
    numbers.scale[v] = scaled ? hn::Load(DF(), block.numbers->scales + at) : hn::Set(DF(), 1.0f);
  }
  return numbers;
}

template <bool kIntegers>
HWY_INLINE void FinishLine(const float* sums, const PanelNumbers& numbers,
                           VF (&values)[kFinishVectors]) {
#pragma GCC unroll 4
  for (int v = 0; v < kFinishVectors; ++v) {
    VF sum = hn::LoadU(DF(), sums + v * kFinishLanes);
    if constexpr (kIntegers) sum = hn::ConvertTo(DF(), hn::BitCast(DI(), sum));
    values[v] = hn::Mul(hn::Add(sum, numbers.bias[v]), numbers.scale[v]);
  }
}

// Two panels whose columns lie side by side, row by row: of one after the other each line would be
// written by itself, which takes three times as long where rows are far apart.
template <class Rounding, bool kIntegers, typename T>
void FinishTwoPanels(const FinishBlock& block) {
  const PanelNumbers left = NumbersFrom(block, 0), right = NumbersFrom(block, kPanel);
  T* const to = reinterpret_cast<T*>(block.to);
  const int64_t rows = block.rows, sums_row = block.sums_row, sums_panel = block.sums_panel;
  const int64_t left_col = block.col_offsets[0], right_col = block.col_offsets[kPanel];
  const int64_t* const row_offsets = block.row_offsets;
  const float* sums = SumAt(block, 0, 0);
  for (int64_t r = 0; r < rows; ++r, sums += sums_row) {
    VF values[2][kFinishVectors];
    FinishLine<kIntegers>(sums, left, values[0]);
    FinishLine<kIntegers>(sums + sums_panel, right, values[1]);
    T* const at[2] = {to + row_offsets[r] + left_col, to + row_offsets[r] + right_col};
    StoreRows<Rounding>(values, at);
  }
}

// Bias, scale and conversion of each sum at once.
template <class Rounding, bool kIntegers, typename T>
void FinishAtOnce(const FinishBlock& block) {
  if (block.cols == 2 * kPanel && ColumnsFrom(block, 0).side_by_side &&
      ColumnsFrom(block, kPanel).side_by_side)
    return FinishTwoPanels<Rounding, kIntegers, T>(block);
  for (int64_t c = 0; c < block.cols; c += kPanel) {
    const PanelNumbers numbers = NumbersFrom(block, c);
    const PanelColumns columns = ColumnsFrom(block, c);
    const bool line = columns.line();
    HWY_ALIGN T panels[2][kPanel];
    const float* const sums = SumAt(block, 0, c);
    T* const first = reinterpret_cast<T*>(block.to);
    const int64_t rows = block.rows, sums_row = block.sums_row, col = block.col_offsets[c];
    const int64_t* const row_offsets = block.row_offsets;
    for (int64_t r = 0; r < rows; r += 2) {
      // An odd row is its own neighbour.
      const int64_t both[2] = {r, std::min(r + 1, rows - 1)};
      VF values[2][kFinishVectors];
      T* at[2];
#pragma GCC unroll 2
      for (int i = 0; i < 2; ++i) {
        at[i] = line ? first + row_offsets[both[i]] + col : panels[i];
        FinishLine<kIntegers>(sums + both[i] * sums_row, numbers, values[i]);
      }
      StoreRows<Rounding>(values, at);
      if (line) continue;
      for (int i = 0; i < 2; ++i)
        StorePanel(block, c, columns, panels[i], first + row_offsets[both[i]]);
    }
  }
}

// The sums of integers as they are, with a bias of integers, saturated.
void FinishExact(const FinishBlock& block) {
  if (block.finish->bias_buffer >= 0)
    for (int64_t r = 0; r < block.rows; ++r) {
      for (int64_t c = 0; c < block.cols; ++c) {
        auto* const at = reinterpret_cast<int32_t*>(SumAt(block, r, c));
        const int64_t sum = int64_t{*at} + block.numbers->exact_bias[c];
        *at = static_cast<int32_t>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
      }
    }
  StoreAs<DI, int32_t>(block);
}

template <class Rounding>
void RunFinish(const FinishBlock& block) {
  const Finish& finish = *block.finish;
  if (block.integers && finish.exact) return FinishExact(block);
  if (finish.post_ops.empty() && !block.in_place)
    return WithType(block.type, [&](auto t) {
      using T = decltype(t);
      using R = std::conditional_t<std::is_same<T, BF16>::value, Rounding, BitRounding>;
      block.integers ? FinishAtOnce<R, true, T>(block) : FinishAtOnce<R, false, T>(block);
    });
  if (block.integers)
    ForVectors(block,
               [](VF v, int64_t) HWY_ATTR { return hn::ConvertTo(DF(), hn::BitCast(DI(), v)); });
  if (finish.bias_buffer >= 0)
    ForVectors(block, [&](VF v, int64_t c)
                          HWY_ATTR { return hn::Add(v, hn::Load(DF(), block.numbers->bias + c)); });
  if (finish.scale != Finish::Scale::kNone)
    ForVectors(block, [&](VF v, int64_t c) HWY_ATTR {
      return hn::Mul(v, hn::Load(DF(), block.numbers->scales + c));
    });
  for (const spi::PostOp& op : finish.post_ops) {
    if (const auto* const sum = std::get_if<spi::SumOp>(&op)) {
      WithType(sum->type, [&](auto t) { AddOld<decltype(t)>(block, sum->scale); });
    } else {
      EltwiseBlock(block, std::get<spi::EltwiseOp>(op));
    }
  }
  if (block.in_place) return;
  WithType(block.type, [&](auto t) { StoreAs<DF, decltype(t)>(block); });
}

FinishKernel KernelOfFinish() {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL
  if (MultipliesBf16Fast()) return RunFinish<Bf16Rounding<false>>;
#endif
  return RunFinish<BitRounding>;
}

#endif  // HWY_TARGET

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(KernelOfFinish);

FinishKernel FindFinishKernel() { return HWY_DYNAMIC_DISPATCH(KernelOfFinish)(); }

namespace {

// Of bf16 side by side.
void WidenBias(const std::byte* from, int64_t cols, float* bias) {
  for (int64_t c = 0; c < cols; ++c) {
    uint16_t upper;
    std::memcpy(&upper, from + c * 2, sizeof(upper));
    const uint32_t bits = uint32_t{upper} << 16;
    std::memcpy(bias + c, &bits, sizeof(bits));
  }
}

}  // namespace

void ReadColumnNumbers(const Finish& finish, const std::byte* bias, const float* scales, int64_t n,
                       int64_t cols, ColumnNumbers* numbers) {
  constexpr int64_t kMost = int64_t{kMaxGroup} * kPanel;
  const bool side_by_side = finish.bias.strided() && finish.bias.stride() == 1 && !finish.exact &&
                            finish.bias_buffer >= 0;
  if (finish.bias_buffer >= 0) std::fill(numbers->bias + cols, numbers->bias + kMost, 0.0f);
  if (side_by_side && finish.bias_type == spi::DataType::kF32) {
    std::memcpy(numbers->bias, bias + (finish.bias_offset + n) * 4,
                static_cast<size_t>(cols) * sizeof(float));
  } else if (side_by_side && finish.bias_type == spi::DataType::kBF16) {
    WidenBias(bias + (finish.bias_offset + n) * 2, cols, numbers->bias);
  } else if (finish.bias_buffer >= 0) {
    int64_t at[kMost];
    finish.bias.Offsets(n, cols, at);
    for (int64_t c = 0; c < cols; ++c) {
      const std::byte* const from =
          bias + (finish.bias_offset + at[c]) * spi::SizeOf(finish.bias_type);
      if (finish.exact) {
        numbers->exact_bias[c] = LoadInteger(finish.bias_type, from);
      } else {
        numbers->bias[c] = LoadWidened(finish.bias_type, from);
      }
    }
  }
  if (finish.scale == Finish::Scale::kNone) return;
  const bool many = finish.scale == Finish::Scale::kMany;
  for (int64_t c = 0; c < cols; ++c) numbers->scales[c] = scales[many ? n + c : 0];
  std::fill(numbers->scales + cols, numbers->scales + kMost, 0.0f);
}

namespace {

// Numbers that leave a sum as it is, as PanelNumbers has them.
struct NoNumbers {
  float bias[kMaxGroup * kPanel] = {}, scales[kMaxGroup * kPanel] = {};
  constexpr NoNumbers() {
    for (float& number : bias) number = -0.0f;
    for (float& number : scales) number = 1;
  }
};
constexpr NoNumbers kNothing;

}  // namespace

TileResults ResultsOf(const Finish& finish, const ColumnNumbers& numbers, spi::DataType type) {
  TileResults results;
  results.type = type;
  results.bias = finish.bias_buffer >= 0 ? numbers.bias : kNothing.bias;
  results.scales = finish.scale != Finish::Scale::kNone ? numbers.scales : kNothing.scales;
  return results;
}

void FinishElement(const Finish& finish, float sum, float bias, float scale, spi::DataType type,
                   std::byte* to) {
  float value = sum;
  if (finish.bias_buffer >= 0) value += bias;
  if (finish.scale != Finish::Scale::kNone) value *= scale;
  for (const spi::PostOp& op : finish.post_ops) {
    if (const auto* const old = std::get_if<spi::SumOp>(&op)) {
      value += old->scale * LoadWidened(old->type, to);
    } else {
      const auto& eltwise = std::get<spi::EltwiseOp>(op);
      value = Eltwise(eltwise, value);
      if (eltwise.scale != 1) value *= eltwise.scale;
    }
  }
  StoreNarrowed(value, type, to);
}

}  // namespace impl_cpu
#endif
