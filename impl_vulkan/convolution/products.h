// Those convolutions, and parts of them, that are products of matrices.
#ifndef DNNSPEC_IMPL_VULKAN_CONVOLUTION_PRODUCTS_H_
#define DNNSPEC_IMPL_VULKAN_CONVOLUTION_PRODUCTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "api/convolution/operation.h"
#include "impl_vulkan/product/product.h"

namespace impl_vulkan {

// Whether each place of the source follows from the output or from the tap alone, and all exist: of
// one group, kernels of 1 whatever the stride, and kernels that have one place to stand.
bool IsProduct(const spi::ConvolutionView& view);

// `operation`, for which IsProduct holds, without the gradient of its bias. kUnimplemented for
// attributes that are not served.
absl::StatusOr<Product> ProductOf(const spi::Operation& operation);

// The gradient of the bias.
Product BiasProductOf(const spi::Operation& operation);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_CONVOLUTION_PRODUCTS_H_
