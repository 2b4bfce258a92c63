// CONV-095, CONV-130 to CONV-137, CONV-139 to CONV-141, CONV-143, CONV-148, CONV-149, ATTR-035:
// output scales and chains of post-ops.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/limits.h"
#include "conformance/convolution/run.h"
#include "conformance/gen/choice.h"
#include "conformance/subject/computation_attributes.h"
#include "conformance/subject/computation_checks.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

using spec::Type;

constexpr PostOp kTakesOld{PostOp::kSum, -1, 0, 0};

// Of one product, beside those of computation_attributes.h.
std::vector<Step> StepsOf(const std::string& requirement) {
  if (requirement == "order")
    return {{"sum-relu", kFloats, 3, -2, 0, 4, 1, {kSumOp, kRelu}, 0},
            {"relu-sum", kFloats, 3, -2, 0, 4, 1, {kRelu, kSumOp}, 4},
            {"relu-sum-of-bytes", kBytes, 3, -2, 0, 4, 1, {kRelu, kSumOp}, 4}};
  if (requirement == "f32")
    return {
        {"linear", kToBytes, 12, 30, 0, 0, 1, {{PostOp::kLinear, 1, 0.25f, 0}}, 90},
        {"sum-linear", kToBytes, 12, 30, 0, 100, 1, {kSumOp, {PostOp::kLinear, 1, 0.25f, 0}}, 115}};
  if (requirement == "scale")
    return {{"linear", kFloats, 3, 2, 0, 0, 1, {{PostOp::kLinear, 0.5f, 2, 1}}, 6.5f},
            {"relu", kFloats, 3, 2, 0, 0, 1, {{PostOp::kRelu, -1, 0, 0}}, -6},
            {"relu-of-bytes", kBytes, 3, 2, 0, 0, 1, {{PostOp::kRelu, -1, 0, 0}}, -6}};
  if (requirement == "bias")
    return {{"scale", kBytes, 6, 6, 0.5f, 0, 2, {}, 73},
            {"scale-relu", kBytes, 6, -6, 0.5f, 0, 2, {kRelu}, 0}};
  if (requirement == "store")
    return {{"relu-sum", kToBytes, 10, 100, 0, 127, 1, {kRelu, kTakesOld}, 127},
            {"linear", kToBytes, 10, 100, 0, 0, 1, {{PostOp::kLinear, 1, 0.125f, 0}}, 125},
            {"sum", kToBytes, 10, -100, 0, -100, 1, {{PostOp::kSum, -9, 0, 0}}, -100}};
  return {{"down", kToBytes, 5, 1, 0, 0, 0.5f, {}, 2},
          {"up", kToBytes, 7, 1, 0, 0, 0.5f, {}, 4},
          {"negative", kToBytes, 5, -1, 0, 0, 0.5f, {}, -2}};
}

const char kOrder[] = "order", kF32[] = "f32", kScale[] = "scale", kOfBias[] = "bias",
           kStore[] = "store", kRounding[] = "rounding";

template <const char* requirement>
void StepsAreRight(const Choice& choice, Trial& trial) {
  StepIsRight<ConvolutionCase>(StepsOf(requirement), choice, trial);
}

ConvolutionLimits Forward(std::vector<Types> types, int64_t count = 100) {
  ConvolutionLimits limits;
  limits.directions = {Direction::kForward};
  limits.types = std::move(types);
  limits.algorithms = DirectAndAuto();
  limits.most_products = 1 << 13;
  limits.count = count;
  return limits;
}

ConvolutionLimits Chains(std::vector<Types> types, int64_t count = 100) {
  ConvolutionLimits limits = Forward(std::move(types), count);
  limits.post_ops = true;
  return limits;
}

// Of every type, in any layout.
ConvolutionLimits ChainsOfLayouts() {
  ConvolutionLimits limits = Chains({}, 200);
  limits.every_type = limits.scales = true;
  limits.all_layouts = limits.dense_bias = true;
  limits.any_percent = 15;
  return limits;
}

