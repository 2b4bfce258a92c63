// ORC-SCALE.
#include <vector>

#include "gtest/gtest.h"
#include "spec/reorder/oracle.h"

namespace spec {
namespace {

TEST(ScaleCount, IsTheProductOfTheNamedDims) {
  EXPECT_EQ(ScaleCount(0, {2, 3, 4}), 1);
  EXPECT_EQ(ScaleCount(1 << 1, {2, 3, 4}), 3);
  EXPECT_EQ(ScaleCount(1 << 0 | 1 << 2, {2, 3, 4}), 8);
  EXPECT_EQ(ScaleCount(7, {2, 3, 4}), 24);
  EXPECT_EQ(ScaleCount(1 << 1, {2, 0, 4}), 0);
  EXPECT_EQ(ScaleCount(0, {2, 0, 4}), 1);
}

TEST(ScaleIndex, IsRowMajorOverTheNamedDims) {
  EXPECT_EQ(ScaleIndex(0, {2, 3, 4}, {1, 2, 3}), 0);
  EXPECT_EQ(ScaleIndex(1 << 1, {2, 3, 4}, {1, 2, 3}), 2);
  EXPECT_EQ(ScaleIndex(1 << 0 | 1 << 2, {2, 3, 4}, {1, 2, 3}), 7);
  EXPECT_EQ(ScaleIndex(1 << 0 | 1 << 2, {2, 3, 4}, {1, 0, 0}), 4);
  // Grouped weights, mask over g and o: g * OC + o.
  EXPECT_EQ(ScaleIndex(3, {2, 5, 4, 3, 3}, {1, 3, 0, 0, 0}), 8);
}

TEST(ScaleIndex, OfAllDimsIsTheRowMajorNumberOfTheElement) {
  const Dims dims = {2, 3, 4};
  for (int64_t k = 0; k < 24; ++k) EXPECT_EQ(ScaleIndex(7, dims, Unravel(k, dims)), k);
}

TEST(ScaleIndex, TakesEveryScaleEquallyOften) {
  const Dims dims = {2, 3, 1, 4};
  for (int mask = 0; mask < 16; ++mask) {
    std::vector<int> uses(ScaleCount(mask, dims));
    for (int64_t k = 0; k < 24; ++k) ++uses.at(ScaleIndex(mask, dims, Unravel(k, dims)));
    for (const int use : uses) EXPECT_EQ(use, 24 / static_cast<int>(uses.size()));
  }
}

}  // namespace
}  // namespace spec
