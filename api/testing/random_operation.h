// What random legal operations are made of, and data for them, in the tests of implementations.
#ifndef DNNSPEC_API_TESTING_RANDOM_OPERATION_H_
#define DNNSPEC_API_TESTING_RANDOM_OPERATION_H_

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "api/spi/layout.h"
#include "api/spi/operation.h"
#include "api/testing/interpreter.h"

namespace spi {

using Random = std::mt19937_64;

constexpr DataType kTypes[] = {DataType::kF32, DataType::kBF16, DataType::kF16,
                               DataType::kS32, DataType::kS8,   DataType::kU8};

// In [lo, hi].
int64_t Uniform(Random& random, int64_t lo, int64_t hi);
bool Chance(Random& random, int percent);
template <typename T, size_t kSize>
T Pick(Random& random, const T (&values)[kSize]) {
  return values[Uniform(random, 0, static_cast<int64_t>(kSize) - 1)];
}

// Dims of at most `max_elements` elements in total, from the sizes around vector widths and 0.
struct Shape {
  int rank;
  Dims dims;
};
Shape RandomShape(Random& random, int64_t max_elements);

// Any order of the axes, with gaps and an offset in some; `blocked` also with blocks and padding,
// `source` also with strides of 0.
Layout RandomLayout(Random& random, DataType type, const Shape& shape, bool blocked, bool source);

// Factors of scales and sums: small ones, and edges.
float RandomScale(Random& random);

// Values of `type`: small, uniform bit patterns, and the edges of every type.
Bytes RandomData(Random& random, DataType type, size_t bytes);

// Any bytes.
Bytes RandomBytes(Random& random, size_t bytes);

// A buffer for each tensor of `operation`, with `beyond` bytes behind it.
std::vector<Bytes> BuffersFor(Random& random, const Operation& operation, size_t beyond = 0);

// The same with small integers, so that sums of products are exact in any order, and scales that
// are small multiples of 1/2. What is no element, and what is only written, is NaN in floats and
// full in integers; but with `clean_padding` the padding of what is read is zero, as whoever wrote
// it left it.
std::vector<Bytes> IntegersFor(Random& random, const Operation& operation, bool clean_padding,
                               size_t beyond = 0);

}  // namespace spi

#endif  // DNNSPEC_API_TESTING_RANDOM_OPERATION_H_
