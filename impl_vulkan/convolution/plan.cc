#include "impl_vulkan/convolution/plan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/convolution/operation.h"
#include "impl_vulkan/convolution/convolution.h"
#include "impl_vulkan/convolution/products.h"
#include "impl_vulkan/convolution/shaders.h"
#include "impl_vulkan/product/pieces.h"
#include "impl_vulkan/product/plan.h"
#include "impl_vulkan/product/product.h"
#include "impl_vulkan/product/types.h"
#include "impl_vulkan/strided/program.h"

namespace impl_vulkan {
namespace {

// What a convolution consists of: one of the two for the tensors, and the gradient of the bias.
struct Parts {
  std::vector<Product> products;
  std::vector<Convolution> convolutions;
};

// None if nothing is written. `operation` is resolved.
absl::StatusOr<Parts> PartsOf(const spi::Operation& operation) {
  const spi::ConvolutionView view(operation);
  const absl::Status types =
      CheckTypes("convolution", view.prop, view.src, view.weights, view.bias, view.dst);
  if (!types.ok()) return types;
  Parts parts;
  if (IsProduct(view)) {
    absl::StatusOr<Product> product = ProductOf(operation);
    if (!product.ok()) return product.status();
    parts.products.push_back(*std::move(product));
  } else {
    absl::StatusOr<Convolution> convolution = ConvolutionOf(operation);
    if (!convolution.ok()) return convolution.status();
    parts.convolutions.push_back(*std::move(convolution));
  }
  if (view.prop == spi::PropKind::kBackwardWeights && view.bias != nullptr) {
    parts.products.push_back(BiasProductOf(operation));
  }
  if (spi::WritesNothing(operation)) return Parts();
  int64_t partials = 0;
  for (const Convolution& convolution : parts.convolutions) {
    partials += SpanOf(convolution.operands[kPartial].layout);
  }
  Arrange(static_cast<int>(operation.tensors.size()), partials, &parts.products);
  return parts;
}

absl::Status AddConvolution(Context& context, const Convolution& convolution, Sums* sums) {
  const Limits limits = LimitsOf(context.device().plan());
  const Tier tier = context.TierFor(Work::kCompute);
  const absl::StatusOr<std::vector<ConvolutionDispatch>> dispatches =
      DispatchesOf(convolution, limits);
  if (!dispatches.ok()) return dispatches.status();
  for (const ConvolutionDispatch& dispatch : *dispatches) {
    sums->jobs.push_back(JobOf(ConvolutionShaderOf(dispatch.extras, tier), dispatch));
    if (!dispatch.partial) continue;
    const spi::Layout& partial = convolution.operands[kPartial].layout;
    sums->scratchpad_bytes =
        std::max(sums->scratchpad_bytes,
                 static_cast<uint64_t>(partial.offset + SpanOf(partial)) * sizeof(float));
  }
  const ConvolutionOperand& c = convolution.operands[kC];
  AddPadding(c.position, c.layout, limits, tier, &sums->jobs);
  sums->scales = convolution.epilogue.table;
  absl::StrAppend(&sums->description, "direct");
  if (dispatches->size() > 1) absl::StrAppend(&sums->description, "*", dispatches->size());
  absl::StrAppend(&sums->description, " ", Describe(convolution));
  return absl::OkStatus();
}

}  // namespace

PlanResult PlanConvolution(const std::shared_ptr<Context>& context, const spi::Request& request) {
  spi::Operation operation = request.operation;
  spi::Planned planned;
  planned.chosen = ResolveRowMajor(&operation);
  const absl::Status fit = FitAll(*context, operation);
  if (!fit.ok()) return fit;
  const absl::StatusOr<Parts> parts = PartsOf(operation);
  if (!parts.ok()) return parts.status();
  const bool has_second = parts->convolutions.empty() && HasSecond(*context, parts->products);
  if (request.candidate > 1 || (request.candidate == 1 && !has_second)) {
    return absl::UnimplementedError("vulkan: no further implementation");
  }
  Sums sums;
  absl::Status status;
  for (const Convolution& convolution : parts->convolutions) {
    if (status.ok()) status = AddConvolution(*context, convolution, &sums);
  }
  if (status.ok()) status = AddProducts(*context, parts->products, request.candidate == 1, &sums);
  if (status.ok()) status = MakeSumPlan(context, operation.tensors.size(), sums, &planned);
  if (!status.ok()) return status;
  return planned;
}

}  // namespace impl_vulkan
