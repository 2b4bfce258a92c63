// Which instruction set the kernels use: the best one that the machine has, the kernels were
// compiled for, and DNNSPEC_MAX_ISA allows.
#ifndef DNNSPEC_IMPL_CPU_ISA_ISA_H_
#define DNNSPEC_IMPL_CPU_ISA_ISA_H_

#include <cstdint>

namespace impl_cpu {

// Reads the environment variable DNNSPEC_MAX_ISA once: a name such as AVX2, in any case. Better
// instruction sets are not used then; unknown names are no limit. Call it before any kernel is
// looked up; later calls do nothing.
void ApplyIsaLimit();

// The instruction set in use: "AVX3", "AVX2", "SSE4", ...
const char* IsaName();

// The targets, as Highway's bits, that are better than `name` and so are to be disabled; 0 if there
// is no target of this name. Null is no name.
int64_t TargetsBetterThan(const char* name);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ISA_ISA_H_
