// Turns sums into elements of the result, for each instruction set: bias, scales, post-ops, and one
// conversion, for a block of rows of up to two panels.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_FINISH_KERNEL_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_FINISH_KERNEL_H_

#include <cstddef>
#include <cstdint>

#include "api/spi/types.h"
#include "impl_cpu/product/finish.h"
#include "impl_cpu/product/kernel.h"

namespace impl_cpu {

// Numbers for the columns of a block, those beyond its last column among them. Nothing is there
// that Finish has not.
struct ColumnNumbers {
  alignas(64) float bias[kMaxGroup * kPanel], scales[kMaxGroup * kPanel];
  int32_t exact_bias[kMaxGroup * kPanel];  // where Finish::exact
};

// Those of the columns from `n` on.
void ReadColumnNumbers(const Finish& finish, const std::byte* bias, const float* scales, int64_t n,
                       int64_t cols, ColumnNumbers* numbers);

// What tiles do to sums that post-ops do not follow; it points into `numbers`.
TileResults ResultsOf(const Finish& finish, const ColumnNumbers& numbers, spi::DataType type);

struct FinishBlock {
  const Finish* finish = nullptr;
  bool integers = false;  // sums are s32
  // As TileArgs has them, whole panels; they are overwritten.
  void* sums = nullptr;
  int64_t sums_row = 0, sums_panel = 0;
  // The sums are f32 and lie where the elements are to be: nothing is stored elsewhere.
  bool in_place = false;
  int64_t rows = 0, cols = 0;
  const ColumnNumbers* numbers = nullptr;
  spi::DataType type = spi::DataType::kUndef;
  std::byte* to = nullptr;  // element (r, c) lies row_offsets[r] + col_offsets[c] elements from it
  const int64_t* row_offsets = nullptr;
  const int64_t* col_offsets = nullptr;
};
using FinishKernel = void (*)(const FinishBlock& block);

// For the best instruction set of this machine; null where that has no vectors.
FinishKernel FindFinishKernel();

// One element: what a block does to each, for the plain implementation. Reads `to` where a sum
// does.
void FinishElement(const Finish& finish, float sum, float bias, float scale, spi::DataType type,
                   std::byte* to);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_FINISH_KERNEL_H_
