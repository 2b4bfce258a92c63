#include "api/fake/plan.h"

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "api/fake/element.h"

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

template <typename View>
void Plan::ComputeProduct(const std::function<void*(int)>& address) const {
  const auto at = [&](std::initializer_list<int> arguments) -> void* {
    for (const int argument : arguments)
      if (const int position = spi::Find(operation_, argument); position >= 0)
        return address(position);
    return nullptr;
  };
  static const auto* const kNone = new spi::Attributes;
  const bool data = operation_.prop == spi::PropKind::kBackwardData;
  Run(View(operation_), operation_.attributes == nullptr ? *kNone : *operation_.attributes,
      {at({data ? spi::kArgDiffSrc : spi::kArgSrc}), at({spi::kArgWeights, spi::kArgDiffWeights}),
       at({spi::kArgBias, spi::kArgDiffBias}), at({spi::kArgDst, spi::kArgDiffDst})},
      static_cast<const float*>(at({spi::kArgOutputScales})));
}

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
  } else if (operation_.kind == spi::PrimitiveKind::kEltwise) {
    const spi::EltwiseView eltwise(operation_);
    Run(eltwise, address(0), eltwise.forward ? nullptr : address(1),
        address(eltwise.forward ? 1 : 2));
  } else if (operation_.kind == spi::PrimitiveKind::kInnerProduct) {
    ComputeProduct<spi::InnerProductView>(address);
  } else if (operation_.kind == spi::PrimitiveKind::kConvolution) {
    ComputeProduct<spi::ConvolutionView>(address);
  }
}

}  // namespace fake
