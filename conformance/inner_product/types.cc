// IP-021 to IP-024: types other than f32.
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/gen/values.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_subnormals.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

InnerProductLimits Of(Direction direction, std::vector<Types> types,
                      std::vector<Numbers> numbers = {Numbers::kIntegers}) {
  InnerProductLimits limits;
  limits.directions = {direction};
  limits.types = std::move(types);
  limits.numbers = std::move(numbers);
  return limits;
}

std::vector<Types> AllTypes() {
  std::vector<Types> all;
  for (const spec::Type src : spec::kTypes)
    for (const spec::Type weights : spec::kTypes)
      for (const spec::Type bias : spec::kTypes)
        for (const spec::Type dst : spec::kTypes) all.push_back({src, weights, bias, dst});
  return all;
}

InnerProductLimits Sweep() {
  InnerProductLimits limits;
  limits.types = AllTypes();
  limits.most_products = 4096;
  return limits;
}

// Inputs of the largest magnitudes, without attributes; some in more rows than a tile has.
Cases<InnerProductCase> Extremes() {
  const InnerProductLimits limits = Of(Direction::kForward, IntegerTriples(), {Numbers::kExtremes});
  Cases<InnerProductCase> cases = AnyInnerProduct(limits);
  cases.at = [limits](int64_t, Random& random) {
    InnerProductCase c = AnyInnerProductCase(random, limits);
    c.spatial.clear();
    c.mb = random.Between(1, random.Chance(30) ? 40 : 4);
    c.ic = random.Pick({1, 2, 3, 4, 63, 64, 65, 1001});
    if (random.Chance(40)) c.ic = random.Between(1, 260);
    if (random.Chance(10)) c.ic = random.Pick({511, 513, 1023, 1025, 1026, 2049, 4099, 9999});
    c.oc = random.Pick({1, 2, 8, 16, 17, 33});
    if (c.mb * c.ic * c.oc > 1 << 17) c.mb = 1;
    for (TensorUse& use : c.uses) use.at = {};
    c.ResetLayouts();
    return c;
  };
  return cases;
}

// As many products in a sum as are packed at once, some more and some less, of more rows and
// outputs than a tile has; weights along the inputs, along the outputs and as `any`.
Cases<InnerProductCase> AroundPacks(const std::vector<Types>& all) {
  std::vector<InnerProductCase> cases;
  for (const Types& types : all) {
    for (const int64_t inputs : {127, 128, 129, 130, 257, 384, 511, 700, 1023, 1030, 2051}) {
      for (const char* weights : {"inputs", "outputs", "any"}) {
        InnerProductCase c;
        c.SetTypes(types);
        c.mb = 17;
        c.ic = inputs;
        c.oc = cases.size() % 2 == 0 ? 35 : 32;
        c.bias = cases.size() % 4 < 2;
        c.SetAny(false);
        c.uses[kWeights].any = std::string(weights) == "any";
        if (c.uses[kWeights].any) c.uses[kWeights].layout = {};
        if (std::string(weights) == "outputs")
          c.uses[kWeights].layout = DenseInOrder(c.DimsOf(kWeights), {1, 0});
        c.seed = cases.size();
        cases.push_back(std::move(c));
      }
    }
  }
  return Listed(std::move(cases));
}

// The same in each direction, of bf16.
Cases<InnerProductCase> GradientsAroundBlocks(Direction direction) {
  const Cases<InnerProductCase> shapes = AroundBlocks();
  std::vector<InnerProductCase> cases;
  Random random(1);
  for (int64_t i = 0; i < shapes.count; ++i) {
    InnerProductCase c = shapes.at(i, random);
    if (c.direction != direction) continue;
    const std::vector<Types> all = FloatTypes(direction);
    for (const Role role : kRoles) c.uses[role].type = all[cases.size() / 2 % all.size()][role];
    cases.push_back(std::move(c));
  }
  return Listed(std::move(cases));
}

// Sums of several thousand products, of more rows and outputs than a tile has.
Cases<InnerProductCase> LongOf(const std::vector<Types>& all) {
  std::vector<InnerProductCase> cases;
  for (const Types& types : all)
    for (const int64_t terms : {4100, 9001}) {
      InnerProductCase c;
      c.SetTypes(types);
      c.mb = 21;
      c.ic = terms;
      c.oc = 19;
      c.SetAny(cases.size() % 2 == 0);
      c.seed = cases.size();
      cases.push_back(std::move(c));
    }
  return Listed(std::move(cases));
}

