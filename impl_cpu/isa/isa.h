// Tells which instruction set the kernels use: the best one that the machine has, the kernels were
// compiled for, and DNNSPEC_MAX_ISA allows.
#ifndef DNNSPEC_IMPL_CPU_ISA_ISA_H_
#define DNNSPEC_IMPL_CPU_ISA_ISA_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "api/spi/types.h"

namespace impl_cpu {

// Reads the environment variable DNNSPEC_MAX_ISA once: a name such as AVX2, in any case. Better
// instruction sets are not used then. Unset and empty are no limit; a name that no kernel is
// compiled for is an invalid argument, with the names that there are. Call it before any kernel is
// looked up; later calls only give the first one's answer again.
absl::Status ApplyIsaLimit();

// Whether DNNSPEC_MAX_ISA names an instruction set of Highway's. "AMX" is none: it is the best that
// there is, and no limit.
bool IsaIsLimited();

// The instruction set in use: "AVX3", "AVX2", "SSE4", ...
const char* IsaName();

// The same as oneDNN names it: with AMX where that multiplies too, kAll below SSE4 and on
// processors that are not x86-64.
spi::CpuIsa IsaInUse();

// The targets, as Highway's bits, that are better than `name` and so are to be disabled; nothing if
// no kernel is compiled for one of this name.
std::optional<int64_t> TargetsBetterThan(const char* name);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ISA_ISA_H_
