#include "impl_vulkan/shuffle/plan.h"

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "impl_vulkan/strided/axis.h"
#include "impl_vulkan/strided/move_plan.h"

namespace impl_vulkan {

absl::StatusOr<Move> MoveOf(const spi::ShuffleOperation& operation) {
  const spi::Layout& source = operation.from;
  const spi::Layout& destination = operation.to;
  Move move;
  move.from = source.type;
  move.to = destination.type;
  if (spi::IsEmpty(destination)) return move;

  std::vector<std::optional<std::vector<Part>>> axes;
  for (int axis = 0; axis < destination.rank; ++axis) {
    const int64_t extent = destination.dims[axis];
    std::vector<AxisLoop> loops = {{extent, 1, 1}};
    if (axis == operation.axis) {
      // to(u + v * rows) = from(u * columns + v)
      const int64_t columns =
          operation.forward ? operation.group_size : extent / operation.group_size;
      const int64_t rows = extent / columns;
      loops = {{columns, 1, rows}, {rows, columns, 1}};
    }
    axes.push_back(PartsOfAxis(loops, source, destination, axis, 0));
  }
  const absl::Status filled = Fill(axes, source, destination, &move);
  if (!filled.ok()) return filled;
  return move;
}

PlanResult PlanShuffle(const std::shared_ptr<Context>& context, const spi::Operation& operation,
                       int candidate) {
  const auto& shuffle = std::get<spi::ShuffleOperation>(operation);
  const absl::Status fit = Fit(*context, {&shuffle.from, &shuffle.to});
  if (!fit.ok()) return fit;
  absl::StatusOr<Move> move = MoveOf(shuffle);
  if (!move.ok()) return move.status();
  return MovePlan::Create(context,
                          shuffle.forward ? MoveArguments{spi::kArgSrc, spi::kArgDst}
                                          : MoveArguments{spi::kArgDiffDst, spi::kArgDiffSrc},
                          *std::move(move), {}, candidate);
}

}  // namespace impl_vulkan
