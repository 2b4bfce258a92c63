// Runs a test body once for each instruction set that this machine has.
#ifndef DNNSPEC_IMPL_CPU_TESTING_TARGETS_H_
#define DNNSPEC_IMPL_CPU_TESTING_TARGETS_H_

#include <functional>

namespace impl_cpu {

// Kernels that `body` looks up are those of one instruction set, or the best below it that they
// were compiled for.
void ForEachTarget(const std::function<void()>& body);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_TESTING_TARGETS_H_
