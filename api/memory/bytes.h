// Computes which bytes of its buffer a layout addresses, the padding of blocks included, and
// whether two layouts in one buffer share some. Layouts have passed CheckDesc and have no run-time
// values.
#ifndef DNNSPEC_API_MEMORY_BYTES_H_
#define DNNSPEC_API_MEMORY_BYTES_H_

#include <cstdint>

#include "api/spi/layout.h"

namespace api {

// From the first byte of the first element to past the last byte of the last one, counted from the
// start of the buffer. Both are 0 where there is no element.
struct ByteRange {
  int64_t begin = 0;
  int64_t end = 0;
};
ByteRange AddressedBytes(const spi::Layout& layout);

// In the following the buffer of `b` starts `distance` bytes after that of `a`.

// Whether each element of `b` lies on exactly the bytes of the element of `a` with its index. The
// dims are equal.
bool Coincide(const spi::Layout& a, const spi::Layout& b, int64_t distance);

// Whether some byte belongs to an element of both. Exact, unless the strides have so little to do
// with each other that telling takes thousands of steps: true then.
bool ShareBytes(const spi::Layout& a, const spi::Layout& b, int64_t distance);

}  // namespace api

#endif  // DNNSPEC_API_MEMORY_BYTES_H_
