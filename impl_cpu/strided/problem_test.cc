#include "impl_cpu/strided/problem.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "api/spi/types.h"

namespace impl_cpu {
namespace {

spi::Layout Plain(std::initializer_list<int64_t> dims, std::initializer_list<int64_t> strides,
                  int64_t offset = 0) {
  spi::Layout layout = spi::Strided(spi::DataType::kF32, dims);
  std::copy(strides.begin(), strides.end(), layout.strides.begin());
  layout.offset = offset;
  return layout;
}

// {N, C}, C in blocks of `block`.
spi::Layout Blocked(int64_t n, int64_t c, int32_t block) {
  return spi::Strided(spi::DataType::kF32, {n, c}, {{1, block}});
}

Parts Walk(const spi::Layout& src, const spi::Layout& dst) {
  std::vector<AxisPieces> axes;
  for (int j = 0; j < dst.rank; ++j) axes.push_back(*WalkAxis(src, dst, j, 0));
  return Combine(src, dst, axes);
}

std::vector<std::vector<int64_t>> NodesOf(const Part& part) {
  std::vector<std::vector<int64_t>> nodes;
  for (const Node& n : part.nodes) nodes.push_back({n.extent, n.src, n.dst, n.scale});
  return nodes;
}

using List = std::vector<std::vector<int64_t>>;

TEST(Problem, OfEqualDenseLayoutsIsOneLoop) {
  const spi::Layout layout = Plain({2, 3, 4, 5}, {60, 20, 5, 1});
  const Parts parts = Walk(layout, layout);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(NodesOf(parts[0]), (List{{120, 1, 1, 0}}));
}

TEST(Problem, OfNchwToNhwcIsThreeLoops) {
  const Parts parts =
      Walk(Plain({2, 3, 4, 5}, {60, 20, 5, 1}), Plain({2, 3, 4, 5}, {60, 1, 15, 3}));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(NodesOf(parts[0]), (List{{2, 60, 60, 0}, {20, 1, 3, 0}, {3, 20, 1, 0}}));
}

TEST(Problem, OfOneElementHasNoLoop) {
  const Parts parts = Walk(Plain({1, 1}, {7, 9}, 3), Plain({1, 1}, {1, 1}, 5));
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_TRUE(parts[0].nodes.empty());
  EXPECT_EQ(parts[0].src, 3);
  EXPECT_EQ(parts[0].dst, 5);
}

TEST(Problem, KeepsRowsWithGapsApart) {
  const Parts parts = Walk(Plain({4, 5}, {8, 1}), Plain({4, 5}, {5, 1}));
  EXPECT_EQ(NodesOf(parts[0]), (List{{4, 8, 5, 0}, {5, 1, 1, 0}}));
}

TEST(Problem, RepeatsAZeroStrideSource) {
  const Parts parts = Walk(Plain({4, 5}, {0, 0}), Plain({4, 5}, {5, 1}));
  EXPECT_EQ(NodesOf(parts[0]), (List{{20, 0, 1, 0}}));
}

TEST(Problem, JoinsLoopsOnlyIfTheScalesContinueToo) {
  const spi::Layout layout = Plain({4, 5}, {5, 1});
  std::vector<AxisPieces> axes = {*WalkAxis(layout, layout, 0, 0), *WalkAxis(layout, layout, 1, 1)};
  EXPECT_EQ(NodesOf(Combine(layout, layout, axes)[0]), (List{{4, 5, 5, 0}, {5, 1, 1, 1}}));
  axes = {*WalkAxis(layout, layout, 0, 5), *WalkAxis(layout, layout, 1, 1)};
  EXPECT_EQ(NodesOf(Combine(layout, layout, axes)[0]), (List{{20, 1, 1, 1}}));
}

TEST(Problem, SplitsABlockedAxisAndItsTail) {
  // {2, 19} into blocks of 16: whole blocks, then the 3 elements of the last one.
  const Parts parts = Walk(Plain({2, 19}, {19, 1}), Blocked(2, 19, 16));
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(NodesOf(parts[0]), (List{{2, 19, 32, 0}, {16, 1, 1, 0}}));
  EXPECT_EQ(NodesOf(parts[1]), (List{{2, 19, 32, 0}, {3, 1, 1, 0}}));
  EXPECT_EQ(parts[1].src, 16);
  EXPECT_EQ(parts[1].dst, 16);
}

TEST(Problem, NestsBlocksOfBothSides) {
  // Blocks of 8 inside blocks of 16 along a transposed outer axis.
  spi::Layout src = Blocked(1, 32, 8), dst = Blocked(1, 32, 16);
  src.strides[1] = 100;
  const Parts parts = Walk(src, dst);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(NodesOf(parts[0]), (List{{4, 100, 8, 0}, {8, 1, 1, 0}}));
}

// Where the elements of `parts` lie: of each in the destination, where in the source.
std::map<int64_t, int64_t> Places(const Parts& parts) {
  std::map<int64_t, int64_t> places;
  for (const Part& part : parts) {
    std::vector<std::pair<int64_t, int64_t>> found = {{part.dst, part.src}};
    for (const Node& node : part.nodes) {
      std::vector<std::pair<int64_t, int64_t>> more;
      for (const auto& [dst, src] : found)
        for (int64_t i = 0; i < node.extent; ++i)
          more.push_back({dst + i * node.dst, src + i * node.src});
      found = std::move(more);
    }
    for (const auto& [dst, src] : found) EXPECT_TRUE(places.emplace(dst, src).second) << dst;
  }
  return places;
}

// Both lie one after the other, whatever the blocks are, but for the step from block to block.
TEST(Problem, EnumeratesBlocksThatDoNotNest) {
  for (int64_t extent : {1, 5, 24, 29, 24 * 1000 + 7}) {
    spi::Layout src = Blocked(1, extent, 6), dst = Blocked(1, extent, 8);
    src.strides[1] = 10;
    dst.strides[1] = 9;
    const Parts parts = Walk(src, dst);
    EXPECT_LE(parts.size(), 16u);
    const std::map<int64_t, int64_t> places = Places(parts);
    EXPECT_EQ(places.size(), static_cast<size_t>(extent));
    for (int64_t i = 0; i < extent; ++i) {
      const auto found = places.find(i / 8 * 9 + i % 8);
      ASSERT_NE(found, places.end()) << i;
      ASSERT_EQ(found->second, i / 6 * 10 + i % 6) << i;
    }
  }
}

TEST(Problem, FindsThePaddingOfABlockedDestination) {
  EXPECT_TRUE(PaddingOf(Plain({2, 19}, {32, 1})).empty());
  EXPECT_TRUE(PaddingOf(Blocked(2, 32, 16)).empty());
  const Parts padding = PaddingOf(Blocked(2, 19, 16));
  ASSERT_EQ(padding.size(), 1u);
  EXPECT_EQ(NodesOf(padding[0]), (List{{2, 0, 32, 0}, {13, 0, 1, 0}}));
  EXPECT_EQ(padding[0].dst, 19);
}

TEST(Problem, FindsThePaddingOfBlocksInBlocks) {
  for (int64_t extent : {1, 4, 5, 14, 17, 30}) {
    spi::Layout layout = Blocked(1, extent, 16);
    layout.block_count = 2;
    layout.blocks[0] = {1, 4};
    layout.blocks[1] = {1, 4};
    const std::map<int64_t, int64_t> places = Places(PaddingOf(layout));
    const int64_t padded = spi::PaddedDim(layout, 1);
    EXPECT_EQ(places.size(), static_cast<size_t>(padded - extent)) << extent;
    for (int64_t i = extent; i < padded; ++i) EXPECT_EQ(places.count(i), 1u) << i;
  }
}

// The plan of a descriptor takes no longer because its block is long.
TEST(Problem, FindsThePaddingOfALongBlockAtOnce) {
  constexpr int32_t kLong = 1 << 30;
  const Parts padding = PaddingOf(Blocked(1, 1, kLong));
  ASSERT_EQ(padding.size(), 1u);
  EXPECT_EQ(NodesOf(padding[0]), (List{{kLong - 1, 0, 1, 0}}));
  EXPECT_EQ(padding[0].dst, 1);
}

TEST(Problem, TransposesAnAxisForShuffle) {
  const spi::Layout layout = Plain({6, 10}, {10, 1});
  const std::vector<AxisPieces> axes = {*WalkAxisTransposed(layout, layout, 0, 2),
                                        *WalkAxis(layout, layout, 1, 0)};
  EXPECT_EQ(NodesOf(Combine(layout, layout, axes)[0]),
            (List{{2, 10, 30, 0}, {3, 20, 10, 0}, {10, 1, 1, 0}}));
}

TEST(Problem, PrintsInOneLine) {
  Problem problem;
  problem.arithmetic.src = spi::DataType::kF32;
  problem.arithmetic.dst = spi::DataType::kU8;
  EXPECT_EQ(ToString(problem), "f32->u8 empty");
  problem.parts = Walk(Plain({2, 3}, {3, 1}), Plain({2, 3}, {1, 2}));
  problem.arithmetic.scale = Arithmetic::Scale::kOne;
  problem.arithmetic.sum = true;
  problem.arithmetic.beta = 0.5f;
  problem.arithmetic.sum_type = spi::DataType::kS8;
  EXPECT_EQ(ToString(problem), "f32->u8 3x2 (1,3)->(2,1) scale:one sum:0.5(s8)");
}

}  // namespace
}  // namespace impl_cpu
