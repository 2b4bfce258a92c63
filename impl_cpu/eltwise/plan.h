// Eltwise on the CPU: none yet.
#ifndef DNNSPEC_IMPL_CPU_ELTWISE_PLAN_H_
#define DNNSPEC_IMPL_CPU_ELTWISE_PLAN_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace impl_cpu {

absl::StatusOr<spi::Planned> PlanEltwise(const spi::Request& request);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ELTWISE_PLAN_H_
