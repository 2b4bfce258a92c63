#include "api/fake/plan.h"

#include <cstdint>
#include <utility>

#include "api/fake/element.h"

namespace fake {

absl::Status PlanStatus(int candidate) {
  if (!controls().plan_status.ok()) return controls().plan_status;
  if (candidate >= controls().candidates) return absl::UnimplementedError("no such candidate");
  return absl::OkStatus();
}

Plan::Plan(std::string name, spi::Operation operation, int candidate)
    : name_(std::move(name)),
      operation_(std::move(operation)),
      candidate_(candidate),
      scratchpad_bytes_(controls().scratchpad_bytes) {
  ++counts().plans;
}

std::string Plan::Describe() const { return name_ + ":fake" + std::to_string(candidate_); }

void Plan::Compute(const std::function<void*(int)>& address) const {
  if (const auto reorder = spi::AsReorder(operation_)) {
    Run(*reorder, address(spi::kArgSrc), address(spi::kArgDst),
        {static_cast<const float*>(address(spi::kArgOutputScales)),
         static_cast<const int32_t*>(address(spi::kArgSrcZeroPoint)),
         static_cast<const int32_t*>(address(spi::kArgDstZeroPoint))});
  } else if (const auto shuffle = spi::AsShuffle(operation_)) {
    const bool forward = shuffle->forward;
    Run(*shuffle, address(forward ? spi::kArgSrc : spi::kArgDiffDst),
        address(forward ? spi::kArgDst : spi::kArgDiffSrc));
  }
}

}  // namespace fake
