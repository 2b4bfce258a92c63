#include "api/spi/strided/nest.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "api/spi/layout.h"
#include "api/spi/strided/axis.h"

namespace spi {
namespace {

// The loops over the indices of axis `axis`, outermost first.
IndexLoops IndexLoopsOf(const Layout& dst, const AxisMap& map, int axis) {
  const int64_t extent = dst.dims[static_cast<size_t>(axis)];
  if (axis != map.transposed) return {{{extent, 1, 1}, {}}, 1};
  const int64_t cols = map.columns, rows = extent / cols;
  return {{{cols, 1, rows}, {rows, cols, 1}}, 2};
}

// A nest without loops yet, at the first elements.
LoopNest FirstOf(const Layout& src, const Layout& dst) {
  LoopNest nest;
  nest.src_offset = src.offset;
  nest.dst_offset = dst.offset;
  return nest;
}

// One nest for each combination of a nest of every axis, from the offsets of both layouts on.
LoopNests Combine(const Layout& src, const Layout& dst, const std::vector<LoopNests>& axes) {
  LoopNests nests;
  std::vector<size_t> choice(axes.size(), 0);
  for (;;) {
    LoopNest& nest = nests.emplace_back(FirstOf(src, dst));
    for (size_t j = 0; j < axes.size(); ++j) {
      const LoopNest& part = axes[j][choice[j]];
      nest.src_offset += part.src_offset;
      nest.dst_offset += part.dst_offset;
      nest.scale_offset += part.scale_offset;
      nest.loops.insert(nest.loops.end(), part.loops.begin(), part.loops.end());
    }
    Simplify(&nest);
    size_t j = axes.size();
    while (j > 0 && ++choice[j - 1] == axes[j - 1].size()) choice[--j] = 0;
    if (j == 0) return nests;
  }
}

}  // namespace

void Simplify(LoopNest* nest) {
  auto& loops = nest->loops;
  loops.erase(std::remove_if(loops.begin(), loops.end(),
                             [](const LoopDim& loop) { return loop.extent == 1; }),
              loops.end());
  // Few loops, often in order already. Stable, so equal strides keep the logical order.
  for (size_t i = 1; i < loops.size(); ++i)
    for (size_t j = i; j > 0 && loops[j - 1].dst_stride < loops[j].dst_stride; --j)
      std::swap(loops[j - 1], loops[j]);
  if (loops.empty()) return;
  size_t kept = 0;
  for (size_t i = 1; i < loops.size(); ++i) {
    LoopDim& outer = loops[kept];
    const LoopDim& inner = loops[i];
    if (outer.src_stride == inner.extent * inner.src_stride &&
        outer.dst_stride == inner.extent * inner.dst_stride &&
        outer.scale_stride == inner.extent * inner.scale_stride) {
      const int64_t joined = outer.extent * inner.extent;
      outer = inner;
      outer.extent = joined;
    } else {
      loops[++kept] = inner;
    }
  }
  loops.resize(kept + 1);
}

std::optional<LoopNests> NestsOf(const Layout& src, const Layout& dst, const AxisMap& map,
                                 const Limits& limits) {
  if (IsEmpty(dst)) return LoopNests();
  if (src.block_count == 0 && dst.block_count == 0) {
    // Most of what is asked for: an axis is a loop, a transposed one is two.
    LoopNests plain = {FirstOf(src, dst)};
    for (size_t j = 0; j < dst.rank; ++j)
      AddLoops(IndexLoopsOf(dst, map, static_cast<int>(j)),
               {1, src.strides[j], dst.strides[j], map.scale_strides[j]}, &plain[0]);
    Simplify(&plain[0]);
    return plain;
  }
  std::vector<LoopNests> axes;
  axes.reserve(dst.rank);
  int64_t count = 1;
  for (int j = 0; j < dst.rank; ++j) {
    std::optional<LoopNests> nests = NestsOfAxis(IndexLoopsOf(dst, map, j), src, dst, j,
                                                 map.scale_strides[static_cast<size_t>(j)], limits);
    if (!nests.has_value()) return std::nullopt;
    if (__builtin_mul_overflow(count, static_cast<int64_t>(nests->size()), &count) ||
        count > limits.max_nests)
      return std::nullopt;
    axes.push_back(*std::move(nests));
  }
  LoopNests nests = Combine(src, dst, axes);
  for (const LoopNest& nest : nests)
    if (nest.loops.size() > static_cast<size_t>(limits.max_loops)) return std::nullopt;
  return nests;
}

std::vector<LoopNest> PaddingOf(const Layout& dst) {
  std::vector<LoopNest> padding;
  if (dst.block_count == 0 || IsEmpty(dst)) return padding;
  // Axis by axis what lies beyond it, over the elements of the axes before it and all that the axes
  // after it hold.
  for (int beyond = 0; beyond < dst.rank; ++beyond) {
    if (PaddedDim(dst, beyond) == dst.dims[static_cast<size_t>(beyond)]) continue;
    std::vector<LoopNests> axes;
    for (int j = 0; j < dst.rank; ++j) {
      const int64_t dim = dst.dims[static_cast<size_t>(j)];
      axes.push_back(
          NestsOfRange(dst, j, j == beyond ? dim : 0, j < beyond ? dim : PaddedDim(dst, j)));
    }
    for (LoopNest& nest : Combine(Layout(), dst, axes)) padding.push_back(std::move(nest));
  }
  return padding;
}

}  // namespace spi
