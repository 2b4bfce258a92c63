#include "impl_vulkan/eltwise/plan.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/eltwise/operation.h"
#include "impl_vulkan/strided/move_plan.h"

namespace impl_vulkan {
namespace {

// Whether the same index is the same distance from the first element in both.
bool HaveSameSteps(const spi::Layout& a, spi::Layout b) {
  b.offset = a.offset;
  return a == b;
}

Function FunctionOf(const spi::EltwiseView& eltwise) {
  Function function;
  function.algorithm = spi::PlainOf(eltwise.algorithm);
  function.backward = !eltwise.forward;
  function.by_result = function.backward && spi::UsesDst(eltwise.algorithm);
  function.alpha = eltwise.alpha;
  function.beta = eltwise.beta;
  return function;
}

absl::Status Check(const spi::EltwiseView& eltwise) {
  if (!spi::IsEltwise(eltwise.algorithm)) {
    return absl::UnimplementedError(
        absl::StrCat("vulkan: eltwise: algorithm ", static_cast<int>(eltwise.algorithm)));
  }
  if (eltwise.forward) return absl::OkStatus();
  if (eltwise.algorithm == spi::Algorithm::kEltwiseRound) {
    return absl::UnimplementedError("vulkan: eltwise: eltwise_round has no derivative (ELT-014)");
  }
  if (spi::SizeOf(eltwise.to.type) == 1 || eltwise.to.type == spi::DataType::kS32) {
    return absl::UnimplementedError(
        absl::StrCat("vulkan: eltwise: gradients of type ", spi::NameOf(eltwise.to.type)));
  }
  if (!HaveSameSteps(eltwise.to, eltwise.diff_dst)) {
    return absl::UnimplementedError("vulkan: eltwise: diff_src and diff_dst of different layouts");
  }
  return absl::OkStatus();
}

// Gives gradients that are open the layout of the data (ELT-009), and returns what they got.
std::vector<spi::Layout> ResolveGradients(spi::Operation* operation) {
  std::vector<spi::Layout> chosen;
  for (spi::TensorArg& tensor : operation->tensors) {
    if (tensor.layout.kind != spi::LayoutKind::kAny) continue;
    tensor.layout = operation->tensors[0].layout;
    chosen.push_back(tensor.layout);
  }
  return chosen;
}

// The gradient that is read lies as the one that is written.
void AddGradients(const spi::EltwiseView& eltwise, Move* move) {
  for (spi::LoopNest& nest : move->nests) {
    nest.scale_offset = nest.dst_offset - eltwise.to.offset + eltwise.diff_dst.offset;
    for (spi::LoopDim& loop : nest.loops) loop.scale_stride = loop.dst_stride;
  }
}

}  // namespace

absl::StatusOr<Move> MoveOfEltwise(const spi::Operation& operation) {
  const spi::EltwiseView eltwise(operation);
  const absl::Status known = Check(eltwise);
  if (!known.ok()) return known;
  Move move;
  move.from = eltwise.data.type;
  move.to = eltwise.to.type;
  move.function = FunctionOf(eltwise);
  // Data, diff_dst, diff_src.
  if (!eltwise.forward) move.positions = {0, 2, 1};
  if (spi::IsEmpty(eltwise.to)) return move;
  const absl::Status filled = AddNests(eltwise.data, eltwise.to, {}, &move);
  if (!filled.ok()) return filled;
  if (!eltwise.forward) AddGradients(eltwise, &move);
  return move;
}

PlanResult PlanEltwise(const std::shared_ptr<Context>& context, const spi::Request& request) {
  spi::Operation operation = request.operation;
  std::vector<spi::Layout> chosen = ResolveGradients(&operation);
  for (const spi::TensorArg& tensor : operation.tensors) {
    const absl::Status fit = Fit(*context, {&tensor.layout});
    if (!fit.ok()) return fit;
  }
  absl::StatusOr<Move> move = MoveOfEltwise(operation);
  if (!move.ok()) return move.status();
  PlanResult planned = MovePlan::Create(context, *std::move(move), {}, request.candidate);
  if (planned.ok()) planned->chosen = std::move(chosen);
  return planned;
}

}  // namespace impl_vulkan
