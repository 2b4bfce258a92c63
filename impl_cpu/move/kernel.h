// Boxes of elements from some strides to others, unchanged, for each instruction set.
//
// An element is 1, 2, 4, 8 or 16 bytes without meaning. All strides are bytes.
#ifndef DNNSPEC_IMPL_CPU_MOVE_KERNEL_H_
#define DNNSPEC_IMPL_CPU_MOVE_KERNEL_H_

#include <cstddef>
#include <cstdint>

namespace impl_cpu {

struct RecordTable;

struct MoveShape {
  int64_t batch = 1, rows = 1, cols = 1;
  int64_t src_batch = 0, src_row = 0, src_col = 0;
  int64_t dst_batch = 0, dst_row = 0, dst_col = 0;
  // For kTransposeSplit only, where not 0: rows or columns are two loops. Row r lies at
  // r % rows_inner * src_row + r / rows_inner * src_outer_row of the source, and column c at
  // c % cols_inner * dst_col + c / cols_inner * dst_outer_col of the destination.
  int64_t rows_inner = 0, src_outer_row = 0;
  int64_t cols_inner = 0, dst_outer_col = 0;
  // For kTranspose only: how many bytes ahead rows are fetched, 0: not at all; whether tiles follow
  // one another along rows, instead of down columns; whether stores may go past the caches.
  int64_t prefetch = 0;
  bool along_rows = false;
  bool stream = false;
  const RecordTable* table = nullptr;  // for the kernels of record.h only
};

enum class MoveKind {
  kRows,            // a row is contiguous on both sides: src_col == dst_col == width
  kStreamRows,      // the same past the caches, for rows that nobody reads soon
  kTranspose,       // rows lie along the source, columns along the destination: src_col == dst_row
                    // == width
  kTransposeSplit,  // the same with rows or columns that are two loops; widths to 8 bytes
  kAny,             // any strides
};

// Moves element (b, r, c) for all b < batch, r < rows, c < cols. The boxes do not overlap, need not
// be aligned, and nothing outside them is read or written. kStreamRows and `stream` leave stores in
// flight: the caller ends with FlushStreams before another thread may look.
using MoveKernel = void (*)(const MoveShape& shape, const std::byte* src, std::byte* dst);

// The kernel for the best instruction set of this machine; `width` is the size of an element.
MoveKernel FindMoveKernel(MoveKind kind, int width);

// Waits for the stores that went past the caches.
void FlushStreams();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_MOVE_KERNEL_H_
