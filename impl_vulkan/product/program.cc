#include "impl_vulkan/product/program.h"

#include <algorithm>
#include <utility>

#include "impl_vulkan/strided/shaders.h"

namespace impl_vulkan {
namespace {

uint64_t Align(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

void AddPadding(int position, const spi::Layout& layout, const Limits& limits, Tier tier,
                std::vector<Job>* jobs) {
  Move move;
  move.from = move.to = layout.type;
  move.padding = spi::PaddingOf(layout);
  PlanOptions options;
  options.words_aligned = options.copies = false;
  for (Dispatch& dispatch : PlanMove(move, limits, options)) {
    for (BufferUse& use : dispatch.step.uses) {
      if (use.position == kDestination) use.position = position;
    }
    jobs->push_back(JobOf(ShaderOf(dispatch.kernel, Work::kMove, tier), dispatch));
  }
}

absl::StatusOr<std::shared_ptr<const Program>> Assemble(Context& context,
                                                        const std::vector<Job>& jobs) {
  if (jobs.empty()) return std::make_shared<const Program>();
  const uint64_t alignment = context.device().plan().uniform_alignment;
  uint64_t parameter_bytes = 0;
  for (const Job& job : jobs) {
    parameter_bytes = std::max<uint64_t>(parameter_bytes, job.parameters.size());
  }
  const uint64_t stride = Align(parameter_bytes, alignment);
  // Before the first: zeros, for padding and for what has no elements.
  uint64_t place = Align(sizeof(uint32_t), alignment);
  const uint64_t bytes = place + jobs.size() * stride;
  absl::StatusOr<std::shared_ptr<const Region>> constants =
      context.Allocate(bytes, Purpose::kParameters);
  if (!constants.ok()) return constants.status();
  std::memset((*constants)->host(), 0, bytes);
  std::vector<Step> steps;
  for (const Job& job : jobs) {
    const absl::StatusOr<VkPipeline> pipeline =
        context.pipelines().Get(*job.code, Constants(job.constants.begin(), job.constants.end()));
    if (!pipeline.ok()) return pipeline.status();
    steps.push_back(job.step);
    steps.back().pipeline = *pipeline;
    steps.back().parameters = place;
    std::memcpy((*constants)->host() + place, job.parameters.data(), job.parameters.size());
    place += stride;
  }
  auto program = std::make_shared<Program>(std::move(steps), absl::Span<const InPlacePair>());
  program->pipelines = context.shared_pipelines();
  program->constants = *std::move(constants);
  program->parameter_bytes = parameter_bytes;
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace impl_vulkan
