#include "impl_cpu/numeric/eltwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace impl_cpu {
namespace {

using spi::Algorithm;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

float Of(Algorithm algorithm, float value, float alpha = 0, float beta = 0) {
  return Eltwise({algorithm, 1, alpha, beta}, value);
}

// ELT-050: minus infinity, infinity, 0.
TEST(Eltwise, HasTheLimitsOfTheFormulas) {
  struct Row {
    Algorithm algorithm;
    float alpha, beta, below, above, zero;
  };
  const Row rows[] = {
      {Algorithm::kEltwiseRelu, 0, 0, 0, kInfinity, 0},
      {Algorithm::kEltwiseRelu, 0.5f, 0, -kInfinity, kInfinity, 0},
      {Algorithm::kEltwiseRelu, -1, 0, kInfinity, kInfinity, 0},
      {Algorithm::kEltwiseBoundedRelu, 6, 0, 0, 6, 0},
      {Algorithm::kEltwiseClip, -2, 3, -2, 3, 0},
      {Algorithm::kEltwiseClipV2, 1, 3, 1, 3, 1},
      {Algorithm::kEltwiseTanh, 0, 0, -1, 1, 0},
      {Algorithm::kEltwiseLogistic, 0, 0, 0, 1, 0.5f},
      {Algorithm::kEltwiseElu, 2, 0, -2, kInfinity, 0},
      {Algorithm::kEltwiseExp, 0, 0, 0, kInfinity, 1},
      {Algorithm::kEltwiseSoftRelu, 0, 0, 0, kInfinity, 0.69314718f},
      {Algorithm::kEltwiseSquare, 0, 0, kInfinity, kInfinity, 0},
      {Algorithm::kEltwiseAbs, 0, 0, kInfinity, kInfinity, 0},
      {Algorithm::kEltwiseGeluTanh, 0, 0, 0, kInfinity, 0},
      {Algorithm::kEltwiseGeluErf, 0, 0, 0, kInfinity, 0},
      {Algorithm::kEltwiseSwish, 1, 0, 0, kInfinity, 0},
      {Algorithm::kEltwiseSwish, 0, 0, -kInfinity, kInfinity, 0},
      {Algorithm::kEltwiseLinear, 2, 3, -kInfinity, kInfinity, 3},
      {Algorithm::kEltwiseRound, 0, 0, -kInfinity, kInfinity, 0},
      {Algorithm::kEltwiseLogsigmoid, 0, 0, -kInfinity, 0, -0.69314718f},
      {Algorithm::kEltwiseMish, 0, 0, 0, kInfinity, 0},
      {Algorithm::kEltwiseHardswish, 0, 0, 0, kInfinity, 0},
      {Algorithm::kEltwisePow, 3, 0, 3, 3, 3},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(static_cast<int>(row.algorithm));
    EXPECT_EQ(Of(row.algorithm, -kInfinity, row.alpha, row.beta), row.below);
    EXPECT_EQ(Of(row.algorithm, kInfinity, row.alpha, row.beta), row.above);
    EXPECT_EQ(Of(row.algorithm, 0, row.alpha, row.beta), row.zero);
    if (row.algorithm != Algorithm::kEltwisePow) {
      EXPECT_TRUE(std::isnan(Of(row.algorithm, kNaN, row.alpha, row.beta)));
    }
  }
  EXPECT_EQ(Of(Algorithm::kEltwisePow, kNaN, 3, 0), 3);
}

TEST(Eltwise, OfLogarithmsAndRootsIsWhatTheyAre) {
  EXPECT_EQ(Of(Algorithm::kEltwiseLog, 1), 0);
  EXPECT_EQ(Of(Algorithm::kEltwiseLog, 0), -kInfinity);
  EXPECT_EQ(Of(Algorithm::kEltwiseLog, kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(Of(Algorithm::kEltwiseLog, -1)));
  EXPECT_EQ(Of(Algorithm::kEltwiseSqrt, 9), 3);
  EXPECT_TRUE(std::isnan(Of(Algorithm::kEltwiseSqrt, -1)));
}

TEST(Eltwise, LosesNothingWhereTermsCancel) {
  EXPECT_FLOAT_EQ(Of(Algorithm::kEltwiseElu, -1e-8f, 1), -1e-8f);
  EXPECT_FLOAT_EQ(Of(Algorithm::kEltwiseSoftRelu, -20), 2.0611537e-9f);
  EXPECT_FLOAT_EQ(Of(Algorithm::kEltwiseGeluErf, -6), -5.9195273e-9f);
  EXPECT_EQ(Of(Algorithm::kEltwiseSoftRelu, 1000), 1000);
  EXPECT_EQ(Of(Algorithm::kEltwiseExp, 89), kInfinity);
}

TEST(Eltwise, RoundsHalfToEven) {
  for (const auto& [value, rounded] :
       {std::pair(0.5f, 0.0f), {1.5f, 2.0f}, {2.5f, 2.0f}, {-1.5f, -2.0f}})
    EXPECT_EQ(Of(Algorithm::kEltwiseRound, value), rounded);
}

TEST(Eltwise, OfSmallNumbersIsReckonedByHand) {
  EXPECT_EQ(Of(Algorithm::kEltwiseRelu, -4, 0.25f), -1);
  EXPECT_EQ(Of(Algorithm::kEltwiseLinear, 3, 2, 1), 7);
  EXPECT_EQ(Of(Algorithm::kEltwisePow, 3, 2, 3), 54);
  EXPECT_EQ(Of(Algorithm::kEltwiseHardswish, 1), 4.0f / 6);
  EXPECT_EQ(Of(Algorithm::kEltwiseHardswish, 5), 5);
  EXPECT_FLOAT_EQ(Of(Algorithm::kEltwiseLogistic, 1), 0.73105858f);
  EXPECT_FLOAT_EQ(Of(Algorithm::kEltwiseSwish, 1, 2), 0.88079708f);
  EXPECT_FLOAT_EQ(Of(Algorithm::kEltwiseGeluTanh, 1), 0.84119199f);
  EXPECT_FLOAT_EQ(Of(Algorithm::kEltwiseGeluErf, 1), 0.84134475f);
  EXPECT_FLOAT_EQ(Of(Algorithm::kEltwiseMish, 1), 0.86509839f);
}

}  // namespace
}  // namespace impl_cpu
