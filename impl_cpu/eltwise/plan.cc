#include "impl_cpu/eltwise/plan.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/eltwise/operation.h"
#include "api/spi/operation.h"
#include "api/spi/types.h"
#include "impl_cpu/eltwise/run.h"
#include "impl_cpu/isa/isa.h"
#include "impl_cpu/numeric/subnormals.h"

namespace impl_cpu {
namespace {

using spi::DataType;
using spi::Layout;

class EltwisePlan : public spi::Plan {
 public:
  // False if this machine has no vectors.
  bool Take(const spi::EltwiseView& view, bool vectors) {
    forward_ = view.forward;
    vectors_ = vectors;
    return run_.Plan(view, vectors);
  }

  absl::Status Execute(spi::Stream&, spi::Buffers buffers) const override {
    const KeepsSubnormals keeps(true);
    const auto at = [&](size_t i) { return static_cast<std::byte*>(buffers[i]->handle()); };
    run_.Run(forward_ ? EltwiseData{at(0), nullptr, at(1)} : EltwiseData{at(0), at(1), at(2)});
    return absl::OkStatus();
  }

  std::string Describe() const override {
    const char* const direction = forward_ ? "" : "backward ";
    if (!vectors_) return absl::StrCat("cpu:plain-eltwise ", direction, run_.ToString());
    return absl::StrCat("cpu:eltwise:", IsaName(), " ", direction, run_.ToString());
  }

 private:
  EltwiseRun run_;
  bool forward_ = true, vectors_ = true;
};

// `operation` without kAny; the answers go to `chosen`.
spi::Operation Resolved(const spi::Operation& operation, std::vector<Layout>* chosen) {
  spi::Operation resolved = operation;
  for (spi::TensorArg& tensor : resolved.tensors) {
    if (tensor.layout.kind != spi::LayoutKind::kAny) continue;
    tensor.layout = spi::EltwiseView(operation).data;
    chosen->push_back(tensor.layout);
  }
  return resolved;
}

absl::Status Refuse(const char* what) {
  return absl::UnimplementedError(absl::StrCat("cpu: eltwise: ", what));
}

// Why it is not served.
absl::Status CheckServed(const spi::Operation& operation) {
  const spi::EltwiseView view(operation);
  const DataType type = view.to.type;
  if (spi::HasOpaqueLayout(operation)) return Refuse("a layout of this kind is not served");
  if (!view.forward && type != DataType::kF32 && type != DataType::kBF16)
    return Refuse("backward is of f32 and bf16 (ELT-065)");
  if (view.algorithm == spi::Algorithm::kEltwiseRound && type != DataType::kF32)
    return Refuse("eltwise_round is of f32 (ELT-047)");
  if (!view.forward && view.diff_dst != view.to)
    return Refuse("diff_dst and diff_src of two layouts are not served");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<spi::Planned> PlanEltwise(const spi::Request& request) {
  spi::Planned planned;
  const spi::Operation operation = Resolved(request.operation, &planned.chosen);
  const absl::Status served = CheckServed(operation);
  if (!served.ok()) return served;
  const spi::EltwiseView view(operation);
  // Best first. Where there are no vectors, the last one is the first.
  int candidate = request.candidate;
  for (const bool vectors : {true, false}) {
    auto plan = std::make_shared<EltwisePlan>();
    if (!plan->Take(view, vectors) || candidate-- > 0) continue;
    planned.plan = std::move(plan);
    return planned;
  }
  return absl::UnimplementedError("cpu: no further candidate");
}

}  // namespace impl_cpu
