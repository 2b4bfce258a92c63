#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "impl_cpu/isa/amx.h"
#include "impl_cpu/isa/avx3_dl.h"  // machines that have AMX have this level of AVX-512
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/product/normal_bf16.h"
#include "impl_cpu/product/rounding.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impl_cpu/product/tile_amx.cc"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

#ifndef DNNSPEC_IMPL_CPU_PRODUCT_TILE_AMX_CC_ONCE_
#define DNNSPEC_IMPL_CPU_PRODUCT_TILE_AMX_CC_ONCE_

namespace impl_cpu {
namespace {

// What goes with tiles, by vectors.
struct AmxVectors {
  // Adds 128 times the sum of each column of `lines` lines of a panel of four bytes.
  void (*raised)(const void* panel, int64_t lines, int32_t* sums) = nullptr;
  // Takes the 16 numbers of `by` off each of `rows` rows.
  void (*lower)(int32_t* sums, int64_t sums_row, int64_t rows, const int32_t* by) = nullptr;
};

}  // namespace
}  // namespace impl_cpu

#endif

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3_DL

namespace hn = hwy::HWY_NAMESPACE;

void Raised(const void* panel, int64_t lines, int32_t* sums) {
  const hn::CappedTag<int32_t, kPanel> d;
  const hn::Repartition<int8_t, decltype(d)> d8;
  const hn::Repartition<int16_t, decltype(d)> d16;
  const auto* const from = static_cast<const int8_t*>(panel);
  auto sum = hn::Zero(d);
  for (int64_t line = 0; line < lines; ++line) {
    const auto quads = hn::BitCast(d16, hn::LoadU(d8, from + line * kPanel * 4));
    const auto even = hn::ShiftRight<8>(hn::ShiftLeft<8>(quads)), odd = hn::ShiftRight<8>(quads);
    const auto pairs = hn::BitCast(d, hn::Add(even, odd));
    sum = hn::Add(sum,
                  hn::Add(hn::ShiftRight<16>(hn::ShiftLeft<16>(pairs)), hn::ShiftRight<16>(pairs)));
  }
  hn::StoreU(hn::Add(hn::LoadU(d, sums), hn::ShiftLeft<7>(sum)), d, sums);
}

void Lower(int32_t* sums, int64_t sums_row, int64_t rows, const int32_t* by) {
  const hn::CappedTag<int32_t, kPanel> d;
  const auto less = hn::LoadU(d, by);
  for (int64_t row = 0; row < rows; ++row, sums += sums_row)
    hn::StoreU(hn::Sub(hn::LoadU(d, sums), less), d, sums);
}

AmxVectors Vectors() { return {Raised, Lower}; }

#else

AmxVectors Vectors() { return {}; }

#endif

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace impl_cpu {

HWY_EXPORT(Vectors);

#if HWY_ARCH_X86_64

#define DNNSPEC_AMX __attribute__((target("amx-tile,amx-int8,amx-bf16")))

// Named as Highway names those of its targets.
namespace N_AMX {
namespace {

constexpr int64_t kTileRows = 16, kLineBytes = 64, kTileBytes = kTileRows * kLineBytes;
constexpr int64_t kElementBytes = 4;
constexpr int64_t kStripRows = 2 * kTileRows;

// Of a strip of two tiles of rows by two panels, numbers 0 to 3 hold the sums: 0 and 1 those of the
// upper rows. 4 and 5 are rows of a, 6 and 7 panels of b.
constexpr int kUpper = 4, kLower = 5, kFirst = 6, kSecond = 7;

// As `ldtilecfg` reads it.
struct alignas(64) Shapes {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {};
  uint8_t rows[16] = {};
};
static_assert(sizeof(Shapes) == 64, "the instruction reads 64 bytes");

DNNSPEC_AMX void UseTiles(int64_t upper, int64_t lower) {
  Shapes shapes;
  for (int tile = 0; tile < 8; ++tile) {
    shapes.row_bytes[tile] = kLineBytes;
    shapes.rows[tile] = kTileRows;
  }
  for (const int tile : {0, 1, kUpper}) shapes.rows[tile] = static_cast<uint8_t>(upper);
  for (const int tile : {2, 3, kLower}) shapes.rows[tile] = static_cast<uint8_t>(lower);
  asm volatile("ldtilecfg %0" ::"m"(shapes));
}

DNNSPEC_AMX void Release() { asm volatile("tilerelease" ::: "memory"); }

template <int kTile>
DNNSPEC_AMX inline void Load(const std::byte* from, int64_t row_bytes) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(row_bytes), "i"(kTile) : "memory");
}

template <int kTile>
DNNSPEC_AMX inline void Store(std::byte* to, int64_t row_bytes) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(row_bytes), "i"(kTile) : "memory");
}

