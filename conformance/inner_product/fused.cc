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

// Sums of bytes that f32 does not hold, as s32.
Cases<InnerProductCase> LongSums() {
  std::vector<InnerProductCase> cases;
  for (const spec::Type src : {spec::Type::kU8, spec::Type::kS8}) {
    for (const int64_t inputs : {1041, 2083}) {
      for (const bool any : {true, false}) {
        InnerProductCase c;
        const Types types{src, spec::Type::kS8, spec::Type::kF32, spec::Type::kS32};
        for (const Role role : kRoles) c.uses[role].type = types[role];
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
    Define<Choice>(spec::IP_041, "", Choices(NamesOfSteps()), StepsAreInOrder<InnerProductCase>),
    Define<InnerProductCase>(spec::IP_041, "drawn", AnyInnerProduct(ScalesAndChains()),
                             IsTheFormula,
                             {"common scale", "scale of each channel", "sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_042, "", AnyInnerProduct(Scales(false)), IsTheFormula,
                             {"common scale", "scale of each channel"}),
    Define<InnerProductCase>(spec::IP_042, "floats", AnyInnerProduct(ScalesOfFloats()),
                             RefusedOrRight),
    Define<Choice>(spec::IP_042, "counts",
                   Choices({"f32-common", "f32-channel", "u8-common", "u8-channel"}),
                   CountsOfScalesAreChecked<InnerProductCase>),
    Define<Choice>(spec::IP_042, "masks", Choices({"1", "3", "1-any", "3-any"}), OtherMasks),
    Define<InnerProductCase>(spec::IP_043, "", AnyInnerProduct(Scales(true)), RunTimeScalesWork),
    Define<InnerProductCase>(spec::IP_044, "", AnyInnerProduct(Chains({kFloats})), SumOfNothing,
                             {"sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_044, "types",
                             AnyInnerProduct(Chains(NarrowTypes(Direction::kForward))),
                             SumOfNothing, {"sum", "eltwise", "bf16 dst", "f16 dst", "s8 dst"}),
    Define<Choice>(spec::IP_045, "", Choices(NamesOfAttributes()), BackwardRefusesAttributes),
};

}  // namespace
}  // namespace conformance
