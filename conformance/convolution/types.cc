// CONV-050 to CONV-057: types.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/attempt.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/expect.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Type;

ConvolutionLimits Of(Direction direction, std::vector<Types> types,
                     std::vector<Numbers> numbers = {Numbers::kIntegers}) {
  ConvolutionLimits limits;
  limits.directions = {direction};
  limits.types = std::move(types);
  limits.numbers = std::move(numbers);
  limits.most_products = 1 << 12;
  return limits;
}

ConvolutionLimits Floats(Direction direction, bool halves) {
  std::vector<Types> types;
  for (const Types& one : FloatTypes(direction))
    if ((one[kWeights] == Type::kF16 || one[kSrc] == Type::kF16) == halves) types.push_back(one);
  return Of(direction, std::move(types), {Numbers::kIntegers, Numbers::kFloats});
}

std::vector<Types> AllTypes() {
  std::vector<Types> all;
  for (const Type src : spec::kTypes)
    for (const Type weights : spec::kTypes)
      for (const Type bias : spec::kTypes)
        for (const Type dst : spec::kTypes) all.push_back({src, weights, bias, dst});
  return all;
}

ConvolutionLimits Sweep() {
  ConvolutionLimits limits;
  limits.types = AllTypes();
  limits.most_products = 2048;
  limits.count = 1500;
  return limits;
}

std::vector<Types> IntegerGradients() {
  std::vector<Types> all;
  for (const Type to : {Type::kF32, Type::kS32, Type::kS8, Type::kU8})
    for (const Type from : {Type::kS8, Type::kU8}) all.push_back({to, Type::kS8, Type::kF32, from});
  return all;
}

// Few channels and a large kernel: about as many products as a float still counts, to s32.
void SetFewExactTerms(Random& random, ConvolutionCase* c) {
  c->grouped = random.Chance(60);
  c->groups = c->grouped ? random.Pick<int64_t>({2, 3, 17}) : 1;
  c->ic = random.Pick<int64_t>({1, 2, 3, 4, 16});
  c->oc = c->ic > 4 ? random.Pick<int64_t>({8, 16}) : random.Pick<int64_t>({1, 2, 4, 5});
  const auto terms = random.Pick<int64_t>({500, 515, 520, 700, 1100, 1500, 2050});
  int64_t kernel = 1;
  while (kernel * kernel * c->ic < terms) ++kernel;
  c->axes = {Axis(kernel + random.Between(0, 1), kernel), Axis(kernel + 1, kernel)};
  c->bias = false;
  c->uses[kBias] = {};
  c->uses[kDst].type = Type::kS32;
  // All of them as large as they can be.
  if (random.Chance(60)) c->seed = 25 * static_cast<uint64_t>(random.Between(0, 99));
}

// A bias up to the ends of s32, onto sums that are kept as s32.
void SetLongBias(ConvolutionCase* c) {
  c->bias = true;
  c->uses[kBias].type = c->uses[kDst].type = Type::kS32;
}

// Sums of the largest magnitudes, without attributes.
Cases<ConvolutionCase> Extremes() {
  ConvolutionLimits limits = Of(kForward, IntegerTriples(), {Numbers::kExtremes});
  limits.count = 200;
  Cases<ConvolutionCase> cases = AnyConvolution(limits);
  cases.at = [limits](int64_t index, Random& random) {
    ConvolutionCase c = AnyConvolutionCase(random, limits);
    if (index % 4 == 1) SetFewExactTerms(random, &c);
    if (index % 4 == 3) SetLongBias(&c);
    if (index % 2 == 0) {
      c.grouped = false;
      c.groups = 1;
      c.ic = random.Pick({1, 2, 3, 4, 63, 64, 65, 1001});
      c.oc = random.Pick({1, 2, 8, 16, 17, 33});
      c.axes = {Axis(random.Between(1, 3), 1), Axis(random.Between(1, 3), 1)};
    }
    for (TensorUse& use : c.uses) use.at = {};
    c.ResetLayouts();
    return c;
  };
  return cases;
}

