// IP-040 to IP-045: output scales and post-ops.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/gen/values.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Type;

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

constexpr Types kFloats{Type::kF32, Type::kF32, Type::kF32, Type::kF32};
constexpr Types kBytes{Type::kU8, Type::kS8, Type::kF32, Type::kF32};
constexpr Types kToBytes{Type::kU8, Type::kS8, Type::kF32, Type::kS8};
constexpr PostOp kSumOp{PostOp::kSum, 1, 0, 0};
constexpr PostOp kRelu{PostOp::kRelu, 1, 0, 0};

const std::vector<Step>& Steps() {
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

std::vector<std::string> NamesOfSteps() {
  std::vector<std::string> names;
  for (const Step& step : Steps())
    for (const char* layout : {"-plain", "-any"}) names.push_back(step.name + std::string(layout));
  return names;
}

void StepsAreInOrder(const Choice& choice, Trial& trial) {
  const bool any = choice.what.substr(choice.what.rfind('-')) == "-any";
  const std::string name = choice.what.substr(0, choice.what.rfind('-'));
  for (const Step& step : Steps()) {
    if (step.name != name) continue;
    InnerProductCase c;
    c.bias = step.bias != 0;
    for (const Role role : kRoles) c.uses[role].type = step.types[role];
    c.SetAny(any);
    c.attributes.post_ops = step.post_ops;
    if (step.scale != 1) c.attributes.scales = FusedAttributes::kCommon;
    // The seed with this scale.
    while (step.scale != 1 && ScaleValues(c.attributes, 1, c.seed)[0] != step.scale) ++c.seed;
    InnerProductData data;
    data[kSrc] = {BitsOfInteger(step.types[kSrc], step.src)};
    data[kWeights] = {BitsOfInteger(step.types[kWeights], step.weights)};
    if (c.bias) data[kBias] = {BitsOf(Type::kF32, step.bias)};
    data[kDst] = {BitsOfInteger(step.types[kDst], step.old)};
    const auto ran = RunProduct(c, std::move(data), trial);
    if (!ran) return;
    const double got = NumberOf(step.types[kDst], ran->results[kDst][0]);
    trial.Expect(got == static_cast<double>(step.expected), "dst[0,0]",
                 std::to_string(step.expected), std::to_string(got));
  }
}

// A number of scales that the mask does not ask for, beside the one that it does.
void CountsOfScalesAreChecked(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const bool bytes = choice.what.find("u8") != std::string::npos;
  InnerProductCase c;
  c.mb = 2;
  c.ic = 4;
  c.oc = 3;
  if (bytes) {
    c.uses[kSrc].type = Type::kU8;
    c.uses[kWeights].type = Type::kS8;
  }
  for (TensorUse& use : c.uses) use.any = true;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  const auto with = [&](int mask, size_t count) {
    return Attempt([&] {
      dnnl::primitive_attr attr;
      attr.set_output_scales(mask, std::vector<float>(count, 2.0f));
      return ProductForward::primitive_desc(
          ProductForward::desc(dnnl::prop_kind::forward_inference, (*descs)[kSrc],
                               (*descs)[kWeights], (*descs)[kDst]),
          attr, device->engine);
    });
  };
  const bool common = choice.what.find("common") != std::string::npos;
  const int mask = common ? 0 : 1 << 1;
  const size_t right = common ? 1 : 3;
  const auto accepted = with(mask, right);
  if (!accepted) {
    if (!accepted.refusal.is_error)
      return trial.Fail("the right number of scales", "accepted or refused",
                        accepted.refusal.ToString());
    return trial.Refused(
        {"inner_product", "forward", {spec::NameOf(c.uses[kSrc].type)}, 2, {"scale"}});
  }
  for (const size_t wrong : {right + 1, right + 16, right - 1}) {
    if (wrong == 0) continue;
    if (!ExpectRefused(trial, with(mask, wrong),
                       std::to_string(wrong) + " scales with mask " + std::to_string(mask)))
      return;
  }
}

// What is given in advance is accepted, and so it should be at execution.
void RunTimeScalesWork(const InnerProductCase& c, Trial& trial) {
  SawProduct(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto descs = DescsFor(c, trial);
  if (!descs) return;
  InnerProductCase fixed = c;
  fixed.attributes.run_time = false;
  if (!PdFor(fixed, *descs, *device, trial)) return;
  const auto pd = Attempt([&] { return MakePd(c, *descs, device->engine); });
  if (!pd && pd.refusal.is_error)
    return trial.Deviate("output scales at execution", "accepted as those in advance",
                         pd.refusal.ToString());
  const auto ran = RunProduct(c, DataOf(c), trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

void SumOfNothing(const InnerProductCase& drawn, Trial& trial) {
  InnerProductCase c = drawn;
  c.attributes = {};
  c.attributes.post_ops = {{PostOp::kSum, 0, 0, 0}};
  InnerProductData data = DataOf(c);
  if (trial.project())
    for (size_t k = 0; k < data[kDst].size(); k += 2) data[kDst][k] = 0x7fc00000;
  SawProduct(trial, c);
  const auto ran = RunProduct(c, std::move(data), trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

dnnl::primitive_attr AttributeNamed(const std::string& name) {
  dnnl::primitive_attr attr;
  dnnl::post_ops ops;
  if (name == "common-scale") attr.set_output_scales(0, {2.0f});
  if (name == "scale-of-each-channel") attr.set_output_scales(1 << 1, {2, 3, 4});
  if (name == "zero-point-of-src") attr.set_zero_points(DNNL_ARG_SRC, 0, {1});
  if (name == "zero-point-of-dst") attr.set_zero_points(DNNL_ARG_DST, 0, {1});
  if (name == "sum") ops.append_sum();
  if (name == "eltwise") ops.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  if (ops.len() > 0) attr.set_post_ops(ops);
  return attr;
}

void BackwardRefusesAttributes(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  using dnnl::memory;
  const auto any = [](const spec::Dims& dims) { return WithAny(Type::kF32, dims); };
  const memory::desc src = any({2, 4}), weights = any({3, 4}), dst = any({2, 3});
  const auto attr = Attempt([&] { return AttributeNamed(choice.what); });
  if (!attr && attr.refusal.is_error) return trial.NotRun("refused: the attribute itself");
  if (!attr) return trial.Fail(choice.what, "an attribute", attr.refusal.ToString());
  const ProductForward::primitive_desc hint(
      ProductForward::desc(dnnl::prop_kind::forward_training, src, weights, dst), device->engine);
  const auto data = [&](const dnnl::primitive_attr& given) {
    return Attempt([&] {
      return ProductBackwardData::primitive_desc(ProductBackwardData::desc(src, weights, dst),
                                                 given, device->engine, hint);
    });
  };
  const auto gradient = [&](const dnnl::primitive_attr& given) {
    return Attempt([&] {
      return ProductBackwardWeights::primitive_desc(ProductBackwardWeights::desc(src, weights, dst),
                                                    given, device->engine, hint);
    });
  };
  ExpectAccepted(trial, data({}), "backward data without attributes") &&
      ExpectAccepted(trial, gradient({}), "backward weights without attributes") &&
      ExpectRefused(trial, data(*attr.value), "backward data with " + choice.what) &&
      ExpectRefused(trial, gradient(*attr.value), "backward weights with " + choice.what);
}

InnerProductLimits Forward(std::vector<Types> types) {
  InnerProductLimits limits;
  limits.directions = {Direction::kForward};
  limits.types = std::move(types);
  return limits;
}

InnerProductLimits Chains(std::vector<Types> types) {
  InnerProductLimits limits = Forward(std::move(types));
  limits.post_ops = true;
  return limits;
}

InnerProductLimits Scales(bool run_time) {
  InnerProductLimits limits = Forward(IntegerTriples());
  limits.scales = true;
  limits.run_time_scales = run_time;
  return limits;
}

InnerProductLimits ScalesOfFloats() {
  InnerProductLimits limits = Forward({kFloats});
  limits.scales = true;
  return limits;
}

// In order: scales, then the chain.
InnerProductLimits ScalesAndChains() {
  InnerProductLimits limits = Scales(false);
  limits.post_ops = true;
  return limits;
}

const bool kDefined[] = {
    Define<InnerProductCase>(spec::IP_040, "", AnyInnerProduct(Chains({kFloats})), IsTheFormula,
                             {"sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_040, "integers", AnyInnerProduct(Chains(IntegerTriples())),
                             IsTheFormula, {"sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_040, "bf16",
                             AnyInnerProduct(Chains(FloatTypes(Direction::kForward))), IsTheFormula,
                             {"sum", "eltwise"}),
    Define<Choice>(spec::IP_041, "", Choices(NamesOfSteps()), StepsAreInOrder),
    Define<InnerProductCase>(spec::IP_041, "drawn", AnyInnerProduct(ScalesAndChains()),
                             IsTheFormula,
                             {"common scale", "scale of each channel", "sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_042, "", AnyInnerProduct(Scales(false)), IsTheFormula,
                             {"common scale", "scale of each channel"}),
    Define<InnerProductCase>(spec::IP_042, "floats", AnyInnerProduct(ScalesOfFloats()),
                             RefusedOrRight),
    Define<Choice>(spec::IP_042, "counts",
                   Choices({"f32-common", "f32-channel", "u8-common", "u8-channel"}),
                   CountsOfScalesAreChecked),
    Define<InnerProductCase>(spec::IP_043, "", AnyInnerProduct(Scales(true)), RunTimeScalesWork),
    Define<InnerProductCase>(spec::IP_044, "", AnyInnerProduct(Forward({kFloats})), SumOfNothing),
    Define<Choice>(spec::IP_045, "",
                   Choices({"common-scale", "scale-of-each-channel", "sum", "eltwise",
                            "zero-point-of-src", "zero-point-of-dst"}),
                   BackwardRefusesAttributes),
};

}  // namespace
}  // namespace conformance
