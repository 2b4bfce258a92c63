// Checks that inner product and convolution share: what the programming model asks of every
// primitive. A Case is as computation.h says, and has limits that it is drawn within.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_MODEL_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_MODEL_H_

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/random.h"
#include "conformance/case/trial.h"
#include "conformance/gen/computation.h"
#include "conformance/gen/values.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/computation_attributes.h"
#include "conformance/subject/computation_checks.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// Forward, of f32 as often as of all other types.
template <class Limits>
Limits ForwardOfEachType() {
  Limits limits;
  limits.directions = {Direction::kForward};
  limits.every_type = true;
  limits.most_products = 1 << 13;
  return limits;
}

// ATTR-022. Kernels take channels in groups, whose number and width nobody can know from outside.
inline constexpr int64_t kManyChannels = 64;

// To forwards within scales and scales at execution: one for each channel, of which `give` makes
// many in every other case.
template <class Case>
void ScaleEachChannel(Random& random, void (*give)(int64_t channels, Case* c), Case* c) {
  c->attributes.scales = FusedAttributes::kChannel;
  c->attributes.run_time = random.Chance(30);
  if (random.Chance(50)) return;
  give(random.Between(kManyChannels, 5 * kManyChannels), c);
  for (TensorUse& use : c->uses) use.at = {};
  c->ResetLayouts();
}

inline bool ScalesEachChannel(const Computation& c) {
  return c.attributes.scales == FusedAttributes::kChannel;
}

template <class Case>
void EachChannelHasItsScale(const Case& c, Trial& trial) {
  if (c.channels() >= kManyChannels) trial.Cover("many scales");
  RefusedOrRight(c, trial);
}

inline void SumOntoAPlainTensor(Random& random, Computation* c) {
  c->attributes.post_ops = {{PostOp::kSum, random.Pick({1.0f, 1.0f, 0.5f, -1.0f}), 0, 0}};
  if (random.Chance(40)) c->attributes.post_ops.push_back(kRelu);
  if (random.Chance(20)) std::swap(c->attributes.post_ops.front(), c->attributes.post_ops.back());
  // What the bits of one type are in the other, no reorder into blocks has to keep.
  TensorUse& dst = c->uses[kDst];
  if (dst.any) dst.layout = Plainest(c->DimsOf(kDst));
  dst.any = false;
}

inline bool SumsOntoAPlainTensor(const Computation& c) {
  const std::vector<PostOp>& ops = c.attributes.post_ops;
  return c.attributes.sums() && c.attributes.scales == FusedAttributes::kNone &&
         !c.uses[kDst].any && std::all_of(ops.begin(), ops.end(), [](const PostOp& op) {
           return op.kind == PostOp::kSum || op.kind == PostOp::kRelu;
         });
}

template <class Case>
void SumReadsAnotherType(const Case& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  // What it held, and what comes of that.
  Case held = c;
  held.uses[kDst].type = TypeOfTheSameSize(c.uses[kDst].type);
  const auto pd = Attempt([&] {
    dnnl::post_ops ops;
    for (const PostOp& op : c.attributes.post_ops) {
      if (op.kind == PostOp::kSum) {
        ops.append_sum(op.scale, DataTypeOf(held.uses[kDst].type));
      } else {
        ops.append_eltwise(op.scale, dnnl::algorithm::eltwise_relu, op.alpha, op.beta);
      }
    }
    dnnl::primitive_attr attr;
    attr.set_post_ops(ops);
    return WithAttributes(c, attr, *device);
  });
  const std::string name = "a sum of another type";
  trial.Record(name, pd ? "offered" : "refused");
  if (!pd) return trial.LeftOpen(pd.refusal, name);
  trial.Cover("typed sum");
  Cover(trial, c);
  const ComputedData data = DataOf(held);
  const auto results = ResultsOf(c, *pd.value, data, trial);
  if (results)
    ExpectElements(c, kDst, ExpectedOf(held, kDst, data, trial.profile()), (*results)[kDst], trial);
}

