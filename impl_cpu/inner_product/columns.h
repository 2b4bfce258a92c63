// The sums of an inner product of few rows, where its columns lie side by side: what a tile does
// before and after its products would take most of the time. For each instruction set.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMNS_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMNS_H_

#include <cstdint>

namespace impl_cpu {

// c(r, i) = sum over k of a(r, k) * b(k, i), of few k. Strides count elements.
struct ColumnSumsArgs {
  const float* a = nullptr;  // element (r, k) lies at r * a_row + k * a_step
  int64_t a_row = 0, a_step = 0;
  const float* b = nullptr;  // element (k, i) lies at k * b_step + i
  int64_t b_step = 0;
  float* c = nullptr;  // element (r, i) lies at r * c_row + i
  int64_t c_row = 0;
  int64_t rows = 0, depth = 0, cols = 0;
  bool add = false;  // to what c holds
};
using ColumnSumsKernel = void (*)(const ColumnSumsArgs& args);

// For the best instruction set of this machine; null where that has no vectors.
ColumnSumsKernel FindColumnSumsKernel();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMNS_H_
