// Checks that inner product and convolution share: output scales and post-ops. A Case is as
// computation.h says, and has its extents mb, ic and oc.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_ATTRIBUTES_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_ATTRIBUTES_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/choice.h"
#include "conformance/gen/values.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation.h"
#include "conformance/subject/expect.h"
#include "conformance/subject/fpmath.h"
#include "oneapi/dnnl/dnnl.hpp"

namespace conformance {

// One product of two numbers, where an exchange of two steps shows.
struct Step {
  const char* name;
  Types types;
  int64_t src, weights;
  float bias;  // 0: none
  int64_t old;
  float scale;  // 1: none
  std::vector<PostOp> post_ops;
  float expected;
};

inline constexpr Types kFloats{spec::Type::kF32, spec::Type::kF32, spec::Type::kF32,
                               spec::Type::kF32};
inline constexpr Types kBytes{spec::Type::kU8, spec::Type::kS8, spec::Type::kF32, spec::Type::kF32};
inline constexpr Types kToBytes{spec::Type::kU8, spec::Type::kS8, spec::Type::kF32,
                                spec::Type::kS8};
inline constexpr PostOp kSumOp{PostOp::kSum, 1, 0, 0};
inline constexpr PostOp kRelu{PostOp::kRelu, 1, 0, 0};

inline const std::vector<Step>& Steps() {
  static const auto* const steps = new std::vector<Step>{
      {"bias-scale", kBytes, 6, 6, 0.5f, 0, 2, {}, 73},
      {"bias-eltwise", kFloats, 3, -1, 5, 0, 1, {kRelu}, 2},
      {"scale-sum", kBytes, 3, 1, 0, 10, 2, {kSumOp}, 16},
      {"scale-eltwise", kBytes, 3, 1, 0, 0, -1, {kRelu}, 0},
      {"sum-eltwise", kFloats, 3, -2, 0, 4, 1, {kSumOp, kRelu}, 0},
      {"eltwise-scale", kFloats, 3, -1, 0, 0, 1, {{PostOp::kRelu, -1, 0, 0}}, 0},
      {"eltwise-alpha", kFloats, 8, -1, 0, 0, 1, {{PostOp::kRelu, 1, 0.25f, 0}}, -2},
      {"sum-scale", kFloats, 3, 1, 0, 8, 1, {{PostOp::kSum, 0.5f, 0, 0}}, 7},
      {"linear", kFloats, 3, 1, 0, 0, 1, {{PostOp::kLinear, 1, 2, 1}}, 7},
      {"eltwise-conversion", kToBytes, 10, 100, 0, 0, 1, {{PostOp::kLinear, 1, 0.125f, 0}}, 125},
      {"sum-conversion", kToBytes, 10, 100, 0, 100, 1, {{PostOp::kSum, -9, 0, 0}}, 100},
      {"rounding-down", kToBytes, 5, 1, 0, 0, 0.5f, {}, 2},
      {"rounding-up", kToBytes, 7, 1, 0, 0, 0.5f, {}, 4},
      {"saturation", kToBytes, 10, -100, 0, 0, 1, {}, -128},
  };
  return *steps;
}

// Of each step without and with `any`.
inline std::vector<std::string> NamesOf(const std::vector<Step>& steps) {
  std::vector<std::string> names;
  for (const Step& step : steps)
    for (const char* layout : {"-plain", "-any"}) names.push_back(step.name + std::string(layout));
  return names;
}
inline std::vector<std::string> NamesOfSteps() { return NamesOf(Steps()); }

template <class Case>
void StepIsRight(const Step& step, bool any, Trial& trial) {
  Case c;
  c.bias = step.bias != 0;
  for (const Role role : kRoles) c.uses[role].type = step.types[role];
  c.SetAny(any);
  c.attributes.post_ops = step.post_ops;
  if (step.scale != 1) c.attributes.scales = FusedAttributes::kCommon;
  // The seed with this scale.
  while (step.scale != 1 && ScaleValues(c.attributes, 1, c.seed)[0] != step.scale) ++c.seed;
  ComputedData data;
  data[kSrc] = {BitsOfInteger(step.types[kSrc], step.src)};
  data[kWeights] = {BitsOfInteger(step.types[kWeights], step.weights)};
  if (c.bias) data[kBias] = {BitsOf(spec::Type::kF32, step.bias)};
  data[kDst] = {BitsOfInteger(step.types[kDst], step.old)};
  const auto ran = Run(c, std::move(data), trial);
  if (!ran) return;
  const double got = NumberOf(step.types[kDst], ran->results[kDst][0]);
  trial.Expect(got == static_cast<double>(step.expected), "dst[0,0]", std::to_string(step.expected),
               std::to_string(got));
}

// `choice` is the name of one of `steps`, and "-plain" or "-any".
template <class Case>
void StepIsRight(const std::vector<Step>& steps, const Choice& choice, Trial& trial) {
  const bool any = choice.what.substr(choice.what.rfind('-')) == "-any";
  const std::string name = choice.what.substr(0, choice.what.rfind('-'));
  for (const Step& step : steps)
    if (step.name == name) StepIsRight<Case>(step, any, trial);
}

template <class Case>
void StepsAreInOrder(const Choice& choice, Trial& trial) {
  StepIsRight<Case>(Steps(), choice, trial);
}

// A number of scales that the mask does not ask for, beside the one that it does.
// `c` has the groups, if any.
template <class Case>
void CountsOfScalesAreChecked(Case c, const Choice& choice, Trial& trial) {
  using Of = PrimitivesOf<Case>;
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto has = [&](const char* word) { return choice.what.find(word) != std::string::npos; };
  c.mb = 2;
  c.ic = 4;
  c.oc = 3;
  if (has("u8") || has("s8")) {
    c.uses[kSrc].type = has("u8") ? spec::Type::kU8 : spec::Type::kS8;
    c.uses[kWeights].type = spec::Type::kS8;
  }
  if (has("to-s32")) c.uses[kDst].type = spec::Type::kS32;
  c.bias = has("bias");
  c.SetAny(!has("plain"));
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  const auto with = [&](int mask, size_t count, float scale) {
    return Attempt([&] {
      dnnl::primitive_attr attr;
      attr.set_output_scales(mask, std::vector<float>(count, scale));
      const auto desc = Of::ForwardDesc(c, dnnl::prop_kind::forward_inference, *descs, c.bias);
      return typename Of::Forward::primitive_desc(*desc, attr, device->engine);
    });
  };
  const bool common = has("common");
  const int mask = common ? 0 : 1 << 1;
  const size_t right = common ? 1 : static_cast<size_t>(c.channels());
  const auto of_group = static_cast<size_t>(c.oc);
  const auto accepted = with(mask, right, 2);
  if (!accepted)
    return trial.Refused(
        accepted.refusal,
        {c.AskedFor().topic, "forward", {spec::NameOf(c.uses[kSrc].type)}, 2, {"scale"}});
  // Scales of 1 leave all as it is, and are counted as others are.
  for (const float scale : {2.0f, 1.0f}) {
    for (const size_t wrong : {right + 1, 2 * right, right + 16, right - 1, size_t{1}, of_group}) {
      if (wrong == 0 || wrong == right) continue;
      if (!ExpectRefused(trial, with(mask, wrong, scale),
                         std::to_string(wrong) + " scales with mask " + std::to_string(mask)))
        return;
    }
  }
}

template <class Case>
void CountsOfScalesAreChecked(const Choice& choice, Trial& trial) {
  CountsOfScalesAreChecked(Case(), choice, trial);
}

// A forward with `attr`; may throw.
template <class Case>
ComputationPd<Case> WithAttributes(const Case& c, const dnnl::primitive_attr& attr,
                                   Device& device) {
  using Of = PrimitivesOf<Case>;
  ComputationDescs descs;
  for (const Role role : kRoles)
    if (c.Has(role))
      descs[role] = c.uses[role].any ? WithAny(c.uses[role].type, c.DimsOf(role))
                                     : MakeDesc(c.TensorOf(role));
  ComputationPd<Case> pd;
  const auto desc = Of::ForwardDesc(c, dnnl::prop_kind::forward_inference, descs, c.bias);
  pd.forward = typename Of::Forward::primitive_desc(*desc, attr, device.engine);
  pd.desc = desc;
  return pd;
}

// Results of one execution with what `pd` was made of.
template <class Case>
std::optional<ComputedData> ResultsOf(const Case& c, const ComputationPd<Case>& pd,
                                      ComputedData data, Trial& trial) {
  const auto primitive = PrimitiveOf(pd, trial);
  if (!primitive) return std::nullopt;
  const auto bench = BenchOf(c, pd, *DeviceFor(trial));
  if (!bench->Fill(&data, trial) || !bench->Execute(*primitive, trial)) return std::nullopt;
  return bench->Read(trial);
}

// Scales of another mask than 0 and that of the output channels, of bytes. `c` has no attributes.
template <class Case>
void MaskIsRefusedOrRight(Case c, int mask, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  c.uses[kSrc].type = spec::Type::kU8;
  c.uses[kWeights].type = spec::Type::kS8;
  const spec::Dims dims = c.DimsOf(kDst);
  spec::Dims masked = dims;
  int64_t count = 1;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if ((mask >> axis & 1) == 0) masked[axis] = 1;
    count *= masked[axis];
  }
  std::vector<float> scales;
  for (int64_t k = 0; k < count; ++k) scales.push_back(k % 3 == 0 ? 0.5f : k % 3 == 1 ? 2 : -4);
  const auto pd = Attempt([&] {
    dnnl::primitive_attr attr;
    attr.set_output_scales(mask, scales);
    return WithAttributes(c, attr, *device);
  });
  const std::string name = "mask " + std::to_string(mask);
  if (!pd) {
    if (ExpectLeftOpen(trial, pd.refusal, name)) trial.Record(name, "refuses");
    return;
  }
  const ComputedData data = DataOf(c);
  const auto results = ResultsOf(c, *pd.value, data, trial);
  if (!results) return;
  std::vector<ExpectedElement> expected = ExpectedOf(c, kDst, data, trial.profile());
  for (size_t k = 0; k < expected.size(); ++k) {
    const spec::Dims at = spec::Unravel(static_cast<int64_t>(k), dims);
    int64_t number = 0;
    for (size_t axis = 0; axis < dims.size(); ++axis)
      number = number * masked[axis] + (masked[axis] == 1 ? 0 : at[axis]);
    expected[k].approx = expected[k].approx * spec::Exactly(scales[static_cast<size_t>(number)]);
  }
  ExpectElements(c, kDst, expected, (*results)[kDst], trial);
}

