// A product whose rows and columns both lie along k, where packing would cost more than it gains:
// few outputs, or few rows by weights that are stored like rows.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_DOT_PRODUCT_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_DOT_PRODUCT_H_

#include <cstdint>
#include <string>

#include "api/spi/implementation.h"
#include "impl_cpu/inner_product/dots.h"
#include "impl_cpu/inner_product/product.h"
#include "impl_cpu/product/finish_kernel.h"

namespace impl_cpu {

// So many outputs are stored without panels, which they would not fill.
constexpr int64_t kFewOutputs = 8;

class DotProduct {
 public:
  // False if it is not such a product, or this machine has no kernels for it.
  bool Plan(const Product& product, int max_threads);

  // Computes c, but for the padding of its blocks. Needs no scratchpad.
  void Run(spi::Buffers buffers) const;

  // "64x1 of 2048 ... dots threads 2".
  std::string ToString() const;

 private:
  struct Data;

  // The columns of a group, of the rows of a block.
  void RunBlock(const Data& data, int64_t block, int64_t group) const;

  Product product_;
  DotKernel kernel_ = nullptr;
  FinishKernel finish_ = nullptr;
  int64_t blocks_ = 0, groups_ = 0;
  int threads_ = 1;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_DOT_PRODUCT_H_
