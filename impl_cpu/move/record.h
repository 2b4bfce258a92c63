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

// What a kernel needs to know of one permutation, in vectors of the instruction set.
struct RecordTable {
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  int64_t elements = 0;
  // For each vector of the result and each pair of source vectors: where its lanes come from in the
  // pair, counted over both.
  std::vector<Line> lanes;
  // The same: which lanes come from that pair, a bit for each.
  std::vector<uint64_t> from_pair;
};

// For elements of `width` bytes, of which number i of the result is number source[i] of the record;
// at most kMaxRecordBytes. Null if the best instruction set of this machine has no kernel for it.
std::shared_ptr<const RecordTable> MakeRecordTable(int width, const std::vector<int64_t>& source);

// Whether it has.
bool HasRecordKernel(int width);

// A column is a whole record, and src_col and dst_col are its size.
struct RecordShape : BoxShape {
  const RecordTable* table = nullptr;  // what MakeRecordTable gave
};
using RecordMoveKernel = void (*)(const RecordShape& shape, const std::byte* src, std::byte* dst);

// The kernel for records of so many elements; null if there is none.
RecordMoveKernel FindRecordKernel(int width, int64_t elements);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_MOVE_RECORD_H_
