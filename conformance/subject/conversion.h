// Converts elements with the subject: by reorders that are there to convert values, not to move
// them.
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_CONVERSION_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_CONVERSION_H_

#include <optional>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/gen/tensors.h"
#include "conformance/subject/device.h"
#include "oneapi/dnnl/dnnl.hpp"
#include "spec/numeric/convert.h"

namespace conformance {

// dst = alpha * src + beta * old; without attributes by default.
struct Conversion {
  TensorSpec src, dst;             // equal dims
  std::vector<spec::Bits> source;  // row-major
  bool scaled = false;
  float alpha = 1;
  int mask = 0;               // of output scales; not 0: there are `scales`
  std::vector<float> scales;  // instead of alpha
  bool sum = false;
  float beta = 0;
  std::vector<spec::Bits> old;  // of dst, if sum
};

// A dense 1-D conversion without attributes.
Conversion ConversionOf(spec::Type from, spec::Type to, std::vector<spec::Bits> source);

// The result, row-major. nullopt after recording the outcome in `trial` when the subject refused:
// not run where "Unsupported is not wrong" (spec/reading.md) lets it, otherwise a failure. At least
// one element.
std::optional<std::vector<spec::Bits>> RunConversion(const Conversion& conversion, Trial& trial);

// The first step of the same, for a check that does something in between.
std::optional<dnnl::reorder::primitive_desc> ConversionPd(const Conversion& conversion,
                                                          Device& device, Trial& trial);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_CONVERSION_H_
