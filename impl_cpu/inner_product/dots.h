// The sums of products of an inner product where rows and columns both lie along k: no column is
// copied, as few rows and few columns would not repay it. For each instruction set.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_DOTS_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_DOTS_H_

#include <cstddef>
#include <cstdint>

#include "api/spi/types.h"

namespace impl_cpu {

// Strides count elements. Sums are f32, or s32 of bytes.
struct DotArgs {
  const std::byte* a = nullptr;  // element (r, k) lies at r * a_row + k
  int64_t a_row = 0;
  const std::byte* b = nullptr;  // element (k, c) lies at c * b_col + k
  int64_t b_col = 0;
  int64_t rows = 0, cols = 0, depth = 0;
  void* sums = nullptr;  // sum (r, c) lies at r * sums_row + c
  int64_t sums_row = 0;
};
using DotKernel = void (*)(const DotArgs& args);

// For the best instruction set of this machine; null where that has no vectors, and for other types
// than f32, bf16, and u8 or s8 by s8.
DotKernel FindDotKernel(spi::DataType a, spi::DataType b);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_DOTS_H_
