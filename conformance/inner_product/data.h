// What the tensors of an inner product hold before an execution, and after it.
#ifndef DNNSPEC_CONFORMANCE_INNER_PRODUCT_DATA_H_
#define DNNSPEC_CONFORMANCE_INNER_PRODUCT_DATA_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "conformance/inner_product/cases.h"
#include "spec/numeric/approx.h"
#include "spec/numeric/convert.h"

namespace conformance {

// Row-major elements by Role: of outputs what they hold before. Empty where there is no tensor.
using InnerProductData = std::array<std::vector<spec::Bits>, 4>;

InnerProductData DataOf(const InnerProductCase& c);

// What an element must be: within the bounds of a sum, or one integer exactly.
struct ExpectedElement {
  spec::Approx approx;
  bool exact_integer = false;  // of s32 and nothing but a sum: approx.value, without a detour
};

// ORC-IP on what the tensors hold: element k of `role`, which the direction writes.
std::vector<ExpectedElement> ExpectedInnerProduct(const InnerProductCase& c, Role role,
                                                  const InnerProductData& data);

bool AcceptsElement(const ExpectedElement& expected, spec::Type type, spec::Bits got,
                    spec::Strictness strictness);
std::string ToString(const ExpectedElement& expected, spec::Type type, spec::Strictness strictness);

// The number that an element stands for.
double NumberOf(spec::Type type, spec::Bits bits);
// The element of an integer that `type` holds.
spec::Bits BitsOfInteger(spec::Type type, int64_t value);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_INNER_PRODUCT_DATA_H_
