// What OPT-002 to OPT-022 and MD-037 ask of what `any` becomes, by every direction.
#include "conformance/case/property.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

Cases<InnerProductCase> Opaque() { return OpaqueOfEachDirection(&AnyInnerProductCase); }

const bool kDefined[] = {
    Define<InnerProductCase>(spec::MD_037, "inner-products", Opaque(), OpaqueMemoryIsLargeEnough,
                             {"any wei"}),
    Define<InnerProductCase>(spec::OPT_002, "inner-products", Opaque(), ResolvedIsADescriptor,
                             {"any wei", "any src"}),
    Define<InnerProductCase>(spec::OPT_003, "inner-products", Opaque(), ResolvedIsADescriptor,
                             {"any wei", "any dst"}),
    Define<InnerProductCase>(spec::OPT_004, "inner-products", Opaque(), OpaqueMemoryIsLargeEnough,
                             {"any wei"}),
    Define<InnerProductCase>(spec::OPT_005, "inner-products", Opaque(), ReordersGoThereAndBack,
                             {"any wei"}),
    Define<InnerProductCase>(spec::OPT_006, "inner-products", Opaque(), ReordersGoThereAndBack,
                             {"any wei"}),
    Define<InnerProductCase>(spec::OPT_008, "inner-products", Opaque(), BytesGoWithTheDescriptor),
    Define<InnerProductCase>(spec::OPT_009, "inner-products", Opaque(), BytesGoWithTheDescriptor),
    Define<InnerProductCase>(spec::OPT_010, "inner-products", Opaque(), ResolutionIsStable,
                             {"any wei"}),
    Define<InnerProductCase>(spec::OPT_014, "inner-products", Opaque(), BytesGoWithTheDescriptor),
    Define<InnerProductCase>(spec::OPT_015, "inner-products", AnySubsets(), IsTheFormula),
    Define<InnerProductCase>(spec::OPT_020, "inner-products", Opaque(), IsTheFormula,
                             {"any wei", "permuted wei"}),
    Define<InnerProductCase>(spec::OPT_022, "inner-products", Opaque(), GivenLayoutsAreUsed,
                             {"gapped wei"}),
};

}  // namespace
}  // namespace conformance