constexpr int64_t kFirstProducts = 300;

// Products of bf16 that f32 holds, but not as normal numbers.
void SubnormalsAreKept(const InnerProductCase& c, Trial& trial) {
  //
  if (trial.engine() == EngineChoice::kGpu && trial.project())
    return trial.NotRun("arithmetic on a device may flush");
  const Role read = c.direction == Direction::kBackwardData ? kDst : kSrc;
  ComputedData data = DataOf(c);
  for (const Role role : {read, kWeights})
    for (spec::Bits& bits : data[role]) {
      const spec::Type type = c.uses[role].type;
      bits = BitsOf(type, std::ldexp(static_cast<float>(NumberOf(type, bits)), -70));
    }
  if (c.bias)
    for (spec::Bits& bits : data[kBias]) bits = 0;
  // Of long sums the first products alone are not 0.
  for (size_t i = 0; c.ic > kFirstProducts && i < data[kWeights].size(); ++i)
    if (static_cast<int64_t>(i) % c.ic >= kFirstProducts) data[kWeights][i] = 0;
  Cover(trial, c);
  const auto ran = Run(c, std::move(data), trial);
  if (ran) ExpectOracle(c, ran->data, ran->results, trial);
}

// Of rows and columns that fill tiles and do not.
Cases<InnerProductCase> OfBf16() {
  std::vector<InnerProductCase> cases;
  for (const Direction direction : {Direction::kForward, Direction::kBackwardData})
    for (const int64_t rows : {1, 12, 40})
      for (const int64_t channels : {6, 40, 260})
        for (const bool any : {true, false}) {
          InnerProductCase c;
          c.direction = direction;
          for (TensorUse& use : c.uses) use.type = spec::Type::kBF16;
          const bool forward = direction == Direction::kForward;
          c.uses[forward ? kDst : kSrc].type = spec::Type::kF32;
          c.mb = rows;
          c.ic = forward ? channels : 20;
          c.oc = forward ? 20 : channels;
          c.bias = forward && any;
          c.SetAny(any);
          c.seed = cases.size();
          cases.push_back(std::move(c));
        }
  InnerProductCase long_one = cases[4];
  long_one.mb = 20;
  long_one.ic = 4100;
  long_one.SetAny(true);
  cases.push_back(long_one);
  return Listed(std::move(cases));
}

// Of bf16: few rows, more than a tile has, and more than a block.
Cases<InnerProductCase> WithASubnormalNumber() {
  constexpr Role kWritten[] = {kDst, kSrc, kWeights};
  std::vector<InnerProductCase> cases;
  for (size_t d = 0; d < std::size(kDirections); ++d)
    for (const auto& [rows, outputs] : {std::pair(2, 40), std::pair(24, 40), std::pair(1100, 37)})
      for (int i = 0; i < 6; ++i) {
        InnerProductCase c;
        c.direction = kDirections[d];
        for (TensorUse& use : c.uses) use.type = spec::Type::kBF16;
        c.uses[kWritten[d]].type = spec::Type::kF32;
        c.mb = d == 2 ? 60 : rows;
        c.ic = d == 2 ? rows : 60;
        c.oc = outputs;
        c.bias = d == 0;
        c.SetAny(true);
        c.seed = cases.size();
        cases.push_back(std::move(c));
      }
  return Listed(std::move(cases));
}

// The same with results of bf16; and sums of one to four products.
Cases<InnerProductCase> WithASubnormalResult() {
  Cases<InnerProductCase> listed = WithASubnormalNumber();
  std::vector<InnerProductCase> cases;
  Random random(0);
  const auto add = [&cases](InnerProductCase c) {
    for (TensorUse& use : c.uses) use.type = spec::Type::kBF16;
    c.seed = cases.size();
    cases.push_back(std::move(c));
  };
  for (int64_t i = 0; i < listed.count; ++i) add(listed.at(i, random));
  for (int64_t terms = 1; terms <= 4; ++terms)
    for (int i = 0; i < 6; ++i) {
      InnerProductCase c;
      c.direction = Direction::kBackwardData;
      c.mb = 20;
      c.oc = terms;
      c.ic = 300;
      c.SetAny(terms % 2 == 0);
      add(std::move(c));
    }
  return Listed(std::move(cases));
}

