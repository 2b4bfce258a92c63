#include "impl_vulkan/inner_product/plan.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "impl_vulkan/inner_product/products.h"
#include "impl_vulkan/product/plan.h"
#include "impl_vulkan/product/product.h"

namespace impl_vulkan {

PlanResult PlanInnerProduct(const std::shared_ptr<Context>& context, const spi::Request& request) {
  spi::Operation operation = request.operation;
  spi::Planned planned;
  planned.chosen = ResolveRowMajor(&operation);
  const absl::Status fit = FitAll(*context, operation);
  if (!fit.ok()) return fit;
  const absl::StatusOr<std::vector<Product>> products = ProductsOf(operation);
  if (!products.ok()) return products.status();
  if (request.candidate > 1 || (request.candidate == 1 && !HasSecond(*context, *products))) {
    return absl::UnimplementedError("vulkan: no further implementation");
  }
  Sums sums;
  absl::Status status = AddProducts(*context, *products, request.candidate == 1, &sums);
  if (status.ok()) status = MakeSumPlan(context, operation.tensors.size(), sums, &planned);
  if (!status.ok()) return status;
  return planned;
}

}  // namespace impl_vulkan
