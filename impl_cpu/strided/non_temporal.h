// Decides which results are stored with non-temporal stores.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_NON_TEMPORAL_H_
#define DNNSPEC_IMPL_CPU_STRIDED_NON_TEMPORAL_H_

#include <cstdint>

namespace impl_cpu {

// Bytes of source and destination from which on the result will not be found in a cache: then
// stores are non-temporal. 16 MiB, or what DNNSPEC_STREAM_BYTES says.
int64_t NonTemporalBytes();

// The same of transpositions of more than a few rows, which load from everywhere in a page while
// such stores are pending: without AVX-512, whose stores are whole lines, 64 MiB.
int64_t NonTemporalTransposeBytes();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_NON_TEMPORAL_H_
