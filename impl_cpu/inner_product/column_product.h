// A product of few k by any number of rows, or of one row by any number of k, whose columns lie
// side by side in b and in c: the gradient of the weights by few rows or of one output, of a bias,
// or of the data of few outputs.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMN_PRODUCT_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMN_PRODUCT_H_

#include <cstdint>
#include <string>

#include "api/spi/implementation.h"
#include "impl_cpu/inner_product/columns.h"
#include "impl_cpu/inner_product/product.h"
#include "impl_cpu/product/widening.h"

namespace impl_cpu {

class ColumnProduct {
 public:
  // False if it is not such a product of f32 or bf16, or this machine has no kernel for it.
  bool Plan(const Product& product, int max_threads);

  // Computes c. Needs no scratchpad.
  void Run(spi::Buffers buffers) const;

  // "1x4096 of 1 ... columns threads 2".
  std::string ToString() const;

 private:
  struct Block;

  void PlanBlocks(int max_threads);
  void RunBlock(Block* block) const;
  // Whether all sums are normal, or 0, as far as a look at a and b tells.
  bool IsNormal(const std::byte* a, const std::byte* b) const;
  // Has `args` read the rows, or the columns, of a block where they lie, from this k on, or a copy
  // of them.
  void ReadRows(int64_t k, Block* block, ColumnSumsArgs* args) const;
  void ReadColumns(int64_t k, Block* block, ColumnSumsArgs* args) const;

  Product product_;
  ColumnKernels kernels_;
  WideningKernel widen_ = nullptr;
  int64_t b_panel_ = 0, c_panel_ = 0;  // elements from one panel of columns to the next
  int64_t depth_ = 1;                  // k at once
  int64_t rows_ = 0, cols_ = 0;        // of a block
  bool copies_columns_ = false;        // of bf16, as f32
  bool looks_ = false;                 // at bf16, before they are multiplied
  bool non_temporal_ = false;          // stores
  int threads_ = 1;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMN_PRODUCT_H_
