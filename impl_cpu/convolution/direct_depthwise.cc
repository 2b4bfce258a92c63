#include <algorithm>

#include "impl_cpu/convolution/direct.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/product_plan.h"
#include "impl_cpu/product/rounding.h"

namespace impl_cpu {
namespace {

// What a task reads of a core's own cache.
constexpr int64_t kTaskBytes = 400 << 10;
constexpr int64_t kSumBytes = 4;
// Tiles of so many rows; places of a row of which tiles are not worth their edges.
constexpr int64_t kTileRows = 2, kLeastWidth = 8;

}  // namespace

// Whether tiles of bytes store results of bytes.
bool DirectConvolution::StoresBytes() const {
  return IsByte(source_.type) && IsByte(result_type_) && after_.post_ops.empty() &&
         result_channels_.strided() && result_channels_.stride() == 1 &&
         result_places_[1].strided() && result_places_[2].strided();
}

// The kernel for three by three taps without gaps, where it serves.
void DirectConvolution::PlanDepthwise(Part* part) const {
  const std::array<WalkAxis, 3>& axes = part->walk.axes;
  const WalkAxis &depth = axes[0], &down = axes[1], &along = axes[2];
  const spi::DataType type = source_.type;
  if (form_ != DirectForm::kDepthwise || groups_ < kPanel || part->pieces != 1) return;
  if (in_place_ && !result_places_[1].strided()) return;
  if (depth.taps.size() != 1 || !depth.Complete(0) || !depth.Complete(depth.count - 1)) return;
  for (const WalkAxis* axis : {&down, &along})
    if (axis->taps.size() != 3 || axis->highest - axis->lowest != 2 || axis->lowest < -2 ||
        (axis->count - 1) * axis->step + axis->lowest >= axis->extent)
      return;
  if (down.step != along.step || down.step > 2) return;
  const int64_t bytes = spi::SizeOf(type);
  const bool stores = StoresBytes();
  // What is read of a row, or its sums where these do not lie in the result.
  const int64_t row = along.extent * groups_ * (in_place_ || stores ? bytes : kSumBytes);
  // Places of a row push one another out of L1 then, before the next row reads them.
  const bool far = source_.spatial[2] * bytes % kFarBytes == 0;
  const ColumnKernel column_kernel = FindColumnKernel();
  const bool wide = column_kernel.wide;
  const bool columns = type == spi::DataType::kF32 &&
                       (far || (wide && (down.step == 1 || along.count < kLeastWidth)));
  if (columns && down.step == 2 && !wide) return;
  part->by_columns = columns;
  part->depthwise = columns ? column_kernel.run : FindDepthwiseTileKernel(type);
  DepthwiseArgs& args = part->depthwise_args;
  if (stores) args.results = result_type_;
  args.stride = along.step;
  args.base = down.lowest;
  args.extent = down.extent;
  args.places = along.count;
  args.base_place = along.lowest;
  args.places_read = along.extent;
  while (args.inner_begin < along.count && !along.Complete(args.inner_begin)) ++args.inner_begin;
  args.inner_end = along.count;
  while (args.inner_end > args.inner_begin && !along.Complete(args.inner_end - 1)) --args.inner_end;
  args.src_row = source_.spatial[1];
  args.src_place = source_.spatial[2];
  for (size_t t = 0; t < 3; ++t) {
    const bool down_ascends = down.taps[0].base == down.lowest;
    const WalkTap& tap = down.taps[down_ascends ? t : 2 - t];
    args.weight_rows[t] =
        (depth.taps[0].tap * axes_[1].kernel + tap.tap) * axes_[2].kernel * weights_tap_;
    args.weight_taps[t] = part->taps[t].weights;
  }
  args.channels = groups_;
  args.fetches_ahead = far && wide;
  int64_t height = kTaskBytes / (row * args.stride);
  // Rows are streams that a core fetches ahead, if they are few or lie in its own cache.
  if (columns && args.stride == 2) height = row * down.extent <= kTaskBytes ? down.count : 2;
  part->height = std::clamp<int64_t>(RoundUp<int64_t>(height, kTileRows), 1, down.count);
}

}  // namespace impl_cpu
