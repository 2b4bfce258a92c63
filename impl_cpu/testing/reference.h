// Brute force for the tests of this implementation: one coordinate after another, in double, with
// no code of the implementation in it.
#ifndef DNNSPEC_IMPL_CPU_TESTING_REFERENCE_H_
#define DNNSPEC_IMPL_CPU_TESTING_REFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "api/testing/operations.h"

namespace impl_cpu {

using Bytes = std::vector<std::byte>;

// Bytes of a buffer that holds every element and the padding of `layout`.
size_t SizeInBytes(const spi::Layout& layout);

// What is read and what is written.
const spi::Layout& SourceOf(const spi::AnyOperation& operation);
const spi::Layout& DestinationOf(const spi::AnyOperation& operation);

// The contents of the destination's buffer after `operation`, from those before it.
Bytes Reference(const spi::AnyOperation& operation, const Bytes& src, Bytes dst,
                const std::vector<float>& scales);

// The bytes at which the two buffers of `operation`'s destination differ: the offset of the first
// one, or -1. Where something was computed, one NaN is as good as another.
int64_t FirstDifference(const spi::AnyOperation& operation, const Bytes& a, const Bytes& b);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_TESTING_REFERENCE_H_
