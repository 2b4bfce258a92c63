// Computes reorder and shuffle for tests, by their definitions: one element at a time, in double
// precision, sharing nothing with the implementation.
#ifndef DNNSPEC_IMPL_VULKAN_TESTING_REFERENCE_H_
#define DNNSPEC_IMPL_VULKAN_TESTING_REFERENCE_H_

#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "api/spi/types.h"
#include "api/testing/operations.h"

namespace impl_vulkan {
namespace testing {

using Bytes = std::vector<uint8_t>;

constexpr spi::DataType kTypes[] = {spi::DataType::kF16, spi::DataType::kBF16, spi::DataType::kF32,
                                    spi::DataType::kS32, spi::DataType::kS8,   spi::DataType::kU8};

// The same tensor with its padding as elements.
spi::Layout WithPadding(const spi::Layout& layout);

// One past the last element of the layout, padding included; 0 if it is empty.
int64_t ExtentOf(const spi::Layout& layout);

// Calls `visit` for every coordinate below `layout.dims`.
void ForEach(const spi::Layout& layout, const std::function<void(const spi::Dims& x)>& visit);

// The place of element `x` in a table of scales.
int64_t ScaleIndexOf(const spi::ReorderOperation& operation, const spi::Dims& x);

uint32_t Load(const Bytes& bytes, spi::DataType type, int64_t element);
void Store(Bytes* bytes, spi::DataType type, int64_t element, uint32_t bits);

// The bits of one element of the destination. `scale` is 1 if operation has no scales.
uint32_t Expected(const spi::ReorderOperation& operation, uint32_t source, float scale,
                  uint32_t old);

// Performs the whole operation, padding included (OPT-045). `scales` replaces operation.scales if
// those come at run time.
void Run(const spi::ReorderOperation& operation, const std::vector<float>& scales,
         const Bytes& source, Bytes* destination);
void Run(const spi::ShuffleOperation& operation, const Bytes& source, Bytes* destination);

// Random operations over small tensors: ranks to 12, gaps, offsets, any order of axes, blocks on
// either side, zero strides in sources, every pair of types, every kind of scale and sum.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  uint32_t Below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool OneIn(uint32_t n) { return Below(n) == 0; }
  template <class T, size_t kSize>
  T OneOf(const T (&list)[kSize]) {
    return list[Below(kSize)];
  }

  std::vector<int64_t> Dims(int64_t most_elements);
  // `blocks`: with inner blocks. `zero_strides`: some axes may repeat one element.
  spi::Layout Layout(spi::DataType type, const std::vector<int64_t>& dims, bool blocks,
                     bool zero_strides);
  spi::ReorderOperation Reorder(int64_t most_elements);
  spi::ShuffleOperation Shuffle(int64_t most_elements);
  std::vector<float> Scales(int64_t count);

  // Random bits, with the values at which conversions change their mind well represented.
  Bytes Data(spi::DataType type, int64_t elements);

 private:
  std::mt19937 random_;
};

}  // namespace testing
}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_TESTING_REFERENCE_H_
