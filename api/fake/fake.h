// Plumbing for api's own tests: two implementations whose behaviour a test chooses and watches.
//
// `cpu` has one engine, whose buffers are plain host memory and whose streams are synchronous.
// `gpu` has two, whose buffers cannot be reached from the host but through Map, and whose streams
// do nothing until somebody waits. Both compute element by element in double.
#ifndef DNNSPEC_API_FAKE_FAKE_H_
#define DNNSPEC_API_FAKE_FAKE_H_

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "api/spi/layout.h"
#include "api/spi/types.h"

namespace fake {

struct Controls {
  int candidates = 1;               // plans for each operation
  size_t scratchpad_bytes = 24;     // that every plan wants
  std::vector<spi::Layout> chosen;  // for kAny; row-major ones if there are none
  std::optional<spi::Layout> workspace;
  bool gpu_transfers = false;        // gpu offers MakeTransferPlan
  absl::Status engine_status;        // of MakeEngine
  absl::Status plan_status;          // of MakePlan
  absl::Status allocation_status;    // of Allocate
  absl::Status execution_status;     // of Execute on the synchronous engine, of Wait on the other
  bool overwrite_scratchpad = true;  // Execute fills it
  bool plans_may_be_kept = false;    // those of cpu
  bool gpu_plans_may_be_kept = false;
  std::function<void()> on_engine_count, on_make_engine;  // called there, if there is one
  spi::CpuIsa isa = spi::CpuIsa::kAll;                    // of cpu
};

using Count = std::atomic<int>;
struct Counts {
  Count plans{0}, executions{0}, allocations{0}, wraps{0}, transfers{0};
  Count hints{0};  // requests that brought a forward operation
  Count live_engines{0}, live_buffers{0}, live_plans{0};
};

// One of each for the process. Tests set what they need and call Reset at their start. Only counts
// may be touched by several threads.
Controls& controls();
Counts& counts();

// Default controls, and all counts but the live ones at 0.
void Reset();

}  // namespace fake

#endif  // DNNSPEC_API_FAKE_FAKE_H_
