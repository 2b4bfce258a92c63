// Checks that inner product and convolution share: what constructors take beside the tensors of a
// case: hints, propagation kinds, a bias that is none. A Case is as computation.h says.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_HINTS_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_HINTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/choice.h"
#include "conformance/gen/computation.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/descriptor_text.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/prop_kinds.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// Hints that every subject has whose types are f32; with an eltwise; of bf16, of bytes, of f32.
inline constexpr uint64_t kPlainHints = 4, kHints = 8;

// The type of hint number `kind`: where that is another than HintFor's, it may be an error
// (CONV-162).
inline spec::Type TypeOfHint(const Computation& c, uint64_t kind) {
  return kind == 5   ? spec::Type::kBF16
         : kind == 6 ? spec::Type::kU8
         : kind == 7 ? spec::Type::kF32
                     : TypeOfHint(c);
}

// A forward of the case's shape, in one of so many ways.
template <class Case>
auto OtherHint(const Case& c, uint64_t kind, const dnnl::engine& engine) {
  using Of = PrimitivesOf<Case>;
  using spec::Type;
  const Type type = TypeOfHint(c, kind);
  ComputationDescs descs = AnyDescs(c, type);
  descs[kBias] = WithAny(Type::kF32, c.DimsOf(kBias));
  if (kind == 6) descs[kWeights] = WithAny(Type::kS8, c.DimsOf(kWeights));
  const auto set_plain = [&](Role role, Type of) {
    descs[role] = MakeDesc({of, c.DimsOf(role), Plainest(c.DimsOf(role))});
  };
  if (kind == 0 || kind == 2) set_plain(kSrc, type);
  if (kind == 0) set_plain(kWeights, type);
  if (kind == 0) set_plain(kDst, type);
  if (kind == 2) set_plain(kBias, Type::kF32);
  dnnl::primitive_attr attr;
  if (kind == 4) {
    dnnl::post_ops ops;
    ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
    attr.set_post_ops(ops);
  }
  const auto desc = Of::ForwardDesc(
      c, kind == 3 ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training, descs,
      kind == 1 || kind == 2);
  return typename Of::Forward::primitive_desc(*desc, attr, engine);
}

template <class Case>
void HintsChangeNothing(const Case& c, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const uint64_t kind = c.seed % kHints;
  const spec::Type type = TypeOfHint(c, kind);
  Making<Case> making;
  const auto hint = Attempt([&] { return OtherHint(c, kind, device->engine); });
  const bool plain = kind < kPlainHints && type == spec::Type::kF32;
  if (!hint && !plain && hint.refusal.IsUnsupported()) return;
  if (!ExpectOffered(trial, hint, "a forward as a hint",
                     {c.AskedFor().topic, "forward", {spec::NameOf(type)}, 2, {}}))
    return;
  trial.Cover("hint " + std::to_string(kind));
  making.hint = *hint.value;
  if (trial.portable() && type != TypeOfHint(c)) {
    const auto descs = DescsFor(c, trial);
    if (!descs) return;
    const auto made = Attempt([&] { return MakePd(c, *descs, device->engine, making); });
    trial.Record("a hint of other types", made ? "accepts" : "refuses");
    if (!made) return trial.LeftOpen(made.refusal, "a hint of other types");
  }
  auto ran = Run(c, trial, making);
  if (!ran || !ExpectOracle(c, ran->data, ran->results, trial)) return;
  const dnnl::memory::desc workspace =
      ran->pd.With([](auto& pd) { return pd.query_md(dnnl::query::workspace_md); });
  ExpectDescriptor(trial, "the query of a workspace", "the zero descriptor", dnnl::memory::desc(),
                   workspace);
}

// One of these types and of this direction, with every tensor as `any` or none.
template <class Case>
Case CaseOfTypes(Direction direction, const Types& types, bool bias, bool any) {
  Case c;
  c.direction = direction;
  for (const Role role : kRoles) c.uses[role].type = types[role];
  c.bias = bias && direction != Direction::kBackwardData;
  c.SetAny(any);
  return c;
}