template <int kTile>
DNNSPEC_AMX inline void Clear() {
  asm volatile("tilezero %%tmm%c0" ::"i"(kTile));
}

// u8 by s8, or bf16 by bf16.
template <bool kBf16, int kSums, int kA, int kB>
DNNSPEC_AMX inline void AddProducts() {
  if constexpr (kBf16) {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kSums), "i"(kA), "i"(kB));
  } else {
    asm volatile("tdpbusd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kSums), "i"(kA), "i"(kB));
  }
}

// Some k of a strip: `count` times 16 lines of b.
struct Piece {
  const std::byte* a;
  int64_t a_row, a_lower;  // bytes, as are all of these: from row to row, and to the lower rows
  const std::byte* b;
  int64_t b_panel;
  int64_t count;
  // What is fetched into the cache: lines of each panel for a tile of b.
  const std::byte* ahead;
  int64_t ahead_lines;
};

struct Sums {
  std::byte* at;
  int64_t row, panel, lower;
  bool add;
  const std::byte* first;  // of a panel behind the other; null: 0
};

template <int kTile>
DNNSPEC_AMX inline void Begin(const Sums& sums, int row_tile, int panel) {
  if (sums.add) {
    Load<kTile>(sums.at + row_tile * sums.lower + panel * sums.panel, sums.row);
  } else if (sums.first != nullptr) {
    Load<kTile>(sums.first + panel * kLineBytes, 0);  // the same line for each row
  } else {
    Clear<kTile>();
  }
}

template <bool kBf16, int kRowTiles, int kPanels>
DNNSPEC_AMX void AddPiece(const Piece& piece) {
  const std::byte *a = piece.a, *b = piece.b, *ahead = piece.ahead;
  for (int64_t i = 0; i < piece.count; ++i) {
    Load<kUpper>(a, piece.a_row);
    Load<kFirst>(b, kLineBytes);
    AddProducts<kBf16, 0, kUpper, kFirst>();
    if constexpr (kPanels > 1) {
      Load<kSecond>(b + piece.b_panel, kLineBytes);
      AddProducts<kBf16, 1, kUpper, kSecond>();
    }
    if constexpr (kRowTiles > 1) {
      Load<kLower>(a + piece.a_lower, piece.a_row);
      AddProducts<kBf16, 2, kLower, kFirst>();
      if constexpr (kPanels > 1) AddProducts<kBf16, 3, kLower, kSecond>();
    }
    for (int64_t line = 0; line < piece.ahead_lines; ++line, ahead += kLineBytes) {
      __builtin_prefetch(ahead);
      if constexpr (kPanels > 1) __builtin_prefetch(ahead + piece.b_panel);
    }
    a += kLineBytes;
    b += kTileBytes;
  }
}

template <int kRowTiles, int kPanels>
DNNSPEC_AMX inline void BeginAll(const Sums& sums) {
  Begin<0>(sums, 0, 0);
  if constexpr (kPanels > 1) Begin<1>(sums, 0, 1);
  if constexpr (kRowTiles > 1) Begin<2>(sums, 1, 0);
  if constexpr (kRowTiles > 1 && kPanels > 1) Begin<3>(sums, 1, 1);
}

template <int kRowTiles, int kPanels>
DNNSPEC_AMX inline void StoreAll(const Sums& sums) {
  Store<0>(sums.at, sums.row);
  if constexpr (kPanels > 1) Store<1>(sums.at + sums.panel, sums.row);
  std::byte* const lower = sums.at + sums.lower;
  if constexpr (kRowTiles > 1) Store<2>(lower, sums.row);
  if constexpr (kRowTiles > 1 && kPanels > 1) Store<3>(lower + sums.panel, sums.row);
}

template <bool kBf16, int kRowTiles, int kPanels>
DNNSPEC_AMX void SumStrip(const Sums& sums, const Piece& whole, const Piece& rest) {
  BeginAll<kRowTiles, kPanels>(sums);
  AddPiece<kBf16, kRowTiles, kPanels>(whole);
  AddPiece<kBf16, kRowTiles, kPanels>(rest);
  StoreAll<kRowTiles, kPanels>(sums);
}

using StripKernel = void (*)(const Sums& sums, const Piece& whole, const Piece& rest);

