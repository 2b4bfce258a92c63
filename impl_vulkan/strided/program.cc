#include "impl_vulkan/strided/program.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "impl_vulkan/strided/shaders.h"

namespace impl_vulkan {
namespace {

// A power of two, as shaders want it.
uint32_t InvocationsOf(const DevicePlan& plan) {
  uint32_t invocations = 1;
  while (2 * invocations <= plan.invocations) invocations *= 2;
  return invocations;
}

Work WorkOf(const Move& move) {
  if (!move.arithmetic.none() || move.function.has_value()) return Work::kCompute;
  return move.from == move.to ? Work::kMove : Work::kConvert;
}

// Memory for what a program reads by itself: zeros, enough for an element of any type, and from
// `*first` on the parameters of each shader, `*stride` bytes apart. Null if there is no shader.
absl::StatusOr<std::shared_ptr<const Region>> ConstantsFor(Context& context,
                                                           const std::vector<Dispatch>& dispatches,
                                                           uint64_t* first, uint64_t* stride) {
  const uint64_t alignment = context.device().plan().uniform_alignment;
  const auto aligned = [&](uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
  };
  *first = aligned(sizeof(uint32_t));
  *stride = aligned(sizeof(Parameters));
  const auto shaders = static_cast<uint64_t>(
      std::count_if(dispatches.begin(), dispatches.end(),
                    [](const Dispatch& dispatch) { return dispatch.kernel != Kernel::kCopy; }));
  if (shaders == 0) return std::shared_ptr<const Region>();
  absl::StatusOr<std::shared_ptr<const Region>> region =
      context.Allocate(*first + shaders * *stride, Purpose::kParameters);
  if (region.ok()) std::memset((*region)->host(), 0, *first);
  return region;
}

}  // namespace

Limits LimitsOf(const DevicePlan& plan) {
  Limits limits;
  limits.window_bytes = plan.window_bytes;
  limits.alignment = plan.storage_alignment;
  limits.invocations = InvocationsOf(plan);
  limits.shared_bytes = plan.shared_bytes;
  limits.groups = plan.groups;
  limits.rounds = plan.rounds;
  limits.terms = plan.terms;
  limits.stages = plan.stages;
  limits.tile = plan.tile;
  return limits;
}

PlanOptions UsualOptions(const DevicePlan& plan) {
  PlanOptions options;
  options.copies = plan.copy_commands;
  return options;
}

PlanOptions OptionsFor(const DevicePlan& plan, const Binding& source, const Binding& destination) {
  PlanOptions options;
  options.words_aligned = (source.region->offset() + source.offset) % 4 == 0 &&
                          (destination.region->offset() + destination.offset) % 4 == 0;
  const bool of_host = source.region->host() != nullptr || destination.region->host() != nullptr;
  options.copies = (plan.copy_commands || of_host) && source.region->transfers() &&
                   destination.region->transfers();
  return options;
}

absl::StatusOr<std::shared_ptr<const Program>> MakeProgram(Context& context, const Move& move,
                                                           const PlanOptions& options) {
  std::vector<Dispatch> dispatches = PlanMove(move, LimitsOf(context.device().plan()), options);
  uint64_t place = 0, stride = 0;
  absl::StatusOr<std::shared_ptr<const Region>> constants =
      ConstantsFor(context, dispatches, &place, &stride);
  if (!constants.ok()) return constants.status();
  const Work usual_work = WorkOf(move);
  const Tier tier = context.TierFor(usual_work);
  std::vector<Step> steps;
  for (Dispatch& dispatch : dispatches) {
    if (dispatch.kernel != Kernel::kCopy) {
      // In the same tier, since words are shared with elements: single bytes are stored by all
      // dispatches or by none.
      const bool beside = IsPadding(dispatch) || IsOfZeroPoint(dispatch);
      const Work work = beside ? Work::kMove : usual_work;
      const ShaderCode& code = move.function.has_value() && !beside
                                   ? ShaderOf(dispatch.kernel, *move.function, tier)
                                   : ShaderOf(dispatch.kernel, work, tier);
      const absl::StatusOr<VkPipeline> pipeline = context.pipelines().Get(
          code, Constants(dispatch.constants.begin(), dispatch.constants.end()));
      if (!pipeline.ok()) return pipeline.status();
      dispatch.step.pipeline = *pipeline;
      dispatch.step.parameters = place;
      std::memcpy((*constants)->host() + place, &dispatch.parameters, sizeof dispatch.parameters);
      place += stride;
    }
    steps.push_back(std::move(dispatch.step));
  }
  const bool backward = move.function.has_value() && move.function->backward;
  const InPlacePair in_place(kDestination, backward ? kScales : kSource);
  auto program = std::make_shared<Program>(std::move(steps), absl::MakeConstSpan(&in_place, 1));
  if (move.function.has_value() && !program->barriers.empty()) {
    // In place, a binding that is read holds what its neighbour in the pass writes, since bindings
    // begin on aligned places. No element is read that another dispatch writes, but who looks at
    // bindings alone sees a hazard.
    program->barriers.assign(program->barriers.size(), true);
    program->barriers.front() = false;
  }
  program->pipelines = context.shared_pipelines();
  program->constants = *std::move(constants);
  program->parameter_bytes = sizeof(Parameters);
  return program;
}

absl::Status CopyBytes(Context& context, const Binding& from, const Binding& to, uint64_t bytes) {
  Move move;
  move.from = move.to = spi::DataType::kU8;
  move.nests = {{{{static_cast<int64_t>(bytes), 1, 1, 0}}}};
  const absl::StatusOr<std::shared_ptr<const Program>> program =
      MakeProgram(context, move, OptionsFor(context.device().plan(), from, to));
  if (!program.ok()) return program.status();
  return context.Serve(*program, {{from, to}});
}

bool IsAllGeneric(const Move& move, const DevicePlan& plan) {
  const std::vector<Dispatch> dispatches = PlanMove(move, LimitsOf(plan), UsualOptions(plan));
  return std::all_of(dispatches.begin(), dispatches.end(),
                     [](const Dispatch& dispatch) { return dispatch.kernel == Kernel::kGeneric; });
}

absl::StatusOr<std::shared_ptr<const MovePrograms>> MovePrograms::Create(
    std::shared_ptr<Context> context, Move move, const PlanOptions& usual) {
  std::shared_ptr<MovePrograms> programs(
      new MovePrograms(std::move(context), std::move(move), usual));
  absl::StatusOr<std::shared_ptr<const Program>> program =
      MakeProgram(*programs->context_, programs->move_, usual);
  if (!program.ok()) return program.status();
  programs->usual_ = *std::move(program);
  return std::shared_ptr<const MovePrograms>(std::move(programs));
}

MovePrograms::MovePrograms(std::shared_ptr<Context> context, Move move, const PlanOptions& usual)
    : context_(std::move(context)),
      move_(std::move(move)),
      can_copy_(CanCopy(move_)),
      options_(usual) {}

bool MovePrograms::IsSelfCopy(const Binding& source, const Binding& destination) const {
  if (!can_copy_) return false;
  const spi::LoopNest& nest = move_.nests.front();
  const auto bytes = static_cast<int64_t>(spi::SizeOf(move_.from));
  const auto start = [&](const Binding& binding, int64_t offset) {
    return binding.region->offset() + binding.offset + static_cast<uint64_t>(offset * bytes);
  };
  // Two regions may be one place in an external buffer.
  return source.region->buffer() == destination.region->buffer() &&
         start(source, nest.src_offset) == start(destination, nest.dst_offset);
}

absl::StatusOr<std::shared_ptr<const Program>> MovePrograms::For(const Binding& source,
                                                                 const Binding& destination) const {
  // A tensor copied onto itself: copy commands may not do it, and nobody could tell.
  if (IsSelfCopy(source, destination)) return nullptr;
  PlanOptions granted = OptionsFor(context_->device().plan(), source, destination);
  granted.generic_only = options_.generic_only;
  // Copy commands make no difference to what they cannot do.
  const bool copies = granted.copies && can_copy_ && !granted.generic_only;
  const bool usually = options_.copies && can_copy_ && !granted.generic_only;
  if (granted.words_aligned && copies == usually) return usual_;
  std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<const Program>& other = others_[granted.words_aligned ? 1 : 0][copies ? 1 : 0];
  if (other == nullptr) {
    absl::StatusOr<std::shared_ptr<const Program>> made = MakeProgram(*context_, move_, granted);
    if (!made.ok()) return made;
    other = *std::move(made);
  }
  return other;
}

std::string MovePrograms::Describe() const {
  return impl_vulkan::Describe(move_,
                               PlanMove(move_, LimitsOf(context_->device().plan()), options_));
}

absl::StatusOr<std::shared_ptr<const Region>> UploadScales(Context& context,
                                                           const std::vector<float>& scales) {
  if (scales.empty()) return std::shared_ptr<const Region>();
  const uint64_t bytes = scales.size() * sizeof(float);
  absl::StatusOr<std::shared_ptr<const Region>> region =
      context.Allocate(bytes, Purpose::kParameters);
  if (region.ok()) std::memcpy((*region)->host(), scales.data(), bytes);
  return region;
}

}  // namespace impl_vulkan
