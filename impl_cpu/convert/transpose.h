// Transposition with arithmetic on the way: convert(scale * (src - src_zero) + beta * dst +
// dst_zero), each operation rounded by itself, as numeric/element.h defines it.
#ifndef DNNSPEC_IMPL_CPU_CONVERT_TRANSPOSE_H_
#define DNNSPEC_IMPL_CPU_CONVERT_TRANSPOSE_H_

#include <cstddef>
#include <cstdint>

#include "api/spi/types.h"
#include "impl_cpu/move/traversal.h"

namespace impl_cpu {

// Element (r, c) goes from src + r * src_row + c * (bytes of a source element) to dst + c * dst_col
// + r * (bytes of one of the destination); its scale is scales[r * scale_row + c * scale_col].
struct TransposeShape {
  int64_t rows = 0, cols = 0;
  int64_t src_row = 0, dst_col = 0;      // bytes
  int64_t scale_row = 0, scale_col = 0;  // elements
  float beta = 0;
  float src_zero = 0, dst_zero = -0.0f;
  Traversal traversal;
};

// The matrices do not overlap; nothing outside them is written.
using TransposeKernel = void (*)(const TransposeShape& shape, const std::byte* src, std::byte* dst,
                                 const float* scales);

// Which scales are read: none, those of the rows, or those of the columns.
enum class TransposeScale { kNone, kRows, kColumns };

// A kernel for matrices of at least so many rows and columns; null where there is none.
struct FusedTranspose {
  TransposeKernel kernel = nullptr;
  int64_t rows = 0, cols = 0;
};

// From f32 or s32 to a narrower type; no sum. The scales of the columns lie side by side.
// `shifted`: with zero points; there are scales then.
FusedTranspose FindNarrowingTranspose(spi::DataType src, spi::DataType dst, TransposeScale scale,
                                      bool shifted);

// From another type to f32, or from one of bytes to s32 without scales; no sum. The scales of the
// rows lie side by side.
FusedTranspose FindWideningTranspose(spi::DataType src, spi::DataType dst, TransposeScale scale,
                                     bool shifted);

// src + dst in a type of one byte, saturated; see FindAddBytesKernel. No scales, and beta is not
// read.
FusedTranspose FindAddingTranspose(spi::DataType type);

// The kernel for the best instruction set of this machine, or null if that is no vector instruction
// set; from f32 to f32, at least 4 rows and 4 columns. `scaled` false: the scale is 1. `scale_row`:
// scales of rows lie side by side; false: they have none, and those of the columns lie anywhere.
// `sum` false: beta is 0. Not both false: that is a move.
TransposeKernel FindTransposeF32Kernel(bool scaled, bool scale_row, bool sum);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVERT_TRANSPOSE_H_
