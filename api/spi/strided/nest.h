// Turns two layouts into loops: lists which element of one tensor goes to which element of another,
// as nests of loops whose strides are constant.
//
//   Layout src = Strided(DataType::kF32, {2, 64, 56, 56});            // nchw
//   Layout dst = Strided(DataType::kF32, {2, 64, 56, 56}, {{1, 16}}); // nChw16c
//   std::optional<LoopNests> nests = NestsOf(src, dst, {}, Limits());
//   // One nest: 8 x 3136 x 16, src strides (50176, 1, 3136), dst strides (50176, 16, 1)
//
// A block of a layout is no special case: it is one loop more. Where an extent ends inside a block,
// or the blocks of the two sides do not nest, there are further nests, and together they visit each
// element of the destination exactly once. All extents, strides and offsets count elements, of the
// source, of the destination and of an array of scales; nothing here knows of bytes, values or
// devices. Everything is a plain value, and all functions may be called from several threads.
#ifndef DNNSPEC_API_SPI_STRIDED_NEST_H_
#define DNNSPEC_API_SPI_STRIDED_NEST_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "api/spi/layout.h"

namespace spi {

// One loop. A stride of 0 stands still.
struct LoopDim {
  int64_t extent = 1;
  int64_t src_stride = 0, dst_stride = 0, scale_stride = 0;
};

using LoopDims = absl::InlinedVector<LoopDim, 6>;

// Loops, outermost first, and where their first element lies. No loops: one element.
struct LoopNest {
  LoopDims loops;
  int64_t src_offset = 0, dst_offset = 0, scale_offset = 0;
};
using LoopNests = absl::InlinedVector<LoopNest, 1>;

// What happens along the axes, apart from the layouts.
struct AxisMap {
  // The distance of the scales of neighbouring elements of the destination, by axis. All 0: one
  // scale serves all.
  std::array<int64_t, kMaxRank> scale_strides{};
  // An axis that is read as a row-major matrix of `columns` columns and written transposed, as
  // shuffle does: dst(u + v * rows) = src(u * columns + v). -1: none.
  int transposed = -1;
  int64_t columns = 1;
};

// How far lists may grow; beyond that there is no answer. Time and memory grow with the limits, not
// with the tensors.
struct Limits {
  int64_t max_nests = 1 << 12;
  // Loops of a nest, after Simplify: impl_cpu runs 37, a shader of impl_vulkan 16. A plain axis is
  // one loop, each block of either side one more, a transposed axis one more; blocks that do not
  // nest add one for each time that a pattern of nests repeats itself.
  int max_loops = 37;
  // Indices of a blocked, transposed axis that are looked at one by one.
  int64_t max_points = 1 << 14;
};

// Every element of `dst`, which has the dims of `src`; none if it is empty. The offsets of the
// layouts are in those of the nests, and each nest is simplified. nullopt where a limit is
// exceeded: walk.h visits the same elements without a list.
std::optional<LoopNests> NestsOf(const Layout& src, const Layout& dst, const AxisMap& map,
                                 const Limits& limits);

// The padding of `dst`: what its blocks hold beyond its elements. Each place once; source strides
// and offsets are 0. None for plain layouts.
std::vector<LoopNest> PaddingOf(const Layout& dst);

// Drops loops of one step, sorts by falling destination stride, equal ones in the order they have,
// and joins an outer loop with the next inner one where all three sides go on at the stride that
// the inner one would have reached.
void Simplify(LoopNest* nest);

}  // namespace spi

#endif  // DNNSPEC_API_SPI_STRIDED_NEST_H_
