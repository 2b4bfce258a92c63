// What MD-037, OPT-008, OPT-009 and OPT-014 ask of what `any` becomes, by every direction.
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
    Define<InnerProductCase>(spec::OPT_008, "inner-products", Opaque(), BytesGoWithTheDescriptor),
    Define<InnerProductCase>(spec::OPT_009, "inner-products", Opaque(), BytesGoWithTheDescriptor),
    Define<InnerProductCase>(spec::OPT_014, "inner-products", Opaque(), BytesGoWithTheDescriptor),
};

}  // namespace
}  // namespace conformance
