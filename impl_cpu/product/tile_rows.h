// Runs tiles over rows that lie one below the other.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_TILE_ROWS_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_TILE_ROWS_H_

#include <cstdint>

#include "impl_cpu/product/kernel.h"

namespace impl_cpu {

// `rows` rows of a, and as many of sums, by `panels` panels; `args` has no tiles yet. What lies
// ahead is fetched over all of them.
void RunRows(const TileKernels& kernels, int panels, int64_t rows, TileArgs args);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_TILE_ROWS_H_
