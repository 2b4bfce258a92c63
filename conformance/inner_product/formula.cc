// IP-010 to IP-014, IP-016 to IP-020, IP-025, IP-050, PRIM-039: the result is what the formula
// says.
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/limits.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_relations.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

const std::vector<std::string> kRanks{"rank 2", "rank 3", "rank 4", "rank 5"};

// Weights that are zero but for one element of each output: the result is that input.
void InputsArePairedByCoordinates(const InnerProductCase& c, Trial& trial) {
  ComputedData data = DataOf(c);
  const int64_t inputs = c.inputs();
  for (int64_t oc = 0; oc < c.oc; ++oc) {
    const auto chosen = static_cast<int64_t>(Mix(c.seed * 64 + static_cast<uint64_t>(oc)) %
                                             static_cast<uint64_t>(inputs));
    for (int64_t i = 0; i < inputs; ++i)
      data[kWeights][static_cast<size_t>(oc * inputs + i)] =
          BitsOfInteger(c.uses[kWeights].type, i == chosen ? 1 : 0);
  }
  Cover(trial, c);
  const auto ran = Run(c, std::move(data), trial);
  if (!ran) return;
  if (c.spatial.empty()) trial.Vacuous();
  ExpectOracle(c, ran->data, ran->results, trial);
}

void DirectionsAreAdjoint(const InnerProductCase& c, Trial& trial) {
  BackwardDataIsAdjoint(c, trial);
  if (!trial.failed()) BackwardWeightsIsAdjoint(c, trial);
}

// A special value changes what the formula says, and nothing else: all else stays exact.
void SpecialValuesFollowTheFormula(const InnerProductCase& c, Trial& trial) {
  IsTheFormula(c, trial);
}

InnerProductLimits Of(std::vector<Direction> directions, Numbers numbers = Numbers::kIntegers) {
  InnerProductLimits limits;
  limits.directions = std::move(directions);
  limits.numbers = {numbers};
  return limits;
}

InnerProductLimits Zeros() {
  InnerProductLimits limits = Of(EachDirection(), Numbers::kZeros);
  limits.count = 200;
  return limits;
}

// Of the types narrower than f32: what such a number cannot be is also not made of an infinity.
InnerProductLimits SpecialOfTypes(Direction direction) {
  InnerProductLimits limits = Of({direction}, Numbers::kSpecial);
  limits.types = FloatTypes(direction);
  limits.count = 200;
  return limits;
}

// Of all types but f32.
InnerProductLimits OfNarrowTypes(Direction direction) {
  InnerProductLimits limits = Of({direction});
  limits.types = NarrowTypes(direction);
  limits.count = 300;
  return limits;
}

// Infinities and NaNs where the layouts are any.
InnerProductLimits SpecialOfLayouts() {
  InnerProductLimits limits = Of({kForward}, Numbers::kSpecial);
  limits.all_layouts = limits.dense_bias = true;
  limits.count = 300;
  return limits;
}

// In a bias of f32, onto sums of integers.
InnerProductLimits SpecialBiases() {
  InnerProductLimits limits = Of({kForward}, Numbers::kSpecial);
  using spec::Type;
  limits.types = {{Type::kU8, Type::kS8, Type::kF32, Type::kF32},
                  {Type::kS8, Type::kS8, Type::kF32, Type::kF32}};
  limits.bias_percent = 100;
  limits.count = 100;
  return limits;
}

InnerProductLimits Layouts() {
  InnerProductLimits limits = Of({kForward});
  limits.all_layouts = true;
  limits.any_percent = 10;
  limits.bias_percent = 0;
  return limits;
}

InnerProductLimits LayoutsOfTypes() {
  InnerProductLimits limits = Layouts();
  limits.types = NarrowTypes(kForward);
  limits.count = 300;
  return limits;
}

// Backward, with outputs or inputs innermost in what is written.
InnerProductLimits LayoutsOfGradients() {
  InnerProductLimits limits = Layouts();
  limits.directions = {kData, kGradient};
  return limits;
}

