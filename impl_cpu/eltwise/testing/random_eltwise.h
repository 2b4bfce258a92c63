// Eltwise operations of every sort.
#ifndef DNNSPEC_IMPL_CPU_ELTWISE_TESTING_RANDOM_ELTWISE_H_
#define DNNSPEC_IMPL_CPU_ELTWISE_TESTING_RANDOM_ELTWISE_H_

#include <cstdint>

#include "api/spi/operation.h"
#include "api/testing/random_operation.h"

namespace impl_cpu {

// Directions, functions and types take turns with `i`; shapes and layouts are drawn, of at most
// `max_elements` elements.
spi::Operation EltwiseFor(spi::Random& random, int i, int64_t max_elements);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ELTWISE_TESTING_RANDOM_ELTWISE_H_
