// Kernels that move boxes of elements from some strides to others, unchanged, for each instruction
// set.
//
// An element is 1, 2, 4, 8 or 16 bytes without meaning. All strides are bytes. A kernel moves
// element (b, r, c) for all b < batch, r < rows, c < cols. Source and destination do not overlap
// and need not be aligned, and nothing outside them is read or written.
//
// Each Find function gives the kernel for the best instruction set of this machine; `width` is the
// size of an element in bytes.
#ifndef DNNSPEC_IMPL_CPU_MOVE_KERNEL_H_
#define DNNSPEC_IMPL_CPU_MOVE_KERNEL_H_

#include <cstddef>
#include <cstdint>

#include "impl_cpu/move/traversal.h"

namespace impl_cpu {

struct BoxShape {
  int64_t batch = 1, rows = 1, cols = 1;
  int64_t src_batch = 0, src_row = 0, src_col = 0;
  int64_t dst_batch = 0, dst_row = 0, dst_col = 0;
};
using BoxKernel = void (*)(const BoxShape& shape, const std::byte* src, std::byte* dst);

// Rows that are contiguous on both sides: src_col == dst_col == width. `non_temporal`: with
// non-temporal stores, for what nobody reads soon.
BoxKernel FindRowsKernel(int width, bool non_temporal);

// One such row of so many bytes, which is what `cols` counts: how it is copied is decided now.
BoxKernel FindRowKernel(int64_t bytes);

// Any strides.
BoxKernel FindGenericKernel(int width);

// Rows lie along the source, columns along the destination: src_col == dst_row == width.
struct MatrixShape : BoxShape {
  Traversal traversal;
  bool non_temporal = false;  // non-temporal stores are allowed
};
using MatrixKernel = void (*)(const MatrixShape& shape, const std::byte* src, std::byte* dst);
MatrixKernel FindTransposeKernel(int width);

// The same, but where not 0 rows or columns are two loops. Row r lies at r % rows_inner * src_row +
// r / rows_inner * src_outer_row of the source, and column c at c % cols_inner * dst_col + c /
// cols_inner * dst_outer_col of the destination. Widths to 8 bytes.
struct SplitShape : BoxShape {
  int64_t rows_inner = 0, src_outer_row = 0;
  int64_t cols_inner = 0, dst_outer_col = 0;
};
using SplitMoveKernel = void (*)(const SplitShape& shape, const std::byte* src, std::byte* dst);
SplitMoveKernel FindSplitKernel(int width);

// Orders non-temporal stores before later ones: the caller of a kernel that makes them ends with it
// before another thread may look.
void FenceNonTemporalStores();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_MOVE_KERNEL_H_
