// Copies what places of a walk read into rows for tiles: the channels of a group, tap after tap.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_PATCHES_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_PATCHES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "api/spi/layout.h"
#include "api/spi/types.h"
#include "impl_cpu/convert/kernel.h"
#include "impl_cpu/convolution/walk.h"
#include "impl_cpu/product/pairs.h"

namespace impl_cpu {

// Where the channels of a place lie, side by side: strides and offset in elements.
struct ChannelRows {
  spi::DataType type = spi::DataType::kUndef;
  int64_t offset = 0, batch = 0;
  std::array<int64_t, 3> spatial{};
};

// False if channels do not lie side by side in `layout`, {N, C, spatial...}, or an axis is blocked.
bool HasChannelRows(const spi::Layout& layout, ChannelRows* rows);
// The layout without gaps that has them; of `side` channels or a multiple, with zeros behind them.
spi::Layout ChannelsLast(const spi::Layout& layout, int64_t side = 1);

// Places so far apart, or a multiple, lie in few sets of a cache.
constexpr int64_t kFarBytes = 2 << 10;
// f32 from a place to the next: its channels, and a line behind them where places would be that far
// apart.
int64_t PlaceRow(int64_t channels);
// ChannelsLast in f32, with such rows.
spi::Layout PlaceRows(const spi::Layout& layout);

// What tiles multiply: f32; pairs of bf16; pairs of s16; four bytes by four.
enum class PatchForm { kF32, kBf16Pairs, kPairs, kQuads };

class PatchPacker {
 public:
  PatchPacker() = default;
  PatchPacker(spi::DataType type, PatchForm form);

  // Places [begin, begin + count) of all batches, the innermost axis fastest, and of each the k in
  // [k0, k0 + depth): k is a tap times `padded` and a channel of `channels`. What does not exist is
  // 0, of s8 quads 128 as everything has 128 added. `first` is the first channel of the group.
  struct Piece {
    const Walk* walk;
    const ChannelRows* rows;
    int64_t first, channels, padded;
    int64_t begin, count, k0, depth;
  };
  // Row after row, `row` bytes apart.
  void Pack(const Piece& piece, const std::byte* from, int64_t row, std::byte* to) const;

  // `count` elements side by side, but for the 128 of s8.
  void Copy(const std::byte* from, int64_t count, std::byte* to) const;

 private:
  struct Place;
  // k in [first, last) of a row of taps, which read `down` and `depth` places further.
  struct TapRow {
    int64_t depth, down, first, last;
  };
  using TapRows = absl::Span<const TapRow>;
  void PackTapRows(const Piece& piece, TapRows tap_rows, const std::byte* from, int64_t row,
                   std::byte* to) const;
  void PackPlace(const Piece& piece, TapRows tap_rows, bool runs, const Place& place,
                 const std::byte* from, std::byte* to) const;
  // k in [first, last) of a row of taps, whose places begin at `row`: that of w = 0, of the first
  // channel. What the taps of a place read is one run from `base` on, or each tap has its place.
  void PackRun(const Piece& piece, int64_t base, const std::byte* row, int64_t first, int64_t last,
               std::byte* to) const;
  void PackTaps(const Piece& piece, int64_t at, const std::byte* row, int64_t first, int64_t last,
                std::byte* to) const;
  void Clear(int64_t count, std::byte* to) const;

  int64_t source_bytes_ = 4, element_bytes_ = 4;
  bool flips_ = false;
  bool copies_ = true;  // bytes as they are, but for the 128
  ConvertKernel widen_ = nullptr;
  PairKernels pairs_;
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_PATCHES_H_
