// Limits that several files of checks draw within.
#ifndef DNNSPEC_CONFORMANCE_REORDER_LIMITS_H_
#define DNNSPEC_CONFORMANCE_REORDER_LIMITS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/gen/shapes.h"
#include "conformance/reorder/cases.h"
#include "spec/numeric/convert.h"

namespace conformance {

// With zero points, and scales and sums beside them at times.
inline ReorderLimits Shifted(std::vector<spec::Type> from, std::vector<spec::Type> to,
                             int64_t most_elements) {
  ReorderLimits limits;
  limits.from = std::move(from);
  limits.to = std::move(to);
  limits.shape.max_elements = most_elements;
  limits.transpositions = true;
  limits.attributes = true;
  limits.attribute_limits.zero_points = true;
  return limits;
}

// Values that every type has.
inline ReorderLimits ExactReorders(Layouts layouts) {
  ReorderLimits limits;
  limits.layouts = layouts;
  limits.shape.max_elements = 4096;
  limits.values = {ValueKind::kIndex};
  return limits;
}

inline ReorderLimits EqualLayoutsOfF32() {
  ReorderLimits limits = ExactReorders(Layouts::kStrides);
  limits.from = limits.to = {spec::Type::kF32};
  limits.same_layout = true;
  limits.shape.max_rank = 6;
  return limits;
}

inline ReorderLimits WithExactAttributes() {
  ReorderLimits limits = ExactReorders(Layouts::kStrides);
  limits.attributes = true;
  limits.attribute_limits.masks = Masks::kNone;
  limits.attribute_limits.exact = true;
  return limits;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REORDER_LIMITS_H_
