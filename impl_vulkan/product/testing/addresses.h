// Where the shaders of products and convolutions find an element, for tests that follow what is
// summed.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_TESTING_ADDRESSES_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_TESTING_ADDRESSES_H_

#include <gtest/gtest.h>

#include <cstdint>

#include "impl_vulkan/device/steps.h"
#include "impl_vulkan/product/parameters.h"
#include "impl_vulkan/strided/parameters.h"

namespace impl_vulkan {
namespace testing {

inline uint32_t Divide(uint32_t v, const Divisor& by) {
  return by.magic == 0 ? v : static_cast<uint32_t>(uint64_t{v} * by.magic >> 32) >> by.shift;
}

// The elements from the first of `chain` to that of `index`, as product.glsl has it, modulo 2^32.
template <class Parameters>
uint32_t Follow(const Parameters& p, int chain, uint32_t index) {
  const Chain& links = p.chains[chain];
  if (links.links == 1) return index * p.links[links.first].stride;
  uint32_t offset = 0, x = 0;
  for (uint32_t i = links.first; i < links.first + links.links; ++i) {
    const Link& link = p.links[i];
    if (link.extent == 0) {
      offset += Divide(x, link.divisor) * link.stride;
      continue;
    }
    const uint32_t q = Divide(index, link.divisor);
    x = index - q * link.extent;
    offset += x * link.stride;
    index = q;
  }
  return offset;
}

// The byte of element `at` of a range. Expects that it lies within.
inline int64_t ByteOf(const BufferUse& use, uint32_t at) {
  EXPECT_LE((uint64_t{at} + 1) * use.element_bytes, use.range.bytes);
  return static_cast<int64_t>(use.range.offset) + int64_t{at} * use.element_bytes;
}

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_TESTING_ADDRESSES_H_
