// Computes what the tensors of a computation hold before an execution, and what an element may be
// after it.
#ifndef DNNSPEC_CONFORMANCE_GEN_COMPUTED_DATA_H_
#define DNNSPEC_CONFORMANCE_GEN_COMPUTED_DATA_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/gen/computation.h"
#include "spec/numeric/approx.h"
#include "spec/numeric/convert.h"

namespace conformance {

// Row-major elements by Role: of outputs what they hold before. Empty where there is no tensor.
using ComputedData = std::array<std::vector<spec::Bits>, 4>;

ComputedData DataOf(const Computation& c);

// What an element must be: within the bounds of a sum, or one integer exactly.
struct ExpectedElement {
  spec::Approx approx;
  bool exact_integer = false;  // of s32 and nothing but a sum: approx.value, without a detour
};

// What the attributes of a forward make of a sum of products and of the bias, in `channel` of an
// element that held `old`. `scales` as ScaleValues. `with_old`: the sum if OldTerm is one of its
// terms.
ExpectedElement FusedElement(const Computation& c, spec::Approx sum,
                             const std::vector<float>& scales, int64_t channel, double old,
                             const std::optional<spec::Approx>& with_old = {});
// A sum of products of integers, brought to f32.
spec::Approx IntegerSum(double sum);

bool AcceptsElement(const ExpectedElement& expected, spec::Type type, spec::Bits got,
                    spec::Strictness strictness);
std::string ToString(const ExpectedElement& expected, spec::Type type, spec::Strictness strictness);

// The number that an element stands for.
double NumberOf(spec::Type type, spec::Bits bits);
std::vector<double> NumbersOf(spec::Type type, const std::vector<spec::Bits>& elements);
// The element of an integer that `type` holds.
spec::Bits BitsOfInteger(spec::Type type, int64_t value);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_COMPUTED_DATA_H_