InnerProductLimits Batches() {
  InnerProductLimits limits = Of({kForward, kData});
  limits.batches = {2, 15, 16, 17, 33};
  return limits;
}

InnerProductLimits BatchesOfTypes() {
  InnerProductLimits limits = OfEveryType({kForward, kData}, 400);
  limits.batches = Batches().batches;
  return limits;
}

// The opposite order of the axes, and nothing side by side.
void SpreadTensors(InnerProductCase* c) {
  for (const Role role : kRoles) {
    int64_t step = 2;
    spec::Dims strides;
    for (const int64_t size : c->DimsOf(role)) {
      strides.push_back(step);
      step *= size + 1;
    }
    c->uses[role].any = false;
    c->uses[role].layout = {};
    c->uses[role].layout.strides = strides;
  }
}

// Of one input, output, row, in all combinations.
Cases<InnerProductCase> Ones() {
  std::vector<InnerProductCase> cases;
  for (const Direction direction : EachDirection()) {
    for (int ones = 1; ones < 8; ++ones) {
      for (const char* layouts : {"plain", "any", "spread"}) {
        InnerProductCase c;
        c.direction = direction;
        c.mb = (ones & 1) != 0 ? 1 : 5;
        c.ic = (ones & 2) != 0 ? 1 : 19;
        c.oc = (ones & 4) != 0 ? 1 : 35;
        c.bias = direction != kData;
        c.SetAny(std::string(layouts) == "any");
        if (std::string(layouts) == "spread") SpreadTensors(&c);
        c.seed = cases.size();
        cases.push_back(c);
      }
    }
  }
  return Listed(std::move(cases));
}

// One input, output or row, or several of them, beside anything else: of every type, with what may
// be fused.
Cases<InnerProductCase> OnesOfTypes() {
  InnerProductLimits limits = OfEveryType(EachDirection(), 600);
  limits.attributes_percent = 60;
  Cases<InnerProductCase> cases = AnyInnerProduct(limits);
  cases.at = [limits](int64_t, Random& random) {
    InnerProductCase c = AnyInnerProductCase(random, limits);
    const int64_t ones = random.Between(1, 7);
    if ((ones & 1) != 0) c.mb = 1;
    if ((ones & 2) != 0) c.ic = 1;
    if ((ones & 4) != 0) c.oc = 1;
    if ((ones & 2) != 0 && random.Chance(70)) c.spatial.clear();
    c.ResetLayouts();
    if (random.Chance(25)) SpreadTensors(&c);
    return c;
  };
  cases.contains = [limits](const InnerProductCase& c) {
    return Fits(c, limits) && (c.mb == 1 || c.ic == 1 || c.oc == 1);
  };
  return cases;
}

// The same of each combination of integers, with a bias and nothing else.
Cases<InnerProductCase> OnesOfIntegers() {
  struct Problem {
    int64_t mb, ic, oc;
  };
  std::vector<InnerProductCase> cases;
  for (const Types& types : IntegerTriples())
    for (const auto& [mb, ic, oc] : {Problem{5, 33, 1}, Problem{1, 20, 18}, Problem{7, 1, 5}}) {
      InnerProductCase c;
      c.mb = mb;
      c.ic = ic;
      c.oc = oc;
      c.SetTypes(types);
      c.bias = true;
      c.ResetLayouts();
      c.seed = cases.size();
      cases.push_back(std::move(c));
    }
  return Listed(std::move(cases));
}

// Products in a sum.
int64_t SumsOf(const InnerProductCase& c) {
  return c.forward() ? c.inputs() : c.direction == kData ? c.oc : c.mb;
}