ConvolutionLimits LongChains() {
  ConvolutionLimits limits = Forward({kFloats});
  limits.chains = true;
  return limits;
}

// Of every type; where the order is another than that of CONV-130, portable may refuse.
ConvolutionLimits OrderedChains() {
  ConvolutionLimits limits = Forward({}, 300);
  limits.every_type = limits.chains = true;
  return limits;
}

ConvolutionLimits Scales(bool run_time, int64_t bias_percent = 50) {
  ConvolutionLimits limits = Forward(IntegerTriples());
  limits.scales = true;
  limits.run_time_scales = run_time;
  limits.bias_percent = static_cast<int>(bias_percent);
  return limits;
}

ConvolutionLimits ScalesOfFloats() {
  ConvolutionLimits limits = Forward({kFloats}, 40);
  limits.scales = true;
  return limits;
}

ConvolutionLimits ScalesAndChains() {
  ConvolutionLimits limits = Scales(false, 80);
  limits.post_ops = true;
  return limits;
}

ConvolutionLimits ScalesOfLayouts() {
  ConvolutionLimits limits = Scales(false);
  limits.all_layouts = limits.dense_bias = true;
  limits.any_percent = 15;
  return limits;
}

ConvolutionLimits RunTimeScalesAndChains() {
  ConvolutionLimits limits = Scales(true, 80);
  limits.post_ops = true;
  return limits;
}

// What is rounded and saturated: bytes of other numbers.
ConvolutionLimits ScaledBytes() {
  ConvolutionLimits limits = Scales(false);
  limits.types.clear();
  for (const Types& types : IntegerTriples())
    if (types[kDst] == Type::kU8 || types[kDst] == Type::kS8) limits.types.push_back(types);
  limits.post_ops = true;
  limits.attributes_percent = 85;
  return limits;
}

// A sum of the scale that the seed chooses; the destination as `any` where `any` says so.
Cases<ConvolutionCase> Sums(const ConvolutionLimits& base, bool any) {
  ConvolutionLimits limits = base;
  limits.post_ops = true;
  Cases<ConvolutionCase> cases = AnyConvolution(limits);
  cases.at = [limits, any](int64_t, Random& random) {
    ConvolutionCase c = AnyConvolutionCase(random, limits);
    c.attributes.post_ops = {{PostOp::kSum, random.Pick({0.5f, -1.0f, 2.0f, 1.0f}), 0, 0}};
    if (any) c.SetAny(true);
    for (TensorUse& use : c.uses)
      if (any) use.at = {};
    return c;
  };
  cases.contains = [limits, any](const ConvolutionCase& c) {
    return Fits(c, limits) && c.attributes.sums() && (!any || c.uses[kDst].any);
  };
  return cases;
}

// Two sums, an eltwise between and behind them, and as many entries as a chain may have.
Cases<ConvolutionCase> ListedChains() {
  const PostOp twice{PostOp::kSum, 2, 0, 0}, linear{PostOp::kLinear, 1, 1, 1};
  const std::vector<PostOp> chains[] = {{kSumOp, twice},
                                        {kRelu, kSumOp},
                                        {kSumOp, kRelu, twice},
                                        {linear, kRelu, linear},
                                        std::vector<PostOp>(32, linear)};
  std::vector<ConvolutionCase> cases;
  for (const std::vector<PostOp>& chain : chains) {
    for (const int64_t kernel : {1, 3}) {
      const spec::ConvolutionAxis axis = Axis(5, kernel, 1, kernel / 2, kernel / 2);
      for (ConvolutionCase& c :
           Presented(ConvolutionOf(2, 1, 16, 16, {axis, axis}), {Direction::kForward})) {
        c.attributes.post_ops = chain;
        if (cases.size() % 2 == 1 && !c.uses[kWeights].any) {
          c.uses[kWeights].any = true;
          c.uses[kWeights].layout = {};
        }
        c.seed = cases.size();
        cases.push_back(c);
      }
    }
  }
  return Listed(std::move(cases));
}

