// Random inner products.
#ifndef DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_TESTING_TRIAL_H_
#define DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_TESTING_TRIAL_H_

#include <cstdint>
#include <vector>

#include "api/inner_product/operation.h"
#include "impl_vulkan/product/testing/trial.h"

namespace impl_vulkan {
namespace testing {

// What an inner product is of.
struct Shape {
  int64_t n = 1, oc = 1;
  std::vector<int64_t> inputs = {1};

  std::vector<int64_t> src() const;
  std::vector<int64_t> weights() const;
};

// Random in everything: directions, types, shapes, layouts, attributes. At most `most_products`.
spi::Operation RandomProduct(uint32_t seed, int64_t most_products);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_TESTING_TRIAL_H_
