// Makes a plan of a strided problem: its kernels are chosen before any data exists.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_PLAN_H_
#define DNNSPEC_IMPL_CPU_STRIDED_PLAN_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "impl_cpu/plain/problem.h"

namespace impl_cpu {

// The plan of candidate number `candidate` of those that serve `problem`, best first from 0;
// kUnimplemented when there are not that many. The last one is always the plain kernel.
absl::StatusOr<spi::Planned> PlanStrided(Problem problem, int candidate);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_PLAN_H_
