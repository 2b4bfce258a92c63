#include "impl_vulkan/shuffle/move.h"

#include <optional>
#include <vector>

#include "impl_vulkan/reorder/axis.h"

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

}  // namespace impl_vulkan
