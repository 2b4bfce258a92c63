#include "spec/inner_product/oracle.h"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace spec {
namespace {

using Numbers = std::vector<double>;

constexpr InnerProduct kTwoByThree = {2, 2, 3};
const Numbers kSrc = {1, 2, 3, 4, 5, 6};
const Numbers kWeights = {1, 0, -1, 2, 1, 0.5};
const Numbers kDiffDst = {1, 10, 100, 1000};

TEST(InnerProduct, ForwardByHand) {
  // 1 - 3 = -2    2 + 2 + 1.5 = 5.5
  // 4 - 6 = -2    8 + 5 + 3   = 16
  const double expected[2][2] = {{-2, 5.5}, {-2, 16}};
  for (int64_t n = 0; n < 2; ++n) {
    for (int64_t oc = 0; oc < 2; ++oc) {
      const Approx plain = InnerProductForward(kTwoByThree, kSrc, kWeights, {}, n, oc);
      EXPECT_EQ(plain.value, expected[n][oc]);
      EXPECT_EQ(plain.error, 0);
      const Approx biased = InnerProductForward(kTwoByThree, kSrc, kWeights, {0.5, -7}, n, oc);
      EXPECT_EQ(biased.value, expected[n][oc] + (oc == 0 ? 0.5 : -7));
    }
  }
}

TEST(InnerProduct, BackwardDataByHand) {
  // (1, 10) and (100, 1000) times the rows (1, 0, -1) and (2, 1, 0.5)
  const double expected[2][3] = {{21, 10, 4}, {2100, 1000, 400}};
  for (int64_t n = 0; n < 2; ++n)
    for (int64_t i = 0; i < 3; ++i)
      EXPECT_EQ(InnerProductBackwardData(kTwoByThree, kDiffDst, kWeights, n, i).value,
                expected[n][i]);
}

TEST(InnerProduct, BackwardWeightsAndBiasByHand) {
  // oc 0: 1 * (1, 2, 3) + 100 * (4, 5, 6); oc 1: ten times as much
  const double expected[2][3] = {{401, 502, 603}, {4010, 5020, 6030}};
  for (int64_t oc = 0; oc < 2; ++oc) {
    for (int64_t i = 0; i < 3; ++i)
      EXPECT_EQ(InnerProductBackwardWeights(kTwoByThree, kSrc, kDiffDst, oc, i).value,
                expected[oc][i]);
    EXPECT_EQ(InnerProductBackwardBias(kTwoByThree, kDiffDst, oc).value, oc == 0 ? 101 : 1010);
  }
}

TEST(InnerProduct, SumOverNothingIsZeroOrTheBias) {
  const InnerProduct no_inputs = {2, 2, 0}, no_batch = {0, 2, 3};
  EXPECT_EQ(InnerProductForward(no_inputs, {}, {}, {}, 1, 1).value, 0);
  EXPECT_EQ(InnerProductForward(no_inputs, {}, {}, {3, 4}, 1, 1).value, 4);
  EXPECT_EQ(InnerProductBackwardWeights(no_batch, {}, {}, 1, 2).value, 0);
  EXPECT_EQ(InnerProductBackwardBias(no_batch, {}, 1).value, 0);
}

TEST(InnerProduct, SpecialValuesStayInTheirRow) {
  Numbers src = kSrc;
  src[1] = std::numeric_limits<double>::quiet_NaN();  // n 0, input 1; 0 * NaN is NaN
  for (int64_t oc = 0; oc < 2; ++oc) {
    EXPECT_NE(InnerProductForward(kTwoByThree, src, kWeights, {}, 0, oc).value,
              InnerProductForward(kTwoByThree, src, kWeights, {}, 0, oc).value);
    EXPECT_EQ(InnerProductForward(kTwoByThree, src, kWeights, {}, 1, oc).error, 0);
  }
}

// dst without bias is linear in src and in weights: the three directions are adjoint.
TEST(InnerProduct, DirectionsAreAdjoint) {
  std::mt19937 random(3);
  const auto integers = [&random](int64_t count) {
    Numbers values(count);
    for (double& value : values) value = static_cast<int>(random() % 17) - 8;
    return values;
  };
  for (int round = 0; round < 50; ++round) {
    const InnerProduct p = {1 + static_cast<int64_t>(random() % 4),
                            1 + static_cast<int64_t>(random() % 5),
                            1 + static_cast<int64_t>(random() % 6)};
    const Numbers src = integers(p.n * p.inputs), weights = integers(p.oc * p.inputs),
                  diff_dst = integers(p.n * p.oc);
    double forward = 0, by_data = 0, by_weights = 0;
    for (int64_t n = 0; n < p.n; ++n)
      for (int64_t oc = 0; oc < p.oc; ++oc)
        forward += InnerProductForward(p, src, weights, {}, n, oc).value * diff_dst[n * p.oc + oc];
    for (int64_t i = 0; i < p.inputs; ++i) {
      for (int64_t n = 0; n < p.n; ++n)
        by_data +=
            InnerProductBackwardData(p, diff_dst, weights, n, i).value * src[n * p.inputs + i];
      for (int64_t oc = 0; oc < p.oc; ++oc)
        by_weights +=
            InnerProductBackwardWeights(p, src, diff_dst, oc, i).value * weights[oc * p.inputs + i];
    }
    EXPECT_EQ(forward, by_data);
    EXPECT_EQ(forward, by_weights);
  }
}

}  // namespace
}  // namespace spec
