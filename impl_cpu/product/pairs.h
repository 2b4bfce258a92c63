// Elements as the pairs that tiles read, for each instruction set: bytes as pairs of s16, and pairs
// of elements of 16 bits.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_PAIRS_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_PAIRS_H_

#include <cstddef>
#include <cstdint>

#include "api/spi/types.h"

namespace impl_cpu {

struct PairKernels {
  // `count` bytes to as many s16.
  void (*widen)(const std::byte* from, int64_t count, int16_t* to) = nullptr;
  // Rows of 16 bytes, `row` bytes apart: rows 2 i and 2 i + 1 become 16 pairs. An even number.
  void (*interleave)(const std::byte* from, int64_t row, int64_t rows, int16_t* to) = nullptr;
  // Lines of 16 times four bytes, which become twice as many of 16 pairs.
  void (*split)(const std::byte* from, int64_t lines, int16_t* to) = nullptr;
};

// For the best instruction set of this machine; `type` is s8 or u8. None where that has no vectors.
PairKernels FindPairKernels(spi::DataType type);

// `split` of many lines, by several threads.
void SplitLines(const PairKernels& kernels, const std::byte* from, int64_t lines, int threads,
                int16_t* to);

// Of rows `row` elements apart, those of an even number and the next become one of `cols` pairs,
// `to_row` pairs apart; with zeros where there is no next one. At most 16 columns.
struct JoinShape {
  int64_t rows = 0, cols = 0, row = 0, to_row = 0;
};
using JoinKernel = void (*)(const JoinShape& shape, const uint16_t* from, uint32_t* to);
JoinKernel FindJoinKernel();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_PAIRS_H_
