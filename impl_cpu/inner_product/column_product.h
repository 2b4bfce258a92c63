// A product of few rows over few k, or of one row, whose columns lie side by side, in b and in c:
// the gradient of the weights of few outputs by few rows, of one output, or of a bias.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMN_PRODUCT_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMN_PRODUCT_H_

#include <cstdint>
#include <string>

#include "api/spi/implementation.h"
#include "impl_cpu/inner_product/columns.h"
#include "impl_cpu/inner_product/product.h"

namespace impl_cpu {

class ColumnProduct {
 public:
  // False if it is not such a product, or this machine has no kernel for it.
  bool Plan(const Product& product, int max_threads);

  // Computes c. Needs no scratchpad.
  void Run(spi::Buffers buffers) const;

  // "1x4096 of 1 ... columns threads 2".
  std::string ToString() const;

 private:
  Product product_;
  ColumnSumsKernel kernel_ = nullptr;
  int64_t piece_ = 0;  // columns of a task
  int threads_ = 1;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_COLUMN_PRODUCT_H_
