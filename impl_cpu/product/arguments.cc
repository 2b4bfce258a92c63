#include "impl_cpu/product/arguments.h"

namespace impl_cpu {

int PositionOf(const spi::Operation& operation, const spi::Layout& layout) {
  for (size_t i = 0; i < operation.tensors.size(); ++i)
    if (&operation.tensors[i].layout == &layout) return static_cast<int>(i);
  return -1;
}

}  // namespace impl_cpu
