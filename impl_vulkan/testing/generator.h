// Random choices for tests, from a seed.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_GENERATOR_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_GENERATOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/spi/layout.h"
#include "api/testing/interpreter.h"
#include "api/testing/random_operation.h"

namespace impl_vulkan {
namespace testing {

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  spi::Random& random() { return random_; }
  uint32_t Below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool OneIn(uint32_t n) { return Below(n) == 0; }
  template <class T, size_t kSize>
  T OneOf(const T (&list)[kSize]) {
    return list[Below(kSize)];
  }

  std::vector<int64_t> Dims(int64_t most_elements) {
    const spi::Shape shape = spi::RandomShape(random_, most_elements);
    return {shape.dims.begin(), shape.dims.begin() + shape.rank};
  }
  // `blocks`: with inner blocks. `zero_strides`: some axes may repeat one element.
  spi::Layout Layout(spi::DataType type, const std::vector<int64_t>& dims, bool blocks,
                     bool zero_strides) {
    spi::Shape shape = {static_cast<int>(dims.size()), {}};
    std::copy(dims.begin(), dims.end(), shape.dims.begin());
    return spi::RandomLayout(random_, type, shape, blocks, zero_strides);
  }
  spi::Bytes Data(spi::DataType type, int64_t elements) {
    return spi::RandomData(random_, type, static_cast<size_t>(elements * spi::SizeOf(type)));
  }

 private:
  spi::Random random_;
};

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_GENERATOR_H_
