#include "api/spi/strided/nest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "api/spi/layout.h"

namespace spi {
namespace {

Layout Plain(std::initializer_list<int64_t> dims, std::initializer_list<int64_t> strides,
             int64_t offset = 0) {
  Layout layout = Strided(DataType::kF32, dims);
  std::copy(strides.begin(), strides.end(), layout.strides.begin());
  layout.offset = offset;
  return layout;
}

// {N, C}, C in blocks of `block`.
Layout Blocked(int64_t n, int64_t c, int32_t block) {
  return Strided(DataType::kF32, {n, c}, {{1, block}});
}

// One axis in blocks of `block`, each `step` elements after the one before; 0 for no blocks.
Layout Line(int64_t extent, int32_t block, int64_t step) {
  Layout layout = block == 0 ? Strided(DataType::kS8, {extent})
                             : Strided(DataType::kS8, {extent}, {{0, block}});
  layout.strides[0] = step;
  return layout;
}

AxisMap Transposed(int axis, int64_t columns) {
  AxisMap map;
  map.transposed = axis;
  map.columns = columns;
  return map;
}

LoopNests Nests(const Layout& src, const Layout& dst, const AxisMap& map = {}) {
  return NestsOf(src, dst, map, Limits()).value();
}

using List = std::vector<std::vector<int64_t>>;

List LoopsOf(const LoopNest& nest) {
  List loops;
  for (const LoopDim& loop : nest.loops)
    loops.push_back({loop.extent, loop.src_stride, loop.dst_stride, loop.scale_stride});
  return loops;
}

// Where the elements lie: of each in the destination, where in the source. None is there twice.
std::map<int64_t, int64_t> Places(absl::Span<const LoopNest> nests) {
  std::map<int64_t, int64_t> places;
  for (const LoopNest& nest : nests) {
    std::vector<std::pair<int64_t, int64_t>> found = {{nest.dst_offset, nest.src_offset}};
    for (const LoopDim& loop : nest.loops) {
      std::vector<std::pair<int64_t, int64_t>> more;
      for (const auto& [dst, src] : found)
        for (int64_t i = 0; i < loop.extent; ++i)
          more.push_back({dst + i * loop.dst_stride, src + i * loop.src_stride});
      found = std::move(more);
    }
    for (const auto& [dst, src] : found) EXPECT_TRUE(places.emplace(dst, src).second) << dst;
  }
  return places;
}

TEST(NestsOf, EqualDenseLayoutsIsOneLoop) {
  const Layout layout = Strided(DataType::kF32, {2, 3, 4, 5});
  const LoopNests nests = Nests(layout, layout);
  ASSERT_EQ(nests.size(), 1u);
  EXPECT_EQ(LoopsOf(nests[0]), (List{{120, 1, 1, 0}}));
}

TEST(NestsOf, NchwToNhwcIsThreeLoops) {
  const LoopNests nests =
      Nests(Strided(DataType::kF32, {2, 3, 4, 5}), Plain({2, 3, 4, 5}, {60, 1, 15, 3}));
  ASSERT_EQ(nests.size(), 1u);
  EXPECT_EQ(LoopsOf(nests[0]), (List{{2, 60, 60, 0}, {20, 1, 3, 0}, {3, 20, 1, 0}}));
}

TEST(NestsOf, NchwToBlocksOfChannelsIsTheExampleOfTheHeader) {
  const LoopNests nests = Nests(Strided(DataType::kF32, {2, 64, 56, 56}),
                                Strided(DataType::kF32, {2, 64, 56, 56}, {{1, 16}}));
  ASSERT_EQ(nests.size(), 1u);
  EXPECT_EQ(LoopsOf(nests[0]), (List{{8, 50176, 50176, 0}, {3136, 1, 16, 0}, {16, 3136, 1, 0}}));
}

TEST(NestsOf, OneElementHasNoLoop) {
  const LoopNests nests = Nests(Plain({1, 1}, {7, 9}, 3), Plain({1, 1}, {1, 1}, 5));
  ASSERT_EQ(nests.size(), 1u);
  EXPECT_TRUE(nests[0].loops.empty());
  EXPECT_EQ(nests[0].src_offset, 3);
  EXPECT_EQ(nests[0].dst_offset, 5);
}

TEST(NestsOf, EmptyTensorsHasNone) {
  EXPECT_TRUE(Nests(Plain({4, 0}, {1, 1}), Plain({4, 0}, {1, 1})).empty());
  EXPECT_TRUE(PaddingOf(Blocked(0, 19, 16)).empty());
}

TEST(NestsOf, RowsWithGapsKeepsThemApart) {
  const LoopNests nests = Nests(Plain({4, 5}, {8, 1}), Plain({4, 5}, {5, 1}));
  EXPECT_EQ(LoopsOf(nests[0]), (List{{4, 8, 5, 0}, {5, 1, 1, 0}}));
}

TEST(NestsOf, AZeroStrideSourceRepeatsIt) {
  const LoopNests nests = Nests(Plain({4, 5}, {0, 0}), Plain({4, 5}, {5, 1}));
  EXPECT_EQ(LoopsOf(nests[0]), (List{{20, 0, 1, 0}}));
}

TEST(NestsOf, ScaledAxesJoinsLoopsOnlyIfTheScalesContinueToo) {
  const Layout layout = Strided(DataType::kF32, {4, 5});
  AxisMap map;
  map.scale_strides = {0, 1};
  EXPECT_EQ(LoopsOf(Nests(layout, layout, map)[0]), (List{{4, 5, 5, 0}, {5, 1, 1, 1}}));
  map.scale_strides = {5, 1};
  EXPECT_EQ(LoopsOf(Nests(layout, layout, map)[0]), (List{{20, 1, 1, 1}}));
}

TEST(NestsOf, ABlockedAxisSplitsItsTail) {
  // {2, 19} into blocks of 16, which lie apart: whole blocks, then the 3 elements of the last one.
  AxisMap map;
  map.scale_strides[1] = 1;
  Layout dst = Blocked(2, 19, 16);
  dst.strides[0] = 16;
  dst.strides[1] = 40;
  const LoopNests nests = Nests(Plain({2, 19}, {19, 1}), dst, map);
  ASSERT_EQ(nests.size(), 2u);
  EXPECT_EQ(LoopsOf(nests[0]), (List{{2, 19, 16, 0}, {16, 1, 1, 1}}));
  EXPECT_EQ(LoopsOf(nests[1]), (List{{2, 19, 16, 0}, {3, 1, 1, 1}}));
  EXPECT_EQ(nests[1].src_offset, 16);
  EXPECT_EQ(nests[1].dst_offset, 40);
  EXPECT_EQ(nests[1].scale_offset, 16);
}

TEST(NestsOf, BlocksThatFollowEachOtherAreOneRun) {
  const LoopNests nests = Nests(Plain({2, 19}, {19, 1}), Blocked(2, 19, 16));
  ASSERT_EQ(nests.size(), 1u);
  EXPECT_EQ(LoopsOf(nests[0]), (List{{2, 19, 32, 0}, {19, 1, 1, 0}}));
}

TEST(NestsOf, BlocksOfBothSidesNests) {
  // Blocks of 8 inside blocks of 16 along a transposed outer axis.
  Layout src = Blocked(1, 32, 8);
  src.strides[1] = 100;
  const LoopNests nests = Nests(src, Blocked(1, 32, 16));
  ASSERT_EQ(nests.size(), 1u);
  EXPECT_EQ(LoopsOf(nests[0]), (List{{4, 100, 8, 0}, {8, 1, 1, 0}}));
}

TEST(NestsOf, BlocksThatDoNotNestRepeatsTheirPattern) {
  // Blocks of 2 and of 3: after 6 indices both begin again. Before lie {0, 1}, {2, 3}, which are
  // not neighbours on either side, and {4, 5}.
  const LoopNests nests = Nests(Line(12, 2, 10), Line(12, 3, 7));
  EXPECT_EQ(nests.size(), 3u);
  EXPECT_EQ(Places(nests), (std::map<int64_t, int64_t>{{0, 0},
                                                       {1, 1},
                                                       {2, 10},
                                                       {7, 11},
                                                       {8, 20},
                                                       {9, 21},
                                                       {14, 30},
                                                       {15, 31},
                                                       {16, 40},
                                                       {21, 41},
                                                       {22, 50},
                                                       {23, 51}}));
  for (const LoopNest& nest : nests)
    EXPECT_EQ(LoopsOf(nest)[0], (std::vector<int64_t>{2, 30, 14, 0}));
}

TEST(NestsOf, EveryPairOfBlocksComesToEachElementOnce) {
  for (int32_t from = 0; from < 14; ++from) {
    for (int32_t to = 0; to < 14; ++to) {
      if (from == 1 || to == 1) continue;
      for (const int64_t extent : {1, 7, 40, 169, 400}) {
        const Layout src = Line(extent, from, 2 * from + 1), dst = Line(extent, to, to + 1);
        const std::map<int64_t, int64_t> places = Places(Nests(src, dst));
        ASSERT_EQ(places.size(), static_cast<size_t>(extent)) << from << " to " << to;
        for (int64_t i = 0; i < extent; ++i)
          ASSERT_EQ(places.at(OffsetOf(dst, {i})), OffsetOf(src, {i})) << from << " to " << to;
      }
    }
  }
}

// As many as blocks make, not as elements.
TEST(NestsOf, LongAxesTakesFew) {
  constexpr int64_t kLong = int64_t{1} << 33;
  struct Case {
    int32_t from, to;
    size_t most;
  };
  for (const auto& [from, to, most] :
       {Case{0, 8, 1}, Case{8, 12, 8}, Case{1000, 999, 3100}, Case{2, 2147483647, 30},
        Case{2147483629, 2, 20}, Case{2147483629, 2147483647, 40}}) {
    const LoopNests nests =
        Nests(Line(kLong, from, 2 * int64_t{from}), Line(kLong, to, 3 * int64_t{to}));
    EXPECT_LE(nests.size(), most) << from << " to " << to;
    int64_t count = 0;
    for (const LoopNest& nest : nests) {
      int64_t elements = 1;
      for (const LoopDim& loop : nest.loops) elements *= loop.extent;
      count += elements;
    }
    EXPECT_EQ(count, kLong);
  }
}

TEST(NestsOf, ATransposedAxisReadsAMatrixAndWritesItTransposed) {
  const Layout layout = Plain({6, 10}, {10, 1});
  EXPECT_EQ(LoopsOf(Nests(layout, layout, Transposed(0, 2))[0]),
            (List{{2, 10, 30, 0}, {3, 20, 10, 0}, {10, 1, 1, 0}}));
}

TEST(NestsOf, ATransposedAxisInBlocksComesToEachElementOnce) {
  for (const int64_t columns : {2, 5, 12, 30}) {
    const Layout src = Line(60, 7, 9), dst = Line(60, 4, 5);
    const std::map<int64_t, int64_t> places = Places(Nests(src, dst, Transposed(0, columns)));
    const int64_t rows = 60 / columns;
    ASSERT_EQ(places.size(), 60u);
    for (int64_t i = 0; i < 60; ++i)
      ASSERT_EQ(places.at(OffsetOf(dst, {i})), OffsetOf(src, {i % rows * columns + i / rows}));
  }
  EXPECT_LE(Nests(Line(1000000, 7, 7), Line(1000000, 7, 7), Transposed(0, 1000)).size(), 170u);
}

TEST(NestsOf, MoreThanALimitHasNoAnswer) {
  const Layout src = Line(1000, 7, 8), dst = Line(1000, 9, 10);
  Limits limits;
  ASSERT_TRUE(NestsOf(src, dst, {}, limits).has_value());
  const auto size = static_cast<int64_t>(NestsOf(src, dst, {}, limits)->size());
  limits.max_nests = size - 1;
  EXPECT_FALSE(NestsOf(src, dst, {}, limits).has_value());
  limits = {};
  limits.max_loops = 2;
  EXPECT_TRUE(NestsOf(src, dst, {}, limits).has_value());
  limits.max_loops = 1;
  EXPECT_FALSE(NestsOf(src, dst, {}, limits).has_value());
  limits = {};
  limits.max_points = 99;
  EXPECT_FALSE(NestsOf(src, dst, Transposed(0, 10), limits).has_value());
}

TEST(PaddingOf, ABlockedDestinationIsWhatLiesBeyondItsElements) {
  EXPECT_TRUE(PaddingOf(Plain({2, 19}, {32, 1})).empty());
  EXPECT_TRUE(PaddingOf(Blocked(2, 32, 16)).empty());
  const std::vector<LoopNest> padding = PaddingOf(Blocked(2, 19, 16));
  ASSERT_EQ(padding.size(), 1u);
  EXPECT_EQ(LoopsOf(padding[0]), (List{{2, 0, 32, 0}, {13, 0, 1, 0}}));
  EXPECT_EQ(padding[0].src_offset, 0);
  EXPECT_EQ(padding[0].dst_offset, 19);
}

TEST(PaddingOf, BlocksInBlocksIsTheRestOfBoth) {
  for (const int64_t extent : {1, 4, 5, 14, 17, 30}) {
    const Layout layout = Strided(DataType::kF32, {extent}, {{0, 4}, {0, 4}});
    const std::map<int64_t, int64_t> places = Places(PaddingOf(layout));
    const int64_t padded = PaddedDim(layout, 0);
    EXPECT_EQ(places.size(), static_cast<size_t>(padded - extent)) << extent;
    for (int64_t i = extent; i < padded; ++i) EXPECT_EQ(places.count(i), 1u) << i;
  }
}

TEST(PaddingOf, SeveralAxesHasTheCornerOnce) {
  // {3, 3} in blocks of 2 x 2: 4 x 4 places, of which 9 are elements.
  const Layout layout = Strided(DataType::kF32, {3, 3}, {{0, 2}, {1, 2}});
  const std::map<int64_t, int64_t> places = Places(PaddingOf(layout));
  EXPECT_EQ(places.size(), 7u);
  EXPECT_EQ(places.count(OffsetOf(layout, {3, 3})), 1u);
}

// The plan of a descriptor takes no longer because its block is long.
TEST(PaddingOf, ALongBlockIsFoundAtOnce) {
  constexpr int32_t kLong = 1 << 30;
  const std::vector<LoopNest> padding = PaddingOf(Blocked(1, 1, kLong));
  ASSERT_EQ(padding.size(), 1u);
  EXPECT_EQ(LoopsOf(padding[0]), (List{{kLong - 1, 0, 1, 0}}));
  EXPECT_EQ(padding[0].dst_offset, 1);
}

TEST(Simplify, SortsByDestinationAndJoinsWhatContinues) {
  LoopNest nest;
  nest.loops = {{1, 99, 99, 0}, {4, 1, 1, 0}, {3, 40, 20, 0}, {5, 4, 4, 0}};
  Simplify(&nest);
  EXPECT_EQ(LoopsOf(nest), (List{{3, 40, 20, 0}, {20, 1, 1, 0}}));
}

}  // namespace
}  // namespace spi
