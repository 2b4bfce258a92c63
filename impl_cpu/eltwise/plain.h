// The kernels of eltwise without vectors: each element by itself, in double, rounded once.
#ifndef DNNSPEC_IMPL_CPU_ELTWISE_PLAIN_H_
#define DNNSPEC_IMPL_CPU_ELTWISE_PLAIN_H_

#include "impl_cpu/elementwise/kernel.h"

namespace impl_cpu {

// Of every function.
ForwardKernel PlainForwardKernel();

// Of every function but round; `from_dst` as FindBackwardKernel has it.
BackwardKernel PlainBackwardKernel(bool from_dst);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ELTWISE_PLAIN_H_
