// Storage of the CPU engine: plain host memory.
#ifndef DNNSPEC_IMPL_CPU_MEMORY_BUFFER_H_
#define DNNSPEC_IMPL_CPU_MEMORY_BUFFER_H_

#include <cstddef>
#include <memory>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace impl_cpu {

// A cache line, and the widest vector there is.
constexpr size_t kBufferAlignment = 64;

// `bytes` > 0 bytes of unspecified contents, aligned to kBufferAlignment and freed with the buffer.
// kResourceExhausted when the host has not that much.
absl::StatusOr<std::shared_ptr<spi::Buffer>> AllocateBuffer(size_t bytes);

// A view of the caller's storage, which must outlive its use. `handle` may be null.
std::shared_ptr<spi::Buffer> WrapBuffer(void* handle);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_MEMORY_BUFFER_H_