ConvolutionLimits SumsOfNarrowTypes() {
  ConvolutionLimits limits = Forward(FloatTypes(Direction::kForward), 240);
  for (const Types& types : IntegerTriples()) limits.types.push_back(types);
  return limits;
}

// Each of `chains` on shapes that fill panels.
Cases<ConvolutionCase> OnPanels(const std::vector<std::vector<PostOp>>& chains) {
  const Cases<ConvolutionCase> shapes = PanelConvolutions({Direction::kForward});
  std::vector<ConvolutionCase> cases;
  Random random(1);
  for (int64_t i = 0; i < shapes.count; ++i) {
    ConvolutionCase c = shapes.at(i, random);
    // Each in each way that the shapes are presented in.
    const auto at = static_cast<size_t>(i);
    c.attributes.post_ops = chains[(at + at / chains.size()) % chains.size()];
    cases.push_back(c);
  }
  return Listed(std::move(cases));
}

// Chains on more places than are summed at once.
Cases<ConvolutionCase> OnPictures() {
  const Cases<ConvolutionCase> shapes = LargePictures({Direction::kForward});
  const std::vector<PostOp> chains[] = {{kSumOp, kRelu}, {{PostOp::kSum, 0.5f, 0, 0}}, {kRelu}};
  std::vector<ConvolutionCase> cases;
  Random random(1);
  for (int64_t i = 0; i < shapes.count; ++i) {
    cases.push_back(shapes.at(i, random));
    cases.back().attributes.post_ops = chains[i % 3];
  }
  return Listed(std::move(cases));
}

// An eltwise and then a sum, of bytes.
Cases<ConvolutionCase> SumsBehind() {
  std::vector<ConvolutionCase> cases;
  const spec::ConvolutionAxis axis = Axis(4, 3, 1, 1, 1);
  for (const Types& types : IntegerTriples())
    for (const PostOp& first : {PostOp{PostOp::kRelu, 1, 0, 0}, PostOp{PostOp::kLinear, 1, 2, 1}}) {
      ConvolutionCase c = ConvolutionOf(2, 1, 3, 17, {axis, axis});
      c.SetTypes(types);
      c.attributes.post_ops = {first, kSumOp};
      c.seed = cases.size();
      cases.push_back(c);
    }
  return Listed(std::move(cases));
}

// Scales, given and at execution, and chains behind Winograd's algorithm.
Cases<ConvolutionCase> BehindWinograd() {
  std::vector<ConvolutionCase> cases;
  const std::vector<PostOp> chains[] = {{}, {kRelu}, {kSumOp}, {kRelu, {PostOp::kSum, 0.5f, 0, 0}}};
  for (const FusedAttributes::Scales scales :
       {FusedAttributes::kNone, FusedAttributes::kCommon, FusedAttributes::kChannel})
    for (const std::vector<PostOp>& chain : chains) {
      ConvolutionCase c = ConvolutionOf(2, 1, 20, 37, {Axis(7, 3, 1, 1, 1), Axis(6, 3, 1, 1, 0)});
      c.algorithm = ConvolutionAlgorithm::kWinograd;
      c.bias = cases.size() % 2 == 0;
      c.ResetLayouts();
      c.attributes.scales = scales;
      c.attributes.run_time = scales != FusedAttributes::kNone && cases.size() % 4 < 2;
      c.attributes.post_ops = chain;
      for (ConvolutionCase& one : Presented(c, {Direction::kForward})) {
        one.numbers = cases.size() % 2 == 0 ? Numbers::kFloats : Numbers::kIntegers;
        one.seed = cases.size();
        cases.push_back(std::move(one));
      }
    }
  return Listed(std::move(cases));
}

std::vector<std::vector<PostOp>> ScaledChains() {
  return {{{PostOp::kLinear, 0.5f, 2, 1}},
          {{PostOp::kRelu, -2, 0, 0}},
          {kSumOp, {PostOp::kLinear, -0.5f, 1, 2}}};
}

