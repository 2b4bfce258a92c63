// What AMX reads: rows of an image, each channel by channel, with zeros where nothing is, so that
// the places of a row that a tap reads lie as far apart as any others.
#include <algorithm>
#include <cstring>

#include "impl_cpu/convolution/tiled.h"
#include "impl_cpu/product/pack.h"
#include "impl_cpu/product/rounding.h"

namespace impl_cpu {
namespace {

constexpr int64_t kElementBytes = 4;
constexpr int64_t kTileRows = 16, kTileLines = 16;
// Shorter rows do not fill tiles.
constexpr int64_t kLeastWidth = 12;
// Places of a block, and taps.
constexpr int64_t kBlockPlaces = 256, kMostTaps = 64;
// Of a copy that stays in a core's own cache, beside weights.
constexpr size_t kMostImageBytes = 1 << 20;

}  // namespace

void TiledConvolution::PlanImage(Part* part) const {
  const std::array<WalkAxis, 3>& axes = part->walk.axes;
  const WalkAxis &down = axes[1], &along = axes[2];
  const int64_t place = padded_ / ElementDepth(), taps = part->walk.taps();
  if (kernels_.amx_pieces == nullptr || padded_ != channels_ || place % kTileLines != 0) return;
  if (axes[0].taps.size() != 1 || taps <= 1 || taps > kMostTaps) return;
  if (along.count < kLeastWidth || along.count > kBlockPlaces) return;
  part->image_rows = std::min(down.count, kBlockPlaces / along.count);
  part->image_rows = CeilDiv(down.count, CeilDiv(down.count, part->image_rows));
  part->copy_rows = (part->image_rows - 1) * down.step + down.highest - down.lowest + 1;
  part->copy_width = (along.count - 1) * along.step + along.highest - along.lowest + 1;
  // No more than patches would be.
  if (part->copy_rows > taps * part->image_rows * along.count / part->copy_width) return;
  if (ImageBytes(*part) > kMostImageBytes) return;
  part->by_image = true;
  part->blocks_of_image = CeilDiv(down.count, part->image_rows);
  part->rows = part->image_rows * along.count;
  part->blocks = batch_ * axes[0].count * part->blocks_of_image;
  const int64_t row = part->copy_width * place;
  for (size_t h = 0; h < down.taps.size(); ++h)
    for (size_t w = 0; w < along.taps.size(); ++w) {
      const auto tap = static_cast<int64_t>(h * along.taps.size() + w);
      part->pieces.push_back(
          {(down.taps[h].base - down.lowest) * row + (along.taps[w].base - along.lowest) * place,
           KernelTap(part->walk, tap) * place * kPanel});
    }
  // The last tile of a row computes some places once more.
  part->tiles_of_row = CeilDiv(along.count, kTileRows);
  part->height = CeilDiv(along.count, part->tiles_of_row);
  for (int64_t h = 0; h < part->image_rows; ++h)
    for (int64_t t = 0; t < part->tiles_of_row; ++t) {
      const int64_t w = std::min(t * part->height, along.count - part->height);
      part->tiles.push_back({h * down.step * row + w * along.step * place, h * along.count + w});
    }
  part->chunks.clear();
}

size_t TiledConvolution::ImageBytes(const Part& part) const {
  return static_cast<size_t>(part.copy_rows * part.copy_width * padded_ / ElementDepth() *
                             kElementBytes);
}

void TiledConvolution::CopyImage(const Task& task) const {
  const Part& part = *task.part;
  const std::array<WalkAxis, 3>& axes = part.walk.axes;
  const WalkPlace begin = part.walk.PlaceOf(task.begin);
  const int64_t bytes = spi::SizeOf(source_rows_.type), place = channels_ * bytes;
  const int64_t row = part.copy_width * place;
  // Of a row, the places that exist.
  const int64_t first = std::max<int64_t>(0, -axes[2].lowest);
  const int64_t last = std::clamp(axes[2].extent - axes[2].lowest, first, part.copy_width);
  const int64_t depth = begin.at[0] * axes[0].step + axes[0].taps[0].base;
  const std::byte* const from =
      task.source +
      (source_rows_.offset + begin.batch * source_rows_.batch + depth * source_rows_.spatial[0] +
       (first + axes[2].lowest) * source_rows_.spatial[2] + task.group * channels_) *
          bytes;
  const int64_t rows =
      (task.rows / axes[2].count - 1) * axes[1].step + axes[1].highest - axes[1].lowest + 1;
  for (int64_t i = 0; i < rows; ++i) {
    std::byte* const to = task.patches + i * row;
    const int64_t h = begin.at[1] * axes[1].step + axes[1].lowest + i;
    if (h < 0 || h >= axes[1].extent || depth < 0 || depth >= axes[0].extent) {
      std::memset(to, 0, static_cast<size_t>(row));
      continue;
    }
    std::memset(to, 0, static_cast<size_t>(first * place));
    std::memset(to + last * place, 0, static_cast<size_t>(row - last * place));
    const std::byte* const line = from + h * source_rows_.spatial[1] * bytes;
    if (source_rows_.spatial[2] == channels_) {
      std::memcpy(to + first * place, line, static_cast<size_t>((last - first) * place));
    } else {
      for (int64_t w = first; w < last; ++w)
        std::memcpy(to + w * place, line + (w - first) * source_rows_.spatial[2] * bytes,
                    static_cast<size_t>(place));
    }
  }
  if (source_rows_.type == spi::DataType::kS8) AddSignBit(task.patches, rows * row);
}

void TiledConvolution::RunImage(const Task& task) const {
  const Part& part = *task.part;
  CopyImage(task);
  const int64_t width = int64_t{kPanel} * kernels_.panels, place = padded_ / ElementDepth();
  AmxPieces pieces;
  pieces.pieces = part.pieces.data();
  pieces.piece_count = static_cast<int64_t>(part.pieces.size());
  pieces.tiles = part.tiles.data();
  pieces.tile_count = task.rows / part.walk.axes[2].count * part.tiles_of_row;
  pieces.height = part.height;
  pieces.rows = task.rows;
  for (int64_t n = task.first_n; n < task.last_n; n += width) {
    const int64_t cols = std::min(width, task.last_n - n);
    const auto panels = static_cast<int>(CeilDiv(cols, kPanel));
    TileArgs args = ArgsOf(task, n, cols);
    args.a = task.patches;
    args.a_row = part.walk.axes[2].step * place;
    args.depth = place;
    args.ahead = static_cast<const std::byte*>(args.b) + panels * panel_bytes_;
    kernels_.amx_pieces(panels, pieces, args);
  }
}

}  // namespace impl_cpu
