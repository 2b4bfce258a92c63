// Sums of a row of places, read where the activations lie, for each instruction set.
//
// All offsets count elements. A place that is computed reads, by each tap, the channels of one
// place side by side; a term that does not exist is not multiplied.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_DIRECT_KERNEL_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_DIRECT_KERNEL_H_

#include <cstdint>

#include "api/spi/types.h"

namespace impl_cpu {

// A tap of the innermost axis, and the places of the row that read something by it.
struct RowTap {
  int64_t src, weights;
  int64_t begin, end;
};

// Place p reads by row r and tap t: src[p * src_step + src_rows[r] + taps[t].src], with the weights
// from weights[weight_rows[r] + taps[t].weights] on.
struct RowArgs {
  int64_t begin = 0, end = 0;  // the places to compute
  const float* src = nullptr;
  int64_t src_step = 0;
  int64_t rows = 0;  // taps of the outer axes that exist
  const int64_t* src_rows = nullptr;
  const int64_t* weight_rows = nullptr;
  int64_t tap_count = 0;
  const RowTap* taps = nullptr;  // what they read ascends
  bool runs = false;             // taps follow one another without a gap, and so do their weights
  // Of panels, for places that have all taps: where all channels of all taps lie from
  // src[p * src_step + first_row] on, in the order of the weights. Of none: there may be more.
  const int64_t* offsets = nullptr;
  int64_t offset_count = 0, first_row = 0;
  int64_t depth = 0;     // channels that are read by a tap, of panels
  int64_t channels = 0;  // that are computed, side by side
  const float* weights = nullptr;
  int64_t weights_panel = 0;  // from panel to panel
  // Weights, of as many panels, that are to be fetched into the cache meanwhile, and how many bytes
  // of each panel for each channel that is read.
  const float* ahead = nullptr;
  int64_t ahead_step = 0;
  const float* first = nullptr;  // what the sum of each channel begins with, whole panels
  float* sums = nullptr;         // of place `begin`
  int64_t sums_row = 0;          // to the next
  bool rounds = false;           // sums of bf16, one channel to a group, are stored as such
};
using RowKernel = void (*)(const RowArgs& args);

// Some rows of a depthwise convolution of three by three taps without gaps: row r and place p read
// rows and places [r * stride + base, + 3) and [p * stride + base_place, + 3), those that exist,
// which is one at least.
struct DepthwiseArgs {
  int64_t stride = 1;                       // 1 or 2, of both axes
  int64_t begin = 0, end = 0;               // the rows to compute
  int64_t base = 0, extent = 0;             // rows that exist
  int64_t places = 0;                       // of a row
  int64_t inner_begin = 0, inner_end = 0;   // that have all taps
  int64_t base_place = 0, places_read = 0;  // of a row that is read
  const float* src = nullptr;               // of row 0 and place `base_place`
  int64_t src_row = 0, src_place = 0;
  const float* weights = nullptr;
  int64_t weight_rows[3] = {}, weight_taps[3] = {};
  int64_t channels = 0;                 // 16 or more
  const float* first = nullptr;         // what the sum of each channel begins with
  float* sums = nullptr;                // of row 0 and place 0
  int64_t sums_down = 0, sums_row = 0;  // from row to row, from place to place
  bool rounds = false;                  // sums of bf16 are stored as such
  // Of bytes, by tiles: u8 or s8 if results are stored where sums would be, (sum + bias) * scale of
  // each channel.
  spi::DataType results = spi::DataType::kUndef;
  const float *bias = nullptr, *scales = nullptr;
  bool fetches_ahead = false;  // of wide kernels: the next channels into the cache
};
using DepthwiseKernel = void (*)(const DepthwiseArgs& args);

// The taps of a row that exist of a place: [first, last).
struct TapRange {
  int64_t first, last;
};
constexpr TapRange TapsOf(const DepthwiseArgs& args, int64_t place) {
  const int64_t at = place * args.stride + args.base_place;
  return {at < 0 ? -at : 0, args.places_read - at < 3 ? args.places_read - at : 3};
}

// For the best instruction set of this machine; null where that has no vectors.

// One channel to a group: the weights of a tap are a number for each channel. `type` is that of the
// source, f32 or, of four channels or more, bf16, u8 or s8; there are none for others.
RowKernel FindDepthwiseKernel(spi::DataType type);

// Three by three taps, by tiles of two rows, all channels of one before the next; of the same
// types.
DepthwiseKernel FindDepthwiseTileKernel(spi::DataType type);

// The same of f32, some channels of all rows before the next: each row is read once.
struct ColumnKernel {
  DepthwiseKernel run = nullptr;
  bool wide = false;  // a vector is a line of channels, and it serves stride 2, too
};
ColumnKernel FindColumnKernel();

// Two or four channels to a group, which are read and computed; four or more in all. The weights of
// a tap are, for each channel that is read of a group, a number for each that is computed of all.
RowKernel FindBlockKernel(int64_t channels);

// `most` channels of one group, by three neighbouring taps, of which each place but the first and
// the last of a row has all; the source is `depth` words, 8 or 16 channels, of one place behind
// those of another, and a place of the result one or two places further. Words and weights as
// below. Null for other numbers of channels that are read and computed.
struct GroupRowKernel {
  RowKernel run = nullptr;
  int64_t most = 0;
};
GroupRowKernel FindGroupRowKernel(int64_t depth, int64_t columns);
GroupRowKernel FindPairGroupRowKernel(int64_t depth, int64_t columns);
GroupRowKernel FindQuadGroupRowKernel(int64_t depth, int64_t columns);
GroupRowKernel FindBf16GroupRowKernel(int64_t depth, int64_t columns);

// `channels` of one group, at most `most`; the weights of a tap are, for each channel that is read,
// 16 numbers of a panel.
struct PanelRowKernel {
  RowKernel run = nullptr;
  int64_t most = 0;
  int64_t places = 0;  // as many as are computed at once, with so many channels
};
PanelRowKernel FindPanelRowKernel();
// The same of words of 32 bits, and sums of s32: pairs of s16 by pairs of s16; or four u8 by four
// s8, of any alignment, null where no instruction sums four products.
PanelRowKernel FindPairPanelRowKernel();
PanelRowKernel FindQuadPanelRowKernel();
// Pairs of bf16, and sums of f32, where the machine multiplies them faster than f32. Numbers that
// are subnormal, in what is multiplied and in sums, are zeros to it.
PanelRowKernel FindBf16PanelRowKernel();

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_DIRECT_KERNEL_H_
