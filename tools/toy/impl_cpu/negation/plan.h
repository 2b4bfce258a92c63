// Negation as the strided problem: a copy with the scale -1.
#ifndef DNNSPEC_IMPL_CPU_NEGATION_PLAN_H_
#define DNNSPEC_IMPL_CPU_NEGATION_PLAN_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace impl_cpu {

// As Engine::MakePlan.
absl::StatusOr<spi::Planned> PlanNegation(const spi::Request& request);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_NEGATION_PLAN_H_
