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
#include "impl_vulkan/product/shaders.h"
#include "impl_vulkan/product/types.h"
#include "impl_vulkan/strided/program.h"

namespace impl_vulkan {
namespace {

// What a convolution consists of: one of the two for the tensors, and the gradient of the bias.
struct Components {
  std::vector<Product> products;
  std::vector<Convolution> convolutions;
};

// None if nothing is written. `operation` is resolved.
absl::StatusOr<Components> ComponentsOf(const spi::Operation& operation) {
  const spi::ConvolutionView view(operation);
  const absl::Status types =
      CheckTypes("convolution", view.prop, view.src, view.weights, view.bias, view.dst);
  if (!types.ok()) return types;
  Components components;
  if (IsProduct(view)) {
    absl::StatusOr<Product> product = ProductOf(operation);
    if (!product.ok()) return product.status();
    components.products.push_back(*std::move(product));
  } else {
    absl::StatusOr<Convolution> convolution = ConvolutionOf(operation);
    if (!convolution.ok()) return convolution.status();
    components.convolutions.push_back(*std::move(convolution));
  }
  if (view.prop == spi::PropKind::kBackwardWeights && view.bias != nullptr) {
    components.products.push_back(BiasProductOf(operation));
  }
  if (spi::WritesNothing(operation)) return Components();
  int64_t partials = 0;
  for (const Convolution& convolution : components.convolutions) {
    partials += SpanOf(convolution.operands[kPartial].layout);
  }
  Arrange(static_cast<int>(operation.tensors.size()), partials, &components.products);
  return components;
}

// By the best kernel, or with `other` by the next one, if there is one.
absl::Status AddConvolution(Context& context, Convolution convolution, bool other, int64_t behind,
                            Sums* sums) {
  const Limits limits = LimitsOf(context.device().plan());
  const Tier tier = context.TierFor(Work::kCompute);
  const std::vector<ConvolutionKernel> kernels = KernelsOf(convolution, limits);
  const ConvolutionKernel kernel = kernels[other && kernels.size() > 1 ? 1 : 0];
  const int64_t parts = other ? 1 : PartsOf(convolution, limits);
  spi::Layout& partial = convolution.operands[kPartial].layout;
  if (parts > 1) partial.offset = behind;
  const absl::StatusOr<std::vector<ConvolutionDispatch>> dispatches =
      DispatchesOf(convolution, limits, kernel, parts);
  if (!dispatches.ok()) return dispatches.status();
  for (const ConvolutionDispatch& dispatch : *dispatches) {
    sums->jobs.push_back(
        JobOf(ConvolutionShaderOf(dispatch.kernel, dispatch.extras, tier), dispatch));
    if (dispatch.partial) NotePartial(partial, parts, sums);
  }
  const ConvolutionOperand& c = convolution.operands[kC];
  if (parts > 1) {
    const auto plain = [&](OperandOf which) {
      const ConvolutionOperand& operand = convolution.operands[which];
      return Operand{operand.position, operand.layout, {}};
    };
    const absl::StatusOr<std::vector<ProductDispatch>> totals = PlanTotal(
        {"convolution", plain(kPartial), plain(kC), plain(kBias), 1, convolution.epilogue},
        dispatches->back().step.groups[2], limits);
    if (!totals.ok()) return totals.status();
    for (const ProductDispatch& total : *totals) {
      sums->jobs.push_back(JobOf(ShaderOf(total.kernel, total.extras, tier), total));
    }
  }
  AddPadding(c.position, c.layout, limits, tier, &sums->jobs);
  sums->scales = convolution.epilogue.table;
  absl::StrAppend(&sums->description, NameOf(kernel));
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
  const absl::StatusOr<Components> components = ComponentsOf(operation);
  if (!components.ok()) return components.status();
  const bool has_second =
      components->convolutions.empty()
          ? HasSecond(*context, components->products)
          : KernelsOf(components->convolutions.front(), LimitsOf(context->device().plan())).size() >
                1;
  if (request.candidate > 1 || (request.candidate == 1 && !has_second)) {
    return absl::UnimplementedError("vulkan: no further implementation");
  }
  Sums sums;
  absl::Status status;
  for (const Convolution& convolution : components->convolutions) {
    if (status.ok())
      status = AddConvolution(*context, convolution, request.candidate == 1,
                              EndOfPartials(components->products, sums), &sums);
  }
  if (status.ok())
    status = AddProducts(*context, components->products, request.candidate == 1, &sums);
  if (status.ok()) status = MakeSumPlan(context, operation.tensors.size(), sums, &planned);
  if (!status.ok()) return status;
  return planned;
}

}  // namespace impl_vulkan
