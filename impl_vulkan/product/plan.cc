#include "impl_vulkan/product/plan.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/memory/buffer.h"
#include "impl_vulkan/model/stream.h"
#include "impl_vulkan/product/pieces.h"
#include "impl_vulkan/product/shaders.h"
#include "impl_vulkan/strided/move_plan.h"
#include "impl_vulkan/strided/program.h"

namespace impl_vulkan {
namespace {

class SumPlan final : public spi::Plan {
 public:
  SumPlan(std::shared_ptr<Context> context, std::shared_ptr<const Program> program,
          std::shared_ptr<const Region> scales, size_t tensors, std::string description)
      : context_(std::move(context)),
        program_(std::move(program)),
        scales_(std::move(scales)),
        tensors_(tensors),
        description_(std::move(description)) {}

  std::string Describe() const override { return absl::StrCat("vulkan:", description_); }

  absl::Status Execute(spi::Stream& stream, spi::Buffers buffers) const override {
    if (context_->device().forked() || program_->steps.empty()) return context_->device().Alive();
    auto* const ours = dynamic_cast<Stream*>(&stream);
    if (ours == nullptr || &ours->context() != context_.get()) {
      return absl::InvalidArgumentError("vulkan: the stream is of another engine (STR-009)");
    }
    Bindings bindings;
    for (size_t i = 0; i < buffers.size(); ++i) bindings.buffers.push_back(BindingOf(buffers, i));
    if (scales_ != nullptr) {
      // Behind the scratchpad, if there is one.
      bindings.buffers.resize(tensors_ + 1);
      bindings.buffers.emplace_back(scales_, 0);
    }
    return ours->Submit(program_, bindings);
  }

