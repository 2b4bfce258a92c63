#include "impl_vulkan/device/probe.h"

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/pipelines.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/glsl/probes.h"

namespace impl_vulkan {
namespace {

constexpr uint32_t kInvocations = 128;
constexpr uint32_t kGroups = 512;

const ShaderCode kConversions = {"probe_conversions", shaders::probe_conversions,
                                 sizeof shaders::probe_conversions, 1};
const ShaderCode kArithmetic = {"probe_arithmetic", shaders::probe_arithmetic,
                                sizeof shaders::probe_arithmetic, 1};

// The number of differences that the probe counted.
absl::StatusOr<uint32_t> Differences(Context& context, const ShaderCode& code) {
  absl::StatusOr<VkPipeline> pipeline = context.pipelines().Get(code, {0, 0, 0, kInvocations});
  if (!pipeline.ok()) return pipeline.status();
  absl::StatusOr<std::shared_ptr<const Region>> count =
      context.Allocate(sizeof(uint32_t), Purpose::kHost);
  if (!count.ok()) return count.status();
  std::memset((*count)->host(), 0, sizeof(uint32_t));

  Step step;
  step.pipeline = *pipeline;
  step.uses = {{0, Access::kReadWrite, {0, sizeof(uint32_t)}}};
  step.groups[0] = kGroups;
  auto program =
      std::make_shared<Program>(std::vector<Step>{step}, absl::Span<const InPlacePair>());
  program->pipelines = context.shared_pipelines();
  const absl::Status done = context.Serve(program, {{{*count, 0}}});
  if (!done.ok()) return done;
  uint32_t differences = 0;
  std::memcpy(&differences, (*count)->host(), sizeof differences);
  return differences;
}

absl::StatusOr<bool> Agrees(Context& context, const ShaderCode& code) {
  const absl::StatusOr<uint32_t> differences = Differences(context, code);
  if (!differences.ok()) return differences.status();
  return *differences == 0;
}

}  // namespace

absl::StatusOr<bool> ConvertsExactly(Context& context) { return Agrees(context, kConversions); }

absl::StatusOr<bool> ComputesExactly(Context& context) { return Agrees(context, kArithmetic); }

}  // namespace impl_vulkan
