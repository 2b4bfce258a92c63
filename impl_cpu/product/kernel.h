// Sums of products, a tile of rows by panels at a time, for each
// instruction set.
//
// A panel is 16 columns on every instruction set. A tile is up to `max_rows` rows by one panel or
// by as many as `panels`; all its sums stay in registers.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_KERNEL_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_KERNEL_H_

#include <cstdint>

#include "api/spi/types.h"
#include "impl_cpu/product/rounding.h"

namespace impl_cpu {

constexpr int kPanel = 16;
constexpr int kMaxTileRows = 12, kMaxGroup = 2;
// Fewer rows, or elements of a, take longer by AMX.
constexpr int64_t kLeastAmxRows = 3, kLeastAmxDepth = 8, kLeastAmxElements = 1 << 10;

// What becomes of sums that are complete before they leave registers: (sum + bias) * scale in f32,
// converted to `type`, as FinishBlock has it.
struct TileResults {
  spi::DataType type = spi::DataType::kUndef;
  // Result (r, c) of a panel lies at r * row + c. Tiles leave it behind the last row that they
  // stored.
  void* to = nullptr;
  int64_t row = 0, panel = 0;  // elements, `panel` from one panel to the next
  // Of each column, one panel behind the other.
  const float *bias = nullptr, *scales = nullptr;
};
// Whether tiles store results of this type.
constexpr bool StoresResults(spi::DataType type, bool integers) {
  return type == spi::DataType::kF32 || type == spi::DataType::kBF16 ||
         (integers && (type == spi::DataType::kU8 || type == spi::DataType::kS8));
}

// Elements have 32 bits, and so have sums; all strides count elements. They are, for each of the
// kernels below: f32; pairs of s16, whose two products are summed exactly to s32; four bytes, the
// same; of a, f32 and, of b, pairs of bf16, one for each of two steps of a; or pairs of bf16.
struct TileArgs {
  const void* a = nullptr;  // element (r, k) lies at r * a_row + k * a_step
  int64_t a_row = 0, a_step = 0;
  int64_t a_tile = 0;       // from one tile to the next
  const void* b = nullptr;  // element (k, c) of a panel lies at k * b_step + c
  int64_t b_step = kPanel;
  int64_t b_panel = 0;  // from one panel to the next
  int64_t depth = 0;    // how many k of b there are
  // Sum (r, c) of a panel lies at r * sums_row + c, one tile below the other.
  void* sums = nullptr;
  int64_t sums_row = 0, sums_panel = 0;  // from one panel to the next
  int64_t tiles = 0;
  bool add = false;  // to the sums that are there; false: they are not read
  // What a sum of each column begins with, of one panel behind the other; null: with 0.
  const void* first = nullptr;
  // What is to be fetched into the cache meanwhile: as many panels, `b_panel` apart, and
  // how many bytes of each for a step of k.
  const void* ahead = nullptr;
  int64_t ahead_step = 0;
  // By the instruction for bf16: whether a number of b that is not 0 is smaller than this size (see
  // normal_bf16.h). Then nothing is stored. Null: b is not looked at.
  bool* refused = nullptr;
  uint16_t least_b = 0;
  // Where not null, results are stored, and no sums; nothing is added. Not by AMX.
  TileResults* results = nullptr;
};
using TileKernel = void (*)(const TileArgs& args);

// Any number of rows whose elements lie side by side, by AMX: no `a_step`, `a_tile` and `tiles`,
// and lines of b follow one another. As many bytes are fetched ahead as b has.
using AmxKernel = void (*)(int panels, int64_t rows, const TileArgs& args);

// Rows that lie apart, and read what lies in pieces: `args.depth` is that of a piece, a multiple of
// 16, and there is no `args.refused`.
struct AmxPieces {
  struct Piece {
    int64_t a, b;  // elements to where it begins, of a row of a and of a panel
  };
  struct Rows {
    int64_t a, sums;  // the first one: elements of a, and rows of sums
  };
  const Piece* pieces = nullptr;
  int64_t piece_count = 0;
  // So many times `height` rows, 16 at most. Some rows may be those of two tiles, if not `add`.
  const Rows* tiles = nullptr;
  int64_t tile_count = 0, height = 0;
  int64_t rows = 0;  // of sums
};
using AmxPiecesKernel = void (*)(int panels, const AmxPieces& pieces, const TileArgs& args);

struct TileKernels {
  int max_rows = 0;  // 0: there are none
  int panels = 0;    // of a group: 1 or 2
  // [p][r]: p + 1 panels, r rows, 1 <= r <= max_rows.
  TileKernel tile[kMaxGroup][kMaxTileRows + 1] = {};
  AmxKernel amx = nullptr;  // null: there is none
  AmxPiecesKernel amx_pieces = nullptr;
  bool PrefersAmx(int64_t rows, int64_t depth) const {
    return amx != nullptr && rows >= kLeastAmxRows && depth >= kLeastAmxDepth &&
           rows * depth >= kLeastAmxElements;
  }
};

// Rows are cut into as few tiles as there must be, whose heights differ by one at most: `tall`
// tiles of `height`, then `others` of one less.
struct TileCut {
  int64_t height, tall, others;
};
constexpr TileCut CutRows(int64_t rows, int64_t max_rows) {
  const int64_t tiles = CeilDiv(rows, max_rows), height = CeilDiv(rows, tiles);
  return {height, tiles - (height * tiles - rows), height * tiles - rows};
}

// Rows of a tile that reads the same element of each, `row` elements apart: at multiples of 4 KiB
// all of them lie in one set of a core's first cache, which may hold no more than 8 lines.
constexpr int64_t RowsAtOnce(int64_t row, int64_t most) {
  constexpr int64_t kFarElements = 1024, kLinesOfSet = 8;
  return row % kFarElements == 0 && most > kLinesOfSet ? kLinesOfSet : most;
}

// For the best instruction set of this machine. None where that has no vectors.
TileKernels FindTileKernels();
TileKernels FindIntegerTileKernels();
TileKernels FindBf16TileKernels();
// Of pairs of bf16 on both sides, where the machine multiplies them: by that instruction, which
// takes what is subnormal for zeros, or `widened` to f32.
TileKernels FindBf16PairTileKernels(bool widened);
// Whether that takes no longer than an instruction of f32, and so half as long.
bool MultipliesBf16PairsFast();
// a holds u8; or s8 and 128, where `type` is s8. None where no instruction sums four products.
TileKernels FindQuadTileKernels(spi::DataType type);
// The same, whose quads are split into pairs as they are multiplied: of up to kMostSplitRows rows
// it takes less than to pack pairs. None where vectors have 16 bytes.
constexpr int kMostSplitRows = 6;
TileKernels FindSplitQuadTileKernels(spi::DataType type);
// The same by AMX, for what FindBf16PairTileKernels and FindQuadTileKernels have.
AmxKernel FindBf16AmxKernel();
AmxKernel FindQuadAmxKernel(spi::DataType type);
AmxPiecesKernel FindBf16AmxPiecesKernel();
AmxPiecesKernel FindQuadAmxPiecesKernel(spi::DataType type);

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_KERNEL_H_