// PRIM-030: executions in the same memories, of which one input after another holds other values.
template <class Case>
void EachInputIsReadAnew(const Case& c, Trial& trial) {
  Making<Case> making;
  making.user_scratchpad = c.seed % 2 == 0;
  trial.Cover(making.user_scratchpad ? "a scratchpad that stays" : "a scratchpad of the library");
  const auto ran = Run(c, trial, making);
  if (!ran || !ExpectOracle(c, ran->data, ran->results, trial)) return;
  Case other = c;
  other.seed = c.seed + kOtherContents;
  const ComputedData others = DataOf(other);
  ComputedData data = DataOf(c);
  for (const Role role : kRoles) {
    if (!c.Has(role) || c.Writes(role)) continue;
    data[role] = others[role];
    ComputedData stored = data;
    if (!ran->bench->Fill(&stored, trial) || !ran->bench->Execute(ran->primitive, trial)) return;
    const auto results = ran->bench->Read(trial);
    if (!results || !ExpectOracle(c, stored, *results, trial)) return;
  }
}

// What draws a case within limits: AnyConvolutionCase, AnyInnerProductCase.
template <class Case, class Limits>
using Draw = Case (*)(Random& random, const Limits& limits);

// Drawn within `limits` and then changed.
template <class Case, class Limits, class Change>
Cases<Case> Changed(Draw<Case, Limits> draw, const Limits& limits, int64_t count, Change change,
                    bool (*holds)(const Computation& c)) {
  return {count,
          [draw, limits, change](int64_t, Random& random) {
            Case c = draw(random, limits);
            change(random, &c);
            return c;
          },
          [limits, holds](const Case& c) { return Fits(c, limits) && holds(c); }};
}

// For EachChannelHasItsScale; `give` as ScaleEachChannel says.
template <class Case, class Limits>
Cases<Case> ScalesOfChannels(Draw<Case, Limits> draw, void (*give)(int64_t channels, Case* c)) {
  auto limits = ForwardOfEachType<Limits>();
  limits.scales = limits.run_time_scales = true;
  return Changed(
      draw, limits, 300, [give](Random& random, Case* c) { ScaleEachChannel(random, give, c); },
      ScalesEachChannel);
}

// For SumReadsAnotherType.
template <class Case, class Limits>
Cases<Case> TypedSums(Draw<Case, Limits> draw) {
  auto limits = ForwardOfEachType<Limits>();
  limits.post_ops = true;
  return Changed(draw, limits, 200, SumOntoAPlainTensor, SumsOntoAPlainTensor);
}

// The limits of a case, of f32 and of every type that its direction has.
template <class Limits>
Limits OfDirectionInTurn(int64_t index) {
  Limits limits;
  limits.most_products = 1 << 12;
  limits.directions = {kDirections[index % 3]};
  if (index % 2 == 1) limits.types = NarrowTypes(limits.directions[0]);
  return limits;
}

// So many of a hundred tensors are `any`; the others lie as they lie without limits, or in any way.
inline TensorLimits Open(int percent, bool all_layouts = false) {
  TensorLimits limits;
  limits.any_percent = percent;
  limits.all_layouts = all_layouts;
  return limits;
}

// Without attributes.
template <class Case, class Limits>
Cases<Case> OfEachDirection(Draw<Case, Limits> draw, int64_t count = 150,
                            const TensorLimits& tensors = {}) {
  return {count,
          [draw, tensors](int64_t index, Random& random) {
            auto limits = OfDirectionInTurn<Limits>(index);
            static_cast<TensorLimits&>(limits) = tensors;
            return draw(random, limits);
          },
          [](const Case& c) { return c.attributes.none(); }};
}

inline const std::vector<std::string>& ClassesOfNewContents() {
  static const auto* const classes =
      new std::vector<std::string>{"forward", "backward data", "backward weights",
                                   "a scratchpad that stays", "a scratchpad of the library"};
  return *classes;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_MODEL_H_