// An eltwise with a scale, of each combination of types.
Cases<ConvolutionCase> ScaledFunctions() {
  std::vector<Types> all = FloatTypes(Direction::kForward);
  all.push_back(kFloats);
  for (const Types& types : IntegerTriples()) all.push_back(types);
  std::vector<ConvolutionCase> cases;
  for (const Types& types : all)
    for (const std::vector<PostOp>& chain : ScaledChains())
      for (const int64_t channels : {3, 32}) {
        const spec::ConvolutionAxis axis = Axis(4, channels == 3 ? 1 : 3);
        ConvolutionCase c = ConvolutionOf(1, 1, channels, channels + 1, {axis, axis});
        c.SetTypes(types);
        c.attributes.post_ops = chain;
        std::vector<ConvolutionCase> ways = Presented(c, {Direction::kForward});
        cases.push_back(std::move(ways[cases.size() % ways.size()]));
        cases.back().seed = cases.size();
      }
  return Listed(std::move(cases));
}

// Each combination of types with one scale and with one for each channel, most of them without a
// chain.
Cases<ConvolutionCase> ScaledTypes() {
  std::vector<ConvolutionCase> cases;
  for (const Types& types : IntegerTriples())
    for (const FusedAttributes::Scales scales :
         {FusedAttributes::kCommon, FusedAttributes::kChannel}) {
      ConvolutionCase c = ConvolutionOf(1, 1, 3, 17, {Axis(4, 2)});
      c.SetTypes(types);
      c.bias = true;
      c.ResetLayouts();
      c.attributes.scales = scales;
      if (cases.size() % 7 == 0) c.attributes.post_ops = {kRelu};
      c.seed = cases.size();
      cases.push_back(std::move(c));
    }
  return Listed(std::move(cases));
}

// Odd sums of bytes that f32 does not hold, as s32.
Cases<ConvolutionCase> LongSums() {
  std::vector<ConvolutionCase> cases;
  for (const Type src : {Type::kU8, Type::kS8}) {
    for (const int64_t channels : {521, 1041}) {
      ConvolutionCase c =
          ConvolutionOf(1, 1, channels, 5, {Axis(2, 1), channels == 521 ? Axis(4, 3) : Axis(2, 1)});
      const Types types{src, Type::kS8, Type::kF32, Type::kS32};
      c.SetTypes(types);
      c.numbers = Numbers::kExtremes;
      for (ConvolutionCase& one : Presented(c, {Direction::kForward})) {
        one.seed = 5 * (cases.size() % 5);
        cases.push_back(std::move(one));
      }
    }
  }
  return Listed(std::move(cases));
}

