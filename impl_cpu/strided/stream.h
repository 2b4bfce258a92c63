// When results go past the caches.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_STREAM_H_
#define DNNSPEC_IMPL_CPU_STRIDED_STREAM_H_

#include <cstdint>

namespace impl_cpu {

// Bytes of source and destination from which on the result will not be found in a cache: then
// stores go past it. 16 MiB, or what DNNSPEC_STREAM_BYTES says.
int64_t StreamBytes();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_STREAM_H_
