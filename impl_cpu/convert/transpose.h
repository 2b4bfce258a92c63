// Transposition of f32 with arithmetic on the way: scale * src + beta * dst, each operation rounded
// by itself.
#ifndef DNNSPEC_IMPL_CPU_CONVERT_TRANSPOSE_H_
#define DNNSPEC_IMPL_CPU_CONVERT_TRANSPOSE_H_

#include <cstddef>
#include <cstdint>

namespace impl_cpu {

// Element (r, c) goes from src + r * src_row + c * 4 to dst + r * 4 + c * dst_col, all in bytes;
// its scale is scales[r * scale_row + c * scale_col].
struct TransposeShape {
  int64_t rows = 0, cols = 0;
  int64_t src_row = 0, dst_col = 0;
  int64_t scale_row = 0;  // 0 or 1
  int64_t scale_col = 0;
  float beta = 0;
  // How many bytes ahead rows are fetched, 0: not at all; whether tiles follow one another along
  // rows, instead of down columns.
  int64_t prefetch = 0;
  bool along_rows = false;
};

// At least 4 rows and 4 columns. The matrices do not overlap; nothing outside them is written.
using TransposeKernel = void (*)(const TransposeShape& shape, const std::byte* src, std::byte* dst,
                                 const float* scales);

// The kernel for the best instruction set of this machine, or null if that is no vector instruction
// set. `scaled` false: the scale is 1. `sum` false: beta is 0.
TransposeKernel FindTransposeF32Kernel(bool scaled, bool scale_row, bool sum);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVERT_TRANSPOSE_H_
