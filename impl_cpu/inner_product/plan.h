// Inner products on the CPU: none yet.
#ifndef DNNSPEC_IMPL_CPU_INNER_PRODUCT_PLAN_H_
#define DNNSPEC_IMPL_CPU_INNER_PRODUCT_PLAN_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace impl_cpu {

absl::StatusOr<spi::Planned> PlanInnerProduct(const spi::Request& request);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_INNER_PRODUCT_PLAN_H_
