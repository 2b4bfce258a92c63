// Random legal operations and data for the tests of this implementation.
#ifndef DNNSPEC_IMPL_CPU_TESTING_RANDOM_OPERATION_H_
#define DNNSPEC_IMPL_CPU_TESTING_RANDOM_OPERATION_H_

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "api/spi/implementation.h"
#include "api/testing/operations.h"
#include "impl_cpu/testing/reference.h"

namespace impl_cpu {

using Random = std::mt19937_64;

constexpr spi::DataType kTypes[] = {spi::DataType::kF32, spi::DataType::kBF16, spi::DataType::kF16,
                                    spi::DataType::kS32, spi::DataType::kS8,   spi::DataType::kU8};

// In [lo, hi].
int64_t Uniform(Random& random, int64_t lo, int64_t hi);

// Dims of at most `max_elements` elements in total, from the sizes around vector widths and 0.
struct Shape {
  int rank;
  spi::Dims dims;
};
Shape RandomShape(Random& random, int64_t max_elements);

// Any order of the axes, with gaps and an offset in some; `blocked` also with blocks and padding,
// `source` also with strides of 0.
spi::Layout RandomLayout(Random& random, spi::DataType type, const Shape& shape, bool blocked,
                         bool source);

// The value of a run-time zero point is what the execution is to bring.
spi::AnyOperation RandomReorder(Random& random, spi::DataType src, spi::DataType dst,
                                int64_t max_elements);
spi::AnyOperation RandomShuffle(Random& random, int64_t max_elements);

// As many scales as `operation` needs; the ones it holds, unless they come at run time.
std::vector<float> ScalesFor(Random& random, const spi::AnyOperation& operation);

// What an execution of `operation` on `engine` brings as zero points.
struct ZeroPoints {
  ZeroPoints(spi::Engine& engine, const spi::AnyOperation& operation);

  std::array<int32_t, 2> values{};
  std::shared_ptr<spi::Buffer> src, dst;
};

// Values of `type`: small, uniform bit patterns, and the edges of every type.
Bytes RandomData(Random& random, spi::DataType type, size_t bytes);

// Any bytes.
Bytes RandomBytes(Random& random, size_t bytes);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_TESTING_RANDOM_OPERATION_H_
