// The tensors of an operation among the buffers of an execution.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_ARGUMENTS_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_ARGUMENTS_H_

#include <cstddef>

#include "api/spi/implementation.h"
#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "impl_cpu/product/finish.h"

namespace impl_cpu {

// The place of the tensor that has `layout`, which is one of the operation's own; -1 where it is
// not.
int PositionOf(const spi::Operation& operation, const spi::Layout& layout);

// The address of buffer number `buffer`; null for -1.
inline std::byte* DataOf(int buffer, spi::Buffers buffers) {
  return buffer < 0 ? nullptr
                    : static_cast<std::byte*>(buffers[static_cast<size_t>(buffer)]->handle());
}

// The factors of `finish`: its own, or those that come with the execution.
inline const float* ScalesOf(const Finish& finish, spi::Buffers buffers) {
  return finish.scales_buffer < 0
             ? finish.scales.data()
             : reinterpret_cast<const float*>(DataOf(finish.scales_buffer, buffers));
}

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_ARGUMENTS_H_
