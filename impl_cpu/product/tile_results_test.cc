// What tiles store as results, beside what becomes of the same sums behind them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "api/spi/types.h"
#include "impl_cpu/product/finish.h"
#include "impl_cpu/product/finish_kernel.h"
#include "impl_cpu/product/kernel.h"
#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

using spi::DataType;

constexpr int64_t kDepth = 5, kTiles = 2;

enum class Elements { kF32, kBf16, kBytes };

// Numbers of 32 bits: f32 of some size, pairs of bf16, or any bytes.
std::vector<uint32_t> Numbers(Elements elements, int64_t count, std::mt19937* random) {
  std::vector<uint32_t> numbers(static_cast<size_t>(count));
  for (uint32_t& number : numbers) {
    number = static_cast<uint32_t>((*random)());
    if (elements == Elements::kBytes) continue;
    // Signs and fractions stay, sizes become those from 1/4 to 4.
    const uint32_t size = 0x3e800000u + (number & 0x01000000u);
    number = (number & 0x807fffffu) | size;
    if (elements == Elements::kBf16) number = (number & 0xffff0000u) | (number >> 16);
  }
  return numbers;
}

// Pairs of s16 that come from bytes.
std::vector<uint32_t> Pairs(int64_t count, std::mt19937* random) {
  std::vector<uint32_t> pairs(static_cast<size_t>(count));
  for (uint32_t& pair : pairs) {
    const auto bits = static_cast<uint32_t>((*random)());
    const auto low = static_cast<uint16_t>(static_cast<int8_t>(bits & 0xff));
    const auto high = static_cast<uint16_t>(static_cast<int8_t>(bits >> 8 & 0xff));
    pair = uint32_t{high} << 16 | low;
  }
  return pairs;
}

class Products {
 public:
  Products(TileKernels kernels, Elements a, Elements b, bool integers, bool pairs)
      : kernels_(kernels), integers_(integers) {
    std::mt19937 random(20220601);
    constexpr int64_t kA = kTiles * kMaxTileRows * kDepth, kB = kMaxGroup * kDepth * kPanel;
    a_ = pairs ? Pairs(kA, &random) : Numbers(a, kA, &random);
    b_ = pairs ? Pairs(kB, &random) : Numbers(b, kB, &random);
    if (a == Elements::kF32 && b == Elements::kBf16) a_.resize(2 * a_.size(), a_.front());
    first_ = Numbers(integers ? Elements::kBytes : Elements::kF32, kColumns, &random);
    for (size_t i = 0; i < first_.size(); ++i) {
      if (integers) first_[i] = static_cast<uint32_t>(static_cast<int32_t>(first_[i]) >> (i % 32));
      numbers_.bias[i] = static_cast<float>(i) - 7.3f;
      numbers_.scales[i] = i % 3 == 0 ? -0.37f : 1.0f / static_cast<float>(i);
    }
    if (integers) return;
    // Of floats, those that are rounded otherwise, on either side of the middle of a line.
    const float rare[] = {std::nanf(""), INFINITY, 1e-40f, std::numeric_limits<float>::max(),
                          1.00390625f};
    for (size_t i = 0; i < 5; ++i) std::memcpy(&first_[i * 7], &rare[i], sizeof(float));
  }

  // Panels apart, and side by side.
  void Check(DataType type) {
    for (const int64_t apart : {int64_t{40}, int64_t{kPanel}}) {
      apart_ = apart;
      CheckPanels(type);
    }
  }

 private:
  static constexpr int64_t kColumns = kMaxGroup * kPanel, kRow = 75;

  void CheckPanels(DataType type) const {
    for (int panels = 1; panels <= kernels_.panels; ++panels)
      for (int rows = 1; rows <= kernels_.max_rows; ++rows)
        for (const bool begins : {false, true})
          for (const bool biased : {false, true})
            for (const bool scaled : {false, true}) {
              Finish finish;
              finish.bias_buffer = biased ? 0 : -1;
              finish.scale = scaled ? Finish::Scale::kMany : Finish::Scale::kNone;
              const TileArgs args = Args(rows, begins);
              ASSERT_EQ(ByTiles(args, rows, panels, finish, type),
                        Behind(args, rows, panels, finish, type))
                  << rows << " rows " << panels << " panels of " << spi::NameOf(type) << begins
                  << biased << scaled;
            }
  }

