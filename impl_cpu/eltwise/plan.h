// Plans for eltwise.
#ifndef DNNSPEC_IMPL_CPU_ELTWISE_PLAN_H_
#define DNNSPEC_IMPL_CPU_ELTWISE_PLAN_H_

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"

namespace impl_cpu {

// A gradient with `any` gets the layout of the data (ELT-009). Unimplemented: backward of other
// types than f32 and bf16 (ELT-065), round of other types than f32 (ELT-047), and gradients of two
// layouts. The second candidate computes without vectors.
absl::StatusOr<spi::Planned> PlanEltwise(const spi::Request& request);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_ELTWISE_PLAN_H_