std::vector<std::string> StepNames(const char* requirement) {
  return conformance::NamesOf(StepsOf(requirement));
}

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::CONV_130, "", AnyConvolution(Chains({kFloats}, 200)),
                            IsTheFormula, {"sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_130, "integers", AnyConvolution(Chains(IntegerTriples())),
                            IsTheFormula, {"sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_130, "depthwise",
                            AnyConvolution(OfDepthwise(ChainsOfLayouts())), IsTheFormula,
                            {"vectors of depthwise", "eltwise", "u8 dst", "s8 dst", "region dst"}),
    Define<ConvolutionCase>(spec::CONV_130, "depthwise-of-integers",
                            AnyConvolution(OfDepthwise(Chains(IntegerTriples(), 200))),
                            IsTheFormula, {"vectors of depthwise", "eltwise", "u8 dst", "s8 dst"}),
    Define<ConvolutionCase>(spec::CONV_130, "sums-behind", SumsBehind(), IsTheFormula, {"sum"}),
    Define<ConvolutionCase>(spec::CONV_130, "panels",
                            OnPanels({{kSumOp, kRelu}, {kSumOp}, {kRelu}}), IsTheFormula,
                            {"sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_131, "panels",
                            OnPanels({{kRelu, kSumOp}, {kRelu, kSumOp, kRelu}}), IsTheFormula,
                            {"sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_130, "bf16",
                            AnyConvolution(Chains(FloatTypes(Direction::kForward))), IsTheFormula,
                            {"sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_131, "", AnyConvolution(LongChains()), IsTheFormula,
                            {"sum"}),
    Define<ConvolutionCase>(spec::CONV_131, "listed", ListedChains(), IsTheFormula, {"sum"}),
    Define<ConvolutionCase>(spec::CONV_095, "attributes", BehindWinograd(), RefusedOrRight),
    Define<ConvolutionCase>(
        spec::CONV_130, "layouts", AnyConvolution(ChainsOfLayouts()), IsTheFormula,
        {"sum", "eltwise", "gapped dst", "region dst", "permuted dst", "bf16 dst", "u8 dst"}),
    Define<ConvolutionCase>(spec::CONV_130, "pictures", OnPictures(), IsTheFormula,
                            {"sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_130, "panels-of-types",
                            OfTypes(OnPanels({{kSumOp, kRelu}, {kSumOp}, {kRelu}})), IsTheFormula,
                            {"sum", "eltwise", "bf16 src", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_132, "drawn", AnyConvolution(OrderedChains()), IsTheFormula,
                            {"sum", "eltwise", "bf16 src", "u8 src"}),
    Define<ConvolutionCase>(spec::CONV_132, "panels",
                            OfTypes(OnPanels({{kRelu, kSumOp}, {kSumOp, kRelu}})), IsTheFormula,
                            {"sum", "eltwise", "bf16 src", "u8 src"}),
    Define<Choice>(spec::CONV_132, "", Choices(StepNames(kOrder)), StepsAreRight<kOrder>),
    Define<Choice>(spec::CONV_133, "", Choices(StepNames(kF32)), StepsAreRight<kF32>),
    Define<ConvolutionCase>(spec::CONV_133, "drawn", AnyConvolution(ScaledBytes()), IsTheFormula,
                            {"sum", "eltwise", "u8 dst", "s8 dst"}),
    Define<ConvolutionCase>(spec::CONV_134, "floats",
                            Sums(Forward(FloatTypes(Direction::kForward)), false), IsTheFormula,
                            {"sum", "bf16 dst", "f16 dst"}),
    Define<ConvolutionCase>(spec::CONV_134, "", Sums(Forward({kFloats}), false), IsTheFormula,
                            {"sum"}),
    Define<ConvolutionCase>(spec::CONV_134, "integers", Sums(Forward(IntegerTriples()), false),
                            IsTheFormula, {"sum"}),
    Define<ConvolutionCase>(spec::CONV_135, "", AnyConvolution(Chains({kFloats}, 60)), SumOfNothing,
                            {"sum", "eltwise", "sum of 0 behind"}),
    Define<ConvolutionCase>(spec::CONV_135, "types",
                            AnyConvolution(Chains(FloatTypes(Direction::kForward), 60)),
                            SumOfNothing, {"sum", "eltwise", "bf16 dst", "f16 dst"}),
    Define<ConvolutionCase>(spec::CONV_135, "integers",
                            AnyConvolution(Chains(IntegerTriples(), 60)), SumOfNothing,
                            {"sum", "eltwise", "u8 dst", "f32 dst"}),
    Define<ConvolutionCase>(spec::CONV_135, "panels", OnPanels({{kSumOp, kRelu}, {kSumOp}}),
                            SumOfNothing, {"sum", "eltwise"}),
    Define<ConvolutionCase>(spec::CONV_136, "types", Sums(SumsOfNarrowTypes(), true), IsTheFormula,
                            {"sum", "any dst", "bf16 dst", "u8 dst"}),
    Define<ConvolutionCase>(spec::CONV_136, "", Sums(Forward({kFloats}, 60), true), IsTheFormula,
                            {"sum", "any dst"}),
    Define<Choice>(spec::CONV_137, "", Choices(StepNames(kScale)), StepsAreRight<kScale>),
    Define<ConvolutionCase>(spec::CONV_137, "types", ScaledFunctions(), IsTheFormula,
                            {"eltwise", "bf16 dst", "u8 dst", "s32 dst"}),
    Define<ConvolutionCase>(spec::CONV_137, "panels", OnPanels(ScaledChains()), IsTheFormula,
                            {"scaled eltwise", "sum"}),
    Define<Choice>(spec::CONV_139, "", Choices(StepNames(kOfBias)), StepsAreRight<kOfBias>),
    Define<ConvolutionCase>(spec::CONV_139, "drawn", AnyConvolution(ScalesAndChains()),
                            IsTheFormula,
                            {"common scale", "scale of each channel", "sum", "eltwise", "bias"}),
    Define<ConvolutionCase>(spec::CONV_139, "depthwise",
                            AnyConvolution(OfDepthwise(ScalesAndChains())), IsTheFormula,
                            {"vectors of depthwise", "scale of each channel", "bias", "u8 dst"}),
    Define<ConvolutionCase>(
        spec::CONV_139, "types", ScaledTypes(), IsTheFormula,
        {"common scale", "scale of each channel", "s32 dst", "f32 dst", "u8 dst", "s8 dst"}),
    Define<ConvolutionCase>(spec::CONV_140, "", AnyConvolution(Scales(false)), IsTheFormula,
                            {"common scale", "scale of each channel", "groups"}),
    Define<ConvolutionCase>(spec::CONV_139, "panels",
                            Scaled(PanelConvolutions({Direction::kForward})), IsTheFormula,
                            {"scale of each channel", "sum", "eltwise", "bias"}),
    Define<ConvolutionCase>(spec::CONV_140, "layouts", AnyConvolution(ScalesOfLayouts()),
                            IsTheFormula, {"scale of each channel", "gapped dst", "region dst"}),
    Define<ConvolutionCase>(spec::CONV_140, "groups",
                            Scaled(GroupConvolutions({Direction::kForward}), 50), IsTheFormula,
                            {"scale of each channel", "odd groups", "even groups"}),
    Define<ConvolutionCase>(spec::CONV_140, "wide", Scaled(WideConvolutions({Direction::kForward})),
                            IsTheFormula, {"scale of each channel", "many outputs"}),
    Define<ConvolutionCase>(spec::CONV_140, "depthwise",
                            Scaled(PaddedDepthwise({Direction::kForward}), 40), IsTheFormula,
                            {"scale of each channel", "depthwise"}),
    Define<ConvolutionCase>(spec::ATTR_035, "convolutions", LongSums(), ScaleOfOneIsNone,
                            {"extremes", "s32 dst"}),
    Define<ConvolutionCase>(spec::CONV_141, "floats", AnyConvolution(ScalesOfFloats()),
                            RefusedOrRight),
    Define<ConvolutionCase>(spec::CONV_143, "", AnyConvolution(Scales(true)), RunTimeScalesWork),
    Define<ConvolutionCase>(spec::CONV_143, "chains", AnyConvolution(RunTimeScalesAndChains()),
                            RunTimeScalesWork, {"sum", "eltwise", "scale of each channel"}),
    Define<Choice>(spec::CONV_148, "", Choices(StepNames(kStore)), StepsAreRight<kStore>),
    Define<ConvolutionCase>(spec::CONV_148, "drawn", AnyConvolution(ScaledBytes()), IsTheFormula,
                            {"sum", "eltwise", "u8 dst", "s8 dst"}),
    Define<ConvolutionCase>(spec::CONV_149, "drawn", AnyConvolution(ScaledBytes()), IsTheFormula,
                            {"scale of each channel", "common scale", "u8 dst", "s8 dst"}),
    Define<Choice>(spec::CONV_149, "", Choices(StepNames(kRounding)), StepsAreRight<kRounding>),
};

}  // namespace
}  // namespace conformance