// What is forbidden in words: floats by integers.
void MixturesAreRefused(const Choice& choice, Trial& trial) {
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto with = [&](Type src, Type weights) {
    ConvolutionCase c = ConvolutionOf(1, 1, 4, 4, {Axis(3, 3, 1, 1, 1)});
    c.uses[kSrc].type = src;
    c.uses[kWeights].type = weights;
    c.SetAny(choice.what.find("any") != std::string::npos);
    return Attempt([&] {
      ComputationDescs descs;
      for (const Role role : {kSrc, kWeights, kDst})
        descs[role] = c.uses[role].any ? WithAny(c.uses[role].type, c.DimsOf(role))
                                       : MakeDesc(c.TensorOf(role));
      return MakePd(c, descs, device->engine);
    });
  };
  if (!ExpectOffered(trial, with(Type::kF32, Type::kF32), "f32 by f32",
                     {"convolution", "forward", {"f32"}, 3, {}}))
    return;
  for (const Type integer : {Type::kS8, Type::kU8, Type::kS32}) {
    const std::string name = spec::NameOf(integer);
    if (!ExpectRefused(trial, with(Type::kF32, integer), "f32 by " + name) ||
        !ExpectRefused(trial, with(integer, Type::kF32), name + " by f32"))
      return;
  }
}

// What is offered with `any` is offered with plain layouts.
void PlainIsOfferedAsAnyIs(const ConvolutionCase& drawn, Trial& trial) {
  Cover(trial, drawn);
  Device* const device = DeviceFor(trial);
  if (device == nullptr) return;
  const auto offered = [&](ConvolutionCase c) {
    return Attempt([&] {
      ComputationDescs descs;
      for (const Role role : kRoles)
        if (c.Has(role))
          descs[role] = c.uses[role].any ? WithAny(c.uses[role].type, c.DimsOf(role))
                                         : MakeDesc(c.TensorOf(role));
      return MakePd(c, descs, device->engine);
    });
  };
  ConvolutionCase c = drawn;
  c.SetAny(true);
  if (const auto any = offered(c); !any)
    return c.MayRefuse(trial.profile())
               ? trial.Refused(any.refusal, c.AskedFor(), c.LegalityIn(trial.profile()))
               : trial.Fail(c.AskedFor().ToString() + ", any", "created", any.refusal);
  c.SetAny(false);
  if (!ExpectAccepted(trial, offered(c), "row-major, as any is")) return;
  SetChannelsLast(&c);
  ExpectAccepted(trial, offered(c), "channels last, as any is");
}

ConvolutionLimits Offered(Direction direction) {
  ConvolutionLimits limits = Of(direction, NarrowTypes(direction));
  limits.types.push_back({Type::kF32, Type::kF32, Type::kF32, Type::kF32});
  limits.most_products = 2048;
  limits.count = 60;
  return limits;
}

ConvolutionLimits Core() {
  ConvolutionLimits limits;
  limits.count = 200;
  return limits;
}

