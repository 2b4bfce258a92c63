#include "impl_vulkan/strided/boxes.h"

#include <algorithm>
#include <utility>

namespace impl_vulkan {
namespace {

// Keeps the product of rows and words of a row, and every index made of them, below 2^31.
constexpr int64_t kMostElements = int64_t{1} << 29;

// Cutting on a multiple of this keeps rows of sub-word elements and whole tiles together.
constexpr int64_t kGrain = 64;

int64_t CountOf(const spi::LoopNest& nest) {
  int64_t count = 1;
  for (const spi::LoopDim& dim : nest.loops) count *= dim.extent;
  return count;
}

bool Fits(const spi::LoopNest& nest, const Widths& widths, const Limits& limits) {
  // A binding starts up to `alignment` - 1 bytes early and ends on a whole word.
  const auto room = static_cast<int64_t>(limits.window_bytes - limits.alignment - 4);
  return SpanOf(nest, &spi::LoopDim::src_stride) * widths.source <= room &&
         SpanOf(nest, &spi::LoopDim::dst_stride) * widths.destination <= room &&
         SpanOf(nest, &spi::LoopDim::scale_stride) * widths.scales <= room &&
         CountOf(nest) <= kMostElements && nest.loops.size() <= kMaxLoops;
}

size_t NodeToCut(const spi::LoopNest& nest, const Widths& widths) {
  const auto reach = [&](const spi::LoopDim& dim) {
    return (dim.extent - 1) *
           std::max({dim.src_stride * widths.source, dim.dst_stride * widths.destination,
                     dim.scale_stride * widths.scales});
  };
  const auto shorter = [](const spi::LoopDim& a, const spi::LoopDim& b) {
    return a.extent < b.extent;
  };
  const auto nearer = [&](const spi::LoopDim& a, const spi::LoopDim& b) {
    return reach(a) < reach(b);
  };
  const auto chosen = nest.loops.size() > kMaxLoops
                          ? std::min_element(nest.loops.begin(), nest.loops.end(), shorter)
                          : std::max_element(nest.loops.begin(), nest.loops.end(), nearer);
  return static_cast<size_t>(chosen - nest.loops.begin());
}

// The indices [first, first + extent) of one loop.
spi::LoopNest Slice(const spi::LoopNest& nest, size_t index, int64_t first, int64_t extent) {
  spi::LoopNest slice = nest;
  spi::LoopDim& dim = slice.loops[index];
  slice.src_offset += first * dim.src_stride;
  slice.dst_offset += first * dim.dst_stride;
  slice.scale_offset += first * dim.scale_stride;
  dim.extent = extent;
  if (extent == 1) slice.loops.erase(slice.loops.begin() + static_cast<std::ptrdiff_t>(index));
  return slice;
}

}  // namespace

int64_t SpanOf(const spi::LoopNest& nest, int64_t spi::LoopDim::*stride) {
  int64_t span = 1;
  for (const spi::LoopDim& dim : nest.loops) span += (dim.extent - 1) * (dim.*stride);
  return span;
}

std::vector<spi::LoopNest> CutIntoBoxes(const spi::LoopNest& nest, const Widths& widths,
                                        const Limits& limits) {
  std::vector<spi::LoopNest> boxes;
  std::vector<spi::LoopNest> left = {nest};
  while (!left.empty()) {
    const spi::LoopNest candidate = std::move(left.back());
    left.pop_back();
    if (candidate.loops.empty() || Fits(candidate, widths, limits)) {
      boxes.push_back(candidate);
      continue;
    }
    const size_t index = NodeToCut(candidate, widths);
    const int64_t extent = candidate.loops[index].extent;
    int64_t half = extent / 2;
    if (half >= kGrain) half = (half + kGrain - 1) / kGrain * kGrain;
    left.push_back(Slice(candidate, index, half, extent - half));
    left.push_back(Slice(candidate, index, 0, half));
  }
  return boxes;
}

uint32_t Widen(spi::LoopNest* nest, uint32_t element_bytes, uint32_t limit) {
  while (element_bytes < limit && !nest->loops.empty()) {
    spi::LoopDim& pairs = nest->loops.back();
    const bool together = pairs.src_stride == 1 && pairs.dst_stride == 1 && pairs.extent % 2 == 0;
    const bool even =
        nest->src_offset % 2 == 0 && nest->dst_offset % 2 == 0 &&
        std::all_of(nest->loops.begin(), nest->loops.end() - 1, [](const spi::LoopDim& dim) {
          return dim.src_stride % 2 == 0 && dim.dst_stride % 2 == 0;
        });
    if (!together || !even) break;
    nest->src_offset /= 2;
    nest->dst_offset /= 2;
    for (auto dim = nest->loops.begin(); dim != nest->loops.end() - 1; ++dim) {
      dim->src_stride /= 2;
      dim->dst_stride /= 2;
    }
    pairs.extent /= 2;
    spi::Simplify(nest);
    element_bytes *= 2;
  }
  return element_bytes;
}

}  // namespace impl_vulkan