 private:
  const std::shared_ptr<Context> context_;
  const std::shared_ptr<const Program> program_;
  const std::shared_ptr<const Region> scales_;  // null if there are none, or at run time
  const size_t tensors_;                        // without the scratchpad
  const std::string description_;
};

// How many dispatches run each kernel: "direct*2+tile".
std::string CountsOf(const std::vector<ProductDispatch>& dispatches) {
  std::array<size_t, 3> counts{};
  for (const ProductDispatch& dispatch : dispatches) ++counts[static_cast<size_t>(dispatch.kernel)];
  std::string text;
  for (const ProductKernel kernel :
       {ProductKernel::kDirect, ProductKernel::kTile, ProductKernel::kVector}) {
    const size_t count = counts[static_cast<size_t>(kernel)];
    if (count == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : "+", NameOf(kernel));
    if (count > 1) absl::StrAppend(&text, "*", count);
  }
  return text;
}

}  // namespace

std::vector<spi::Layout> ResolveRowMajor(spi::Operation* operation) {
  std::vector<spi::Layout> chosen;
  for (spi::TensorArg& tensor : operation->tensors) {
    spi::Layout& layout = tensor.layout;
    if (layout.kind != spi::LayoutKind::kAny) continue;
    layout = spi::Strided(layout.type, {layout.dims.data(), layout.rank});
    chosen.push_back(layout);
  }
  return chosen;
}

absl::Status FitAll(Context& context, const spi::Operation& operation) {
  for (const spi::TensorArg& tensor : operation.tensors) {
    const absl::Status fit = Fit(context, {&tensor.layout});
    if (!fit.ok()) return fit;
  }
  return absl::OkStatus();
}

int64_t EndOfPartials(const std::vector<Product>& products, const Sums& sums) {
  auto end = static_cast<int64_t>(sums.scratchpad_bytes / sizeof(float));
  for (const Product& product : products) {
    const spi::Layout& partial = product.operands[kPartial].layout;
    end = std::max(end, partial.offset + SpanOf(partial));
  }
  return end;
}

void NotePartial(const spi::Layout& partial, int64_t parts, Sums* sums) {
  const auto end = static_cast<uint64_t>(partial.offset + parts * SpanOf(partial));
  sums->scratchpad_bytes = std::max(sums->scratchpad_bytes, end * sizeof(float));
}

absl::StatusOr<std::vector<ProductDispatch>> PlanTotal(const Partials& partials, int64_t parts,
                                                       const Limits& limits) {
  absl::StatusOr<std::vector<ProductDispatch>> dispatches =
      PlanProduct(TotalOf(partials, parts), limits, ProductKernel::kDirect);
  if (dispatches.ok()) {
    for (ProductDispatch& dispatch : *dispatches) ++dispatch.step.pass;
  }
  return dispatches;
}

absl::Status AddProducts(Context& context, const std::vector<Product>& products, bool other,
                         Sums* sums) {
  const Limits limits = LimitsOf(context.device().plan());
  const Tier tier = context.TierFor(Work::kCompute);
  std::vector<ProductDispatch> all;
  int64_t behind = EndOfPartials(products, *sums);
  for (Product product : products) {
    const std::vector<ProductKernel> kernels = KernelsOf(product, limits);
    const ProductKernel kernel = kernels[other && kernels.size() > 1 ? 1 : 0];
    const int64_t parts = other ? 1 : PartsOf(product, limits);
    if (parts > 1) product.operands[kPartial].layout.offset = behind;
    behind += parts > 1 ? parts * SpanOf(product.operands[kPartial].layout) : 0;
    absl::StatusOr<std::vector<ProductDispatch>> dispatches =
        PlanProduct(product, limits, kernel, parts);
    if (!dispatches.ok()) return dispatches.status();
    for (ProductDispatch& dispatch : *dispatches) {
      if (dispatch.partial) NotePartial(product.operands[kPartial].layout, parts, sums);
      all.push_back(std::move(dispatch));
    }
    if (parts == 1) continue;
    const Axes& channel = product.operands[kC].axes[kN];
    dispatches =
        PlanTotal({product.primitive, product.operands[kPartial], product.operands[kC],
                   product.operands[kBias], channel.empty() ? -1 : channel[0], product.epilogue},
                  all.back().step.groups[2], limits);
    if (!dispatches.ok()) return dispatches.status();
    all.insert(all.end(), dispatches->begin(), dispatches->end());
  }
  for (const ProductDispatch& dispatch : all) {
    sums->jobs.push_back(JobOf(ShaderOf(dispatch.kernel, dispatch.extras, tier), dispatch));
  }
  for (const Product& product : products) {
    const Operand& c = product.operands[kC];
    AddPadding(c.position, c.layout, limits, tier, &sums->jobs);
  }
  if (products.empty()) return absl::OkStatus();
  if (sums->scales.empty()) sums->scales = products.front().epilogue.table;
  absl::StrAppend(&sums->description, sums->description.empty() ? "" : " and ", CountsOf(all), " ",
                  Describe(products.front()), products.size() > 1 ? " and of the bias" : "");
  return absl::OkStatus();
}

bool HasSecond(Context& context, const std::vector<Product>& products) {
  return !products.empty() &&
         KernelsOf(products.front(), LimitsOf(context.device().plan())).size() > 1;
}

absl::Status MakeSumPlan(const std::shared_ptr<Context>& context, size_t tensors, const Sums& sums,
                         spi::Planned* planned) {
  absl::StatusOr<std::shared_ptr<const Program>> program = Assemble(*context, sums.jobs);
  if (!program.ok()) return program.status();
  absl::StatusOr<std::shared_ptr<const Region>> scales = UploadScales(*context, sums.scales);
  if (!scales.ok()) return scales.status();
  planned->scratchpad_bytes = static_cast<size_t>(sums.scratchpad_bytes);
  planned->plan =
      std::make_shared<SumPlan>(context, *std::move(program), *std::move(scales), tensors,
                                sums.description.empty() ? "nothing" : sums.description);
  return absl::OkStatus();
}

}  // namespace impl_vulkan
