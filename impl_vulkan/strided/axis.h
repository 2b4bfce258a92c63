// One axis of a move: where its indices lie on both sides, as few loops with constant steps.
//
// In a layout with blocks an index of an axis is a number of several digits, each with a step of
// its own. Where the blocks of one side nest in those of the other, a few loops walk the axis;
// where they do not, the walk falls into pieces.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_AXIS_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_AXIS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "api/spi/types.h"
#include "impl_vulkan/strided/move.h"

namespace impl_vulkan {

// A loop over positions of one axis, before layouts say where positions lie.
struct AxisLoop {
  int64_t extent;
  int64_t source;       // positions of the source axis per step
  int64_t destination;  // positions of the destination axis per step
};

// The parts of one axis. `loops` visit each position of the destination axis once, outermost first;
// the scale of a position is scale_stride times its number in the destination. One loop is the axis
// itself: its steps are 1. nullopt where far more than kMostParts would be needed.
std::optional<std::vector<Part>> PartsOfAxis(const std::vector<AxisLoop>& loops,
                                             const spi::Layout& source,
                                             const spi::Layout& destination, int axis,
                                             int64_t scale_stride);

// Positions [begin, end) of an axis of a destination, up to PaddedDim, without a source.
std::vector<Part> PartsOfRange(const spi::Layout& destination, int axis, int64_t begin,
                               int64_t end);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_AXIS_H_
