// What `any` becomes for each tensor of convolutions, of every type, and results by that: OPT-015,
// and what computation_properties.h lists.
#include "conformance/case/property.h"
#include "conformance/convolution/cases.h"
#include "conformance/convolution/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "conformance/subject/computation_properties.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

const bool kDefined[] = {
    DefineOptimized("convolution", &AnyConvolutionCase, &AnyConvolution),
    Define<ConvolutionCase>(spec::OPT_015, "convolution-types",
                            OfTypesInTurn(&AnyConvolution, FloatTypes, Open(100), 60), IsTheFormula,
                            ClassesOfOpen()),
};

}  // namespace
}  // namespace conformance
