// Short records whose elements change places: a fixed permutation of up to 512 contiguous bytes.
//
// Batches of small matrices, shuffles of a short innermost axis, any permutation of small axes.
#ifndef DNNSPEC_IMPL_CPU_MOVE_RECORD_H_
#define DNNSPEC_IMPL_CPU_MOVE_RECORD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "impl_cpu/move/kernel.h"

namespace impl_cpu {

constexpr int64_t kMaxRecordBytes = 512;

// What a kernel needs to know of one permutation.
struct RecordTable {
  int64_t elements = 0;

  // For instruction sets that permute two whole vectors:

  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  // For each vector of the result and each pair of source vectors: where its lanes come from in the
  // pair, counted over both.
  std::vector<Line> lanes;
  // The same: which lanes come from that pair, a bit for each.
  std::vector<uint64_t> from_pair;

  // For all others:

  // 16 bytes of the source from `begin` on, and which of them goes where in a block; 0x80: none.
  struct alignas(16) Window {
    uint8_t lanes[16];
    uint16_t begin;
  };
  // 16 bytes of the result from `begin` on: the bytes of the next so many windows together.
  struct Block {
    uint16_t begin, windows;
  };
  int64_t bytes = 0;  // of a record; with fewer than 16 there is one block, from 0 on
  std::vector<Block> blocks;
  std::vector<Window> windows;
};

// For elements of `width` bytes, of which number i of the result is number source[i] of the record;
// at most kMaxRecordBytes. Null if the best instruction set of this machine has no kernel for it.
std::shared_ptr<const RecordTable> MakeRecordTable(int width, const std::vector<int64_t>& source);

// Whether it has.
bool HasRecordKernel(int width);

// The kernel for such records: MoveShape::table is set, a column is a whole record, and src_col and
// dst_col its size. Records follow one another as rows and batches.
MoveKernel FindRecordKernel(int width, int64_t elements);

// Behind the above, where no vectors are permuted: the kernel, null for other widths than 1, 2 and
// 4 or without vectors, and its part of the table.
MoveKernel FindBlockRecordKernel(int width);
void FillBlocks(int width, const std::vector<int64_t>& source, RecordTable* table);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_MOVE_RECORD_H_
