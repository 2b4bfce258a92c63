// Shuffle as a move: a reorder whose axis is split in two, read in one order and written in the
// other. Backward exchanges the two extents, so one kind of loop serves both.
#ifndef DNNSPEC_IMPL_VULKAN_SHUFFLE_MOVE_H_
#define DNNSPEC_IMPL_VULKAN_SHUFFLE_MOVE_H_

#include "absl/status/statusor.h"
#include "api/shuffle/operation.h"
#include "impl_vulkan/reorder/move.h"

namespace impl_vulkan {

// kUnimplemented where there would be more than kMostParts parts.
absl::StatusOr<Move> MoveOf(const spi::ShuffleOperation& operation);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_SHUFFLE_MOVE_H_
