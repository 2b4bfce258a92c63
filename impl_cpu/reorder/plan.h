// Reorder as the strided problem.
#ifndef DNNSPEC_IMPL_CPU_REORDER_PLAN_H_
#define DNNSPEC_IMPL_CPU_REORDER_PLAN_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "impl_cpu/plain/problem.h"

namespace impl_cpu {

// Each axis is one loop, or a few where a side is blocked. A single scale of exactly 1 is no scale
// (ATTR-035); a sum with beta 0 does not read the destination, but still passes through f32.
Problem ReorderProblem(const spi::Operation& operation);

// As Engine::MakePlan.
absl::StatusOr<spi::Planned> PlanReorder(const spi::Request& request);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_REORDER_PLAN_H_
