// Convolutions of chosen and of random shapes.
#ifndef DNNSPEC_IMPL_VULKAN_CONVOLUTION_TESTING_TRIAL_H_
#define DNNSPEC_IMPL_VULKAN_CONVOLUTION_TESTING_TRIAL_H_

#include <cstdint>
#include <vector>

#include "api/convolution/operation.h"
#include "impl_vulkan/product/testing/trial.h"

namespace impl_vulkan {
namespace testing {

// What a convolution is of.
struct Shape {
  int64_t n = 1, groups = 1, ic = 1, oc = 1;  // channels of one group
  std::vector<int64_t> input = {1}, kernel = {1};
  spi::ConvolutionParams params;
  bool grouped = false;  // weights with an axis of groups

  std::vector<int64_t> src() const;
  std::vector<int64_t> weights() const;
  std::vector<int64_t> dst() const;
};

// Strides of 1, no dilation, no padding.
Shape Plain(int64_t n, int64_t groups, int64_t ic, int64_t oc, const std::vector<int64_t>& input,
            const std::vector<int64_t>& kernel);

// All tensors of one type, dense.
spi::Operation ConvolutionOfShape(spi::PropKind prop, spi::DataType type, const Shape& shape,
                                  bool bias);

// Whether the output `y` reads an element of the source by the weight `w`, and which: `x`.
bool Reads(const spi::ConvolutionView& view, const spi::Dims& y, const spi::Dims& w, spi::Dims* x);

// Random in everything: directions, types, shapes, layouts, attributes. At most about
// `most_products`.
spi::Operation RandomConvolution(uint32_t seed, int64_t most_products);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_CONVOLUTION_TESTING_TRIAL_H_
