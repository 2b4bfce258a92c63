// The sums of an inner product of few rows or few k, where its columns lie side by side: what a
// tile does before and after its products would take most of the time. For each instruction set.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMNS_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMNS_H_

#include <cstdint>

namespace impl_cpu {

// sum(r, i) = sum over k of a(r, k) * b(k, i). Columns lie in panels of 16 side by side, which may
// follow one another without a gap; strides count elements.
struct ColumnSumsArgs {
  const float* a = nullptr;  // element (r, k) lies at r * a_row + k * a_step
  int64_t a_row = 0, a_step = 0;
  // Element (k, i) lies at i / 16 * b_panel + k * b_step + i % 16, as f32, or as bf16 in the
  // second.
  const float* b = nullptr;
  const uint16_t* b_bf16 = nullptr;
  int64_t b_step = 0, b_panel = 0;
  float* sums = nullptr;  // sum (r, i) lies at i / 16 * sums_panel + r * sums_row + i % 16
  int64_t sums_row = 0, sums_panel = 0;
  bool add = false;  // to the sums that are there
  // Lines of sums are stored past the caches. `sums` begins with one, and so do panels and rows.
  // The caller ends with FenceNonTemporalStores() (move/kernel.h).
  bool non_temporal = false;
  // Where sums go as bf16 instead; null: nowhere. `sums` is read then if `add`, and else may be
  // null.
  uint16_t* rounded = nullptr;
  int64_t rounded_row = 0, rounded_panel = 0;
  int64_t rows = 0, depth = 0, cols = 0;
};

// Of so few k the columns stay in registers, so that rows cost little.
constexpr int kMostHeldDepth = 4;

struct ColumnKernels {
  void (*sums)(const ColumnSumsArgs& args) = nullptr;  // null: there are none
  // The same where no sum is subnormal, if that is faster; else null.
  void (*normal_sums)(const ColumnSumsArgs& args) = nullptr;
};

// For the best instruction set of this machine; none where that has no vectors.
ColumnKernels FindColumnKernels();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMNS_H_
