// An eltwise with all that an execution of it wants.
#ifndef DNNSPEC_IMPL_CPU_ELTWISE_TESTING_ELTWISE_CALL_H_
#define DNNSPEC_IMPL_CPU_ELTWISE_TESTING_ELTWISE_CALL_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "impl_cpu/testing/random_operation.h"

namespace impl_cpu {

class EltwiseCall {
 public:
  // Directions, functions and types take turns with `i`; shapes, layouts and data are drawn, of at
  // most `max_elements` elements.
  EltwiseCall(spi::Engine& engine, Random& random, int i, int64_t max_elements);

  // The buffers in the order of the tensors. They live as long as this.
  std::vector<spi::Buffer*> Arguments() const;

  spi::Operation operation;

 private:
  std::vector<Bytes> data_;
  std::vector<std::shared_ptr<spi::Buffer>> buffers_;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ELTWISE_TESTING_ELTWISE_CALL_H_
