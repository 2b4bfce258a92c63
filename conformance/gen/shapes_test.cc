#include "conformance/gen/shapes.h"

#include <algorithm>
#include <map>
#include <set>

#include "gtest/gtest.h"

namespace conformance {
namespace {

constexpr int kDraws = 20000;

std::vector<spec::Dims> Shapes(const ShapeLimits& limits = {}) {
  Random random(1);
  std::vector<spec::Dims> shapes;
  for (int i = 0; i < kDraws; ++i) shapes.push_back(AnyShape(random, limits));
  return shapes;
}

TEST(AnyShape, ReachesEveryRankAndEveryExtentOfTheCatalogue) {
  std::map<size_t, int> ranks;
  std::map<int64_t, int> extents;
  for (const spec::Dims& dims : Shapes()) {
    ++ranks[dims.size()];
    for (int64_t extent : dims) ++extents[extent];
  }
  for (size_t rank = 1; rank <= 12; ++rank) EXPECT_GT(ranks[rank], kDraws / 100) << rank;
  EXPECT_EQ(ranks.size(), 12u);
  for (int64_t extent : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65})
    EXPECT_GT(extents[extent], 100) << extent;
}

TEST(AnyShape, IsSmallMostlyAndBoundedAlways) {
  int small = 0, large = 0, empty = 0, ones = 0, huge = 0;
  for (const spec::Dims& dims : Shapes()) {
    const int64_t count = spec::ElementCount(dims);
    EXPECT_LE(count, 65536);
    small += count <= 512;
    large += count >= 4096;
    empty += count == 0;
    ones += std::all_of(dims.begin(), dims.end(), [](int64_t d) { return d == 1; });
    huge += *std::max_element(dims.begin(), dims.end()) > 1000;
  }
  EXPECT_GT(small, kDraws * 7 / 10);
  EXPECT_GT(large, kDraws / 100);
  EXPECT_GT(empty, kDraws * 3 / 100);
  EXPECT_LT(empty, kDraws * 7 / 100);
  EXPECT_GT(ones, kDraws / 100);
  EXPECT_GT(huge, kDraws / 100);
}

TEST(AnyShape, HasShapesWithoutShortAxesAtEveryRankAndLongAxesAnywhere) {
  std::map<size_t, int> of_two, of_three;
  std::map<int64_t, std::set<int>> places;  // where each long extent was seen
  for (const spec::Dims& dims : Shapes()) {
    const int64_t shortest = *std::min_element(dims.begin(), dims.end());
    if (shortest >= 2) ++of_two[dims.size()];
    if (shortest >= 3) ++of_three[dims.size()];
    for (size_t j = 0; j < dims.size(); ++j) places[dims[j]].insert(static_cast<int>(j));
  }
  for (size_t rank = 2; rank <= 12; ++rank) EXPECT_GT(of_two[rank], kDraws / 1000) << rank;
  for (size_t rank = 2; rank <= 10; ++rank) EXPECT_GT(of_three[rank], kDraws / 1000) << rank;
  for (const int64_t extent : {255, 256, 257, 1023, 1024, 1025, 65535, 65536})
    EXPECT_GE(places[extent].size(), 4u) << extent;
}

TEST(AnyShape, KeepsToItsLimits) {
  for (const spec::Dims& dims : Shapes({3, 5, 100, /*may_be_empty=*/false})) {
    EXPECT_GE(dims.size(), 3u);
    EXPECT_LE(dims.size(), 5u);
    EXPECT_GE(spec::ElementCount(dims), 1);
    EXPECT_LE(spec::ElementCount(dims), 100);
  }
}

TEST(AnyShape, IsTheSameForTheSameSeed) {
  Random a(7), b(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(AnyShape(a), AnyShape(b));
}

TEST(AnyShapeAround, KeepsTheGivenExtent) {
  Random random(3);
  for (int i = 0; i < 2000; ++i) {
    const int rank = static_cast<int>(random.Between(1, 12));
    const int axis = static_cast<int>(random.Between(0, rank - 1));
    const spec::Dims dims = AnyShapeAround(random, rank, axis, 240);
    ASSERT_EQ(dims.size(), static_cast<size_t>(rank));
    EXPECT_EQ(dims[axis], 240);
    EXPECT_GE(spec::ElementCount(dims), 240);
    EXPECT_LE(spec::ElementCount(dims), 65536);
  }
}

TEST(AnyShapeAround, HasASecondLongAxisAtTimes) {
  Random random(3);
  int twice = 0;
  for (int i = 0; i < 2000; ++i) {
    const spec::Dims dims = AnyShapeAround(random, 3, 1, 16);
    twice += dims[0] > 256 || dims[2] > 256;
  }
  EXPECT_GT(twice, 10);
}

TEST(AnyPermutation, ReachesAllOfThem) {
  Random random(5);
  std::set<std::vector<int>> seen;
  for (int i = 0; i < 1000; ++i) {
    std::vector<int> permutation = AnyPermutation(random, 4);
    seen.insert(permutation);
    std::sort(permutation.begin(), permutation.end());
    EXPECT_EQ(permutation, (std::vector<int>{0, 1, 2, 3}));
  }
  EXPECT_EQ(seen.size(), 24u);
}

TEST(Divisors, AreAscendingAndComplete) {
  EXPECT_EQ(Divisors(1), (std::vector<int64_t>{1}));
  EXPECT_EQ(Divisors(12), (std::vector<int64_t>{1, 2, 3, 4, 6, 12}));
  EXPECT_EQ(Divisors(16), (std::vector<int64_t>{1, 2, 4, 8, 16}));
  EXPECT_EQ(Divisors(31), (std::vector<int64_t>{1, 31}));
}

TEST(Split, IsTheOppositeOfJoin) {
  const spec::Dims values{0, -3, 5000000000, 7};
  EXPECT_EQ(Join(values, 'x'), "0x-3x5000000000x7");
  EXPECT_EQ(Split("0x-3x5000000000x7", 'x'), values);
  EXPECT_EQ(Split("42", ','), spec::Dims{42});
}

TEST(Split, RefusesWhatJoinDoesNotWrite) {
  for (const char* text : {"", "x", "1x", "x1", "1xx2", "-", "1.5", "1 x2", "+1", "0x1f", "--1",
                           "1234567890123456789"})
    EXPECT_FALSE(Split(text, 'x')) << text;
}

TEST(Cuts, MakeEveryShapeSmaller) {
  Random random(9);
  for (int i = 0; i < 1000; ++i) {
    const spec::Dims dims = AnyShape(random);
    for (const Cut& cut : Cuts(dims)) {
      const spec::Dims smaller = CutDims(dims, cut);
      if (cut.extent == Cut::kDrop) {
        EXPECT_EQ(smaller.size() + 1, dims.size());
      } else {
        EXPECT_LT(smaller[cut.axis], dims[cut.axis]);
        EXPECT_EQ(spec::IsEmpty(smaller), spec::IsEmpty(dims));
      }
      EXPECT_FALSE(smaller.empty());
    }
  }
}

TEST(Cuts, EndAtOneElement) {
  EXPECT_TRUE(Cuts({1}).empty());
  EXPECT_FALSE(Cuts({2}).empty());
}

}  // namespace
}  // namespace conformance