// What is given in advance is accepted, and so it should be at execution.
template <class Case>
void RunTimeScalesWork(const Case& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  Case fixed = c;
  fixed.attributes.run_time = false;
  if (!PdFor(fixed, *descs, *device, trial)) return;
  const auto pd = Attempt([&] { return MakePd(c, *descs, device->engine); });
  if (!pd && pd.refusal.IsUnsupported())
    return trial.Deviate("output scales at execution", "accepted as those in advance",
                         pd.refusal.ToString());
  const auto ran = Run(c, DataOf(c), trial);
  if (!ran || !ExpectOracle(c, ran->data, ran->results, trial)) return;
  // The same primitive with other scales, and other contents.
  Case other = c;
  ++other.seed;
  ComputedData data = DataOf(other);
  const auto bench = BenchOf(other, ran->pd, *device);
  if (!bench->Fill(&data, trial) || !bench->Execute(ran->primitive, trial)) return;
  const auto results = bench->Read(trial);
  if (results) ExpectOracle(other, data, *results, trial);
}

// `drawn` has a chain: the sum in it, or one in front of it, has the scale 0. In half of the cases
// it stands behind the rest.
template <class Case>
void SumOfNothing(const Case& drawn, Trial& trial) {
  Case c = drawn;
  std::vector<PostOp>& chain = c.attributes.post_ops;
  if (chain.empty() || chain[0].kind != PostOp::kSum) chain.insert(chain.begin(), kSumOp);
  chain[0].scale = 0;
  if (chain.size() > 1 && c.seed % 2 == 1) {
    trial.Cover("sum of 0 behind");
    std::rotate(chain.begin(), chain.begin() + 1, chain.end());
  }
  ComputedData data = DataOf(c);
  const spec::Type type = c.uses[kDst].type;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  if (trial.project() && spec::IsFloat(type))
    for (size_t k = 0; k < data[kDst].size(); k += 2)
      data[kDst][k] = BitsOf(type, k % 8 == 0 ? kInfinity : kNan);
  Cover(trial, c);
  const auto ran = Run(c, std::move(data), trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

inline dnnl::primitive_attr AttributeNamed(const std::string& name) {
  dnnl::primitive_attr attr;
  dnnl::post_ops ops;
  if (name == "common-scale") attr.set_output_scales(0, {2.0f});
  if (name == "scale-of-each-channel") attr.set_output_scales(1 << 1, {2, 3, 4});
  if (name == "zero-point-of-src") attr.set_zero_points(DNNL_ARG_SRC, 0, {1});
  if (name == "zero-point-of-dst") attr.set_zero_points(DNNL_ARG_DST, 0, {1});
  if (name == "scale-of-src") attr.set_scales(DNNL_ARG_SRC, 0, {2.0f});
  if (name == "run-time-scale") attr.set_output_scales(0, {DNNL_RUNTIME_F32_VAL});
  if (name == "rnn-data") attr.set_rnn_data_qparams(2, 3);
  if (name == "rnn-data-scale") attr.set_rnn_data_qparams(2, 0);
  if (name == "rnn-data-shift") attr.set_rnn_data_qparams(1, 3);
  if (name == "rnn-weights") attr.set_rnn_weights_qparams(0, {2.0f});
  if (name == "math-mode") SetFpmathMode(&attr, kFpmathModes[0].number);
  if (name == "sum") ops.append_sum();
  if (name == "eltwise") ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  if (ops.len() > 0) attr.set_post_ops(ops);
  return attr;
}

// A backward primitive descriptor of `c` with other attributes.
template <class Case>
Attempted<int> TryBackward(const Case& c, const ComputationDescs& descs,
                           const dnnl::primitive_attr& attr, const dnnl::engine& engine) {
  using Of = PrimitivesOf<Case>;
  return Attempt([&] {
    const auto hint = HintFor(c, engine);
    if (c.direction == Direction::kBackwardData)
      typename Of::BackwardData::primitive_desc(*Of::DataDesc(c, descs), attr, engine, hint);
    else
      typename Of::BackwardWeights::primitive_desc(*Of::WeightsDesc(c, descs, c.bias), attr, engine,
                                                   hint);
    return 0;
  });
}

// Each attribute beside the primitive without, of f32 and narrower, as `any` and not, with a
// gradient of the bias and without. Portable: a math mode permits, and may be taken.
template <class Case>
void BackwardRefusesAttribute(Direction direction, const std::string& what, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto attr = Attempt([&] { return AttributeNamed(what); });
  if (!attr) return trial.LeftOpen(attr.refusal, "the attribute " + what);
  const bool open = what == "math-mode" && (trial.portable() || !kHasFpmathMode);
  for (const Types& types : {EveryType(direction).front(), FloatTypes(direction).front()}) {
    for (int way = direction == Direction::kBackwardData ? 2 : 0; way < 4; ++way) {
      Case c;
      c.mb = 2;
      c.ic = 4;
      c.oc = 3;
      c.direction = direction;
      for (const Role role : kRoles) c.uses[role].type = types[role];
      c.bias = way / 2 == 1 && direction != Direction::kBackwardData;
      c.SetAny(way % 2 == 1);
      const auto descs = DescsFor(c, trial);
      if (!descs) return;
      const Asked plain = c.AskedFor();
      const std::string asked = plain.ToString();
      const auto without = TryBackward(c, *descs, {}, device->engine);
      if (!without && c.MayRefuse(trial.profile())) continue;
      if (!ExpectOffered(trial, without, asked + " without attributes", plain)) return;
      if (open) return trial.Vacuous();
      if (!ExpectRefused(trial, TryBackward(c, *descs, *attr.value, device->engine),
                         asked + " with " + what))
        return;
    }
  }
}

// Of CountsOfScalesAreChecked.
inline std::vector<std::string> NamesOfCounts() {
  return {"f32-common",
          "f32-channel",
          "u8-common",
          "u8-channel",
          "s8-common",
          "s8-channel",
          "u8-plain-bias-common",
          "s8-plain-bias-channel",
          "u8-to-s32-channel",
          "s8-to-s32-plain-common"};
}

inline std::vector<std::string> NamesOfAttributes() {
  return {"common-scale", "scale-of-each-channel", "run-time-scale",    "sum",
          "eltwise",      "zero-point-of-src",     "zero-point-of-dst", "scale-of-src",
          "rnn-data",     "rnn-data-scale",        "rnn-data-shift",    "rnn-weights",
          "math-mode"};
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_COMPUTATION_ATTRIBUTES_H_
