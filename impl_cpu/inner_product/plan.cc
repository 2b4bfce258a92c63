#include "impl_cpu/inner_product/plan.h"

#include "absl/status/status.h"

namespace impl_cpu {

absl::StatusOr<spi::Planned> PlanInnerProduct(const spi::Request&) {
  return absl::UnimplementedError("cpu: no inner product");
}

}  // namespace impl_cpu
