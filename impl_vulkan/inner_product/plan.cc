#include "impl_vulkan/inner_product/plan.h"

#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "impl_vulkan/inner_product/pieces.h"
#include "impl_vulkan/inner_product/product.h"
#include "impl_vulkan/inner_product/shaders.h"
#include "impl_vulkan/memory/buffer.h"
#include "impl_vulkan/model/stream.h"
#include "impl_vulkan/strided/move_plan.h"
#include "impl_vulkan/strided/program.h"
#include "impl_vulkan/strided/shaders.h"

namespace impl_vulkan {
namespace {

// All that a plan does, before there are pipelines.
struct Dispatches {
  std::vector<ProductDispatch> products;
  std::vector<Dispatch> padding;
  bool partials = false;  // whether sums are cut

  size_t count() const { return products.size() + padding.size(); }
};

// Zeros for what the blocks of a tensor that is written hold beyond its elements.
void AddPadding(const Operand& c, const Limits& limits, std::vector<Dispatch>* dispatches) {
  Move move;
  move.from = move.to = c.layout.type;
  move.padding = spi::PaddingOf(c.layout);
  PlanOptions options;
  options.words_aligned = options.copies = false;
  for (Dispatch& dispatch : PlanMove(move, limits, options)) {
    for (BufferUse& use : dispatch.step.uses) {
      if (use.position == kDestination) use.position = c.position;
    }
    dispatches->push_back(std::move(dispatch));
  }
}

absl::StatusOr<Dispatches> PlanAll(const std::vector<Product>& products, const Limits& limits,
                                   bool other) {
  Dispatches all;
  for (const Product& product : products) {
    const bool tile = CanTile(product, limits) && ShouldTile(product, limits) != other;
    absl::StatusOr<std::vector<ProductDispatch>> dispatches =
        PlanProduct(product, limits, tile ? ProductKernel::kTile : ProductKernel::kDirect);
    if (!dispatches.ok()) return dispatches.status();
    for (ProductDispatch& dispatch : *dispatches) {
      all.partials = all.partials || dispatch.partial;
      all.products.push_back(std::move(dispatch));
    }
    AddPadding(product.operands[kC], limits, &all.padding);
  }
  return all;
}

uint64_t Align(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// Compiles pipelines and writes parameters, one after the other.
class Assembler {
 public:
  Assembler(Context& context, size_t dispatches)
      : context_(context),
        flavour_(context.FlavourFor(Work::kCompute)),
        stride_(Align(sizeof(ProductParameters), context.device().plan().uniform_alignment)),
        // Before the first: zeros, for padding and for what has no elements.
        place_(Align(sizeof(uint32_t), context.device().plan().uniform_alignment)),
        bytes_(place_ + dispatches * stride_) {}

  absl::Status Begin() {
    absl::StatusOr<std::shared_ptr<const Region>> region =
        context_.Allocate(bytes_, Purpose::kParameters);
    if (!region.ok()) return region.status();
    constants_ = *std::move(region);
    std::memset(constants_->host(), 0, bytes_);
    return absl::OkStatus();
  }

  absl::Status Add(const ProductDispatch& dispatch) {
    return Add(ShaderOf(dispatch.kernel, dispatch.extras, flavour_), dispatch);
  }
  // In the same flavour, since words are shared with elements: single bytes are stored by all
  // dispatches or by none.
  absl::Status Add(const Dispatch& dispatch) {
    return Add(ShaderOf(dispatch.kernel, Work::kMove, flavour_), dispatch);
  }

  std::shared_ptr<const Program> End() {
    auto program = std::make_shared<Program>(std::move(steps_), absl::Span<const InPlacePair>());
    program->pipelines = context_.shared_pipelines();
    program->constants = std::move(constants_);
    program->parameter_bytes = sizeof(ProductParameters);
    return program;
  }

 private:
  template <class AnyDispatch>
  absl::Status Add(const ShaderCode& code, const AnyDispatch& dispatch) {
    static_assert(sizeof dispatch.parameters <= sizeof(ProductParameters));
    const absl::StatusOr<VkPipeline> pipeline = context_.pipelines().Get(
        code, Constants(dispatch.constants.begin(), dispatch.constants.end()));
    if (!pipeline.ok()) return pipeline.status();
    steps_.push_back(dispatch.step);
    steps_.back().pipeline = *pipeline;
    steps_.back().parameters = place_;
    std::memcpy(constants_->host() + place_, &dispatch.parameters, sizeof dispatch.parameters);
    place_ += stride_;
    return absl::OkStatus();
  }

  Context& context_;
  const Flavour flavour_;
  const uint64_t stride_;
  uint64_t place_;
  const uint64_t bytes_;
  std::shared_ptr<const Region> constants_;
  std::vector<Step> steps_;
};

// A program without steps if nothing is written.
absl::StatusOr<std::shared_ptr<const Program>> Assemble(Context& context,
                                                        const Dispatches& dispatches) {
  if (dispatches.count() == 0) return std::make_shared<const Program>();
  Assembler assembler(context, dispatches.count());
  absl::Status status = assembler.Begin();
  for (const ProductDispatch& dispatch : dispatches.products) {
    if (status.ok()) status = assembler.Add(dispatch);
  }
  for (const Dispatch& dispatch : dispatches.padding) {
    if (status.ok()) status = assembler.Add(dispatch);
  }
  if (!status.ok()) return status;
  return assembler.End();
}

// How many dispatches run each kernel.
using Counts = std::array<size_t, 2>;

Counts CountsOf(const Dispatches& dispatches) {
  Counts counts{};
  for (const ProductDispatch& dispatch : dispatches.products) {
    ++counts[static_cast<size_t>(dispatch.kernel)];
  }
  return counts;
}

class InnerProductPlan final : public spi::Plan {
 public:
  InnerProductPlan(std::shared_ptr<Context> context, std::shared_ptr<const Program> program,
                   std::shared_ptr<const Region> scales, size_t tensors, const Counts& counts,
                   std::vector<Product> products)
      : context_(std::move(context)),
        program_(std::move(program)),
        scales_(std::move(scales)),
        tensors_(tensors),
        counts_(counts),
        products_(std::move(products)) {}

  std::string Describe() const override {
    if (products_.empty()) return "vulkan:nothing";
    std::string text = "vulkan:";
    for (const ProductKernel kernel : {ProductKernel::kDirect, ProductKernel::kTile}) {
      const size_t count = counts_[static_cast<size_t>(kernel)];
      if (count == 0) continue;
      absl::StrAppend(&text, text.back() == ':' ? "" : "+", NameOf(kernel));
      if (count > 1) absl::StrAppend(&text, "*", count);
    }
    absl::StrAppend(&text, " ", impl_vulkan::Describe(products_.front()));
    if (products_.size() > 1) absl::StrAppend(&text, " and of the bias");
    return text;
  }

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
  const Counts counts_;
  const std::vector<Product> products_;
};

// Makes what is open of `operation` row-major, and returns that.
std::vector<spi::Layout> Resolve(spi::Operation* operation) {
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

// Whether the second implementation would be another.
bool HasSecond(const std::vector<Product>& products, const Limits& limits) {
  return !products.empty() && CanTile(products.front(), limits);
}

}  // namespace

PlanResult PlanInnerProduct(const std::shared_ptr<Context>& context, const spi::Request& request) {
  spi::Operation operation = request.operation;
  spi::Planned planned;
  planned.chosen = Resolve(&operation);
  const absl::Status fit = FitAll(*context, operation);
  if (!fit.ok()) return fit;
  absl::StatusOr<std::vector<Product>> products = ProductsOf(operation);
  if (!products.ok()) return products.status();
  const Limits limits = LimitsOf(context->device().plan());
  if (request.candidate > 1 || (request.candidate == 1 && !HasSecond(*products, limits))) {
    return absl::UnimplementedError("vulkan: no further implementation");
  }
  const absl::StatusOr<Dispatches> dispatches = PlanAll(*products, limits, request.candidate == 1);
  if (!dispatches.ok()) return dispatches.status();
  absl::StatusOr<std::shared_ptr<const Program>> program = Assemble(*context, *dispatches);
  if (!program.ok()) return program.status();
  absl::StatusOr<std::shared_ptr<const Region>> scales = std::shared_ptr<const Region>();
  if (!products->empty()) scales = UploadScales(*context, products->front().epilogue.table);
  if (!scales.ok()) return scales.status();
  if (dispatches->partials) {
    const spi::Layout& last = products->back().operands[kPartial].layout;
    planned.scratchpad_bytes = static_cast<size_t>(last.offset + SpanOf(last)) * sizeof(float);
  }
  planned.plan = std::make_shared<InnerProductPlan>(context, *std::move(program),
                                                    *std::move(scales), operation.tensors.size(),
                                                    CountsOf(*dispatches), *std::move(products));
  return planned;
}

}  // namespace impl_vulkan
