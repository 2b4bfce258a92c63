// Shuffle as the strided problem: a reorder of a view whose axis is split in two and swapped.
//
// The axis is read as a row-major rows x cols matrix and written transposed. Forward, cols is the
// group size G; backward is the inverse, so cols is C / G.
#ifndef DNNSPEC_IMPL_CPU_SHUFFLE_PLAN_H_
#define DNNSPEC_IMPL_CPU_SHUFFLE_PLAN_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "impl_cpu/plain/problem.h"

namespace impl_cpu {

Problem ShuffleProblem(const spi::Operation& operation);

// As Engine::MakePlan.
absl::StatusOr<spi::Planned> PlanShuffle(const spi::Request& request);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_SHUFFLE_PLAN_H_
