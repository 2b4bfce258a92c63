// A plan's dispatches made ready for one device: pipelines compiled, parameters in its memory.
#ifndef DNNSPEC_IMPL_VULKAN_REORDER_PROGRAM_H_
#define DNNSPEC_IMPL_VULKAN_REORDER_PROGRAM_H_

#include <memory>

#include "absl/status/statusor.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/model/context.h"
#include "impl_vulkan/reorder/move.h"
#include "impl_vulkan/reorder/plan.h"

namespace impl_vulkan {

Limits LimitsOf(const DevicePlan& plan);

// What a program over these bindings may take for granted.
PlanOptions OptionsFor(const Binding& source, const Binding& destination);

// A program without steps if there is nothing to move.
absl::StatusOr<std::shared_ptr<const Program>> MakeProgram(Context& context, const Move& move,
                                                           const PlanOptions& options);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_REORDER_PROGRAM_H_
