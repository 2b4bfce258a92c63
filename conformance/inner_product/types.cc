// IP-021 to IP-024: types other than f32.
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_checks.h"
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

// Up to 1001 inputs of the largest magnitudes, without attributes.
Cases<InnerProductCase> Extremes() {
  const InnerProductLimits limits = Of(Direction::kForward, IntegerTriples(), {Numbers::kExtremes});
  Cases<InnerProductCase> cases = AnyInnerProduct(limits);
  cases.at = [limits](int64_t, Random& random) {
    InnerProductCase c = AnyInnerProductCase(random, limits);
    c.spatial.clear();
    c.mb = random.Between(1, 4);
    c.ic = random.Pick({1, 2, 3, 4, 63, 64, 65, 1001});
    c.oc = random.Pick({1, 2, 8, 16, 17, 33});
    for (TensorUse& use : c.uses) use.at = {};
    c.ResetLayouts();
    return c;
  };
  return cases;
}

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
    Define<InnerProductCase>(spec::IP_023, "", AnyInnerProduct(Sweep()), RefusedOrRight,
                             {"forward", "backward data", "backward weights"}),
    Define<InnerProductCase>(spec::IP_024, "", Extremes(), IsTheFormula, {"u8 src", "s8 src"}),
};

}  // namespace
}  // namespace conformance