const bool kDefined[] = {
    Define<ConvolutionCase>(
        spec::CONV_050, "", AnyConvolution(Core()), IsTheFormula,
        {"rank 3", "rank 4", "rank 5", "forward", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_051, "", AnyConvolution(Floats(kForward, false)),
                            IsTheFormula, {"bf16 src", "bf16 dst", "f32 dst"}),
    Define<ConvolutionCase>(spec::CONV_051, "panels", OfFloats(PanelConvolutions({kForward}), 54),
                            IsTheFormula, {"bf16 src", "bf16 dst", "f32 dst"}),
    Define<ConvolutionCase>(spec::CONV_051, "wide", OfFloats(WideConvolutions({kForward}), 30),
                            IsTheFormula, {"many inputs", "many outputs"}),
    Define<ConvolutionCase>(spec::CONV_052, "panels",
                            OfTypes(PanelConvolutions({kData, kGradient}), 60), IsTheFormula,
                            {"bf16 wei", "backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_052, "wide",
                            OfTypes(WideConvolutions({kData, kGradient}), 40), IsTheFormula,
                            {"many inputs", "many outputs"}),
    Define<ConvolutionCase>(spec::CONV_052, "groups",
                            OfTypes(GroupConvolutions({kData, kGradient}), 50), IsTheFormula,
                            {"odd groups", "even groups"}),
    Define<ConvolutionCase>(spec::CONV_052, "data", AnyConvolution(Floats(kData, false)),
                            IsTheFormula, {"bf16 src", "f32 src"}),
    Define<ConvolutionCase>(spec::CONV_052, "weights", AnyConvolution(Floats(kGradient, false)),
                            IsTheFormula, {"bf16 wei", "f32 wei"}),
    Define<ConvolutionCase>(spec::CONV_053, "", AnyConvolution(Floats(kForward, true)),
                            IsTheFormula, {"f16 src"}),
    Define<ConvolutionCase>(
        spec::CONV_054, "", AnyConvolution([] {
          ConvolutionLimits limits = Of(kForward, IntegerTriples());
          limits.count = 300;
          return limits;
        }()),
        IsTheFormula, {"u8 src", "s8 src", "s32 dst", "f32 dst", "u8 dst", "s8 dst", "no bias"}),
    Define<ConvolutionCase>(spec::CONV_054, "panels", Scaled(PanelConvolutions({kForward}), 54),
                            IsTheFormula, {"u8 src", "s8 src", "u8 dst", "s32 dst"}),
    Define<ConvolutionCase>(spec::CONV_054, "groups", OfTypes(GroupConvolutions({kForward}), 60),
                            IsTheFormula, {"odd groups", "even groups", "u8 src", "s8 src"}),
    Define<ConvolutionCase>(spec::CONV_054, "wide", OfTypes(WideConvolutions({kForward}), 30),
                            IsTheFormula, {"many inputs", "many outputs", "u8 src", "s8 src"}),
    Define<ConvolutionCase>(spec::CONV_054, "uneven", OfTypes(UnevenKernels({kForward}), 36),
                            IsTheFormula, {"uneven kernel", "depthwise", "u8 src", "s8 src"}),
    Define<ConvolutionCase>(spec::CONV_054, "depthwise", OfTypes(PaddedDepthwise({kForward}), 40),
                            IsTheFormula, {"depthwise", "u8 src", "s8 src"}),
    Define<ConvolutionCase>(spec::CONV_051, "pictures", OfFloats(LargePictures({kForward})),
                            IsTheFormula, {"bf16 src", "bf16 dst", "f32 dst"}),
    Define<ConvolutionCase>(spec::CONV_052, "pictures", OfTypes(LargePictures({kData, kGradient})),
                            IsTheFormula, {"backward data", "backward weights"}),
    Define<ConvolutionCase>(spec::CONV_054, "pictures", Scaled(LargePictures({kForward})),
                            IsTheFormula, {"u8 src", "s8 src", "sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_051, "lines", OfFloats(ChannelsOfLines({kForward})),
                            IsTheFormula, {"bf16 src", "bf16 dst"}),
    Define<ConvolutionCase>(spec::CONV_052, "lines", OfTypes(ChannelsOfLines({kData})),
                            IsTheFormula, {"bf16 wei"}),
    Define<ConvolutionCase>(spec::CONV_054, "lines", Scaled(ChannelsOfLines({kForward})),
                            IsTheFormula, {"u8 src", "s8 src", "sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_054, "threads", OfTypes(ThreadedConvolutions({kForward})),
                            IsTheFormula, {"u8 src"}),
    Define<ConvolutionCase>(spec::CONV_054, "extremes", Extremes(), IsTheFormula,
                            {"u8 src", "s8 src", "extremes", "s32 bias", "long", "groups"}),
    Define<ConvolutionCase>(spec::CONV_054, "large", LargeWeights(), IsTheFormula,
                            {"large weights", "u8 src", "s8 src"}),
    Define<ConvolutionCase>(spec::CONV_055, "", AnyConvolution(Sweep()), RefusedOrRight,
                            {"forward", "backward data", "backward weights"}),
    Define<Choice>(spec::CONV_055, "mixtures", Choices({"any", "plain"}), MixturesAreRefused),
    Define<ConvolutionCase>(spec::CONV_056, "", AnyConvolution(Of(kData, IntegerGradients())),
                            RefusedOrRight),
    Define<ConvolutionCase>(spec::CONV_057, "forward", AnyConvolution(Offered(kForward)),
                            PlainIsOfferedAsAnyIs),
    Define<ConvolutionCase>(spec::CONV_057, "data", AnyConvolution(Offered(kData)),
                            PlainIsOfferedAsAnyIs),
    Define<ConvolutionCase>(spec::CONV_057, "weights", AnyConvolution(Offered(kGradient)),
                            PlainIsOfferedAsAnyIs),
};

}  // namespace
}  // namespace conformance
