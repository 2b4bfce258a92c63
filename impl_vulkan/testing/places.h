// The coordinates of tensors, for tests that follow where each element goes.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_PLACES_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_PLACES_H_

#include <cstddef>
#include <functional>

#include "api/spi/layout.h"

namespace impl_vulkan {
namespace testing {

// The same tensor with its padding as elements.
inline spi::Layout WithPadding(const spi::Layout& layout) {
  spi::Layout whole = layout;
  for (int j = 0; j < layout.rank; ++j)
    whole.dims[static_cast<size_t>(j)] = spi::PaddedDim(layout, j);
  return whole;
}

// Calls `visit` for every coordinate below `layout.dims`.
inline void ForEach(const spi::Layout& layout,
                    const std::function<void(const spi::Dims& x)>& visit) {
  if (spi::IsEmpty(layout)) return;
  spi::Dims x{};
  for (;;) {
    visit(x);
    size_t j = layout.rank;
    while (j > 0 && ++x[j - 1] == layout.dims[j - 1]) x[--j] = 0;
    if (j == 0) return;
  }
}

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_PLACES_H_
