#include "impl_vulkan/product/tile.h"

#include <algorithm>

namespace impl_vulkan {
namespace {

// In fours: two tiles of A and B, one in work and one that is filled, or 16 sums of each
// invocation.
uint64_t SharedBytes(const TileShape& shape) {
  const uint64_t factors = 2 * uint64_t{shape.k} * (shape.tile_m / 4 + shape.tile_n / 4 + 2),
                 results = 4 * uint64_t{shape.invocations()};
  // And whether a factor is infinite.
  return 16 * std::max(factors, results) + 4;
}

// The larger, the less often a factor is read. Larger ones than the first were no faster on an H200
// (docs/performance-log.md).
constexpr TileShape kShapes[] = {
    {8, 8, 128, 64, 8}, {8, 8, 64, 128, 8}, {8, 8, 64, 64, 8}, {4, 4, 64, 64, 8}, {4, 4, 32, 32, 8},
};
constexpr int64_t kBusyTiles = 256;

constexpr int64_t kMostParts = 1024;
constexpr int64_t kMostPartialBytes = int64_t{1} << 26;

}  // namespace

int64_t TilesOf(int64_t extent, uint32_t tile) { return (extent + tile - 1) / tile; }

const TileShape* TileFor(int64_t count, int64_t m, int64_t n, const Limits& limits) {
  const auto fits = [&](const TileShape& shape) {
    return shape.invocations() <= limits.invocations && SharedBytes(shape) <= limits.shared_bytes;
  };
  if (limits.tile.k != 0 && fits(limits.tile)) return &limits.tile;
  const TileShape* last = nullptr;
  for (const TileShape& shape : kShapes) {
    if (!fits(shape)) continue;
    last = &shape;
    // More than half of it would be empty.
    if (2 * m <= shape.tile_m || 2 * n <= shape.tile_n) continue;
    if (count * TilesOf(m, shape.tile_m) * TilesOf(n, shape.tile_n) >= kBusyTiles) break;
  }
  return last;
}

int64_t InvocationsFor(const TileShape& shape, int64_t m, int64_t n) {
  return TilesOf(m, shape.tile_m) * TilesOf(n, shape.tile_n) * shape.invocations();
}

int64_t MostParts(int64_t terms, int64_t least, int64_t span) {
  return std::min({terms / least, kMostParts, kMostPartialBytes / (4 * span)});
}

bool IsCloser(const Link* links, const Chain& along, const Chain& across) {
  return links[along.first].stride <= links[across.first].stride;
}

}  // namespace impl_vulkan
