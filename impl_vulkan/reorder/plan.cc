#include "impl_vulkan/reorder/plan.h"

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "api/reorder/operation.h"
#include "impl_vulkan/reorder/transfer_plan.h"
#include "impl_vulkan/strided/move_plan.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {
namespace {

bool IsOne(float value) {
  uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits == 0x3f800000u;
}

Arithmetic ArithmeticOf(const spi::ReorderView& operation) {
  Arithmetic arithmetic;
  arithmetic.src_zero = operation.src_zero_point;
  arithmetic.dst_zero = operation.dst_zero_point;
  arithmetic.run_time_scales = operation.run_time_scales;
  if (operation.run_time_scales || operation.scales.size() > 1) {
    arithmetic.scales = Arithmetic::Scales::kMany;
  } else if (operation.scales.size() == 1) {
    // One scale of 1 is the default attribute, and the default computes nothing.
    const bool is_default = operation.scale_mask == 0 && IsOne(operation.scales[0]);
    arithmetic.scales = is_default ? Arithmetic::Scales::kNone : Arithmetic::Scales::kOne;
    arithmetic.alpha = operation.scales[0];
  }
  // With a beta of 0 the destination is not read, but the value passes through f32 all the same
  // (REO-053, REO-060): s32 into s32 can tell.
  arithmetic.sum = operation.has_sum && operation.beta != 0;
  if (operation.has_sum && arithmetic.none()) arithmetic.scales = Arithmetic::Scales::kOne;
  arithmetic.beta = operation.beta;
  arithmetic.old_type =
      operation.sum_type == spi::DataType::kUndef ? operation.dst.type : operation.sum_type;
  return arithmetic;
}

}  // namespace

absl::StatusOr<Move> MoveOfReorder(const spi::Operation& request) {
  const spi::ReorderView operation(request);
  const spi::Layout& source = operation.src;
  const spi::Layout& destination = operation.dst;
  Move move;
  move.from = source.type;
  move.to = destination.type;
  move.arithmetic = ArithmeticOf(operation);
  move.scale_count = operation.scale_count;
  size_t next = operation.run_time_scales ? kScales + 1 : kScales;
  move.positions[kSrcZero] = next;
  move.positions[kDstZero] = operation.src_zero_point.run_time ? next + 1 : next;
  if (spi::IsEmpty(destination)) return move;

  spi::AxisMap map;
  if (move.arithmetic.scales == Arithmetic::Scales::kMany) {
    int64_t stride = 1;
    for (int axis = destination.rank - 1; axis >= 0; --axis) {
      if ((operation.scale_mask >> axis & 1) == 0) continue;
      map.scale_strides[static_cast<size_t>(axis)] = stride;
      stride *= destination.dims[static_cast<size_t>(axis)];
    }
  }
  const absl::Status filled = AddNests(source, destination, map, &move);
  if (!filled.ok()) return filled;
  return move;
}

PlanResult PlanReorder(const std::shared_ptr<Context>& context, const spi::Request& request) {
  const spi::ReorderView reorder(request.operation);
  const absl::Status fit = Fit(*context, {&reorder.src, &reorder.dst});
  if (!fit.ok()) return fit;
  absl::StatusOr<Move> move = MoveOfReorder(request.operation);
  if (!move.ok()) return move.status();
  const bool table = move->arithmetic.scales == Arithmetic::Scales::kMany;
  std::vector<float> scales;
  if (table) scales.assign(reorder.scales.begin(), reorder.scales.end());
  return MovePlan::Create(context, *std::move(move), scales, request.candidate);
}

PlanResult PlanTransfer(const std::shared_ptr<Context>& source,
                        const std::shared_ptr<Context>& destination, const spi::Request& request) {
  const auto reorder = spi::AsReorder(request.operation);
  if (!reorder.has_value()) return absl::UnimplementedError("vulkan: no further implementation");
  absl::Status fit;
  if (source != nullptr) fit = Fit(*source, {&reorder->src});
  if (fit.ok() && destination != nullptr) fit = Fit(*destination, {&reorder->dst});
  if (!fit.ok()) return fit;
  return TransferPlan::Create(source, destination, request.operation);
}

}  // namespace impl_vulkan
