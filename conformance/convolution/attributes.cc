// CONV-104, CONV-116, CONV-138, CONV-141, CONV-142, CONV-144 to CONV-146, CONV-150: attributes that
// may be refused, must be, or tell primitives apart.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation_attributes.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using dnnl::algorithm;
using spec::Bits;
using spec::Type;

void BackwardDataRefusesAttributes(const Choice& choice, Trial& trial) {
  BackwardRefusesAttribute<ConvolutionCase>(Direction::kBackwardData, choice.what, trial);
}
void BackwardWeightsRefusesAttributes(const Choice& choice, Trial& trial) {
  BackwardRefusesAttribute<ConvolutionCase>(Direction::kBackwardWeights, choice.what, trial);
}

// `what` is an algorithm, or a mistake in its parameters.
struct NamedEltwise {
  const char* name;
  algorithm kind;
  float alpha, beta;
};

const std::vector<NamedEltwise>& Eltwises() {
  static const auto* const all = new std::vector<NamedEltwise>{
      {"relu", algorithm::eltwise_relu, 0.5f, 0},
      {"tanh", algorithm::eltwise_tanh, 0, 0},
      {"elu", algorithm::eltwise_elu, 1, 0},
      {"square", algorithm::eltwise_square, 0, 0},
      {"abs", algorithm::eltwise_abs, 0, 0},
      {"sqrt", algorithm::eltwise_sqrt, 0, 0},
      {"linear", algorithm::eltwise_linear, 2, 1},
      {"bounded_relu", algorithm::eltwise_bounded_relu, 6, 0},
      {"soft_relu", algorithm::eltwise_soft_relu, 0, 0},
      {"logistic", algorithm::eltwise_logistic, 0, 0},
      {"exp", algorithm::eltwise_exp, 0, 0},
      {"gelu_tanh", algorithm::eltwise_gelu_tanh, 0, 0},
      {"swish", algorithm::eltwise_swish, 1, 0},
      {"log", algorithm::eltwise_log, 0, 0},
      {"clip", algorithm::eltwise_clip, -1, 1},
      {"pow", algorithm::eltwise_pow, 1, 2},
      {"gelu_erf", algorithm::eltwise_gelu_erf, 0, 0},
      {"round", algorithm::eltwise_round, 0, 0},
  };
  return *all;
}

const std::vector<NamedEltwise>& WrongEltwises() {
  static const auto* const all = new std::vector<NamedEltwise>{
      {"clip-reversed", algorithm::eltwise_clip, 1, -1},
      {"bounded_relu-negative", algorithm::eltwise_bounded_relu, -1, 0},
      {"no-eltwise", algorithm::convolution_direct, 0, 0},
  };
  return *all;
}

std::vector<std::string> NamesOf(const std::vector<NamedEltwise>& all) {
  std::vector<std::string> names;
  for (const NamedEltwise& one : all) names.push_back(one.name);
  return names;
}

Attempted<dnnl::primitive> WithEltwise(const NamedEltwise& one, Device& device) {
  ConvolutionCase c = ConvolutionOf(1, 1, 4, 4, {Axis(5, 3, 1, 1, 1), Axis(4, 1)});
  return Attempt([&]() -> dnnl::primitive {
    dnnl::post_ops ops;
    ops.append_eltwise(1, one.kind, one.alpha, one.beta);
    dnnl::primitive_attr attr;
    attr.set_post_ops(ops);
    ComputationDescs descs;
    for (const Role role : {kSrc, kWeights, kDst})
      descs[role] = WithAny(Type::kF32, c.DimsOf(role));
    const auto desc =
        MakeForwardDesc(NumbersOf(c), dnnl::prop_kind::forward_inference, descs, false);
    return ConvolutionForward(ConvolutionForward::primitive_desc(*desc, attr, device.engine));
  });
}

void EltwisesAreTakenOrRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  for (const NamedEltwise& one : Eltwises()) {
    if (choice.what != one.name) continue;
    const auto made = WithEltwise(one, *device);
    if (!made && !ExpectLeftOpen(trial, made.refusal, choice.what)) return;
    trial.Record("eltwise_" + choice.what + " as post-op", made ? "accepts" : "refuses");
  }
}

void WrongEltwisesAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  if (!ExpectOffered(trial, WithEltwise({"clip", algorithm::eltwise_clip, -1, 1}, *device),
                     "clip from -1 to 1", {"convolution", "forward", {"f32"}, 4, {"eltwise clip"}}))
    return;
  for (const NamedEltwise& one : WrongEltwises())
    if (choice.what == one.name) ExpectRefused(trial, WithEltwise(one, *device), choice.what);
}

// The zero points of a case, by its seed: of the source, of the destination, or of both.
struct ZeroPoints {
  int32_t src, dst;
};
ZeroPoints ZeroPointsOf(const ConvolutionCase& c) {
  const int32_t src = c.uses[kSrc].type == Type::kU8 ? 5 : -3;
  const uint64_t which = c.seed / 3 % 3;  // Presented numbers three ways
  return {which == 1 ? 0 : src, which == 2 ? 0 : 3};
}

// A forward of `c` with its zero points beside its other attributes.
std::optional<ComputationPd<ConvolutionCase>> WithZeroPoints(const ConvolutionCase& c,
                                                             Device& device, Trial& trial) {
  const auto [src, dst] = ZeroPointsOf(c);
  auto pd = Attempt([&, src = src, dst = dst] {
    dnnl::primitive_attr attr = AttrOf(c);
    if (src != 0) attr.set_zero_points(DNNL_ARG_SRC, 0, {src});
    if (dst != 0) attr.set_zero_points(DNNL_ARG_DST, 0, {dst});
    return WithAttributes(c, attr, device);
  });
  if (pd) return std::move(pd.value);
  Asked asked = c.AskedFor();
  asked.features.push_back("zero points");
  trial.Refused(pd.refusal, std::move(asked), LegalityOfZeroPoints(true, trial));
  return std::nullopt;
}

// A source that is its zero point everywhere, with padding around it: nothing but the bias.
void ZeroPointsLeavePaddingAlone(const ConvolutionCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto pd = WithZeroPoints(c, *device, trial);
  if (!pd) return;
  const auto [src, dst] = ZeroPointsOf(c);
  ComputedData data = DataOf(c);
  for (Bits& bits : data[kSrc]) bits = BitsOfInteger(c.uses[kSrc].type, src);
  const auto results = ResultsOf(c, *pd, data, trial);
  if (!results) return;
  std::vector<ExpectedElement> expected((*results)[kDst].size());
  for (ExpectedElement& element : expected) element.approx = spec::Exactly(dst);
  ExpectElements(c, kDst, expected, (*results)[kDst], trial);
}

// Any source: what is in the padding is 0 and not the zero point, and the destination's is added
// behind all else.
void ZeroPointsAreSubtractedWithinTaps(const ConvolutionCase& c, Trial& trial) {
  Cover(trial, c);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto pd = WithZeroPoints(c, *device, trial);
  if (!pd) return;
  const auto [src, dst] = ZeroPointsOf(c);
  const ComputedData data = DataOf(c);
  const auto results = ResultsOf(c, *pd, data, trial);
  if (!results) return;
  // The same sums without a zero point, of a source that 8 bits do not hold.
  ConvolutionCase shifted = c;
  shifted.uses[kSrc].type = Type::kS32;
  ComputedData less = data;
  for (Bits& bits : less[kSrc])
    bits = BitsOfInteger(Type::kS32, static_cast<int64_t>(NumberOf(c.uses[kSrc].type, bits)) - src);
  std::vector<ExpectedElement> expected = ExpectedOf(shifted, kDst, less, trial.profile());
  for (ExpectedElement& element : expected) element.approx = element.approx + spec::Exactly(dst);
  ExpectElements(c, kDst, expected, (*results)[kDst], trial);
}

// u8 200 is s8 -56; s32 has another size.
void SumsReadAnotherType(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ConvolutionCase c;
  const Types types{Type::kU8, Type::kS8, Type::kF32, Type::kU8};
  c.SetTypes(types);
  c.SetAny(false);
  const auto with = [&](dnnl::memory::data_type type) {
    return Attempt([&] {
      dnnl::post_ops ops;
      ops.append_sum(1, type);
      dnnl::primitive_attr attr;
      attr.set_post_ops(ops);
      return WithAttributes(c, attr, *device);
    });
  };
  const auto wrong = with(dnnl::memory::data_type::s32);
  if (!ExpectRefused(trial, wrong, "a sum that reads u8 as s32")) return;
  const auto pd = with(dnnl::memory::data_type::s8);
  if (!pd) return trial.Refused(pd.refusal, c.AskedFor());
  ComputedData data;
  data[kSrc] = {10};
  data[kWeights] = {10};
  data[kDst] = {200};
  const auto results = ResultsOf(c, *pd.value, data, trial);
  if (results)
    trial.Expect((*results)[kDst][0] == 44, "dst[0,0,0]", "44",
                 std::to_string((*results)[kDst][0]));
}

