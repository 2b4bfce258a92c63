// Computes where an index of one axis lies, in a layout with blocks or without.
#ifndef DNNSPEC_API_SPI_STRIDED_DIGITS_H_
#define DNNSPEC_API_SPI_STRIDED_DIGITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "api/spi/layout.h"

namespace spi {

// Index i lies at the sum over the digits of (i / period % radix) * stride, where the radix of a
// digit ends where the period of the next one begins. Innermost first; the last one has no end.
struct Digit {
  int64_t period, stride;
};

class Digits {
 public:
  // Of indices below `reach`: a digit that is always 0 is left out, and so is one that goes on
  // where the one before ends.
  Digits(const Layout& layout, int axis, int64_t reach) {
    int64_t period = 1, stride = 1;
    const auto add = [&](int64_t step) {
      if (digits_.empty()) {
        digits_.push_back({period, step});
      } else if (period < reach) {
        const Digit& inner = digits_.back();
        if (step != inner.stride * (period / inner.period)) digits_.push_back({period, step});
      }
    };
    for (int k = layout.block_count - 1; k >= 0; --k) {
      const Block block = layout.blocks[static_cast<size_t>(k)];
      if (block.axis == axis && block.size > 1) {
        add(stride);
        period *= block.size;
      }
      stride *= block.size;
    }
    add(layout.strides[static_cast<size_t>(axis)]);
  }

  // A side that does not exist: everything lies at 0.
  Digits() : digits_{{1, 0}} {}

  // Indices after which the pattern of offsets repeats.
  int64_t pattern() const { return digits_.back().period; }

  // The stride of neighbours in one innermost block, and how many indices are left of it from
  // `index` on, of an axis of `extent`.
  int64_t inner_stride() const { return digits_[0].stride; }
  int64_t LeftInBlock(int64_t index, int64_t extent) const {
    return digits_.size() == 1 ? extent : digits_[1].period - index % digits_[1].period;
  }

  int64_t OffsetOf(int64_t index) const {
    int64_t offset = 0;
    for (size_t k = digits_.size(); k-- > 0;) {
      offset += index / digits_[k].period * digits_[k].stride;
      index %= digits_[k].period;
    }
    return offset;
  }

  const Digit* begin() const { return digits_.data(); }
  const Digit* end() const { return digits_.data() + digits_.size(); }

 private:
  absl::InlinedVector<Digit, 2> digits_;
};

}  // namespace spi

#endif  // DNNSPEC_API_SPI_STRIDED_DIGITS_H_
