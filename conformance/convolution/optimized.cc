// MD-037, OPT-002 to OPT-006, OPT-008 to OPT-010, OPT-014, OPT-015, OPT-020, OPT-022, DT-006 and
// DT-007 of convolutions: what `any` becomes for each tensor, of every type, and results by that.
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

Cases<ConvolutionCase> Of(std::vector<Types> (*types)(Direction direction),
                          const TensorLimits& tensors, int64_t count) {
  return OfTypesInTurn(&AnyConvolution, types, tensors, count);
}

Cases<ConvolutionCase> Opaque() {
  return OfEachDirection(&AnyConvolutionCase, 120, Open(70, true));
}

const std::vector<std::string> kOpen{"any src", "any wei", "any dst", "any bias"};

const bool kDefined[] = {
    Define<ConvolutionCase>(spec::OPT_002, "convolution", Of(NarrowTypes, Open(80), 80),
                            ResolvedIsADescriptor, kOpen),
    Define<ConvolutionCase>(spec::OPT_003, "convolution-types", Of(NarrowTypes, Open(80), 80),
                            ResolvedIsADescriptor, kOpen),
    Define<ConvolutionCase>(spec::OPT_004, "convolution", Of(FloatTypes, Open(80), 60),
                            OpaqueMemoryIsLargeEnough, kOpen),
    Define<ConvolutionCase>(spec::OPT_005, "convolution", Of(NarrowTypes, Open(80), 80),
                            ReordersGoThereAndBack, kOpen),
    Define<ConvolutionCase>(spec::OPT_006, "convolution", Of(NarrowTypes, Open(80), 80),
                            ReordersGoThereAndBack, kOpen),
    Define<ConvolutionCase>(spec::OPT_010, "convolution", Of(NarrowTypes, Open(80), 40),
                            ResolutionIsStable, kOpen),
    Define<ConvolutionCase>(spec::OPT_015, "convolution-types", Of(FloatTypes, Open(100), 60),
                            IsTheFormula, kOpen),
    Define<ConvolutionCase>(spec::OPT_020, "convolution", Of(FloatTypes, Open(50), 60),
                            IsTheFormula, kOpen),
    Define<ConvolutionCase>(spec::OPT_022, "convolution", Of(FloatTypes, Open(20, true), 150),
                            GivenLayoutsAreUsed, {"permuted src", "gapped wei", "region dst"}),
    Define<ConvolutionCase>(spec::DT_006, "convolution",
                            AnyConvolution(ManyBits<ConvolutionLimits>()), IsTheFormula,
                            {"any src", "any wei", "any dst"}),
    Define<ConvolutionCase>(spec::DT_007, "convolution",
                            AnyConvolution(NarrowAndFused<ConvolutionLimits>()), IsTheFormula,
                            {"any wei"}),
    Define<ConvolutionCase>(spec::MD_037, "convolutions", Opaque(), OpaqueMemoryIsLargeEnough,
                            {"any wei"}),
    Define<ConvolutionCase>(spec::OPT_008, "convolutions", Opaque(), BytesGoWithTheDescriptor),
    Define<ConvolutionCase>(spec::OPT_009, "convolutions", Opaque(), BytesGoWithTheDescriptor),
    Define<ConvolutionCase>(spec::OPT_014, "convolutions", Opaque(), BytesGoWithTheDescriptor),
};

}  // namespace
}  // namespace conformance