// Each reads what was there before, or both are refused.
void SumsOfTwoTypesReadTheOriginal(const NoParameters&, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ConvolutionCase c;
  const Types types{Type::kU8, Type::kS8, Type::kF32, Type::kU8};
  c.SetTypes(types);
  c.SetAny(false);
  const auto pd = Attempt([&] {
    dnnl::post_ops ops;
    ops.append_sum(1, dnnl::memory::data_type::u8);
    ops.append_sum(1, dnnl::memory::data_type::s8);
    dnnl::primitive_attr attr;
    attr.set_post_ops(ops);
    return WithAttributes(c, attr, *device);
  });
  if (!pd) {
    if (!ExpectLeftOpen(trial, pd.refusal, "sums of two types")) return;
    return trial.Record("sums of two types", "refuses");
  }
  ComputedData data;
  data[kSrc] = {1};
  data[kWeights] = {2};
  data[kDst] = {200};
  const auto results = ResultsOf(c, *pd.value, data, trial);
  if (results)
    trial.Expect((*results)[kDst][0] == 146, "dst[0,0,0]", "2 + 200 - 56",
                 std::to_string((*results)[kDst][0]));
}

// Masks other than 0 and that of the output channels: refused, or right.
void OtherMasks(const Choice& choice, Trial& trial) {
  MaskIsRefusedOrRight(ConvolutionOf(2, 1, 3, 4, {Axis(5, 1), Axis(3, 1)}), std::stoi(choice.what),
                       trial);
}

std::vector<std::string> Masks() {
  std::vector<std::string> masks;
  for (int mask = 1; mask < 16; ++mask)
    if (mask != 2) masks.push_back(std::to_string(mask));
  return masks;
}

// Of two groups, whose channels together have scales.
void CountsOfGroupsAreChecked(const Choice& choice, Trial& trial) {
  ConvolutionCase c;
  c.grouped = true;
  c.groups = 2;
  CountsOfScalesAreChecked(c, choice, trial);
}

// Two primitives that differ in one attribute, both made before either runs.
void AttributesTellPrimitivesApart(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  ConvolutionCase first = ConvolutionOf(1, 1, 3, 4, {Axis(5, 3, 1, 1, 1), Axis(4, 1)});
  const std::string& what = choice.what;
  if (what.rfind("scale", 0) == 0) {
    first.uses[kSrc].type = Type::kU8;
    first.uses[kWeights].type = Type::kS8;
    first.attributes.scales = FusedAttributes::kChannel;
  }
  first.attributes.post_ops = {kSumOp, kRelu};
  ConvolutionCase second = first;
  if (what == "scale-values") second.seed = 1;
  if (what == "scale-mask") second.attributes.scales = FusedAttributes::kCommon;
  if (what == "sum") second.attributes.post_ops[0].scale = 2;
  if (what == "algorithm") second.attributes.post_ops[1].kind = PostOp::kAbs;
  if (what == "alpha") second.attributes.post_ops[1].alpha = 0.5f;
  if (what == "count") second.attributes.post_ops.pop_back();
  if (what == "eltwise-scale") second.attributes.post_ops[1].scale = 2;
  const ComputedData data = DataOf(first);
  std::vector<ComputationPd<ConvolutionCase>> pds;
  std::vector<dnnl::primitive> primitives;
  for (const ConvolutionCase* c : {&first, &second}) {
    const auto descs = DescsFor(*c, trial);
    if (!descs) return;
    auto pd = PdFor(*c, *descs, *device, trial);
    if (!pd) return;
    auto primitive = PrimitiveOf(*pd, trial);
    if (!primitive) return;
    pds.push_back(std::move(*pd));
    primitives.push_back(std::move(*primitive));
  }
  for (const size_t which : {0, 1, 0}) {
    const ConvolutionCase& c = which == 0 ? first : second;
    const auto bench = BenchOf(c, pds[which], *device);
    ComputedData own = data;
    if (!bench->Fill(&own, trial) || !bench->Execute(primitives[which], trial)) return;
    const auto results = bench->Read(trial);
    if (!results || !ExpectOracle(c, own, *results, trial)) return;
  }
}

