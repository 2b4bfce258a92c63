// MD-037, OPT-002 to OPT-006, OPT-008 to OPT-010, OPT-014, OPT-015, OPT-020, OPT-022, DT-006 and
// DT-007 of inner products: what `any` becomes for each tensor, of every type, and results by that.
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

Cases<InnerProductCase> Of(std::vector<Types> (*types)(Direction direction),
                           const TensorLimits& tensors, int64_t count) {
  return OfTypesInTurn(&AnyInnerProduct, types, tensors, count);
}

Cases<InnerProductCase> Opaque() {
  return OfEachDirection(&AnyInnerProductCase, 120, Open(70, true));
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
    Define<InnerProductCase>(spec::OPT_022, "inner-product", Of(FloatTypes, Open(20, true), 150),
                             GivenLayoutsAreUsed, {"permuted src", "gapped wei", "region dst"}),
    Define<InnerProductCase>(spec::DT_006, "inner-product",
                             AnyInnerProduct(ManyBits<InnerProductLimits>()), IsTheFormula,
                             {"any src", "any wei", "any dst"}),
    Define<InnerProductCase>(spec::DT_007, "inner-product",
                             AnyInnerProduct(NarrowAndFused<InnerProductLimits>()), IsTheFormula,
                             {"any wei"}),
    Define<InnerProductCase>(spec::MD_037, "inner-products", Opaque(), OpaqueMemoryIsLargeEnough,
                             {"any wei"}),
    Define<InnerProductCase>(spec::OPT_008, "inner-products", Opaque(), BytesGoWithTheDescriptor),
    Define<InnerProductCase>(spec::OPT_009, "inner-products", Opaque(), BytesGoWithTheDescriptor),
    Define<InnerProductCase>(spec::OPT_014, "inner-products", Opaque(), BytesGoWithTheDescriptor),
};

}  // namespace
}  // namespace conformance
