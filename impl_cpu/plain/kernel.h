// The plainest kernel: element by element, for every problem. The last candidate of every plan, and
// what faster kernels are compared with, bit for bit.
#ifndef DNNSPEC_IMPL_CPU_PLAIN_KERNEL_H_
#define DNNSPEC_IMPL_CPU_PLAIN_KERNEL_H_

#include <cstddef>

#include "impl_cpu/plain/problem.h"

namespace impl_cpu {

// Runs all of `problem`. `src` and `dst` are the starts of the buffers; elements of the two that
// share a byte share all and have one index. `scales` and `zeros` are read only if the arithmetic
// asks for scales and zero points.
void RunPlain(const Problem& problem, const std::byte* src, std::byte* dst, const float* scales,
              const Zeros& zeros = {});

// What every kernel has in common: zeros where a blocked destination has no elements.
void ZeroPadding(const Problem& problem, std::byte* dst);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PLAIN_KERNEL_H_
