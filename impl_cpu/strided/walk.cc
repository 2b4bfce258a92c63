#include "impl_cpu/strided/walk.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/spi/types.h"
#include "impl_cpu/strided/digits.h"
#include "impl_cpu/strided/problem.h"

namespace impl_cpu {
namespace {

// Indices from `index` on, itself included, to the end of the innermost block.
int64_t LeftInBlock(const Digits& digits, int64_t index, int64_t extent) {
  return digits.size() == 1 ? extent : digits[1].period - index % digits[1].period;
}

}  // namespace

Node Walk::Axis::LoopFrom(int64_t index) const {
  int64_t count = std::min(rows - index % rows, LeftInBlock(dst, index, extent));
  // Where blocks end with the rows of the matrix, its columns go on across them.
  const bool even = cols % src.back().period == 0;
  if (!even) count = std::min(count, (LeftInBlock(src, SourceIndex(index), extent) - 1) / cols + 1);
  return {count, even ? OffsetOf(src, cols) : cols * src[0].stride, dst[0].stride, scale};
}

Walk::Walk(const Mapping& mapping)
    : dims_(mapping.dst.dims), src_(mapping.src.offset), dst_(mapping.dst.offset) {
  for (int j = 0; j < mapping.dst.rank; ++j) {
    const int64_t extent = mapping.dst.dims[j];
    const int64_t cols = j == mapping.transposed ? mapping.cols : 1;
    axes_.push_back({DigitsOf(mapping.src, j), DigitsOf(mapping.dst, j), mapping.scale[j], extent,
                     cols, extent / cols});
  }
  // What lies side by side in the destination is innermost.
  const auto inner = std::min_element(axes_.begin(), axes_.end(), [](const Axis& a, const Axis& b) {
    return std::make_pair(a.extent == 1, a.dst[0].stride) <
           std::make_pair(b.extent == 1, b.dst[0].stride);
  });
  std::rotate(inner, inner + 1, axes_.end());
}

void Walk::ForEachLoop(Visit visit) const {
  const Axis& inner = axes_.back();
  std::array<int64_t, spi::kMaxRank> index{};
  int64_t src = src_, dst = dst_, scale = 0;
  // Adds or takes away what an axis around the innermost one contributes.
  const auto add = [&](size_t k, int64_t sign) {
    src += sign * OffsetOf(axes_[k].src, axes_[k].SourceIndex(index[k]));
    dst += sign * OffsetOf(axes_[k].dst, index[k]);
    scale += sign * index[k] * axes_[k].scale;
  };
  for (;;) {
    for (int64_t i = 0; i < inner.extent;) {
      const Node loop = inner.LoopFrom(i);
      visit(loop, src + OffsetOf(inner.src, inner.SourceIndex(i)), dst + OffsetOf(inner.dst, i),
            scale + i * inner.scale);
      i += loop.extent;
    }
    size_t k = axes_.size() - 1;
    for (; k > 0; --k) {
      add(k - 1, -1);
      index[k - 1] = (index[k - 1] + 1) % axes_[k - 1].extent;
      add(k - 1, 1);
      if (index[k - 1] != 0) break;
    }
    if (k == 0) return;
  }
}

std::string Walk::ToString() const {
  return absl::StrCat("walk of ", absl::StrJoin(dims_.begin(), dims_.begin() + axes_.size(), "x"));
}

}  // namespace impl_cpu
