// IP-040 to IP-045, ATTR-035: output scales and post-ops.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/choice.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_attributes.h"
#include "conformance/subject/computation_checks.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void BackwardRefusesAttributes(const Choice& choice, Trial& trial) {
  BackwardRefusesAttribute<InnerProductCase>(Direction::kBackwardData, choice.what, trial);
  BackwardRefusesAttribute<InnerProductCase>(Direction::kBackwardWeights, choice.what, trial);
}

// Masks other than 0 and that of the outputs: refused, or right.
void OtherMasks(const Choice& choice, Trial& trial) {
  InnerProductCase c;
  c.mb = 2;
  c.ic = 5;
  c.oc = 19;
  c.SetAny(choice.what.find("any") != std::string::npos);
  MaskIsRefusedOrRight(c, choice.what[0] - '0', trial);
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

// Of every type, in any layout.
InnerProductLimits ChainsOfLayouts() {
  InnerProductLimits limits = Chains({});
  limits.every_type = limits.scales = true;
  limits.all_layouts = limits.dense_bias = true;
  limits.any_percent = 15;
  limits.count = 400;
  return limits;
}

// With a bias.
InnerProductLimits ChainsOfFloats() {
  InnerProductLimits limits = Chains(FloatTypes(Direction::kForward));
  limits.types.insert(limits.types.end(), 3, kFloats);
  limits.bias_percent = 90;
  limits.count = 400;
  return limits;
}

// More rows, outputs and inputs than are taken at once, with a bias, scales and a chain.
Cases<InnerProductCase> ChainsAroundBlocks() {
  constexpr PostOp kHalf{PostOp::kSum, 0.5f, 0, 0}, kLine{PostOp::kLinear, 2, -1, 3};
  const std::vector<PostOp> chains[] = {{kSumOp, kRelu}, {kHalf}, {kLine}, {kHalf, kLine}};
  const Types all[] = {kFloats, kBytes, kToBytes, FloatTypes(Direction::kForward)[1]};
  const Cases<InnerProductCase> shapes = AroundBlocks();
  std::vector<InnerProductCase> cases;
  Random random(1);
  for (int64_t i = 0; i < shapes.count; ++i) {
    InnerProductCase c = shapes.at(i, random);
    if (!c.forward()) continue;
    for (const Types& types : all) {
      c.SetTypes(types);
      c.attributes.post_ops = chains[(cases.size() + cases.size() / 4) % 4];
      // Of floats they may be missing.
      if (c.integral()) c.attributes.scales = FusedAttributes::kChannel;
      if (!c.integral()) c.attributes.scales = FusedAttributes::kNone;
      if (c.ic == 256) c.mb = 211;
      c.ResetLayouts();
      c.seed = cases.size();
      cases.push_back(c);
    }
  }
  return Listed(std::move(cases));
}

Cases<InnerProductCase> FunctionsAroundBlocks() {
  const Cases<InnerProductCase> listed = ChainsAroundBlocks();
  std::vector<InnerProductCase> cases;
  Random random(1);
  for (int64_t i = 0; i < listed.count; ++i) {
    cases.push_back(listed.at(i, random));
    SetFractions(random, &cases.back());
  }
  return Listed(std::move(cases));
}

// Scales, biases, old values and parameters of any bits, and functions that round.
InnerProductLimits Fractions(bool run_time) {
  InnerProductLimits limits = Forward(IntegerTriples());
  limits.scales = limits.post_ops = limits.fractions = true;
  limits.run_time_scales = run_time;
  limits.bias_percent = 80;
  limits.count = 200;
  return limits;
}

// Of every type, in any layout.
InnerProductLimits Functions() {
  InnerProductLimits limits = ChainsOfLayouts();
  limits.fractions = true;
  return limits;
}

// Scales alone.
InnerProductLimits ScalesOfFractions() {
  InnerProductLimits limits = Fractions(false);
  limits.post_ops = false;
  return limits;
}

InnerProductLimits Scales(bool run_time) {
  InnerProductLimits limits = Forward(IntegerTriples());
  limits.scales = true;
  limits.run_time_scales = run_time;
  return limits;
}

InnerProductLimits ScalesOfFloats() {
  InnerProductLimits limits = Forward(FloatTypes(Direction::kForward));
  limits.types.insert(limits.types.end(), 3, kFloats);
  limits.scales = true;
  return limits;
}

InnerProductLimits ScalesOfLayouts() {
  InnerProductLimits limits = Scales(false);
  limits.all_layouts = limits.dense_bias = true;
  limits.any_percent = 15;
  limits.count = 300;
  return limits;
}

// Rows and outputs of many tiles.
Cases<InnerProductCase> ScalesOfThreads() {
  Cases<InnerProductCase> shapes = ThreadedInnerProductsOfTypes(Direction::kForward);
  std::vector<InnerProductCase> cases;
  Random random(1);
  for (int64_t i = 0; i < shapes.count; ++i) {
    InnerProductCase c = shapes.at(i, random);
    if (!c.integral()) continue;
    c.attributes.scales = FusedAttributes::kChannel;
    cases.push_back(std::move(c));
  }
  return Listed(std::move(cases));
}

InnerProductLimits RunTimeScalesAndChains() {
  InnerProductLimits limits = Scales(true);
  limits.post_ops = true;
  limits.count = 300;
  return limits;
}

// In order: scales, then the chain.
InnerProductLimits ScalesAndChains() {
  InnerProductLimits limits = Scales(false);
  limits.post_ops = true;
  return limits;
}

// Sums of bytes that f32 does not hold, as s32.
Cases<InnerProductCase> LongSums() {
  std::vector<InnerProductCase> cases;
  for (const spec::Type src : {spec::Type::kU8, spec::Type::kS8}) {
    for (const int64_t inputs : {1041, 2083}) {
      for (const bool any : {true, false}) {
        InnerProductCase c;
        const Types types{src, spec::Type::kS8, spec::Type::kF32, spec::Type::kS32};
        c.SetTypes(types);
        c.mb = 3;
        c.ic = inputs;
        c.oc = 19;
        c.SetAny(any);
        c.numbers = Numbers::kExtremes;
        c.seed = 5 * (cases.size() % 5);
        cases.push_back(std::move(c));
      }
    }
  }
  return Listed(std::move(cases));
}

const bool kDefined[] = {
    Define<Choice>(spec::ATTR_006, "inner-products", Choices(NamesOfAttributes()),
                   BackwardRefusesAttributes),
    Define<InnerProductCase>(spec::ATTR_035, "inner-products", LongSums(), ScaleOfOneIsNone,
                             {"extremes", "s32 dst"}),
    Define<InnerProductCase>(spec::IP_040, "", AnyInnerProduct(Chains({kFloats})), IsTheFormula,
                             {"sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_040, "integers", AnyInnerProduct(Chains(IntegerTriples())),
                             IsTheFormula, {"sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_040, "bf16",
                             AnyInnerProduct(Chains(FloatTypes(Direction::kForward))), IsTheFormula,
                             {"sum", "eltwise"}),
    Define<InnerProductCase>(
        spec::IP_040, "layouts", AnyInnerProduct(ChainsOfLayouts()), IsTheFormula,
        {"sum", "eltwise", "gapped dst", "region dst", "permuted dst", "u8 dst", "bf16 dst"}),
    Define<InnerProductCase>(spec::IP_040, "blocks", ChainsAroundBlocks(), IsTheFormula,
                             {"sum", "eltwise", "u8 src", "bf16 src"}),
    Define<InnerProductCase>(spec::IP_041, "floats", AnyInnerProduct(ChainsOfFloats()),
                             IsTheFormula, {"sum", "eltwise", "bias", "bf16 dst"}),
    Define<InnerProductCase>(spec::IP_040, "functions", AnyInnerProduct(Functions()), IsTheFormula,
                             {"rounded eltwise", "sum", "gapped dst", "u8 dst", "bf16 dst"}),
    Define<InnerProductCase>(spec::IP_040, "functions-of-blocks", FunctionsAroundBlocks(),
                             IsTheFormula, {"rounded eltwise", "sum", "u8 src", "bf16 src"}),
    Define<InnerProductCase>(spec::IP_041, "fractions", AnyInnerProduct(Fractions(false)),
                             IsTheFormula, {"fractions", "f32 bias", "sum", "f32 dst", "u8 dst"}),
    Define<InnerProductCase>(
        spec::IP_042, "fractions", AnyInnerProduct(ScalesOfFractions()), IsTheFormula,
        {"fractions", "common scale", "scale of each channel", "u8 dst", "s8 dst"}),
    Define<InnerProductCase>(spec::IP_043, "fractions", AnyInnerProduct(Fractions(true)),
                             RunTimeScalesWork, {"fractions", "scale of each channel"}),
    Define<Choice>(spec::IP_041, "", Choices(NamesOfSteps()), StepsAreInOrder<InnerProductCase>),
    Define<InnerProductCase>(spec::IP_041, "drawn", AnyInnerProduct(ScalesAndChains()),
                             IsTheFormula,
                             {"common scale", "scale of each channel", "sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_042, "", AnyInnerProduct(Scales(false)), IsTheFormula,
                             {"common scale", "scale of each channel"}),
    Define<InnerProductCase>(spec::IP_042, "floats", AnyInnerProduct(ScalesOfFloats()),
                             RefusedOrRight),
    Define<InnerProductCase>(spec::IP_042, "layouts", AnyInnerProduct(ScalesOfLayouts()),
                             IsTheFormula, {"scale of each channel", "gapped dst", "region dst"}),
    Define<InnerProductCase>(spec::IP_042, "threads", ScalesOfThreads(), IsTheFormula,
                             {"scale of each channel", "work for threads"}),
    Define<Choice>(spec::IP_042, "counts", Choices(NamesOfCounts()),
                   CountsOfScalesAreChecked<InnerProductCase>),
    Define<Choice>(spec::IP_042, "masks", Choices({"1", "3", "1-any", "3-any"}), OtherMasks),
    Define<InnerProductCase>(spec::IP_043, "", AnyInnerProduct(Scales(true)), RunTimeScalesWork),
    Define<InnerProductCase>(spec::IP_043, "chains", AnyInnerProduct(RunTimeScalesAndChains()),
                             RunTimeScalesWork, {"sum", "eltwise", "scale of each channel"}),
    Define<InnerProductCase>(spec::IP_044, "", AnyInnerProduct(Chains({kFloats})), SumOfNothing,
                             {"sum", "eltwise", "sum of 0 behind"}),
    Define<InnerProductCase>(spec::IP_044, "types",
                             AnyInnerProduct(Chains(NarrowTypes(Direction::kForward))),
                             SumOfNothing, {"sum", "eltwise", "bf16 dst", "f16 dst", "s8 dst"}),
    Define<Choice>(spec::IP_045, "", Choices(NamesOfAttributes()), BackwardRefusesAttributes),
};

}  // namespace
}  // namespace conformance
