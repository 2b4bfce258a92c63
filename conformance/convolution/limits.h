// Directions, and limits that several files of checks draw within.
#ifndef DNNSPEC_CONFORMANCE_CONVOLUTION_LIMITS_H_
#define DNNSPEC_CONFORMANCE_CONVOLUTION_LIMITS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "conformance/convolution/cases.h"
#include "conformance/gen/computation.h"

namespace conformance {

inline constexpr Direction kForward = Direction::kForward, kData = Direction::kBackwardData,
                           kGradient = Direction::kBackwardWeights;

// A third of them `auto`.
inline const std::vector<ConvolutionAlgorithm>& DirectAndAuto() {
  static const auto* const algorithms = new std::vector<ConvolutionAlgorithm>{
      ConvolutionAlgorithm::kDirect, ConvolutionAlgorithm::kDirect, ConvolutionAlgorithm::kAuto};
  return *algorithms;
}

// Of every type, with what may be fused in a third of the forwards.
inline ConvolutionLimits OfEveryType(std::vector<Direction> directions, int64_t count) {
  ConvolutionLimits limits;
  limits.directions = std::move(directions);
  limits.every_type = limits.scales = limits.post_ops = true;
  limits.attributes_percent = 33;
  limits.algorithms = DirectAndAuto();
  limits.count = count;
  return limits;
}

// First layers alone, or depthwise ones.
inline ConvolutionLimits OfFirstLayers(ConvolutionLimits limits) {
  limits.first_layer_percent = 100;
  return limits;
}
inline ConvolutionLimits OfDepthwise(ConvolutionLimits limits) {
  limits.first_layer_percent = 0;
  limits.depthwise_percent = 100;
  return limits;
}

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CONVOLUTION_LIMITS_H_
