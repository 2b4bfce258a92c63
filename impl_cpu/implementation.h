// The CPU implementation, as api's table of implementations names it.
#ifndef DNNSPEC_IMPL_CPU_IMPLEMENTATION_H_
#define DNNSPEC_IMPL_CPU_IMPLEMENTATION_H_

#include "api/spi/implementation.h"

namespace impl_cpu {

// One engine: the processors that this process may run on. Never destroyed.
spi::Implementation& GetImplementation();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_IMPLEMENTATION_H_
