// Plans for reorders on one engine and between two.
#ifndef DNNSPEC_API_REORDER_TRANSFER_H_
#define DNNSPEC_API_REORDER_TRANSFER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "api/engine/engine_state.h"
#include "api/spi/implementation.h"

namespace api {

using EngineState = std::shared_ptr<const dnnl::state::engine>;

// Where a reorder executes: the side that is not a CPU, the source if neither is.
const EngineState& EngineOfReorder(const EngineState& src, const EngineState& dst);

// The plan of a legal operation whose tensors have elements. Between two devices, the engine of the
// reorder is asked for a direct transfer first; otherwise the data goes through host memory: both
// sides are mapped, a CPU engine does the work, and the plan returns when all is done.
absl::StatusOr<spi::Planned> PlanReorder(const spi::Operation& operation, const EngineState& src,
                                         const EngineState& dst);

}  // namespace api

#endif  // DNNSPEC_API_REORDER_TRANSFER_H_
