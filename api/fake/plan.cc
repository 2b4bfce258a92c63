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

Plan::Plan(std::string name, const spi::Operation& operation, int candidate)
    : name_(std::move(name)),
      operation_(operation),
      candidate_(candidate),
      scratchpad_bytes_(controls().scratchpad_bytes),
      tensors_(operation_.tensors.size() + (controls().workspace ? 1 : 0) +
               (scratchpad_bytes_ > 0 ? 1 : 0)) {
  ++counts().plans;
}

spi::Planned Answer(std::shared_ptr<const spi::Plan> plan, const spi::Request& request) {
  spi::Planned planned;
  planned.plan = std::move(plan);
  planned.chosen = controls().chosen;
  if (planned.chosen.empty())
    for (const spi::TensorArg& tensor : request.operation.tensors)
      if (const spi::Layout& open = tensor.layout; open.kind == spi::LayoutKind::kAny)
        planned.chosen.push_back(
            spi::Strided(open.type, {open.dims.data(), static_cast<size_t>(open.rank)}));
  if (controls().workspace)
    planned.workspace = std::make_shared<const spi::Layout>(*controls().workspace);
  planned.scratchpad_bytes = controls().scratchpad_bytes;
  return planned;
}

std::string Plan::Describe() const { return name_ + ":fake" + std::to_string(candidate_); }

void Plan::Compute(const std::function<void*(int)>& address) const {
  if (const auto reorder = spi::AsReorder(operation_)) {
    const auto later = [&](int argument) {
      const int position = spi::Find(operation_, argument);
      return position < 0 ? nullptr : address(position);
    };
    Run(*reorder, address(0), address(1),
        {static_cast<const float*>(later(spi::kArgOutputScales)),
         static_cast<const int32_t*>(later(spi::kArgSrcZeroPoint)),
         static_cast<const int32_t*>(later(spi::kArgDstZeroPoint))});
  } else if (const auto shuffle = spi::AsShuffle(operation_)) {
    Run(*shuffle, address(0), address(1));
  }
}

}  // namespace fake
