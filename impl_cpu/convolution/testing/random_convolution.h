// Convolutions of every sort.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_TESTING_RANDOM_CONVOLUTION_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_TESTING_RANDOM_CONVOLUTION_H_

#include <cstdint>
#include <vector>

#include "api/convolution/operation.h"
#include "api/spi/implementation.h"
#include "api/spi/operation.h"
#include "api/testing/random_operation.h"
#include "impl_cpu/inner_product/testing/random_product.h"

namespace impl_cpu {

// Channels of one group; `axes` have right outputs.
struct ConvolutionShape {
  int64_t n = 1, groups = 1, ic = 1, oc = 1;
  bool grouped = false;
  std::vector<spi::ConvolutionAxis> axes;
};

// input - (1 + (kernel - 1) * step) + padding + right, divided by the stride, and 1.
spi::ConvolutionAxis AxisOf(int64_t input, int64_t kernel, int64_t stride = 1, int64_t padding = 0,
                            int64_t right = 0, int64_t step = 1);

// Around the sizes of tiles, panels and vectors, with everything that may be.
ConvolutionShape RandomConvolutionShape(spi::Random& random);

enum class Presented { kPlain, kChannelsLast, kAny, kWild };
// With a bias in half of the cases, and, forward and `attributes`, with attributes.
spi::Operation RandomConvolution(spi::Random& random, spi::PropKind prop, const ProductTypes& types,
                                 const ConvolutionShape& shape, Presented presented,
                                 bool attributes);

// Without open layouts. Directions, types and layouts that are given or chosen take turns with `i`;
// the rest is drawn.
spi::Operation ConvolutionFor(spi::Engine& engine, spi::Random& random, int i);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_TESTING_RANDOM_CONVOLUTION_H_
