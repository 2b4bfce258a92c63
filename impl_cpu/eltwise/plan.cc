#include "impl_cpu/eltwise/plan.h"

#include "absl/status/status.h"

namespace impl_cpu {

absl::StatusOr<spi::Planned> PlanEltwise(const spi::Request&) {
  return absl::UnimplementedError("cpu: no eltwise");
}

}  // namespace impl_cpu
