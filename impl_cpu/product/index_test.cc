#include "impl_cpu/product/index.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "api/spi/layout.h"

namespace impl_cpu {
namespace {

std::vector<int64_t> AllOf(const Index& index) {
  std::vector<int64_t> offsets(static_cast<size_t>(index.size()));
  index.Offsets(0, index.size(), offsets.data());
  for (size_t i = 0; i < offsets.size(); ++i)
    EXPECT_EQ(index.OffsetOf(static_cast<int64_t>(i)), offsets[i]) << i;
  return offsets;
}

TEST(Index, OfDenseAxesInTheirOrderHasOneStride) {
  const spi::Layout layout = spi::Strided(spi::DataType::kF32, {2, 3, 4});
  const Index index(layout, {1, 2});
  EXPECT_TRUE(index.strided());
  EXPECT_EQ(index.size(), 12);
  EXPECT_EQ(index.stride(), 1);
  EXPECT_EQ(index.RunFrom(5, 100).count, 7);
}

TEST(Index, InAnotherOrderGoesRunByRun) {
  const spi::Layout layout = spi::Strided(spi::DataType::kF32, {2, 3, 2});
  const Index index(layout, {2, 1});
  EXPECT_FALSE(index.strided());
  EXPECT_EQ(AllOf(index), (std::vector<int64_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(index.RunFrom(1, 100).count, 2);
  EXPECT_EQ(index.RunFrom(1, 100).stride, 2);
}

TEST(Index, OfBlocksEndsWhereTheAxisEnds) {
  const spi::Block block = {1, 4};
  const spi::Layout layout = spi::Strided(spi::DataType::kF32, {2, 6, 3}, {&block, 1});
  const Index index(layout, {1});
  EXPECT_EQ(AllOf(index), (std::vector<int64_t>{0, 1, 2, 3, 12, 13}));
  EXPECT_EQ(index.RunFrom(2, 100).count, 2);
  EXPECT_EQ(index.RunFrom(4, 1).count, 1);
}

TEST(Index, OfOneIndexAndOfARepeatedOne) {
  const spi::Layout one = spi::Strided(spi::DataType::kF32, {1, 1});
  EXPECT_TRUE(Index(one, {0, 1}).strided());
  EXPECT_EQ(Index(one, {0, 1}).stride(), 1);
  EXPECT_EQ(AllOf(Index()), std::vector<int64_t>{0});
  spi::Layout repeated = spi::Strided(spi::DataType::kF32, {2, 3});
  repeated.strides[1] = 0;
  EXPECT_EQ(AllOf(Index(repeated, {1})), (std::vector<int64_t>{0, 0, 0}));
}

TEST(Index, HasLinesWhereABlockIsOne) {
  const spi::Layout plain = spi::Strided(spi::DataType::kF32, {3, 40});
  EXPECT_EQ(Index(plain, {1}).LinesApart(16), 16);
  EXPECT_EQ(Index(plain, {0}).LinesApart(16), 0);
  const spi::Block block = {1, 16}, pair = {0, 2};
  const spi::Layout panels = spi::Strided(spi::DataType::kF32, {3, 40}, {&block, 1});
  EXPECT_EQ(Index(panels, {1}).LinesApart(16), 16);  // one panel behind the other, then rows
  EXPECT_EQ(Index(panels, {1}).LinesApart(8), 8);
  spi::Layout apart = panels;
  apart.strides = {16, 48};
  EXPECT_EQ(Index(apart, {1}).LinesApart(16), 48);
  EXPECT_EQ(Index(apart, {1}).LinesApart(8), 0);
  EXPECT_EQ(Index(apart, {0, 1}).LinesApart(16), 0);
  const spi::Block blocks[] = {block, pair};
  const Index pairs(spi::Strided(spi::DataType::kF32, {3, 40}, blocks), {1});
  EXPECT_EQ(pairs.LinesApart(16), 0);
  EXPECT_EQ(pairs.LinesApart(16, 2), 32);
  EXPECT_EQ(Index(plain, {0}).LinesApart(16, 40), 640);
}

}  // namespace
}  // namespace impl_cpu
