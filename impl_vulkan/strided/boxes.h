// A nest cut into boxes, each small enough for one dispatch: its bindings fit into a window, its
// element offsets into 31 bits, its loops into the parameters.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_BOXES_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_BOXES_H_

#include <cstdint>
#include <vector>

#include "impl_vulkan/strided/move.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

// Element sizes; that of scales or gradients is 0 if there are none.
struct Widths {
  uint32_t source = 4;
  uint32_t destination = 4;
  uint32_t scales = 0;
};

// A box is a nest. Together the boxes are `nest`, which is normalised; so are they.
std::vector<spi::LoopNest> CutIntoBoxes(const spi::LoopNest& nest, const Widths& widths,
                                        const Limits& limits);

// For moves that change no bit: as long as pairs of elements stay together, makes each pair one
// element of twice the size, up to `limit` bytes. Offsets must count from an aligned place.
// Returns the new size.
uint32_t Widen(spi::LoopNest* nest, uint32_t element_bytes, uint32_t limit);

// Elements from the first to the last that a nest reads or writes on a side, both included.
int64_t SpanOf(const spi::LoopNest& nest, int64_t spi::LoopDim::*stride);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_BOXES_H_
