// Rows of elements from one data type to another, with scales, zero points and sum, for each
// instruction set.
//
//   dst = convert(scale * (src - src_zero) + beta * dst + dst_zero)
//
// in f32, each operation rounded by itself, bit for bit as numeric/element.h defines it. The
// elements of a row lie side by side on both sides.
#ifndef DNNSPEC_IMPL_CPU_CONVERT_KERNEL_H_
#define DNNSPEC_IMPL_CPU_CONVERT_KERNEL_H_

#include <cstddef>
#include <cstdint>

#include "api/spi/types.h"
#include "impl_cpu/move/traversal.h"

namespace impl_cpu {

struct ConvertShape {
  int64_t rows = 1, cols = 0;        // cols elements to a row
  int64_t src_row = 0, dst_row = 0;  // bytes from one row to the next
  // Elements from the first scale of a row to that of the next, and from one column to the next: 0
  // or 1.
  int64_t scale_row = 0, scale_col = 0;
  float beta = 0;
  float src_zero = 0, dst_zero = -0.0f;  // as they are, they change nothing
  Traversal traversal;
};

// What a kernel computes.
enum class ConvertMode {
  kCopy,      // nothing: the plain conversion of the pair of types; `scales` is not read
  kScale,     // scale * src
  kScaleSum,  // scale * src + beta * dst
  kShift,     // scale * (src - src_zero) + dst_zero
  kShiftSum,  // scale * (src - src_zero) + beta * dst + dst_zero
};

// `src` and `dst` do not overlap, or are one place with equal strides and elements of one size.
// They need not be aligned, and nothing beyond the rows is read or written.
using ConvertKernel = void (*)(const ConvertShape& shape, const std::byte* src, std::byte* dst,
                               const float* scales);

// The kernel for the best instruction set of this machine, or null if that is no vector instruction
// set. `sum_type` is how a sum reads the destination; another type than `dst`, of the same
// size, is served for src = f32 only, and so is kShiftSum. Equal types are served where something
// is computed.
ConvertKernel FindConvertKernel(spi::DataType src, spi::DataType dst, ConvertMode mode,
                                spi::DataType sum_type);

// src + dst in a type of one byte, saturated: what kScaleSum gives with the scale and beta 1, from
// one instruction on bytes. Null as above, and for the other types.
ConvertKernel FindAddBytesKernel(spi::DataType type);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVERT_KERNEL_H_
