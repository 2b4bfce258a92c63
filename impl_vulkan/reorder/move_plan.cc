#include "impl_vulkan/reorder/move_plan.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/memory/buffer.h"
#include "impl_vulkan/model/stream.h"
#include "impl_vulkan/reorder/plan.h"
#include "impl_vulkan/reorder/program.h"

namespace impl_vulkan {
namespace {

PlanOptions Options(bool usual, bool generic_only) {
  PlanOptions options;
  options.words_aligned = usual;
  options.copies = usual;
  options.generic_only = generic_only;
  return options;
}

bool SamePlace(const Binding& a, const Binding& b) {
  return a.region == b.region && a.offset == b.offset;
}

// A tensor copied onto itself, which copy commands may not do and nobody can see.
bool IsSelfCopy(const Program& program, const Bindings& bindings) {
  const Step& step = program.steps.front();
  return program.steps.size() == 1 && step.pipeline == VK_NULL_HANDLE &&
         step.source.offset == step.destination.offset &&
         SamePlace(bindings.source, bindings.destination);
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Region>> UploadScales(Context& context,
                                                           const std::vector<float>& scales) {
  if (scales.empty()) return std::shared_ptr<const Region>();
  const uint64_t bytes = scales.size() * sizeof(float);
  absl::StatusOr<std::shared_ptr<const Region>> region =
      context.Allocate(bytes, Purpose::kParameters);
  if (region.ok()) std::memcpy((*region)->host(), scales.data(), bytes);
  return region;
}

MovePlan::MovePlan(std::shared_ptr<Context> context, const MoveArguments& arguments, Move move,
                   bool generic_only)
    : context_(std::move(context)),
      arguments_(arguments),
      move_(std::move(move)),
      generic_only_(generic_only) {}

absl::StatusOr<std::shared_ptr<const spi::Plan>> MovePlan::Create(std::shared_ptr<Context> context,
                                                                  const MoveArguments& arguments,
                                                                  Move move,
                                                                  const std::vector<float>& scales,
                                                                  bool generic_only) {
  std::shared_ptr<MovePlan> plan(
      new MovePlan(std::move(context), arguments, std::move(move), generic_only));
  if (plan->move_.arithmetic.scales == Arithmetic::Scales::kMany) {
    absl::StatusOr<std::shared_ptr<const Region>> table = UploadScales(*plan->context_, scales);
    if (!table.ok()) return table.status();
    plan->scales_ = *std::move(table);
  }
  absl::StatusOr<std::shared_ptr<const Program>> program =
      MakeProgram(*plan->context_, plan->move_, Options(true, generic_only));
  if (!program.ok()) return program.status();
  plan->program_ = *std::move(program);
  return std::shared_ptr<const spi::Plan>(std::move(plan));
}

std::string MovePlan::Describe() const {
  const Limits limits = LimitsOf(context_->device().plan());
  return absl::StrCat("vulkan:", impl_vulkan::Describe(
                                     move_, PlanMove(move_, limits, Options(true, generic_only_))));
}

absl::StatusOr<std::shared_ptr<const Program>> MovePlan::CautiousProgram() const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (cautious_ == nullptr) {
    absl::StatusOr<std::shared_ptr<const Program>> program =
        MakeProgram(*context_, move_, Options(false, generic_only_));
    if (!program.ok()) return program;
    cautious_ = *std::move(program);
  }
  return cautious_;
}

absl::Status MovePlan::Execute(spi::Stream& stream, spi::Arguments arguments) const {
  if (program_->steps.empty()) return context_->device().Alive();
  auto* const ours = dynamic_cast<Stream*>(&stream);
  if (ours == nullptr || &ours->context() != context_.get()) {
    return absl::InvalidArgumentError("vulkan: the stream is of another engine (STR-009)");
  }
  const auto binding_of = [&](int index) {
    return static_cast<Buffer*>(spi::Find(arguments, index))->binding();
  };
  Bindings bindings{binding_of(arguments_.source), binding_of(arguments_.destination), {}};
  if (move_.arithmetic.scales == Arithmetic::Scales::kMany) {
    bindings.scales = scales_ != nullptr ? Binding{scales_, 0} : binding_of(spi::kArgOutputScales);
  }
  const PlanOptions granted = OptionsFor(bindings.source, bindings.destination);
  if (granted.words_aligned && granted.copies) {
    if (IsSelfCopy(*program_, bindings)) return context_->device().Alive();
    return ours->Submit(program_, bindings);
  }
  const absl::StatusOr<std::shared_ptr<const Program>> cautious = CautiousProgram();
  if (!cautious.ok()) return cautious.status();
  return ours->Submit(*cautious, bindings);
}

}  // namespace impl_vulkan
