// What MD-037, OPT-008, OPT-009 and OPT-014 ask of what `any` becomes, by every direction.
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
    Define<ConvolutionCase>(spec::OPT_008, "convolutions", Opaque(), BytesGoWithTheDescriptor),
    Define<ConvolutionCase>(spec::OPT_009, "convolutions", Opaque(), BytesGoWithTheDescriptor),
    Define<ConvolutionCase>(spec::OPT_014, "convolutions", Opaque(), BytesGoWithTheDescriptor),
};

}  // namespace
}  // namespace conformance
