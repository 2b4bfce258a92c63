#include "spec/memory/oracle.h"

#include <cstdint>

#include "gtest/gtest.h"

namespace spec {
namespace {

TEST(OffsetOf, IsTheSumOfTheStepsFromTheStart) {
  EXPECT_EQ(OffsetOf({{2, 3}, {3, 1}}, {1, 2}), 5);
  EXPECT_EQ(OffsetOf({{2, 3}, {1, 2}}, {1, 2}), 5);
  EXPECT_EQ(OffsetOf({{2, 3}, {10, 2}}, {1, 2}), 14);
  EXPECT_EQ(OffsetOf({{2, 3}, {10, 2}, 7}, {0, 0}), 7);
  EXPECT_EQ(OffsetOf({{2, 3}, {0, 1}}, {1, 2}), 2);
  // Beyond 32 bits.
  EXPECT_EQ(OffsetOf({{3, 1}, {int64_t{1} << 33, 1}}, {2, 0}), int64_t{1} << 34);
}

TEST(ExtentOf, IsOnePastTheLargestOffset) {
  EXPECT_EQ(ExtentOf({{2, 3}, {3, 1}}), 6);
  EXPECT_EQ(ExtentOf({{2, 3}, {10, 1}}), 13);
  EXPECT_EQ(ExtentOf({{2, 3}, {10, 1}, 5}), 18);
  EXPECT_EQ(ExtentOf({{1, 1}, {100, 100}}), 1);
  EXPECT_EQ(ExtentOf({{2, 3}, {0, 0}}), 1);
  EXPECT_EQ(ExtentOf({{2, 0}, {3, 1}, 5}), 0);
}

TEST(ElementCount, IsTheProduct) {
  EXPECT_EQ(ElementCount({2, 3, 4}), 24);
  EXPECT_EQ(ElementCount({2, 0, 4}), 0);
  EXPECT_EQ(ElementCount({}), 1);
  EXPECT_TRUE(IsEmpty({2, 0}));
  EXPECT_FALSE(IsEmpty({2, 1}));
  EXPECT_FALSE(IsEmpty({}));
}

TEST(Unravel, CountsInRowMajorOrder) {
  EXPECT_EQ(Unravel(0, {2, 3}), (Dims{0, 0}));
  EXPECT_EQ(Unravel(1, {2, 3}), (Dims{0, 1}));
  EXPECT_EQ(Unravel(3, {2, 3}), (Dims{1, 0}));
  EXPECT_EQ(Unravel(23, {2, 3, 4}), (Dims{1, 2, 3}));
  const Dims dims = {3, 1, 4, 2};
  Dims x(4);
  for (int64_t k = 0; k < 24; ++k) {
    EXPECT_EQ(Unravel(k, dims), x);
    EXPECT_EQ(Ravel(x, dims), k);
    EXPECT_EQ(Next(dims, &x), k < 23);
  }
  EXPECT_EQ(x, (Dims{0, 0, 0, 0}));
}

TEST(StridesOfTag, AreDenseFromTheLastLetterOutwards) {
  EXPECT_EQ(StridesOfTag("ab", {5, 7}), (Dims{7, 1}));
  EXPECT_EQ(StridesOfTag("ba", {5, 7}), (Dims{1, 5}));
  EXPECT_EQ(StridesOfTag("acdb", {2, 3, 4, 5}), (Dims{60, 1, 15, 3}));
  EXPECT_EQ(StridesOfTag("abcdefghijkl", Dims(12, 2))->front(), 2048);
  EXPECT_EQ(StridesOfTag("abc", {2, 0, 3}), (Dims{3, 3, 1}));
}

TEST(StridesOfTag, NeedAPermutationOfTheFirstLetters) {
  EXPECT_EQ(StridesOfTag("ab", {2, 3, 4}), std::nullopt);
  EXPECT_EQ(StridesOfTag("abc", {2, 3}), std::nullopt);
  EXPECT_EQ(StridesOfTag("ac", {2, 3}), std::nullopt);
  EXPECT_EQ(StridesOfTag("aa", {2, 3}), std::nullopt);
  EXPECT_EQ(StridesOfTag("aB", {2, 3}), std::nullopt);
  EXPECT_NE(StridesOfTag("ba", {2, 3}), std::nullopt);
}

TEST(SizeInBytes, IsTheProductForDenseLayouts) {
  for (const Tag& tag : SeedTags()) {
    const std::string word = tag.word;
    const Dims dims(word.size(), 3);
    EXPECT_EQ(SizeInBytes({dims, *StridesOfTag(word, dims)}, 2), 2 * ElementCount(dims));
  }
}

TEST(SizeInBytes, CountsFullOuterStepsFromStartZeroAndTheExtentFromLaterStarts) {
  EXPECT_EQ(SizeInBytes({{2, 3}, {10, 1}}, 4), 80);
  EXPECT_EQ(LeastSizeInBytes({{2, 3}, {10, 1}}, 4), 52);
  EXPECT_EQ(SizeInBytes({{2, 3}, {10, 1}, 5}, 4), 72);
  EXPECT_EQ(LeastSizeInBytes({{2, 3}, {10, 1}, 5}, 4), 72);
  EXPECT_EQ(SizeInBytes({{2, 3}, {0, 0}}, 4), 4);
  EXPECT_EQ(SizeInBytes({{1, 3}, {1000, 1}}, 4), 12);
  EXPECT_EQ(SizeInBytes({{1, 1}, {1000, 7}}, 1), 1);
}

TEST(SizeInBytes, IsNothingWithoutElementsAndUnknownAtRunTime) {
  EXPECT_EQ(SizeInBytes({{}, {}}, 4), 0);
  EXPECT_EQ(LeastSizeInBytes({{}, {}}, 4), 0);
  EXPECT_EQ(SizeInBytes({{2, 0}, {1, 1}}, 4), 0);
  EXPECT_EQ(SizeInBytes({{2, 0}, {1, 1}, 3}, 4), 0);
  EXPECT_EQ(SizeInBytes({{2, kRunTimeDim}, {1, 1}}, 4), kRunTimeDim);
  EXPECT_EQ(SizeInBytes({{2, 3}, {kRunTimeDim, 1}}, 4), kRunTimeDim);
}

TEST(SameLayout, LooksAtAllButTheStridesOfOnes) {
  const Plain a = {{2, 1, 3}, {3, 77, 1}};
  EXPECT_TRUE(SameLayout(a, {{2, 1, 3}, {3, 1, 1}}));
  EXPECT_FALSE(SameLayout(a, {{2, 1, 3}, {4, 77, 1}}));
  EXPECT_FALSE(SameLayout(a, {{2, 1, 4}, {3, 77, 1}}));
  EXPECT_FALSE(SameLayout(a, {{2, 3}, {3, 1}}));
  EXPECT_FALSE(SameLayout(a, {{2, 1, 3}, {3, 77, 1}, 1}));
}

}  // namespace
}  // namespace spec