// `what` names a backward direction. Types beside f32 that are refused anyway prove nothing.
template <class Case>
void EmptyHintsAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const Direction direction =
      choice.what == "backward-data" ? Direction::kBackwardData : Direction::kBackwardWeights;
  for (const Types& types : {EveryType(direction).front(), FloatTypes(direction).front()}) {
    for (const int way : {0, 1, 2, 3}) {
      const Case c = CaseOfTypes<Case>(direction, types, way / 2 == 1, way % 2 == 1);
      const auto descs = DescsFor(c, trial);
      if (!descs) return;
      Making<Case> making;
      making.user_scratchpad = way == 1;
      const auto with = Attempt([&] { return MakePd(c, *descs, device->engine, making); });
      if (!with && c.MayRefuse(trial.profile())) continue;
      making.hint.emplace();
      const auto without = Attempt([&] { return MakePd(c, *descs, device->engine, making); });
      if (!ExpectOffered(trial, with, "a hint", c.AskedFor()) ||
          !ExpectRefused(trial, without, "an empty hint of " + c.AskedFor().ToString()))
        return;
    }
  }
}

// `what` names a kind of KindsOtherThanForward.
template <class Case>
void OtherKindsAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const std::vector<Types> all = EveryType(Direction::kForward);
  for (const Types& types : {all.front(), FloatTypes(Direction::kForward).front(), all.back()}) {
    for (const int way : {0, 1, 2, 3}) {
      const Case c = CaseOfTypes<Case>(Direction::kForward, types, way / 2 == 1, way % 2 == 1);
      const auto descs = DescsFor(c, trial);
      if (!descs) return;
      const auto with = [&](dnnl::prop_kind kind) {
        Making<Case> making;
        making.kind = kind;
        return Attempt([&] { return MakePd(c, *descs, device->engine, making); });
      };
      for (const auto& [name, kind] : KindsOtherThanForward())
        if (name == choice.what && !ExpectRefused(trial, with(kind), "prop_kind::" + name)) return;
      if (!c.MayRefuse(trial.profile()) &&
          !ExpectOffered(trial, with(dnnl::prop_kind::forward_training),
                         "prop_kind::forward_training", c.AskedFor()))
        return;
    }
  }
}

// The constructor with bias, given the zero descriptor.
template <class Case>
void ZeroDescriptorIsNoBias(const Case& c, Trial& trial) {
  using Of = PrimitivesOf<Case>;
  const auto ran = Run(c, trial);
  if (!ran) return;
  Device& device = *DeviceFor(trial);
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  ComputationPd<Case> pd;
  pd.direction = c.direction;
  const auto kind =
      c.seed % 2 == 0 ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  const auto made = Attempt([&] {
    if (c.forward()) {
      const auto desc = Of::ForwardDesc(c, kind, *descs, true);
      pd.forward = typename Of::Forward::primitive_desc(*desc, AttrOf(c), device.engine);
    } else {
      const auto desc = Of::WeightsDesc(c, *descs, true);
      pd.backward_weights = typename Of::BackwardWeights::primitive_desc(*desc, device.engine,
                                                                         HintFor(c, device.engine));
    }
  });
  const auto tells_none = [&](dnnl::query what, int number, const char* name) {
    return ExpectDescriptor(trial, name, "the zero descriptor", dnnl::memory::desc(),
                            pd.With([&](auto& one) { return one.query_md(what, number); }));
  };
  const bool forward = c.forward();
  if (!ExpectAccepted(trial, made, "a zero descriptor as bias") ||
      !ExpectDescriptor(trial, "the getter of the bias", "the zero descriptor",
                        dnnl::memory::desc(), pd.DescOf(kBias)) ||
      !tells_none(dnnl::query::exec_arg_md, forward ? DNNL_ARG_BIAS : DNNL_ARG_DIFF_BIAS,
                  "exec_arg_md of the bias") ||
      !tells_none(forward ? dnnl::query::weights_md : dnnl::query::diff_weights_md, 1,
                  "weights number 1"))
    return;
  const auto primitive = PrimitiveOf(pd, trial);
  if (!primitive) return;
  const auto bench = BenchOf(c, pd, device);
  ComputedData data = ran->data;
  if (!bench->Fill(&data, trial) || !bench->Execute(*primitive, trial)) return;
  const auto results = bench->Read(trial);
  if (results)
    ExpectSameResults(c, "with a zero descriptor as bias", ran->results, *results, trial);
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_HINTS_H_
