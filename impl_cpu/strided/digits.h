// Where an index of an axis lies, in a layout with blocks or without.
#ifndef DNNSPEC_IMPL_CPU_STRIDED_DIGITS_H_
#define DNNSPEC_IMPL_CPU_STRIDED_DIGITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "api/spi/types.h"

namespace impl_cpu {

// Index i of an axis lies at the sum over its digits of (i / period % radix) * stride, where the
// radix of a digit ends where the next one's period begins. Innermost first.
struct Digit {
  int64_t period, stride;
};
using Digits = absl::InlinedVector<Digit, 2>;

inline Digits DigitsOf(const spi::Layout& layout, int axis) {
  Digits digits;
  int64_t period = 1, stride = 1;
  for (int b = layout.block_count - 1; b >= 0; --b) {
    if (layout.blocks[b].axis == axis) {
      digits.push_back({period, stride});
      period *= layout.blocks[b].size;
    }
    stride *= layout.blocks[b].size;
  }
  digits.push_back({period, layout.strides[axis]});
  return digits;
}

inline int64_t OffsetOf(const Digits& digits, int64_t index) {
  int64_t offset = 0;
  for (size_t k = digits.size(); k-- > 0;) {
    offset += index / digits[k].period * digits[k].stride;
    index %= digits[k].period;
  }
  return offset;
}

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_STRIDED_DIGITS_H_
