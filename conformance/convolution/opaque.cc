// What OPT-002 to OPT-022 and MD-037 ask of what `any` becomes, by every direction.
#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

Cases<ConvolutionCase> Opaque() { return OpaqueOfEachDirection(&AnyConvolutionCase); }

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::MD_037, "convolutions", Opaque(), OpaqueMemoryIsLargeEnough,
                            {"any wei"}),
    Define<ConvolutionCase>(spec::OPT_002, "convolutions", Opaque(), ResolvedIsADescriptor,
                            {"any wei", "any src"}),
    Define<ConvolutionCase>(spec::OPT_003, "convolutions", Opaque(), ResolvedIsADescriptor,
                            {"any wei", "any dst"}),
    Define<ConvolutionCase>(spec::OPT_004, "convolutions", Opaque(), OpaqueMemoryIsLargeEnough,
                            {"any wei"}),
    Define<ConvolutionCase>(spec::OPT_005, "convolutions", Opaque(), ReordersGoThereAndBack,
                            {"any wei"}),
    Define<ConvolutionCase>(spec::OPT_006, "convolutions", Opaque(), ReordersGoThereAndBack,
                            {"any wei"}),
    Define<ConvolutionCase>(spec::OPT_008, "convolutions", Opaque(), BytesGoWithTheDescriptor),
    Define<ConvolutionCase>(spec::OPT_009, "convolutions", Opaque(), BytesGoWithTheDescriptor),
    Define<ConvolutionCase>(spec::OPT_010, "convolutions", Opaque(), ResolutionIsStable,
                            {"any wei"}),
    Define<ConvolutionCase>(spec::OPT_014, "convolutions", Opaque(), BytesGoWithTheDescriptor),
    Define<ConvolutionCase>(spec::OPT_020, "convolutions", Opaque(), IsTheFormula,
                            {"any wei", "permuted wei"}),
    Define<ConvolutionCase>(spec::OPT_022, "convolutions", Opaque(), GivenLayoutsAreUsed,
                            {"gapped wei"}),
};

}  // namespace
}  // namespace conformance
