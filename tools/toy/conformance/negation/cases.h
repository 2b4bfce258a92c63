// The input space of the negation properties.
#ifndef DNNSPEC_CONFORMANCE_NEGATION_CASES_H_
#define DNNSPEC_CONFORMANCE_NEGATION_CASES_H_

#include <cstdint>
#include <vector>

#include "conformance/case/fields.h"
#include "conformance/case/property.h"
#include "conformance/gen/placement.h"
#include "conformance/gen/tensors.h"
#include "spec/numeric/convert.h"

namespace conformance {

// `src=f32:2x3:ab dst=f32:2x3:ba seed=7`
struct NegationCase {
  TensorSpec src, dst;  // of equal dims
  uint64_t seed = 0;

  // Integers, all different as long as there are enough.
  std::vector<spec::Bits> Source() const;
  // What ORC-NEG makes of them.
  std::vector<spec::Bits> Expected() const;

  void Print(Fields* fields) const;
  static NegationCase Parse(const Fields& fields);
  std::vector<NegationCase> Simpler() const;
};

Cases<NegationCase> AnyNegation();

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_NEGATION_CASES_H_
