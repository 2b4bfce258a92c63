// A move between a host and a device, cut into chunks that pass through staging memory.
//
// In staging, the elements of a chunk lie side by side in the order of the host's layout, so that
// the host reads or writes long runs and the device does the rest: order, conversion, arithmetic.
// No byte of the host's memory is touched but those of elements and padding.
#ifndef DNNSPEC_IMPL_VULKAN_STRIDED_STAGING_H_
#define DNNSPEC_IMPL_VULKAN_STRIDED_STAGING_H_

#include <cstdint>
#include <vector>

#include "impl_vulkan/strided/move.h"

namespace impl_vulkan {

struct Chunk {
  spi::LoopNest host;    // between host memory and staging
  spi::LoopNest device;  // between staging and device memory; its scales are those of the move
  int64_t elements = 0;  // in staging
};

// Chunks of at most `most_elements` > 0 elements of staging, for a host that holds the source.
// Axes that repeat one element of the source are staged once.
std::vector<Chunk> ChunksFromHost(const Move& move, int64_t most_elements);

// The same for a host that holds the destination: nest `host` goes from staging to the host.
std::vector<Chunk> ChunksToHost(const Move& move, int64_t most_elements);

// Copies each element of `nest` from `source` to `destination`.
void CopyOnHost(const spi::LoopNest& nest, int64_t element_bytes, const char* source,
                char* destination);

// Writes zeros to the destination of each element of `nest`.
void ClearOnHost(const spi::LoopNest& nest, int64_t element_bytes, char* destination);

// The way back.
spi::LoopNest Reversed(const spi::LoopNest& nest);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_STRIDED_STAGING_H_
