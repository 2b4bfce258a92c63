// The plan of a move whose two tensors live on one device.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_MOVE_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_MOVE_PLAN_H_

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/model/stream.h"
#include "impl_vulkan/strided/move.h"
#include "impl_vulkan/strided/program.h"

namespace impl_vulkan {

// kResourceExhausted where a tensor ends beyond the largest heap of the device: a plan for what no
// memory can hold may have dispatches without bound, and is refused as the memory would be.
absl::Status Fit(Context& context, std::initializer_list<const spi::Layout*> tensors);

// What an execution of `move` binds beside its source and its destination: scales or gradients
// (`table`, if they were known before), zero points. Source and destination are left empty.
absl::StatusOr<Bindings> BindBeside(const Move& move, const std::shared_ptr<const Region>& table,
                                    Stream& stream, spi::Buffers buffers);

class MovePlan final : public spi::Plan {
 public:
  // `scales` is the table of a move that reads one, empty if it comes at run time. Candidates: the
  // best kernels, then the plainest one if that is another plan.
  static absl::StatusOr<spi::Planned> Create(std::shared_ptr<Context> context, Move move,
                                             const std::vector<float>& scales, int candidate);

  std::string Describe() const override;
  absl::Status Execute(spi::Stream& stream, spi::Buffers buffers) const override;

 private:
  MovePlan(std::shared_ptr<const MovePrograms> programs, std::shared_ptr<const Region> scales)
      : programs_(std::move(programs)), scales_(std::move(scales)) {}

  const std::shared_ptr<const MovePrograms> programs_;
  const std::shared_ptr<const Region> scales_;  // null if there are none, or at run time
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_MOVE_PLAN_H_