template <bool kBf16>
StripKernel KernelOf(int64_t rows, int panels) {
  if (rows > kTileRows) return panels > 1 ? SumStrip<kBf16, 2, 2> : SumStrip<kBf16, 2, 1>;
  return panels > 1 ? SumStrip<kBf16, 1, 2> : SumStrip<kBf16, 1, 1>;
}

// Strips of as equal heights as there can be. What of k does not fill tiles is copied, with zeros
// behind it.
template <bool kBf16>
void SumStrips(int panels, int64_t rows, const TileArgs& args) {
  const int64_t strips = CeilDiv(rows, kStripRows), height = CeilDiv(rows, strips);
  const int64_t whole_lines = args.depth / kTileRows * kTileRows;
  const int64_t rest_lines = args.depth - whole_lines;
  alignas(64) std::byte rest_a[kStripRows * kLineBytes], rest_b[kMaxGroup * kTileBytes];
  const auto* const b = static_cast<const std::byte*>(args.b);
  const int64_t b_panel = args.b_panel * kElementBytes;
  if (rest_lines > 0) {
    std::memset(rest_a, 0, sizeof(rest_a));
    std::memset(rest_b, 0, sizeof(rest_b));
    for (int p = 0; p < panels; ++p)
      std::memcpy(rest_b + p * kTileBytes, b + p * b_panel + whole_lines * kLineBytes,
                  static_cast<size_t>(rest_lines * kLineBytes));
  }
  const int64_t a_row = args.a_row * kElementBytes, sums_row = args.sums_row * kElementBytes;
  Piece whole = {static_cast<const std::byte*>(args.a),
                 a_row,
                 kTileRows * a_row,
                 b,
                 b_panel,
                 whole_lines / kTileRows,
                 static_cast<const std::byte*>(args.ahead),
                 args.ahead == nullptr ? 0 : CeilDiv(kTileRows, strips)};
  const Piece rest = {rest_a,  kLineBytes, kTileBytes, rest_b, kTileBytes, rest_lines > 0 ? 1 : 0,
                      nullptr, 0};
  Sums sums = {static_cast<std::byte*>(args.sums),
               sums_row,
               args.sums_panel * kElementBytes,
               kTileRows * sums_row,
               args.add,
               static_cast<const std::byte*>(args.first)};
  int64_t shaped = 0;
  for (int64_t row = 0; row < rows; row += height) {
    const int64_t count = std::min(height, rows - row);
    if (count != shaped)
      UseTiles(std::min(count, kTileRows), std::max<int64_t>(1, count - kTileRows));
    shaped = count;
    for (int64_t r = 0; rest_lines > 0 && r < count; ++r)
      std::memcpy(rest_a + r * kLineBytes, whole.a + r * whole.a_row + whole_lines * kElementBytes,
                  static_cast<size_t>(rest_lines * kElementBytes));
    KernelOf<kBf16>(count, panels)(sums, whole, rest);
    whole.a += count * whole.a_row;
    if (whole.ahead_lines > 0) whole.ahead += whole.count * whole.ahead_lines * kLineBytes;
    sums.at += count * sums.row;
  }
  Release();
}

// One tile of rows, or two that lie anywhere.
template <bool kBf16, int kRowTiles, int kPanels>
DNNSPEC_AMX void SumPieces(const AmxPieces& pieces, const Sums& sums, const Piece& first,
                           const std::byte* b) {
  BeginAll<kRowTiles, kPanels>(sums);
  Piece piece = first;
  for (int64_t i = 0; i < pieces.piece_count; ++i) {
    piece.a = first.a + pieces.pieces[i].a * kElementBytes;
    piece.b = b + pieces.pieces[i].b * kElementBytes;
    AddPiece<kBf16, kRowTiles, kPanels>(piece);
    piece.ahead += piece.count * piece.ahead_lines * kLineBytes;
  }
  StoreAll<kRowTiles, kPanels>(sums);
}

