// Directions, and limits that several files of checks draw within.
#ifndef DNNSPEC_CONFORMANCE_INNER_PRODUCT_LIMITS_H_
#define DNNSPEC_CONFORMANCE_INNER_PRODUCT_LIMITS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/gen/computation.h"
#include "conformance/inner_product/cases.h"

namespace conformance {

inline constexpr Direction kForward = Direction::kForward, kData = Direction::kBackwardData,
                           kGradient = Direction::kBackwardWeights;

// Of every type, with what may be fused in a third of the forwards; as many as a run draws, or
// `count`.
inline InnerProductLimits OfEveryType(std::vector<Direction> directions, int64_t count = 0) {
  InnerProductLimits limits;
  limits.directions = std::move(directions);
  limits.every_type = limits.scales = limits.post_ops = true;
  limits.attributes_percent = 33;
  limits.count = count;
  return limits;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_INNER_PRODUCT_LIMITS_H_
