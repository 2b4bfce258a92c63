// What `any` becomes for each tensor of inner products, of every type, and results by that:
// OPT-015, and what computation_properties.h lists.
#include "conformance/case/property.h"
#include "conformance/inner_product/cases.h"
#include "conformance/inner_product/run.h"
#include "conformance/subject/computation_checks.h"
#include "conformance/subject/computation_layouts.h"
#include "conformance/subject/computation_properties.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

const bool kDefined[] = {
    DefineOptimized("inner-product", &AnyInnerProductCase, &AnyInnerProduct),
    Define<InnerProductCase>(spec::OPT_015, "inner-product",
                             OfTypesInTurn(&AnyInnerProduct, FloatTypes, Open(100), 60),
                             IsTheFormula, ClassesOfOpen()),
};

}  // namespace
}  // namespace conformance
