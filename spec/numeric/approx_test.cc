#include "spec/numeric/approx.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "spec/numeric/rounding.h"

namespace spec {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Approx SumOf(const std::vector<double>& terms) {
  Summation sum;
  for (const double term : terms) sum.Add(Exactly(term));
  return sum.Total();
}

bool Takes(Approx result, float got) {
  return Accepts(Type::kF32, result, BitsOf(got), Strictness::kPortable);
}

TEST(Approx, ProductIsExactWhereItFits) {
  EXPECT_EQ((Exactly(3) * Exactly(0.25)).error, 0);
  EXPECT_EQ((Exactly(4095) * Exactly(4097)).error, 0);   // 2^24 - 1
  const Approx rounded = Exactly(4097) * Exactly(4097);  // 2^24 + 2^13 + 1: 25 bits
  EXPECT_EQ(rounded.value, 16785409);
  EXPECT_GE(rounded.error, 1);
  EXPECT_LT(rounded.error, 1.01);
}

TEST(Approx, NumbersOfF32ByHand) {
  for (const double value :
       {0.0, -0.0, 1.0, 0x1.fffffep127, -0x1p-126, 0x1p-127, 0x1.8p-148, 0x1p-149})
    EXPECT_TRUE(IsF32(value)) << value;
  for (const double value : {0x1p128, 0x1.ffffffp127, 1 + 0x1p-24, 0x1p-150, 0x1.8p-149,
                             0x1.000002p-127, kInfinity, -kInfinity, kNan})
    EXPECT_FALSE(IsF32(value)) << value;
}

TEST(Approx, QuantumByHand) {
  EXPECT_EQ(QuantumOf(1), 0);
  EXPECT_EQ(QuantumOf(-3), 0);
  EXPECT_EQ(QuantumOf(12), 2);
  EXPECT_EQ(QuantumOf(0.375), -3);
  EXPECT_EQ(QuantumOf(0x1p-298), -298);
  EXPECT_EQ(QuantumOf(0x3p-1074), -1074);
  EXPECT_EQ(QuantumOf(0x1p-1073), -1073);
  EXPECT_EQ(QuantumOf(0x1p1023), 1023);
  EXPECT_EQ(QuantumOf(1 + 0x1p-52), -52);
}

TEST(Approx, SumOfIntegersIsExactUpToTwentyFourBits) {
  EXPECT_EQ(SumOf({}).value, 0);
  EXPECT_EQ(SumOf({}).error, 0);
  EXPECT_EQ(SumOf({16777215, -1}).error, 0);        // magnitudes 2^24
  EXPECT_GT(SumOf({16777215, -1, 1}).error, 0);     // 2^24 + 1 may be met on the way
  EXPECT_EQ(SumOf({0.5, 0.25, 4194303}).error, 0);  // quantum 1/4
  EXPECT_GT(SumOf({0.125, 0.25, 4194303}).error, 0);
}

TEST(Approx, ExactResultTakesOneValue) {
  const Approx three = Exactly(1) * Exactly(2) + Exactly(1);
  EXPECT_TRUE(Takes(three, 3));
  EXPECT_FALSE(Takes(three, std::nextafter(3.f, 4.f)));
  EXPECT_TRUE(Takes(SumOf({1, -1}), -0.f));
}

TEST(Approx, SubnormalResultsMayBeFlushedInPortable) {
  const Approx product = Exactly(-0x1p-70) * Exactly(0x1.4p-67);  // exact
  EXPECT_TRUE(Takes(product, -0x1.4p-137f));
  EXPECT_TRUE(Takes(product, 0));
  EXPECT_FALSE(Takes(product, 0x1p-149f));
  EXPECT_FALSE(Takes(product, -0x1.5p-137f));
  EXPECT_FALSE(Accepts(Type::kF32, product, 0, Strictness::kProject));
  EXPECT_FALSE(Takes(Exactly(-0x1p-126), 0));
}

TEST(Approx, BoundOfThreeTerms) {
  // (n - 1) u / (1 - (n - 1) u) * (1 + 1e-9 + 1), n = 3, and nothing of note besides.
  const Approx sum = SumOf({1, 1e-9, 1});
  EXPECT_NEAR(sum.error, 2 * 0x1p-24 * 2, 1e-12);
  EXPECT_TRUE(Takes(sum, 2));
  EXPECT_TRUE(Takes(sum, std::nextafter(2.f, 3.f)));
  EXPECT_FALSE(Takes(sum, 2.000001f));
}

TEST(Approx, ErrorsAreCarried) {
  const Approx wide{10, 0.5};
  EXPECT_NEAR((wide * Exactly(-2)).error, 1, 1e-5);
  EXPECT_EQ((wide * Exactly(-2)).value, -20);
  EXPECT_NEAR((wide + Approx{1, 0.25}).error, 0.75, 1e-5);
  EXPECT_EQ(Maximum(wide, Approx{3, 0.1}).value, 10);
  EXPECT_EQ(Maximum(wide, Approx{3, 0.1}).error, 0.5);
}

TEST(Approx, ClassesOfValues) {
  EXPECT_TRUE(std::isnan((Exactly(0) * Exactly(kInfinity)).value));
  EXPECT_TRUE(std::isnan(SumOf({kInfinity, 1, -kInfinity}).value));
  EXPECT_EQ(SumOf({-kInfinity, 1}).value, -kInfinity);
  EXPECT_EQ((Exactly(-2) * Exactly(kInfinity)).value, -kInfinity);
  EXPECT_TRUE(std::isnan(Maximum(Exactly(1), Exactly(kNan)).value));
  EXPECT_TRUE(Takes(SumOf({kInfinity, 1}), std::numeric_limits<float>::infinity()));
  EXPECT_FALSE(Takes(SumOf({kInfinity, 1}), std::numeric_limits<float>::max()));
  EXPECT_TRUE(Takes(SumOf({kNan, 1}), std::numeric_limits<float>::quiet_NaN()));
  EXPECT_FALSE(Takes(SumOf({kNan, 1}), 1));
}

TEST(Approx, OverflowOnTheWayLeavesItOpen) {
  const Approx sum = SumOf({3e38, 3e38, -3e38});
  EXPECT_EQ(sum.error, kInfinity);
  EXPECT_TRUE(Takes(sum, 3e38f));
  EXPECT_TRUE(Takes(sum, std::numeric_limits<float>::infinity()));
  EXPECT_TRUE(Takes(sum, std::numeric_limits<float>::quiet_NaN()));
  EXPECT_EQ(ToString(Type::kF32, sum, Strictness::kPortable), "any value");
}

TEST(Approx, NarrowingTakesWhatBothEndsGive) {
  const Approx half{2.5, 0.1};  // 2.4 to 2.6: 2 or 3
  EXPECT_TRUE(Accepts(Type::kS8, half, 2, Strictness::kProject));
  EXPECT_TRUE(Accepts(Type::kS8, half, 3, Strictness::kProject));
  EXPECT_FALSE(Accepts(Type::kS8, half, 4, Strictness::kProject));
  EXPECT_TRUE(Accepts(Type::kU8, Exactly(300), 255, Strictness::kProject));
  EXPECT_EQ(ToString(Type::kS8, half, Strictness::kProject), "2 (0x02) to 3 (0x03)");
}

// Whatever the order, the tree and the fusing: inside, and the bound is not far from the worst
// seen.

TEST(Approx, HoldsForEveryOrderOfSummation) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> uniform(0.5f, 1.f);
  for (const int n : {2, 3, 17, 400}) {
    double worst = 0, bound = 0;
    for (int round = 0; round < 40; ++round) {
      std::vector<float> a(n), b(n);
      for (float& x : a) x = uniform(random);
      for (float& x : b) x = uniform(random) * (round % 2 == 0 || random() % 2 == 0 ? 1.f : -1.f);
      Summation sum;
      for (int i = 0; i < n; ++i) sum.Add(Exactly(a[i]) * Exactly(b[i]));
      const Approx total = sum.Total();
      bound = std::max(bound, total.error);
      std::vector<int> order(n);
      std::iota(order.begin(), order.end(), 0);
      for (int way = 0; way < 8; ++way) {
        std::shuffle(order.begin(), order.end(), random);
        float plain = 0, fused = 0, lanes[4] = {};
        for (const int i : order) plain = plain + a[i] * b[i];
        for (const int i : order) fused = std::fma(a[i], b[i], fused);
        for (int i = 0; i < n; ++i) lanes[i % 4] = lanes[i % 4] + a[order[i]] * b[order[i]];
        for (const float got : {plain, fused, lanes[0] + lanes[1] + lanes[2] + lanes[3]}) {
          EXPECT_TRUE(Takes(total, got)) << n << ' ' << got << ' ' << total.value;
          worst = std::max(worst, std::abs(got - total.value));
        }
      }
    }
    EXPECT_LT(bound, 40 * worst) << n;
  }
}

}  // namespace
}  // namespace spec
