// OPT-002 to OPT-006, OPT-010, OPT-015, OPT-020, OPT-022, DT-006 and DT-007 of inner products: what
// `any` becomes for each tensor, of every type, and results by that.
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

constexpr Direction kDirections[] = {Direction::kForward, Direction::kBackwardData,
                                     Direction::kBackwardWeights};

// Every second case of f32, in any direction; the others of the types that `types` gives of one.
Cases<InnerProductCase> Of(std::vector<Types> (*types)(Direction direction),
                           const TensorLimits& tensors, int64_t count) {
  InnerProductLimits limits;
  static_cast<TensorLimits&>(limits) = tensors;
  limits.most_products = 1 << 13;
  std::vector<Cases<InnerProductCase>> all(3, AnyInnerProduct(limits));
  for (const Direction direction : kDirections) {
    InnerProductLimits narrow = limits;
    narrow.directions = {direction};
    narrow.types = types(direction);
    all.push_back(AnyInnerProduct(narrow));
  }
  return {count, [all](int64_t index, Random& random) {
            return all[static_cast<size_t>(index % 2 * 3 + index / 2 % 3)].at(index, random);
          }};
}

TensorLimits Open(int percent) {
  TensorLimits limits;
  limits.any_percent = percent;
  return limits;
}

TensorLimits Given() {
  TensorLimits limits = Open(20);
  limits.all_layouts = true;
  return limits;
}

// Sums and products that want all bits of f32.
InnerProductLimits ManyBits() {
  InnerProductLimits limits;
  limits.numbers = {Numbers::kFloats};
  limits.most_products = 1 << 12;
  limits.count = 60;
  return limits;
}

InnerProductLimits NarrowAndFused() {
  InnerProductLimits limits = ManyBits();
  limits.directions = {Direction::kForward};
  limits.types = FloatTypes(Direction::kForward);
  // Some subjects have no narrow ones.
  limits.types.push_back({spec::Type::kF32, spec::Type::kF32, spec::Type::kF32, spec::Type::kF32});
  limits.scales = limits.post_ops = true;
  return limits;
}

const std::vector<std::string> kOpen{"any src", "any wei", "any dst", "any bias"};

const bool kDefined[] = {
    Define<InnerProductCase>(spec::OPT_002, "inner-product", Of(NarrowTypes, Open(80), 80),
                             ResolvedIsADescriptor, kOpen),
    Define<InnerProductCase>(spec::OPT_003, "inner-product-types", Of(NarrowTypes, Open(80), 80),
                             ResolvedIsADescriptor, kOpen),
    Define<InnerProductCase>(spec::OPT_004, "inner-product", Of(FloatTypes, Open(80), 60),
                             OpaqueMemoryIsLargeEnough, kOpen),
    Define<InnerProductCase>(spec::OPT_005, "inner-product", Of(NarrowTypes, Open(80), 80),
                             ReordersGoThereAndBack, kOpen),
    Define<InnerProductCase>(spec::OPT_006, "inner-product", Of(NarrowTypes, Open(80), 80),
                             ReordersGoThereAndBack, kOpen),
    Define<InnerProductCase>(spec::OPT_010, "inner-product", Of(NarrowTypes, Open(80), 40),
                             ResolutionIsStable, kOpen),
    Define<InnerProductCase>(spec::OPT_015, "inner-product", Of(FloatTypes, Open(100), 60),
                             IsTheFormula, kOpen),
    Define<InnerProductCase>(spec::OPT_020, "inner-product", Of(FloatTypes, Open(50), 60),
                             IsTheFormula, kOpen),
    Define<InnerProductCase>(spec::OPT_022, "inner-product", Of(FloatTypes, Given(), 60),
                             GivenLayoutsAreUsed, {"permuted src", "gapped wei", "region dst"}),
    Define<InnerProductCase>(spec::DT_006, "inner-product", AnyInnerProduct(ManyBits()),
                             IsTheFormula, {"any src", "any wei", "any dst"}),
    Define<InnerProductCase>(spec::DT_007, "inner-product", AnyInnerProduct(NarrowAndFused()),
                             IsTheFormula, {"any wei"}),
};

}  // namespace
}  // namespace conformance
