#include "spec/shuffle/oracle.h"

#include <cstdint>
#include <functional>
#include <vector>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace spec {
namespace {

using Oracle = std::function<int64_t(int64_t, int64_t, int64_t)>;

std::vector<int64_t> All(const Oracle& source, int64_t size, int64_t group) {
  std::vector<int64_t> all;
  for (int64_t c = 0; c < size; ++c) all.push_back(source(c, size, group));
  return all;
}

// Formulation 1, read as an assignment.
std::vector<int64_t> ByAssignment(int64_t size, int64_t group) {
  std::vector<int64_t> dst(size, -1);
  for (int64_t u = 0; u < size / group; ++u) {
    for (int64_t v = 0; v < group; ++v) dst[u + v * (size / group)] = u * group + v;
  }
  return dst;
}

// Formulation 5, backward, read as an assignment.
std::vector<int64_t> BackwardByAssignment(int64_t size, int64_t group) {
  std::vector<int64_t> diff_src(size, -1);
  for (int64_t u = 0; u < size / group; ++u) {
    for (int64_t v = 0; v < group; ++v) diff_src[u * group + v] = u + v * (size / group);
  }
  return diff_src;
}

TEST(Shuffle, OfSixInGroupsOfTwoAndThreeIsTheWorkedExample) {
  EXPECT_EQ(All(ShuffleSource, 6, 2), (std::vector<int64_t>{0, 2, 4, 1, 3, 5}));
  EXPECT_EQ(All(ShuffleSource, 6, 3), (std::vector<int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(All(ShuffleBackwardSource, 6, 2), (std::vector<int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(All(ShuffleBackwardSource, 6, 3), (std::vector<int64_t>{0, 2, 4, 1, 3, 5}));
}

TEST(Shuffle, OfEightByHand) {
  // 4 x 2:  0 1 | 2 3 | 4 5 | 6 7  transposed:  0 2 4 6 | 1 3 5 7
  EXPECT_EQ(All(ShuffleSource, 8, 2), (std::vector<int64_t>{0, 2, 4, 6, 1, 3, 5, 7}));
  // 2 x 4:  0 1 2 3 | 4 5 6 7  transposed:  0 4 | 1 5 | 2 6 | 3 7
  EXPECT_EQ(All(ShuffleSource, 8, 4), (std::vector<int64_t>{0, 4, 1, 5, 2, 6, 3, 7}));
}

TEST(Shuffle, IsTheSameInAllFiveFormulationsBelowForty) {
  int pairs = 0;
  for (int64_t size = 1; size < 40; ++size) {
    for (int64_t group = 1; group <= size; ++group) {
      if (size % group != 0) continue;
      ++pairs;
      const std::vector<int64_t> expected = ByAssignment(size, group);
      EXPECT_EQ(All(ShuffleSource, size, group), expected);
      EXPECT_EQ(ShuffleSourcesByTransposition(size, group), expected);
      EXPECT_EQ(All(ShuffleSourceByModulus, size, group), expected);
      // Backward with C/G is forward with G.
      EXPECT_EQ(BackwardByAssignment(size, size / group), expected);
      EXPECT_EQ(All(ShuffleBackwardSource, size, size / group), expected);
      EXPECT_EQ(All(ShuffleBackwardSource, size, group), BackwardByAssignment(size, group));
    }
  }
  EXPECT_EQ(pairs, 150);
}

TEST(Shuffle, InGroupsOfOneOrOfAllIsTheIdentity) {
  for (int64_t size = 1; size < 40; ++size) {
    for (int64_t c = 0; c < size; ++c) {
      EXPECT_EQ(ShuffleSource(c, size, 1), c);
      EXPECT_EQ(ShuffleSource(c, size, size), c);
    }
  }
}

struct Line {
  int64_t size, group, c;
};
Line AnyLine() {
  const auto rows = *rc::gen::inRange<int64_t>(1, 2000);
  const auto group = *rc::gen::inRange<int64_t>(1, 2000);
  return {rows * group, group, *rc::gen::inRange<int64_t>(0, rows * group)};
}

RC_GTEST_PROP(Shuffle, BackwardUndoesForward, ()) {
  const Line line = AnyLine();
  const int64_t from = ShuffleSource(line.c, line.size, line.group);
  RC_ASSERT(from >= 0 && from < line.size);
  RC_ASSERT(ShuffleBackwardSource(from, line.size, line.group) == line.c);
}

RC_GTEST_PROP(Shuffle, WithTheNumberOfGroupsUndoesIt, ()) {
  const Line line = AnyLine();
  const int64_t from = ShuffleSource(line.c, line.size, line.group);
  RC_ASSERT(ShuffleSource(from, line.size, line.size / line.group) == line.c);
}

RC_GTEST_PROP(Shuffle, IsModularBeyondFortyToo, ()) {
  const Line line = AnyLine();
  RC_ASSERT(ShuffleSource(line.c, line.size, line.group) ==
            ShuffleSourceByModulus(line.c, line.size, line.group));
}

}  // namespace
}  // namespace spec