template <bool kBf16>
void SumTilesOfPieces(int panels, const AmxPieces& pieces, const TileArgs& args) {
  const auto* const a = static_cast<const std::byte*>(args.a);
  const auto* const b = static_cast<const std::byte*>(args.b);
  auto* const to = static_cast<std::byte*>(args.sums);
  const int64_t sums_row = args.sums_row * kElementBytes;
  Piece piece = {a,
                 args.a_row * kElementBytes,
                 0,
                 b,
                 args.b_panel * kElementBytes,
                 args.depth / kTileRows,
                 static_cast<const std::byte*>(args.ahead),
                 args.ahead == nullptr ? 0 : CeilDiv(kTileRows, CeilDiv(pieces.tile_count, 2))};
  Sums sums = {to, sums_row, args.sums_panel * kElementBytes,
               0,  args.add, static_cast<const std::byte*>(args.first)};
  UseTiles(pieces.height, pieces.height);
  for (int64_t t = 0; t < pieces.tile_count; t += 2) {
    const AmxPieces::Rows& upper = pieces.tiles[t];
    piece.a = a + upper.a * kElementBytes;
    sums.at = to + upper.sums * sums_row;
    if (t + 1 == pieces.tile_count) {
      panels > 1 ? SumPieces<kBf16, 1, 2>(pieces, sums, piece, b)
                 : SumPieces<kBf16, 1, 1>(pieces, sums, piece, b);
      break;
    }
    const AmxPieces::Rows& lower = pieces.tiles[t + 1];
    piece.a_lower = (lower.a - upper.a) * kElementBytes;
    sums.lower = (lower.sums - upper.sums) * sums_row;
    panels > 1 ? SumPieces<kBf16, 2, 2>(pieces, sums, piece, b)
               : SumPieces<kBf16, 2, 1>(pieces, sums, piece, b);
    if (piece.ahead_lines > 0)
      piece.ahead += pieces.piece_count * piece.count * piece.ahead_lines * kLineBytes;
  }
  Release();
}

const AmxVectors& TheVectors() {
  static const AmxVectors vectors = HWY_DYNAMIC_DISPATCH(Vectors)();
  return vectors;
}

void SumBf16(int panels, int64_t rows, const TileArgs& args) {
  for (int p = 0; args.refused != nullptr && p < panels; ++p) {
    const auto* const panel = static_cast<const uint16_t*>(args.b) + p * args.b_panel * 2;
    const uint16_t size = LeastSizeOfBf16(panel, args.depth * kPanel * 2);
    if (size == 0 || size >= args.least_b) continue;
    *args.refused = true;
    return;
  }
  SumStrips<true>(panels, rows, args);
}

void SumUnsigned(int panels, int64_t rows, const TileArgs& args) {
  SumStrips<false>(panels, rows, args);
}

// Takes off what the 128 of each a added.
void LowerSums(int panels, const AmxPieces::Piece* pieces, int64_t count, int64_t rows,
               const TileArgs& args) {
  for (int p = 0; p < panels; ++p) {
    int32_t by[kPanel] = {};
    for (int64_t i = 0; i < count; ++i)
      TheVectors().raised(static_cast<const int32_t*>(args.b) + p * args.b_panel + pieces[i].b,
                          args.depth, by);
    TheVectors().lower(static_cast<int32_t*>(args.sums) + p * args.sums_panel, args.sums_row, rows,
                       by);
  }
}

void SumRaised(int panels, int64_t rows, const TileArgs& args) {
  SumStrips<false>(panels, rows, args);
  const AmxPieces::Piece all = {0, 0};
  LowerSums(panels, &all, 1, rows, args);
}

void SumRaisedPieces(int panels, const AmxPieces& pieces, const TileArgs& args) {
  SumTilesOfPieces<false>(panels, pieces, args);
  LowerSums(panels, pieces.pieces, pieces.piece_count, pieces.rows, args);
}

}  // namespace
}  // namespace N_AMX

namespace {

bool Serves() { return HWY_DYNAMIC_DISPATCH(Vectors)().lower != nullptr && MayUseAmx(); }

}  // namespace

AmxKernel FindBf16AmxKernel() { return Serves() ? N_AMX::SumBf16 : nullptr; }

AmxPiecesKernel FindBf16AmxPiecesKernel() {
  return Serves() ? N_AMX::SumTilesOfPieces<true> : nullptr;
}

AmxPiecesKernel FindQuadAmxPiecesKernel(spi::DataType type) {
  if (!Serves()) return nullptr;
  return type == spi::DataType::kS8 ? N_AMX::SumRaisedPieces : N_AMX::SumTilesOfPieces<false>;
}

AmxKernel FindQuadAmxKernel(spi::DataType type) {
  if (!Serves()) return nullptr;
  return type == spi::DataType::kS8 ? N_AMX::SumRaised : N_AMX::SumUnsigned;
}

#else

AmxKernel FindBf16AmxKernel() { return nullptr; }
AmxKernel FindQuadAmxKernel(spi::DataType) { return nullptr; }
AmxPiecesKernel FindBf16AmxPiecesKernel() { return nullptr; }
AmxPiecesKernel FindQuadAmxPiecesKernel(spi::DataType) { return nullptr; }

#endif

}  // namespace impl_cpu
#endif
