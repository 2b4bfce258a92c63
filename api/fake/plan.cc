#include "api/fake/plan.h"

#include <utility>
#include <vector>

#include "api/spi/operation.h"
#include "api/testing/interpreter.h"

namespace fake {

namespace {

// For each layout that `operation` leaves open.
std::vector<spi::Layout> Choose(const spi::Operation& operation) {
  std::vector<spi::Layout> chosen = controls().chosen;
  if (!chosen.empty()) return chosen;
  for (const spi::TensorArg& tensor : operation.tensors)
    if (const spi::Layout& open = tensor.layout; open.kind == spi::LayoutKind::kAny)
      chosen.push_back(spi::Strided(open.type, {open.dims.data(), static_cast<size_t>(open.rank)}));
  return chosen;
}

// What a test made choose too few, or what does not fit, is not executed.
spi::Operation Resolved(spi::Operation operation) {
  const std::vector<spi::Layout> chosen = Choose(operation);
  size_t next = 0;
  for (spi::TensorArg& tensor : operation.tensors)
    if (tensor.layout.kind == spi::LayoutKind::kAny && next < chosen.size())
      tensor.layout = chosen[next++];
  return operation;
}

}  // namespace

absl::Status PlanStatus(int candidate) {
  if (!controls().plan_status.ok()) return controls().plan_status;
  if (candidate >= controls().candidates) return absl::UnimplementedError("no such candidate");
  return absl::OkStatus();
}

Plan::Plan(std::string name, const spi::Operation& operation, int candidate)
    : name_(std::move(name)),
      operation_(Resolved(operation)),
      candidate_(candidate),
      scratchpad_bytes_(controls().scratchpad_bytes),
      tensors_(operation_.tensors.size() + (controls().workspace ? 1 : 0) +
               (scratchpad_bytes_ > 0 ? 1 : 0)) {
  ++counts().plans;
}

spi::Planned Answer(std::shared_ptr<const spi::Plan> plan, const spi::Request& request) {
  if (request.forward != nullptr) ++counts().hints;
  spi::Planned planned;
  planned.plan = std::move(plan);
  planned.chosen = Choose(request.operation);
  if (controls().workspace)
    planned.workspace = std::make_shared<const spi::Layout>(*controls().workspace);
  planned.scratchpad_bytes = controls().scratchpad_bytes;
  return planned;
}

std::string Plan::Describe() const { return name_ + ":fake" + std::to_string(candidate_); }

void Plan::Compute(const std::function<void*(int)>& address) const {
  std::vector<void*> buffers;
  for (size_t i = 0; i < operation_.tensors.size(); ++i)
    buffers.push_back(address(static_cast<int>(i)));
  spi::Interpret(operation_, buffers);
}

}  // namespace fake
