// An inner product as products of matrices.
//
//   direction         m    n        k        A         B        C
//   forward           n    oc       inputs   src       weights  dst
//   backward data     n    inputs   oc       diff_dst  weights  diff_src
//   backward weights  oc   inputs   n        diff_dst  src      diff_weights
//   of the bias       oc   1        n        diff_dst  ones     diff_bias
#ifndef DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_PRODUCTS_H_
#define DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_PRODUCTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "api/spi/operation.h"
#include "impl_vulkan/product/product.h"

namespace impl_vulkan {

// One of each tensor that is written and has elements. `operation` is resolved. kUnimplemented for
// types and attributes that are not served.
absl::StatusOr<std::vector<Product>> ProductsOf(const spi::Operation& operation);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_PRODUCTS_H_
