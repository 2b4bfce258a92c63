// Plans for reorders on one engine and between two.
#ifndef DNNSPEC_API_REORDER_TRANSFER_H_
#define DNNSPEC_API_REORDER_TRANSFER_H_

#include "absl/status/statusor.h"
#include "api/engine/engine_state.h"
#include "api/spi/implementation.h"

namespace api {

// Where a reorder executes: the side that is not a CPU, the source if neither is.
bool ExecutesOnDst(const dnnl::state::device& src, const dnnl::state::device& dst);

// The plan of a legal operation whose tensors have elements. Between two devices, the one where it
// executes is asked for a direct transfer first; otherwise the data goes through host memory: both
// sides are mapped, a CPU engine does the work, and the plan returns when all is done.
absl::StatusOr<spi::Planned> PlanReorder(const spi::Operation& operation,
                                         const dnnl::state::device& src,
                                         const dnnl::state::device& dst);

}  // namespace api

#endif  // DNNSPEC_API_REORDER_TRANSFER_H_