constexpr Types kToWords{spec::Type::kU8, spec::Type::kS8, spec::Type::kS32, spec::Type::kS32},
    kToFloats{spec::Type::kS8, spec::Type::kS8, spec::Type::kF32, spec::Type::kF32};

const bool kDefined[] = {
    Define<InnerProductCase>(
        spec::IP_021, "floats",
        AnyInnerProduct(Of(Direction::kForward, FloatTypes(Direction::kForward),
                           {Numbers::kIntegers, Numbers::kFloats})),
        IsTheFormula, {"bf16 src", "f16 src", "bf16 dst", "f32 dst", "bf16 bias", "f32 bias"}),
    Define<InnerProductCase>(spec::IP_021, "integers",
                             AnyInnerProduct(Of(Direction::kForward, IntegerTriples())),
                             IsTheFormula,
                             {"u8 src", "s8 src", "s32 dst", "f32 dst", "u8 dst", "s8 dst",
                              "s32 bias", "f32 bias", "u8 bias", "s8 bias", "no bias"}),
    Define<InnerProductCase>(
        spec::IP_022, "data",
        AnyInnerProduct(Of(Direction::kBackwardData, FloatTypes(Direction::kBackwardData),
                           {Numbers::kIntegers, Numbers::kFloats})),
        IsTheFormula, {"bf16 src", "f32 src"}),
    Define<InnerProductCase>(
        spec::IP_022, "weights",
        AnyInnerProduct(Of(Direction::kBackwardWeights, FloatTypes(Direction::kBackwardWeights),
                           {Numbers::kIntegers, Numbers::kFloats})),
        IsTheFormula, {"bf16 wei", "f32 wei", "bf16 bias", "f32 bias"}),
    Define<InnerProductCase>(spec::IP_021, "threads",
                             ThreadedInnerProductsOfTypes(Direction::kForward), IsTheFormula,
                             {"work for threads", "bf16 src", "f16 src", "u8 src", "s8 src"}),
    Define<InnerProductCase>(spec::IP_022, "data-around-blocks",
                             GradientsAroundBlocks(Direction::kBackwardData), IsTheFormula,
                             {"bf16 src", "f32 src"}),
    Define<InnerProductCase>(spec::IP_022, "weights-around-blocks",
                             GradientsAroundBlocks(Direction::kBackwardWeights), IsTheFormula,
                             {"bf16 wei", "f32 wei", "bf16 bias", "f32 bias"}),
    Define<InnerProductCase>(spec::IP_023, "", AnyInnerProduct(Sweep()), RefusedOrRight,
                             {"forward", "backward data", "backward weights"}),
    Define<InnerProductCase>(
        spec::IP_021, "packs",
        AroundPacks({FloatTypes(Direction::kForward)[2], FloatTypes(Direction::kForward)[4]}),
        IsTheFormula, {"bf16 src", "f16 src", "any wei", "permuted wei"}),
    Define<InnerProductCase>(spec::IP_024, "packs", AroundPacks({kToWords, kToFloats}),
                             IsTheFormula, {"u8 src", "s8 src", "any wei", "permuted wei"}),
    Define<InnerProductCase>(spec::IP_024, "", Extremes(), IsTheFormula, {"u8 src", "s8 src"}),
    Define<InnerProductCase>(spec::IP_024, "long", LongOf({kToWords, kToFloats}), IsTheFormula,
                             {"u8 src", "s8 src", "long"}),
    Define<InnerProductCase>(spec::IP_021, "long", LongOf(FloatTypes(Direction::kForward)),
                             IsTheFormula, {"bf16 src", "f16 src", "long"}),
    Define<InnerProductCase>(spec::IP_021, "subnormal", OfBf16(), SubnormalsAreKept, {"bf16 src"}),
    Define<InnerProductCase>(spec::IP_021, "one-subnormal", WithASubnormalNumber(),
                             ASubnormalNumberIsKept, {"bf16 src", "backward weights"}),
    Define<InnerProductCase>(spec::IP_021, "subnormal-results", WithASubnormalResult(),
                             ASubnormalResultIsKept, {"bf16 dst", "backward weights"}),
};

}  // namespace
}  // namespace conformance
