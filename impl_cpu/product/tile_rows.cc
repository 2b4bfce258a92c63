#include "impl_cpu/product/tile_rows.h"

#include <cstddef>

namespace impl_cpu {
namespace {

constexpr int64_t kElementBytes = 4;

}  // namespace

void RunRows(const TileKernels& kernels, int panels, int64_t rows, TileArgs args) {
  if (kernels.PrefersAmx(rows, args.depth)) return kernels.amx(panels, rows, args);
  const TileCut cut = CutRows(rows, RowsAtOnce(args.a_row, kernels.max_rows));
  args.ahead_step = kPanel * kElementBytes / (cut.tall + cut.others);
  const auto run = [&](int64_t height, int64_t tiles) {
    if (tiles == 0) return;
    args.tiles = tiles;
    args.a_tile = height * args.a_row;
    kernels.tile[panels - 1][height](args);
    args.a = static_cast<const std::byte*>(args.a) + tiles * args.a_tile * kElementBytes;
    args.sums = static_cast<std::byte*>(args.sums) + tiles * height * args.sums_row * kElementBytes;
  };
  run(cut.height, cut.tall);
  run(cut.height - 1, cut.others);
}

}  // namespace impl_cpu