  TileArgs Args(int rows, bool begins) const {
    TileArgs args;
    args.a = a_.data();
    args.a_row = kDepth;
    args.a_step = 1;
    args.a_tile = rows * kDepth;
    args.b = b_.data();
    args.b_panel = kDepth * kPanel;
    // A line of two bf16 takes two elements of an f32 row, which reach into the next.
    args.depth = kDepth;
    args.tiles = kTiles;
    args.first = begins ? first_.data() : nullptr;
    args.ahead = b_.data();
    return args;
  }

  // Rows of results, and what lies between them.
  static std::vector<std::byte> Results() {
    return std::vector<std::byte>(static_cast<size_t>(kTiles * kMaxTileRows * kRow * 4),
                                  std::byte{0x5a});
  }

  std::vector<std::byte> ByTiles(TileArgs args, int rows, int panels, const Finish& finish,
                                 DataType type) const {
    std::vector<std::byte> all = Results();
    TileResults results = ResultsOf(finish, numbers_, type);
    results.to = all.data();
    results.row = kRow;
    results.panel = apart_;
    args.results = &results;
    kernels_.tile[panels - 1][rows](args);
    EXPECT_EQ(results.to, all.data() + kTiles * rows * kRow * spi::SizeOf(type));
    return all;
  }

  std::vector<std::byte> Behind(TileArgs args, int rows, int panels, const Finish& finish,
                                DataType type) const {
    std::vector<uint32_t> sums(static_cast<size_t>(kTiles * rows * kColumns));
    args.sums = sums.data();
    args.sums_row = kColumns;
    args.sums_panel = kPanel;
    kernels_.tile[panels - 1][rows](args);
    std::vector<std::byte> all = Results();
    std::vector<int64_t> row_offsets, col_offsets;
    for (int64_t r = 0; r < kTiles * rows; ++r) row_offsets.push_back(r * kRow);
    for (int64_t c = 0; c < panels * kPanel; ++c)
      col_offsets.push_back(c / kPanel * apart_ + c % kPanel);
    FinishBlock block;
    block.finish = &finish;
    block.integers = integers_;
    block.sums = sums.data();
    block.sums_row = kColumns;
    block.sums_panel = kPanel;
    block.rows = kTiles * rows;
    block.cols = panels * kPanel;
    block.numbers = &numbers_;
    block.type = type;
    block.to = all.data();
    block.row_offsets = row_offsets.data();
    block.col_offsets = col_offsets.data();
    FindFinishKernel()(block);
    return all;
  }

  TileKernels kernels_;
  int64_t apart_ = 0;  // elements from one panel of results to the next
  bool integers_;
  std::vector<uint32_t> a_, b_, first_;
  ColumnNumbers numbers_ = {};
};

constexpr DataType kTypes[] = {DataType::kF32, DataType::kBF16, DataType::kU8, DataType::kS8};

TEST(TileResults, OfFloatsAreThoseOfSums) {
  ForEachTarget([] {
    for (const DataType type : kTypes) {
      if (!StoresResults(type, false)) continue;
      Products(FindTileKernels(), Elements::kF32, Elements::kF32, false, false).Check(type);
      Products(FindBf16TileKernels(), Elements::kF32, Elements::kBf16, false, false).Check(type);
      for (const bool widened : {false, true})
        Products(FindBf16PairTileKernels(widened), Elements::kBf16, Elements::kBf16, false, false)
            .Check(type);
    }
  });
}

TEST(TileResults, OfIntegersAreThoseOfSums) {
  ForEachTarget([] {
    for (const DataType type : kTypes) {
      ASSERT_TRUE(StoresResults(type, true));
      Products(FindIntegerTileKernels(), Elements::kBytes, Elements::kBytes, true, true)
          .Check(type);
      for (const DataType a : {DataType::kU8, DataType::kS8})
        for (const TileKernels& kernels : {FindQuadTileKernels(a), FindSplitQuadTileKernels(a)})
          Products(kernels, Elements::kBytes, Elements::kBytes, true, false).Check(type);
    }
  });
}

}  // namespace
}  // namespace impl_cpu
