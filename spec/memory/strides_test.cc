// ORC-VALID, against S3's inequality taken literally.
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"
#include "spec/memory/oracle.h"

namespace spec {
namespace {

// For some permutation that sorts the strides, strides[i] >= strides[j] * dims[j] for all pairs
// with i before j.
bool SatisfiesThePage(const Dims& dims, const Dims& strides) {
  std::vector<size_t> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    bool holds = true;
    for (size_t a = 0; a < order.size(); ++a) {
      for (size_t b = a + 1; b < order.size(); ++b) {
        const size_t i = order[a], j = order[b];
        holds = holds && strides[i] >= strides[j] && strides[i] >= strides[j] * dims[j];
      }
    }
    if (holds) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

// Every pair of dims in 0...3 and strides in -1...7 of the ranks 1 to 3.
void ForEachPoint(const std::function<void(const Dims&, const Dims&)>& visit) {
  for (size_t rank = 1; rank <= 3; ++rank) {
    const Dims dim_counts(rank, 4), stride_counts(rank, 9);
    Dims dims(rank);
    do {
      Dims steps(rank);
      do {
        Dims strides = steps;
        for (int64_t& stride : strides) --stride;
        visit(dims, strides);
      } while (Next(stride_counts, &steps));
    } while (Next(dim_counts, &dims));
  }
}

bool HasNegative(const Dims& v) {
  return std::any_of(v.begin(), v.end(), [](int64_t x) { return x < 0; });
}

// Strides and dims with those of size 1 left out.
void DropOnes(Dims* dims, Dims* strides) {
  for (size_t j = dims->size(); j-- > 0;) {
    if ((*dims)[j] != 1) continue;
    dims->erase(dims->begin() + static_cast<int>(j));
    strides->erase(strides->begin() + static_cast<int>(j));
  }
}

TEST(JudgeStrides, AgreesWithThePageOnEverySmallVector) {
  int64_t points = 0, beyond_the_page = 0, broadcast = 0, of_ones = 0;
  ForEachPoint([&](const Dims& dims, const Dims& strides) {
    ++points;
    const StridesVerdict verdict = JudgeStrides(dims, strides);
    const bool page = SatisfiesThePage(dims, strides);
    ASSERT_NE(verdict.project, Validity::kEither);
    if (verdict.portable != Validity::kEither) {
      ASSERT_EQ(verdict.portable, verdict.project);
    }

    if (verdict.portable == Validity::kMustAccept) {
      ASSERT_TRUE(page);
    }
    if (HasNegative(strides) || IsEmpty(dims)) {
      if (page && verdict.portable == Validity::kMustReject) ++beyond_the_page;
      return;
    }
    // What the page admits is never refused; what it admits for dims above 1 is refused by nobody
    // who reads it as we do.
    Dims large = dims, their_strides = strides;
    DropOnes(&large, &their_strides);
    const bool large_page = SatisfiesThePage(large, their_strides);
    if (page) {
      ASSERT_NE(verdict.portable, Validity::kMustReject);
    }
    ASSERT_EQ(verdict.project == Validity::kMustAccept, large_page);
    ASSERT_EQ(verdict.portable == Validity::kMustReject, !large_page);
    if (verdict.portable == Validity::kEither) {
      const bool zero = std::count(their_strides.begin(), their_strides.end(), 0) != 0;
      ++(zero ? broadcast : of_ones);
      if (!zero) {
        ASSERT_FALSE(page);
      }
    }
  });
  EXPECT_EQ(points, 47988);
  EXPECT_EQ(beyond_the_page, 3168);
  EXPECT_GT(broadcast, 0);
  EXPECT_GT(of_ones, 0);
}

Validity Portable(const Dims& dims, const Dims& strides) {
  return JudgeStrides(dims, strides).portable;
}
Validity Project(const Dims& dims, const Dims& strides) {
  return JudgeStrides(dims, strides).project;
}

TEST(JudgeStrides, RefusesCollidingAndNearlyCollidingSteps) {
  EXPECT_EQ(Portable({2, 2}, {2, 3}), Validity::kMustReject);  // injective, and refused
  EXPECT_EQ(Portable({2, 2}, {2, 4}), Validity::kMustAccept);
  EXPECT_EQ(Portable({2, 2}, {2, 1}), Validity::kMustAccept);
  EXPECT_EQ(Portable({2, 3}, {2, 1}), Validity::kMustReject);
  EXPECT_EQ(Portable({2, 3}, {3, 1}), Validity::kMustAccept);
  EXPECT_EQ(Portable({2, 3}, {6, 2}), Validity::kMustAccept);
}

TEST(JudgeStrides, TakesTheMostFavourableOrderOfEqualSteps) {
  EXPECT_EQ(Portable({2, 3}, {1, 1}), Validity::kMustReject);
  EXPECT_EQ(Portable({1, 3}, {1, 1}), Validity::kMustAccept);
  EXPECT_EQ(Portable({2, 2, 2}, {4, 2, 2}), Validity::kMustReject);
  EXPECT_EQ(Portable({2, 1, 2}, {2, 2, 1}), Validity::kMustAccept);
}

TEST(JudgeStrides, LeavesStepsOfOnesToTheImplementation) {
  EXPECT_EQ(Portable({1, 3}, {2, 1}), Validity::kEither);
  EXPECT_EQ(Project({1, 3}, {2, 1}), Validity::kMustAccept);
  EXPECT_EQ(Portable({1, 3}, {3, 1}), Validity::kMustAccept);
  EXPECT_EQ(Project({2, 1, 3}, {3, 77, 1}), Validity::kMustAccept);
  EXPECT_EQ(Portable({1, 3}, {-1, 1}), Validity::kEither);
  EXPECT_EQ(Project({1, 3}, {-1, 1}), Validity::kMustReject);
}

TEST(JudgeStrides, LeavesBroadcastsToTheImplementation) {
  EXPECT_EQ(Portable({2, 3}, {0, 1}), Validity::kEither);
  EXPECT_EQ(Project({2, 3}, {0, 1}), Validity::kMustAccept);
  EXPECT_EQ(Portable({2, 2, 3}, {0, 1, 1}), Validity::kMustReject);
}

TEST(JudgeStrides, RefusesNegativeNumbers) {
  EXPECT_EQ(Portable({2, 3}, {3, -1}), Validity::kMustReject);
  EXPECT_EQ(Portable({2, -3}, {3, 1}), Validity::kMustReject);
  EXPECT_EQ(Portable({0, 3}, {3, -1}), Validity::kEither);
  EXPECT_EQ(Project({0, 3}, {3, -1}), Validity::kMustReject);
  EXPECT_EQ(Project({0, 3}, {3, 1}), Validity::kMustAccept);
}

TEST(JudgeStrides, JudgesTheLength) {
  EXPECT_EQ(Portable({2, 3}, {1}), Validity::kMustReject);
  EXPECT_EQ(Portable({2, 3}, {3, 1, 1}), Validity::kEither);
  EXPECT_EQ(Project({2, 3}, {3, 1, 1}), Validity::kMustReject);
  EXPECT_EQ(Portable({2, 3}, {}), Validity::kEither);
  EXPECT_EQ(Project({2, 3}, {}), Validity::kMustAccept);
}

TEST(JudgeStrides, ChecksNoStepsBesideARunTimeValue) {
  EXPECT_EQ(Portable({2, kRunTimeDim}, {2, 3}), Validity::kMustAccept);
  EXPECT_EQ(Portable({2, 2}, {kRunTimeDim, 3}), Validity::kMustAccept);
  EXPECT_EQ(Portable({2, 2}, {kRunTimeDim, -1}), Validity::kEither);
  EXPECT_EQ(Project({2, 2}, {kRunTimeDim, -1}), Validity::kMustAccept);
  EXPECT_EQ(Portable({-2, kRunTimeDim}, {2, 3}), Validity::kMustReject);
}

TEST(JudgeStrides, ComparesExactly) {
  const int64_t big = int64_t{1} << 62;
  EXPECT_EQ(Portable({2, 4}, {big, big}), Validity::kMustReject);  // big * 4 overflows
  EXPECT_EQ(Portable({2, 4}, {big, big / 4}), Validity::kMustAccept);
  EXPECT_EQ(Portable({2, 4}, {big - 1, big / 4}), Validity::kMustReject);
}

constexpr int64_t Power(int bits) { return int64_t{1} << bits; }

TEST(JudgeSize, CountsTheBytesOfTheElements) {
  EXPECT_EQ(JudgeSize(1, {Power(62)}, {1}), Validity::kMustAccept);
  EXPECT_EQ(JudgeSize(2, {Power(62) - 1}, {1}), Validity::kMustAccept);  // 2^63 - 2 bytes
  EXPECT_EQ(JudgeSize(2, {Power(62)}, {1}), Validity::kEither);          // 2^63
  EXPECT_EQ(JudgeSize(4, {Power(62) - 1}, {1}), Validity::kEither);      // 2^64 - 4
  EXPECT_EQ(JudgeSize(4, {Power(62)}, {1}), Validity::kMustReject);      // 2^64
  EXPECT_EQ(JudgeSize(4, {Power(31), Power(31)}, {}), Validity::kMustReject);
  EXPECT_EQ(JudgeSize(4, {Power(31), Power(30)}, {}), Validity::kEither);
  EXPECT_EQ(JudgeSize(4, {Power(31), Power(30) - 1}, {}), Validity::kMustAccept);
  EXPECT_EQ(JudgeSize(4, {Power(31), Power(30) - 1, 0}, {}), Validity::kMustAccept);
}

TEST(JudgeSize, CountsHowFarTheElementsReach) {
  // The last element lies at 2^62, its gap ends at 2^63.
  EXPECT_EQ(JudgeSize(1, {2, 3}, {Power(62), 1}), Validity::kEither);
  EXPECT_EQ(JudgeSize(1, {2, 3}, {Power(62) - 1, 1}), Validity::kMustAccept);
  EXPECT_EQ(JudgeSize(4, {2, 3}, {Power(62), 1}), Validity::kMustReject);
  // The same place over and over: 2^62 - 1 elements of one value, and 2^66 of them.
  EXPECT_EQ(JudgeSize(4, {Power(62) - 1}, {0}), Validity::kEither);
  EXPECT_EQ(JudgeSize(4, {Power(62), 16}, {0, 0}), Validity::kMustReject);
  EXPECT_EQ(JudgeSize(4, {Power(40)}, {0}), Validity::kMustAccept);
  // More than 128 bits hold.
  EXPECT_EQ(JudgeSize(1, Dims(12, Power(62)), Dims(12, Power(62))), Validity::kMustReject);
}

}  // namespace
}  // namespace spec