Cases<ConvolutionCase> ConstantSources() {
  std::vector<ConvolutionCase> cases;
  for (const Type src : {Type::kU8, Type::kS8}) {
    for (const Type dst : {Type::kS8, Type::kS32}) {
      for (const int64_t channels : {3, 16}) {
        ConvolutionCase c =
            ConvolutionOf(1, 1, channels, channels, {Axis(4, 3, 1, 1, 1), Axis(5, 3, 2, 1, 0)});
        const Types types{src, Type::kS8, Type::kF32, dst};
        c.SetTypes(types);
        for (ConvolutionCase& one : Presented(c, {Direction::kForward})) cases.push_back(one);
      }
    }
  }
  return Listed(std::move(cases));
}

// With padding, strides and dilations, a bias and groups or not, a post-op or none; channels that
// fill vectors, and not.
Cases<ConvolutionCase> AnySources() {
  std::vector<ConvolutionCase> cases;
  for (const Type src : {Type::kU8, Type::kS8}) {
    for (const Type dst : {Type::kS8, Type::kU8, Type::kS32, Type::kF32}) {
      for (const int64_t groups : {1, 2}) {
        for (const int64_t channels : {3, 16}) {
          ConvolutionCase c = ConvolutionOf(2, groups, channels, channels,
                                            {Axis(4, 3, 1, 1, 2), Axis(6, 3, 2, 2, 1, 1)});
          const size_t number = cases.size() / 3;
          c.seed = cases.size();
          c.bias = (number ^ number >> 1 ^ number >> 2) % 2 == 0;
          const Types types{src, Type::kS8, Type::kF32, dst};
          c.SetTypes(types);
          if ((number >> 1 ^ number >> 3) % 2 == 0) c.attributes.post_ops = {kRelu};
          for (ConvolutionCase& one : Presented(c, {Direction::kForward})) cases.push_back(one);
        }
      }
    }
  }
  return Listed(std::move(cases));
}

const bool kDefined[] = {
    Define<Choice>(spec::ATTR_006, "convolution-data", Choices(NamesOfAttributes()),
                   BackwardDataRefusesAttributes),
    Define<Choice>(spec::ATTR_006, "convolution-weights", Choices(NamesOfAttributes()),
                   BackwardWeightsRefusesAttributes),
    Define<Choice>(spec::CONV_104, "", Choices(NamesOfAttributes()), BackwardDataRefusesAttributes),
    Define<Choice>(spec::CONV_116, "", Choices(NamesOfAttributes()),
                   BackwardWeightsRefusesAttributes),
    Define<Choice>(spec::CONV_138, "", Choices(NamesOf(Eltwises())), EltwisesAreTakenOrRefused),
    Define<Choice>(spec::CONV_138, "refused", Choices(NamesOf(WrongEltwises())),
                   WrongEltwisesAreRefused),
    Define<Choice>(spec::CONV_141, "masks", Choices(Masks()), OtherMasks),
    Define<Choice>(spec::CONV_142, "", Choices(NamesOfCounts()),
                   CountsOfScalesAreChecked<ConvolutionCase>),
    Define<Choice>(spec::CONV_142, "groups", Choices(NamesOfCounts()), CountsOfGroupsAreChecked),
    Define<ConvolutionCase>(spec::CONV_144, "", ConstantSources(), ZeroPointsLeavePaddingAlone),
    Define<ConvolutionCase>(spec::CONV_144, "sources", AnySources(),
                            ZeroPointsAreSubtractedWithinTaps),
    Define(spec::CONV_145, "", SumsReadAnotherType),
    Define(spec::CONV_146, "", SumsOfTwoTypesReadTheOriginal),
    Define<Choice>(spec::CONV_150, "",
                   Choices({"scale-values", "scale-mask", "sum", "algorithm", "alpha", "count",
                            "eltwise-scale"}),
                   AttributesTellPrimitivesApart),
};

}  // namespace
}  // namespace conformance
