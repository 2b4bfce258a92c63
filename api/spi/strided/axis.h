// One axis of a pair of layouts, as few nests of loops.
#ifndef DNNSPEC_API_SPI_STRIDED_AXIS_H_
#define DNNSPEC_API_SPI_STRIDED_AXIS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "api/spi/layout.h"
#include "api/spi/strided/digits.h"
#include "api/spi/strided/nest.h"

namespace spi {

// A loop over the indices of one axis, before layouts say where they lie.
struct IndexLoop {
  int64_t extent;
  int64_t src, dst;  // indices of either side for each step
};
struct IndexLoops {
  IndexLoop loops[2];
  size_t count;  // 1 or 2
  const IndexLoop* begin() const { return loops; }
  const IndexLoop* end() const { return loops + count; }
};

// The nests of axis `axis`, from offset 0 of either side. `loops` visit each index of the
// destination once, outermost first: one loop is the axis itself, two split it. nullopt beyond the
// limits.
std::optional<LoopNests> NestsOfAxis(const IndexLoops& loops, const Layout& src, const Layout& dst,
                                     int axis, int64_t scale_stride, const Limits& limits);

// Appends `loops` to `nest`, where neighbouring indices lie so far apart.
void AddLoops(const IndexLoops& loops, const LoopDim& step, LoopNest* nest);

// Indices [begin, end) of an axis of `dst`, up to PaddedDim, without a source.
LoopNests NestsOfRange(const Layout& dst, int axis, int64_t begin, int64_t end);

}  // namespace spi

#endif  // DNNSPEC_API_SPI_STRIDED_AXIS_H_
