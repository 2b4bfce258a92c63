#include "impl_vulkan/inner_product/plan.h"

#include "absl/status/status.h"

namespace impl_vulkan {

PlanResult PlanInnerProduct(const std::shared_ptr<Context>&, const spi::Request&) {
  return absl::UnimplementedError("vulkan: no inner product");
}

}  // namespace impl_vulkan
