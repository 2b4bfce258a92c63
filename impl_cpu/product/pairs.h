// Bytes as the pairs of s16 that tiles of integers read, for each instruction set.
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

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_PAIRS_H_