// Of one to eight products in a sum: the bound is then a few units in the last place.
Cases<InnerProductCase> Short() {
  const InnerProductLimits limits = Of(EachDirection(), Numbers::kFloats);
  Cases<InnerProductCase> cases = AnyInnerProduct(limits);
  cases.at = [limits](int64_t, Random& random) {
    InnerProductCase c = AnyInnerProductCase(random, limits);
    c.spatial.clear();
    // The others at times fill tiles.
    const int64_t most = random.Chance(40) ? 40 : 8;
    c.mb = random.Between(1, c.direction == kGradient ? 8 : most);
    c.ic = random.Between(1, c.forward() ? 8 : most);
    c.oc = random.Between(1, c.direction == kData ? 8 : most);
    c.ResetLayouts();
    if (random.Chance(30)) SpreadTensors(&c);
    return c;
  };
  cases.contains = [limits](const InnerProductCase& c) {
    return Fits(c, limits) && SumsOf(c) <= 8;
  };
  return cases;
}

const bool kDefined[] = {
    Define<InnerProductCase>(
        spec::IP_010, "", AnyInnerProduct(Of({kForward})), IsTheFormula,
        {"bias", "no bias", "tail of inputs", "tail of outputs", "any src", "any wei", "any dst"}),
    Define<InnerProductCase>(spec::IP_010, "bound",
                             AnyInnerProduct(Of({kForward}, Numbers::kFloats)), IsTheFormula),
    Define<InnerProductCase>(spec::IP_010, "blocks", AroundBlocks(), IsTheFormula),
    Define<InnerProductCase>(spec::IP_010, "threads", ThreadedInnerProducts({kForward}),
                             IsTheFormula, {"work for threads"}),
    Define<InnerProductCase>(spec::IP_010, "long", LongInnerProducts(), IsTheFormula, {"long"}),
    Define<InnerProductCase>(spec::IP_010, "types", AnyInnerProduct(OfNarrowTypes(kForward)),
                             IsTheFormula),
    Define<InnerProductCase>(spec::IP_010, "threads-of-types",
                             ThreadedInnerProductsOfTypes(kForward), IsTheFormula,
                             {"work for threads"}),
    Define<InnerProductCase>(spec::IP_011, "", AnyInnerProduct(Layouts()),
                             InputsArePairedByCoordinates,
                             {"permuted src", "permuted wei", "rank 4", "rank 5"}),
    Define<InnerProductCase>(spec::IP_011, "types", AnyInnerProduct(LayoutsOfTypes()),
                             InputsArePairedByCoordinates, {"permuted src", "permuted wei"}),
    Define<InnerProductCase>(spec::IP_011, "backward", AnyInnerProduct(LayoutsOfGradients()),
                             IsTheFormula, {"permuted src", "permuted wei", "rank 4", "rank 5"}),
    Define<InnerProductCase>(spec::IP_012, "", AnyInnerProduct(Of({kData})), IsTheFormula,
                             {"any src", "any wei", "any dst"}),
    Define<InnerProductCase>(spec::IP_012, "threads", ThreadedInnerProducts({kData}), IsTheFormula,
                             {"work for threads"}),
    Define<InnerProductCase>(spec::IP_012, "bound", AnyInnerProduct(Of({kData}, Numbers::kFloats)),
                             IsTheFormula),
    Define<InnerProductCase>(spec::IP_012, "long", LongGradients(kData), IsTheFormula),
    Define<InnerProductCase>(spec::IP_012, "types", AnyInnerProduct(OfNarrowTypes(kData)),
                             IsTheFormula),
    Define<InnerProductCase>(spec::IP_012, "threads-of-types", ThreadedInnerProductsOfTypes(kData),
                             IsTheFormula, {"work for threads"}),
    Define<InnerProductCase>(spec::IP_013, "types", AnyInnerProduct(OfNarrowTypes(kGradient)),
                             IsTheFormula),
    Define<InnerProductCase>(spec::IP_013, "threads-of-types",
                             ThreadedInnerProductsOfTypes(kGradient), IsTheFormula,
                             {"work for threads"}),
    Define<InnerProductCase>(spec::IP_013, "long", LongGradients(kGradient), IsTheFormula),
    Define<InnerProductCase>(spec::IP_013, "", AnyInnerProduct(Of({kGradient})), IsTheFormula,
                             {"bias", "no bias", "any src", "any wei", "any dst", "one row"}),
    Define<InnerProductCase>(spec::IP_013, "threads", ThreadedInnerProducts({kGradient}),
                             IsTheFormula, {"work for threads"}),
    Define<InnerProductCase>(spec::IP_013, "bound",
                             AnyInnerProduct(Of({kGradient}, Numbers::kFloats)), IsTheFormula),
    Define<InnerProductCase>(spec::IP_014, "", AnyInnerProduct(), OutputsAreOverwritten,
                             {"forward", "backward data", "backward weights"}),
    Define<InnerProductCase>(spec::IP_014, "types", AnyInnerProduct([] {
                               InnerProductLimits limits = OfEveryType(EachDirection(), 400);
                               limits.post_ops = false;
                               return limits;
                             }()),
                             OutputsAreOverwritten,
                             {"forward", "backward data", "backward weights"}),
    Define<InnerProductCase>(spec::IP_016, "", AnyInnerProduct(Batches()), BatchIsItsRows),
    Define<InnerProductCase>(spec::IP_016, "types", AnyInnerProduct(BatchesOfTypes()),
                             BatchIsItsRows, {"sum", "eltwise", "scale of each channel"}),
    Define<InnerProductCase>(spec::IP_017, "", Ones(), IsTheFormula,
                             {"one row", "one output", "one channel"}),
    Define<InnerProductCase>(spec::IP_017, "types", OnesOfTypes(), IsTheFormula,
                             {"one row", "one output", "one channel", "sum", "eltwise"}),
    Define<InnerProductCase>(spec::IP_017, "integers", OnesOfIntegers(), IsTheFormula,
                             {"one row", "one output", "one channel", "s32 bias", "s32 dst"}),
    Define<InnerProductCase>(spec::IP_018, "", NetworkInnerProducts(), ForwardIsLinear),
    Define<InnerProductCase>(spec::IP_019, "", NetworkInnerProducts(), DirectionsAreAdjoint),
    Define<InnerProductCase>(spec::IP_020, "", AnyInnerProduct(), IsTheFormula, kRanks),
    Define<InnerProductCase>(spec::IP_025, "", Short(), IsTheFormula),
    Define<InnerProductCase>(spec::IP_050, "",
                             AnyInnerProduct(Of(EachDirection(), Numbers::kSpecial)),
                             SpecialValuesFollowTheFormula),
    Define<InnerProductCase>(spec::IP_050, "forward", AnyInnerProduct(SpecialOfTypes(kForward)),
                             SpecialValuesFollowTheFormula, {"special", "f16 dst", "bf16 dst"}),
    Define<InnerProductCase>(spec::IP_050, "data", AnyInnerProduct(SpecialOfTypes(kData)),
                             SpecialValuesFollowTheFormula, {"special", "bf16 src"}),
    Define<InnerProductCase>(spec::IP_050, "weights", AnyInnerProduct(SpecialOfTypes(kGradient)),
                             SpecialValuesFollowTheFormula, {"special", "bf16 wei", "bf16 bias"}),
    Define<InnerProductCase>(spec::IP_050, "layouts", AnyInnerProduct(SpecialOfLayouts()),
                             SpecialValuesFollowTheFormula, {"gapped dst", "region dst"}),
    Define<InnerProductCase>(spec::IP_050, "bias", AnyInnerProduct(SpecialBiases()),
                             SpecialValuesFollowTheFormula, {"special", "u8 src", "s8 src"}),
    Define<InnerProductCase>(spec::IP_050, "zeros", AnyInnerProduct(Zeros()),
                             InProject<InnerProductCase, SpecialValuesFollowTheFormula>, {"zeros"}),
    Define<InnerProductCase>(spec::PRIM_039, "inner-products",
                             ThreadedInnerProducts(EachDirection()), RepeatedExecutionsAreEqual,
                             {"work for threads"}),
};

}  // namespace
}  // namespace conformance
