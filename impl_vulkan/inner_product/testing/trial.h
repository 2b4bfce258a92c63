// Random inner products with data whose result is exact, and the right answer: one element at a
// time, in double precision, sharing nothing with the implementation.
#ifndef DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_TESTING_TRIAL_H_
#define DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_TESTING_TRIAL_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/inner_product/operation.h"
#include "api/spi/implementation.h"
#include "impl_vulkan/testing/reference.h"

namespace impl_vulkan {
namespace testing {

// What an inner product is of.
struct Shape {
  int64_t n = 1, oc = 1;
  std::vector<int64_t> inputs = {1};

  std::vector<int64_t> src() const;
  std::vector<int64_t> weights() const;
};

// An operation, and of each of its tensors the bytes before and after.
struct ProductTrial {
  spi::Operation operation;
  std::vector<Bytes> before, after;
};

// Small integers for `operation`, which is resolved, in memory full of random bytes; and what
// follows. Output scales are powers of two.
ProductTrial TrialOf(const spi::Operation& operation, uint32_t seed);

// Random in everything: directions, types, shapes, layouts, attributes. At most `most_products`.
ProductTrial RandomProduct(uint32_t seed, int64_t most_products);

// Runs it once on fresh memory. "" if all tensors are afterwards as they should be.
std::string Run(spi::Engine& engine, const ProductTrial& trial, int candidate);

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_INNER_PRODUCT_TESTING_TRIAL_H_
