#include "api/spi/strided/walk.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "api/spi/layout.h"

namespace spi {

LoopDim Walk::Axis::LoopFrom(int64_t index) const {
  int64_t count = std::min(rows - index % rows, dst.LeftInBlock(index, extent));
  // Where blocks end with the rows of the matrix, its columns go on across them.
  const bool even = cols % src.pattern() == 0;
  if (!even) count = std::min(count, (src.LeftInBlock(SourceIndex(index), extent) - 1) / cols + 1);
  return {count, even ? src.OffsetOf(cols) : cols * src.inner_stride(), dst.inner_stride(),
          scale_stride};
}

Walk::Walk(const Layout& src, const Layout& dst, const AxisMap& map)
    : dims_(dst.dims), src_offset_(src.offset), dst_offset_(dst.offset) {
  for (int j = 0; j < dst.rank; ++j) {
    const auto axis = static_cast<size_t>(j);
    const int64_t extent = dst.dims[axis];
    const int64_t cols = j == map.transposed ? map.columns : 1;
    axes_.push_back({Digits(src, j, extent), Digits(dst, j, extent), map.scale_strides[axis],
                     extent, cols, extent / cols});
  }
  // What lies side by side in the destination is innermost.
  const auto inner = std::min_element(axes_.begin(), axes_.end(), [](const Axis& a, const Axis& b) {
    return std::make_pair(a.extent == 1, a.dst.inner_stride()) <
           std::make_pair(b.extent == 1, b.dst.inner_stride());
  });
  std::rotate(inner, inner + 1, axes_.end());
}

void Walk::ForEachLoop(Visit visit) const {
  const Axis& inner = axes_.back();
  std::array<int64_t, kMaxRank> index{};
  int64_t src = src_offset_, dst = dst_offset_, scale = 0;
  // Adds or takes away what an axis around the innermost one contributes.
  const auto add = [&](size_t k, int64_t sign) {
    src += sign * axes_[k].src.OffsetOf(axes_[k].SourceIndex(index[k]));
    dst += sign * axes_[k].dst.OffsetOf(index[k]);
    scale += sign * index[k] * axes_[k].scale_stride;
  };
  for (;;) {
    for (int64_t i = 0; i < inner.extent;) {
      const LoopDim loop = inner.LoopFrom(i);
      visit(loop, src + inner.src.OffsetOf(inner.SourceIndex(i)), dst + inner.dst.OffsetOf(i),
            scale + i * inner.scale_stride);
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

}  // namespace spi
