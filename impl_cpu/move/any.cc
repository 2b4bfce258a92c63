// Any strides: an element at a time, in the order that keeps the shorter strides inside.

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "impl_cpu/move/kinds.h"

namespace impl_cpu {
namespace {

template <size_t kWidth>
void MoveAny(const MoveShape& shape, const std::byte* src, std::byte* dst) {
  for (int64_t b = 0; b < shape.batch; ++b) {
    for (int64_t r = 0; r < shape.rows; ++r) {
      const std::byte* from = src + b * shape.src_batch + r * shape.src_row;
      std::byte* to = dst + b * shape.dst_batch + r * shape.dst_row;
      for (int64_t c = 0; c < shape.cols; ++c) {
        std::memcpy(to, from, kWidth);
        from += shape.src_col;
        to += shape.dst_col;
      }
    }
  }
}

}  // namespace

MoveKernel FindAnyKernel(int width) {
  switch (width) {
    case 1:
      return MoveAny<1>;
    case 2:
      return MoveAny<2>;
    case 4:
      return MoveAny<4>;
    case 8:
      return MoveAny<8>;
    default:
      return MoveAny<16>;
  }
}

}  // namespace impl_cpu
