// An inner product, or a convolution, with all that an execution of it wants.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_TESTING_PRODUCT_CALL_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_TESTING_PRODUCT_CALL_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "impl_cpu/inner_product/testing/random_product.h"
#include "impl_cpu/testing/random_operation.h"

namespace impl_cpu {

class ProductCall {
 public:
  // Directions, types, and layouts that are given or chosen take turns with `i`; the rest is drawn.
  ProductCall(spi::Engine& engine, Random& random, int i);
  // Of an operation without open layouts.
  ProductCall(spi::Engine& engine, Random& random, spi::Operation of);

  // The buffers in the order of the tensors; behind them the scratchpad, where `planned` wants one.
  // They live as long as this and the next call.
  std::vector<spi::Buffer*> Arguments(const spi::Planned& planned);

  spi::Operation operation;

 private:
  spi::Engine& engine_;
  ProductData data_;
  std::vector<std::shared_ptr<spi::Buffer>> buffers_;
  Bytes scratchpad_;
  std::shared_ptr<spi::Buffer> scratchpad_buffer_;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_TESTING_PRODUCT_CALL_H_
