// The tiles that workgroups compute: what the kernels by tiles are specialized for.
#ifndef DNNSPEC_IMPL_VULKAN_PRODUCT_TILE_H_
#define DNNSPEC_IMPL_VULKAN_PRODUCT_TILE_H_

#include <cstdint>

#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/product/parameters.h"
#include "impl_vulkan/strided/plan.h"

namespace impl_vulkan {

// Shorter indices leave most of a tile without work.
constexpr int64_t kLeastTiled = 16;

// Of C, of `count` matrices of m rows and n columns each: the largest that fits the device, and of
// which there are enough to keep it busy. Null if none fits.
const TileShape* TileFor(int64_t count, int64_t m, int64_t n, const Limits& limits);

int64_t TilesOf(int64_t extent, uint32_t tile);

// Invocations that compute one matrix of m rows and n columns.
int64_t InvocationsFor(const TileShape& shape, int64_t m, int64_t n);

// Where fewer invocations have something to do, long sums are cut into parts of at least kLeastPart
// factors.
constexpr int64_t kBusyInvocations = int64_t{1} << 16;
constexpr int64_t kLeastPart = 256;

// Into how many parts of at least `least` factors sums of `terms` may be cut, each part of which
// keeps `span` partial sums.
int64_t MostParts(int64_t terms, int64_t least, int64_t span);

// Whether the innermost axis of `along` lies closer in memory than that of `across`.
bool IsCloser(const Link* links, const Chain& along, const Chain& across);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_PRODUCT_TILE_H_
