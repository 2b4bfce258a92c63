// Lists what an engine asks of others, since it knows no primitive: plans, and copies of bytes.
#ifndef DNNSPEC_IMPL_VULKAN_MODEL_PLANNERS_H_
#define DNNSPEC_IMPL_VULKAN_MODEL_PLANNERS_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "api/spi/implementation.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/memory/buffer.h"

namespace impl_vulkan {

using PlanResult = absl::StatusOr<spi::Planned>;

// What an engine answers to a request for tensors on one device.
using Planner = PlanResult (*)(const std::shared_ptr<Context>& context,
                               const spi::Request& request);

struct Planners {
  absl::Span<const Planner> topics;  // by the index of their operation
  // Between two devices, or a device and a host, whose context is null.
  PlanResult (*transfer)(const std::shared_ptr<Context>& source,
                         const std::shared_ptr<Context>& destination, const spi::Request& request);
  CopyFunction copy;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_MODEL_PLANNERS_H_
