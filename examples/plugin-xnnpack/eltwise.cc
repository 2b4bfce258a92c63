#include "examples/plugin-xnnpack/eltwise.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "examples/plugin-cpu/operations.h"
#include "examples/plugin-cpu/plugin.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-xnnpack/copies.h"
#include "examples/plugin-xnnpack/operators.h"

namespace plugin {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The bounds of XNNPACK's clamp differ.
Floats Clamped(float low, float high, const Floats& s) {
  Floats d(static_cast<int64_t>(s.size()));
  if (low < high) {
    Apply(Unary::kClamp, {low, high}, s, &d);
  } else {
    std::fill_n(d.data(), d.size(), low);
  }
  return d;
}

Floats Applied(Unary unary, const Floats& s) {
  Floats d(static_cast<int64_t>(s.size()));
  Apply(unary, {}, s, &d);
  return d;
}

Floats Linear(float alpha, float beta, const Floats& s) {
  Floats d(static_cast<int64_t>(s.size()));
  Apply(Binary::kMultiply, s, Only(alpha), &d);
  Apply(Binary::kAdd, d, Only(beta), &d);
  return d;
}

// Not by XNNPACK's leaky relu, which gives what is negative and subnormal as it is.
Floats Relu(float alpha, const Floats& s) {
  Floats d = Clamped(-kInfinity, 0, s);
  Apply(Binary::kMultiply, d, Only(alpha), &d);
  Apply(Binary::kAdd, d, Clamped(0, kInfinity, s), &d);
  return d;
}

// Nothing where XNNPACK has no operators for it.
std::optional<Floats> Forward(const EltwiseOperation& op, const Floats& s) {
  const float alpha = static_cast<float>(op.alpha), beta = static_cast<float>(op.beta);
  switch (op.algorithm) {
    case kRelu:
      return Relu(alpha, s);
    case kSquare:
      return Applied(Unary::kSquare, s);
    case kAbs:
      return Applied(Unary::kAbs, s);
    case kRound:
      return Applied(Unary::kRound, s);
    case kLinear:
      return Linear(alpha, beta, s);
    case kBoundedRelu:
      return Clamped(0, alpha, s);
    case kClip:
      return Clamped(alpha, beta, s);
    default:
      return std::nullopt;
  }
}

struct Eltwise : dnnspec_plan, EltwiseOperation {
  void Execute(const dnnspec_argument* arguments) const override {
    if (IsEmpty(data)) return;
    const Floats s = Gather(data, arguments[data_at]);
    Scatter(*Forward(*this, s), result, arguments[result_at]);
  }
};

}  // namespace

dnnspec_status PlanEltwise(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<Eltwise>();
  const dnnspec_status status = ReadEltwise(operation, chosen, plan.get());
  if (status != DNNSPEC_OK) return status;
  if (!plan->forward || !Forward(*plan, Only(1)))
    return Unimplemented("XNNPACK has no operator for it");
  *out = std::move(plan);
  return DNNSPEC_OK;
}

}  // namespace plugin
