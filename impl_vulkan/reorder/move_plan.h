// The plan of a move whose two tensors live on one device.
#ifndef DNNSPEC_IMPL_VULKAN_REORDER_MOVE_PLAN_H_
#define DNNSPEC_IMPL_VULKAN_REORDER_MOVE_PLAN_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "impl_vulkan/model/context.h"
#include "impl_vulkan/reorder/move.h"
#include "impl_vulkan/reorder/program.h"

namespace impl_vulkan {

// Which arguments the two tensors are.
struct MoveArguments {
  int source = spi::kArgSrc;
  int destination = spi::kArgDst;
};

class MovePlan final : public spi::Plan {
 public:
  // `scales` is the table of a move that reads one, empty if it comes at run time.
  // `generic_only`: the plainest kernel, which is the last candidate.
  static absl::StatusOr<std::shared_ptr<const spi::Plan>> Create(std::shared_ptr<Context> context,
                                                                 const MoveArguments& arguments,
                                                                 Move move,
                                                                 const std::vector<float>& scales,
                                                                 bool generic_only);

  std::string Describe() const override;
  absl::Status Execute(spi::Stream& stream, spi::Arguments arguments) const override;

 private:
  MovePlan(const MoveArguments& arguments, std::shared_ptr<const MovePrograms> programs,
           std::shared_ptr<const Region> scales)
      : arguments_(arguments), programs_(std::move(programs)), scales_(std::move(scales)) {}

  const MoveArguments arguments_;
  const std::shared_ptr<const MovePrograms> programs_;
  const std::shared_ptr<const Region> scales_;  // null if there are none, or at run time
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_REORDER_MOVE_PLAN_H_
