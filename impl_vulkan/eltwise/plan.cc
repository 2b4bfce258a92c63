#include "impl_vulkan/eltwise/plan.h"

#include "absl/status/status.h"

namespace impl_vulkan {

PlanResult PlanEltwise(const std::shared_ptr<Context>&, const spi::Request&) {
  return absl::UnimplementedError("vulkan: no eltwise");
}

}  // namespace impl_vulkan
