#include "spec/memory/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace spec {
namespace {

using Offsets = std::vector<int64_t>;

TEST(Blocks, OfOneAxisLeaveWhatIsBeyondItsLastElement) {
  const Blocked layout{{3}, {4}, {{0, 4}}, 0};
  EXPECT_EQ(PaddedDims(layout), Dims{4});
  EXPECT_EQ(PlacesOf(layout).elements, (Offsets{0, 1, 2}));
  EXPECT_EQ(PlacesOf(layout).padding, Offsets{3});
}

TEST(Blocks, HoldTheirIndicesSideBySide) {
  // nC4: two rows of five channels, in two blocks of four each, from place 7 on.
  const Blocked layout{{2, 5}, {8, 4}, {{1, 4}}, 7};
  EXPECT_EQ(PaddedDims(layout), (Dims{2, 8}));
  EXPECT_EQ(OffsetOf(layout, {0, 3}), 10);
  EXPECT_EQ(OffsetOf(layout, {0, 4}), 11);
  EXPECT_EQ(OffsetOf(layout, {1, 4}), 19);
  EXPECT_EQ(PlacesOf(layout).padding, (Offsets{12, 13, 14, 20, 21, 22}));
}

TEST(Blocks, OfTwoAxesPadBoth) {
  // AB2a2b: one block of 2 x 2 for a matrix of 1 x 1.
  const Blocked layout{{1, 1}, {4, 4}, {{0, 2}, {1, 2}}, 0};
  EXPECT_EQ(PlacesOf(layout).elements, Offsets{0});
  EXPECT_EQ(PlacesOf(layout).padding, (Offsets{1, 2, 3}));
}

TEST(Blocks, OfOneAxisMayNest) {
  // A2a3a: index 4 of 7 is step 1 of the inner block, and step 1 of the outer one.
  const Blocked layout{{7}, {6}, {{0, 2}, {0, 3}}, 0};
  EXPECT_EQ(PaddedDims(layout), Dims{12});
  EXPECT_EQ(OffsetOf(layout, {4}), 4);
  EXPECT_EQ(OffsetOf(layout, {6}), 6);
  EXPECT_EQ(PlacesOf(layout).padding, (Offsets{7, 8, 9, 10, 11}));
}

TEST(Blocks, OfTwoAxesInTurnAreSplitFromTheInside) {
  // 2a2b2a of a column of 4: index 1 is the innermost step, index 2 the outermost.
  const Blocked layout{{4, 2}, {8, 8}, {{0, 2}, {1, 2}, {0, 2}}, 0};
  EXPECT_EQ(OffsetOf(layout, {1, 0}), 1);
  EXPECT_EQ(OffsetOf(layout, {0, 1}), 2);
  EXPECT_EQ(OffsetOf(layout, {2, 0}), 4);
  EXPECT_TRUE(PlacesOf(layout).padding.empty());
}

TEST(Blocks, HaveNoPlaceTwiceAndGapsHaveNone) {
  const Blocked layout{{3, 5, 2}, {100, 31, 8}, {{1, 2}, {0, 4}}, 5};
  Places places = PlacesOf(layout);
  EXPECT_EQ(places.elements.size(), 30u);
  EXPECT_EQ(places.elements.size() + places.padding.size(), size_t{4 * 6 * 2});
  Offsets all = places.elements;
  all.insert(all.end(), places.padding.begin(), places.padding.end());
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
  EXPECT_EQ(all.front(), 5);
}

TEST(Blocks, OfAnEmptyTensorHaveNoPlaces) {
  const Places places = PlacesOf({{0, 3}, {12, 4}, {{1, 4}}, 0});
  EXPECT_TRUE(places.elements.empty() && places.padding.empty());
}

}  // namespace
}  // namespace spec
