// A check that inner product and convolution share: what constructors of primitive descriptors make
// of `allow_empty`. A Case is as computation.h says.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_EMPTY_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_EMPTY_H_

#include <string>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/expect.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// `make` takes `allow_empty`, and gives an empty descriptor with it where it throws without.
template <class Make>
bool ExpectEmptyWhereItThrows(Make make, const std::string& what, bool served, Trial& trial) {
  const auto has_kind = [&](bool allow_empty) {
    return Attempt([&] {
      const auto pd = make(allow_empty);
      return Attempt([&] { return pd.get_kind(); }).value.has_value();
    });
  };
  const auto without = has_kind(false), with = has_kind(true);
  if (served && !ExpectAccepted(trial, without, what)) return false;
  if (!with) {
    trial.Fail(what + ", allow_empty", "no exception", with.refusal);
    return false;
  }
  const bool made = without && *without.value;
  return trial.Expect(!without || made, what, "a descriptor, or an exception", "an empty one") &&
         trial.Expect(*with.value == made, what + ", allow_empty",
                      made ? "a descriptor" : "an empty one", made ? "an empty one" : "another");
}

// The same where an argument of `make` is an empty object. Portable: the flag need not cover that
// (A-02, ERR-018).
template <class Make>
bool ExpectEmptyOfEmpty(Make make, const std::string& what, Trial& trial) {
  const auto with = Attempt([&] { return make(true); });
  if (!with && trial.portable())
    return ExpectRefused(trial, Attempt([&] { return make(false); }), what);
  return ExpectEmptyWhereItThrows(make, what, false, trial);
}

// Each constructor: without attributes, with one that all primitives take, and with one that is for
// RNN alone (ATTR-062). Those with an empty engine, and with an empty hint.
template <class Primitive, class... Hint>
bool ExpectFlagIsHonoured(const typename Primitive::desc& desc, const std::string& name,
                          bool served, Device& device, Trial& trial, const Hint&... hint) {
  using Pd = typename Primitive::primitive_desc;
  dnnl::primitive_attr user, of_rnn;
  user.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  of_rnn.set_rnn_data_qparams(2, 3);
  const dnnl::engine& engine = device.engine;
  return ExpectEmptyWhereItThrows([&](bool flag) { return Pd(desc, engine, hint..., flag); }, name,
                                  served, trial) &&
         ExpectEmptyWhereItThrows([&](bool flag) { return Pd(desc, user, engine, hint..., flag); },
                                  name + " with a scratchpad mode", served, trial) &&
         ExpectEmptyWhereItThrows(
             [&](bool flag) { return Pd(desc, of_rnn, engine, hint..., flag); },
             name + " with parameters of RNN", false, trial) &&
         ExpectEmptyOfEmpty([&](bool flag) { return Pd(desc, dnnl::engine(), hint..., flag); },
                            name + " on an empty engine", trial) &&
         ExpectEmptyOfEmpty(
             [&](bool flag) { return Pd(desc, user, dnnl::engine(), hint..., flag); },
             name + " with a scratchpad mode, on an empty engine", trial) &&
         (sizeof...(hint) == 0 ||
          (ExpectEmptyOfEmpty([&](bool flag) { return Pd(desc, engine, Hint()..., flag); },
                              name + " with an empty hint", trial) &&
           ExpectEmptyOfEmpty([&](bool flag) { return Pd(desc, user, engine, Hint()..., flag); },
                              name + " with a scratchpad mode and an empty hint", trial)));
}

// `what` names a direction. Beside f32, floats by integers, which are served by few.
template <class Case>
void AllowEmptyGivesEmpty(const Choice& choice, Trial& trial) {
  using Of = PrimitivesOf<Case>;
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  Case c;
  for (const Direction direction : kDirections)
    if (choice.what == NameOf(direction)) c.direction = direction;
  const auto hint = Attempt([&] { return HintFor(c, device->engine); });
  if (!ExpectOffered(trial, hint, "the forward", {c.AskedFor().topic, "forward", {"f32"}, 2, {}}))
    return;
  const ComputationDescs served = AnyDescs(c, spec::Type::kF32);
  ComputationDescs mixed = served;
  mixed[kWeights] = WithAny(spec::Type::kS8, c.DimsOf(kWeights));
  for (const int way : {0, 1, 2}) {
    // The second with a bias.
    const bool is_served = way < 2, bias = way == 1;
    ComputationDescs descs = is_served ? served : mixed;
    if (bias) descs[kBias] = WithAny(spec::Type::kF32, c.DimsOf(kBias));
    const std::string name = bias ? "of f32 with a bias" : is_served ? "of f32" : "of f32 by s8";
    const auto judged = [&](const auto& desc, const auto& judge) {
      return desc ? judge(**desc.value) : !is_served || ExpectAccepted(trial, desc, name);
    };
    const auto kind = dnnl::prop_kind::forward_training;
    bool held = true;
    if (c.forward()) {
      held = judged(Attempt([&] { return Of::ForwardDesc(c, kind, descs, bias); }),
                    [&](const auto& desc) {
                      return ExpectFlagIsHonoured<typename Of::Forward>(desc, name, is_served,
                                                                        *device, trial);
                    });
    } else if (c.direction == Direction::kBackwardData) {
      held = judged(Attempt([&] { return Of::DataDesc(c, descs); }), [&](const auto& desc) {
        return ExpectFlagIsHonoured<typename Of::BackwardData>(desc, name, is_served, *device,
                                                               trial, *hint.value);
      });
    } else {
      held =
          judged(Attempt([&] { return Of::WeightsDesc(c, descs, bias); }), [&](const auto& desc) {
            return ExpectFlagIsHonoured<typename Of::BackwardWeights>(desc, name, is_served,
                                                                      *device, trial, *hint.value);
          });
    }
    if (!held) return;
  }
}

inline std::vector<std::string> NamesOfDirections() {
  std::vector<std::string> names;
  for (const Direction direction : kDirections) names.push_back(NameOf(direction));
  return names;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_EMPTY_H_
