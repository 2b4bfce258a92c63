#include "impl_vulkan/shuffle/plan.h"

#include <utility>

#include "absl/status/status.h"
#include "api/shuffle/operation.h"
#include "impl_vulkan/strided/move_plan.h"

namespace impl_vulkan {

absl::StatusOr<Move> MoveOfShuffle(const spi::Operation& request) {
  const spi::ShuffleView operation(request);
  const spi::Layout& source = operation.from;
  const spi::Layout& destination = operation.to;
  Move move;
  move.from = source.type;
  move.to = destination.type;
  if (spi::IsEmpty(destination)) return move;

  spi::AxisMap map;
  map.transposed = operation.axis;
  map.columns = operation.forward
                    ? operation.group_size
                    : destination.dims[static_cast<size_t>(operation.axis)] / operation.group_size;
  const absl::Status filled = AddNests(source, destination, map, &move);
  if (!filled.ok()) return filled;
  return move;
}

PlanResult PlanShuffle(const std::shared_ptr<Context>& context, const spi::Request& request) {
  const spi::ShuffleView shuffle(request.operation);
  const absl::Status fit = Fit(*context, {&shuffle.from, &shuffle.to});
  if (!fit.ok()) return fit;
  absl::StatusOr<Move> move = MoveOfShuffle(request.operation);
  if (!move.ok()) return move.status();
  return MovePlan::Create(context, *std::move(move), {}, request.candidate);
}

}  // namespace impl_vulkan
