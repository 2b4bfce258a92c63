#include "spec/convolution/oracle.h"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace spec {
namespace {

using Numbers = std::vector<double>;

// One row of the width alone.
Convolution Row(int64_t input, int64_t kernel, int64_t stride, int64_t dilation, int64_t left,
                int64_t right) {
  Convolution p;
  p.axes[2] = {input, 1, kernel, stride, dilation, left, right};
  p.axes[2].output = p.axes[2].RightOutput();
  return p;
}

Numbers Forward(const Convolution& p, const Numbers& src, const Numbers& weights,
                const Numbers& bias = {}) {
  Numbers dst;
  for (int64_t n = 0; n < p.n; ++n)
    for (int64_t oc = 0; oc < p.groups * p.oc; ++oc)
      for (int64_t o = 0; o < p.outputs(); ++o)
        dst.push_back(ConvolutionForward(p, src, weights, bias, n, oc, o).value);
  return dst;
}

Numbers BackwardData(const Convolution& p, const Numbers& diff_dst, const Numbers& weights) {
  Numbers diff_src;
  for (int64_t n = 0; n < p.n; ++n)
    for (int64_t ic = 0; ic < p.groups * p.ic; ++ic)
      for (int64_t i = 0; i < p.inputs(); ++i)
        diff_src.push_back(ConvolutionBackwardData(p, diff_dst, weights, n, ic, i).value);
  return diff_src;
}

Numbers BackwardWeights(const Convolution& p, const Numbers& src, const Numbers& diff_dst) {
  Numbers diff_weights;
  for (int64_t oc = 0; oc < p.groups * p.oc; ++oc)
    for (int64_t ic = 0; ic < p.ic; ++ic)
      for (int64_t k = 0; k < p.taps(); ++k)
        diff_weights.push_back(ConvolutionBackwardWeights(p, src, diff_dst, oc, ic, k).value);
  return diff_weights;
}

TEST(Convolution, OutputsAreAsManyAsTheFloorSays) {
  EXPECT_EQ(Row(5, 3, 1, 0, 0, 0).axes[2].output, 3);
  EXPECT_EQ(Row(5, 3, 2, 0, 1, 1).axes[2].output, 3);
  EXPECT_EQ(Row(5, 3, 1, 1, 0, 0).axes[2].output, 1);  // KD = 5
  EXPECT_EQ(Row(6, 3, 2, 0, 0, 0).axes[2].output, 2);
  EXPECT_EQ(Row(2, 3, 1, 0, 0, 0).axes[2].output, 0);
  EXPECT_EQ(Row(2, 3, 2, 0, 0, 0).axes[2].output, 0);  // -1 / 2 is -1
  EXPECT_EQ(Row(2, 3, 3, 0, 0, 0).axes[2].output, 0);
  EXPECT_EQ(Row(1, 3, 2, 0, 0, 0).axes[2].output, 0);
  EXPECT_EQ(Row(1, 4, 2, 0, 0, 0).axes[2].output, -1);
  EXPECT_EQ(Row(6, 2, 2, 0, 0, -1).axes[2].output, 2);
}

TEST(Convolution, RowByHand) {
  // Not flipped: 1 * 1 + 2 * 10 + 3 * 100 = 321.
  EXPECT_EQ(Forward(Row(4, 3, 1, 0, 0, 0), {1, 2, 3, 4}, {1, 10, 100}), (Numbers{321, 432}));
  EXPECT_EQ(Forward(Row(4, 3, 1, 0, 0, 0), {1, 2, 3, 4}, {1, 10, 100}, {0.5}),
            (Numbers{321.5, 432.5}));
  // One zero before, none behind.
  EXPECT_EQ(Forward(Row(4, 3, 1, 0, 1, 0), {1, 2, 3, 4}, {1, 10, 100}), (Numbers{210, 321, 432}));
  EXPECT_EQ(Forward(Row(4, 3, 1, 0, 0, 1), {1, 2, 3, 4}, {1, 10, 100}), (Numbers{321, 432, 43}));
  EXPECT_EQ(Forward(Row(4, 2, 2, 0, 0, 0), {1, 2, 3, 4}, {1, 10}), (Numbers{21, 43}));
  // Every second: 1 + 3 * 10, 2 + 4 * 10.
  EXPECT_EQ(Forward(Row(4, 2, 1, 1, 0, 0), {1, 2, 3, 4}, {1, 10}), (Numbers{31, 42}));
}

TEST(Convolution, GradientsOfARowByHand) {
  const Convolution p = Row(4, 3, 2, 0, 1, 1);  // outputs 0 and 1 read -1..1 and 1..3
  ASSERT_EQ(p.axes[2].output, 2);
  const Numbers weights = {1, 10, 100}, diff_dst = {2, 3};
  // Input 0: output 0 by tap 1. Input 1: output 0 by tap 2, output 1 by tap 0.
  EXPECT_EQ(BackwardData(p, diff_dst, weights), (Numbers{20, 203, 30, 300}));
  // Tap 0: output 1 alone, input 1. Tap 1: inputs 0 and 2. Tap 2: inputs 1 and 3.
  EXPECT_EQ(BackwardWeights(p, {5, 6, 7, 8}, diff_dst), (Numbers{18, 31, 36}));
  EXPECT_EQ(ConvolutionBackwardBias(p, diff_dst, 0).value, 5);
}

TEST(Convolution, WhatNothingReachesIsZero) {
  const Convolution p = Row(6, 1, 3, 0, 0, 0);  // reads 0 and 3
  EXPECT_EQ(BackwardData(p, {7, 9}, {2}), (Numbers{14, 0, 0, 18, 0, 0}));
  const Convolution padded = Row(1, 3, 1, 0, 2, 2);  // each output reads the one input
  EXPECT_EQ(Forward(padded, {5}, {1, 10, 100}), (Numbers{500, 50, 5}));
  const Convolution far = Row(1, 2, 1, 0, 3, 0);  // reads -3..-1, then 0 by the last tap
  EXPECT_EQ(Forward(far, {5}, {1, 10}, {4}), (Numbers{4, 4, 54}));
  EXPECT_EQ(BackwardWeights(far, {5}, {1, 1, 1}), (Numbers{0, 5}));
}

TEST(Convolution, GroupsReadTheirOwnChannels) {
  Convolution p;  // two groups of 1 input and 2 output channels
  p.groups = 2;
  p.oc = 2;
  EXPECT_EQ(Forward(p, {3, 5}, {1, 10, 100, 1000}, {1, 2, 3, 4}), (Numbers{4, 32, 503, 5004}));
  EXPECT_EQ(BackwardData(p, {1, 2, 3, 4}, {1, 10, 100, 1000}), (Numbers{21, 4300}));
  EXPECT_EQ(BackwardWeights(p, {3, 5}, {1, 2, 3, 4}), (Numbers{3, 6, 15, 20}));
}

TEST(Convolution, PlaneAndVolumeByHand) {
  Convolution plane;
  for (const size_t axis : {1, 2}) plane.axes[axis] = {2, 1, 2, 1, 0, 0, 0};
  EXPECT_EQ(Forward(plane, {1, 2, 3, 4}, {1, 10, 100, 1000}), Numbers{4321});
  Convolution volume;
  volume.axes[0] = {2, 2, 1, 1, 0, 0, 0};
  volume.axes[1] = {1, 1, 1, 1, 0, 0, 0};
  volume.axes[2] = {2, 1, 2, 1, 0, 0, 0};
  EXPECT_EQ(Forward(volume, {1, 2, 3, 4}, {1, 10}), (Numbers{21, 43}));
}

TEST(Convolution, PaddingIsNotRead) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Convolution p = Row(2, 3, 1, 0, 1, 1);
  const Numbers dst = Forward(p, {1, 2}, {kNan, 10, 100});
  EXPECT_EQ(dst[0], 210);     // the NaN meets padding
  EXPECT_NE(dst[1], dst[1]);  // and the first input
  EXPECT_NE(Forward(p, {1, 0}, {0, 0, std::numeric_limits<double>::infinity()})[0], 0);  // 0 * inf
}

TEST(Convolution, BoundsAreOfTheProductsThatAreThere) {
  const Convolution p = Row(2, 3, 1, 0, 1, 1);
  EXPECT_EQ(ConvolutionForward(p, {1, 2}, {1, 10, 100}, {}, 0, 0, 0).error, 0);
  const Approx one = ConvolutionForward(p, {0.1f, 0.3f}, {0.7f, 0.9f, 1.1f}, {}, 0, 0, 0);
  EXPECT_GT(one.error, 0);
  EXPECT_LT(one.error, 2e-7);
}

TEST(Convolution, WinogradServesSomeShapesAndItsBoundGrows) {
  Convolution p;
  for (const size_t axis : {1, 2}) p.axes[axis] = {7, 7, 3, 1, 0, 1, 1};
  EXPECT_TRUE(MayBeWinograd(p));
  Convolution other = p;
  other.axes[1].stride = 2;
  EXPECT_FALSE(MayBeWinograd(other));
  other = p;
  other.groups = 2;
  EXPECT_FALSE(MayBeWinograd(other));
  other = p;
  other.axes[0] = {3, 3, 3, 1, 0, 1, 1};
  EXPECT_FALSE(MayBeWinograd(other));
  EXPECT_LT(WinogradBound(1, 1, 1, true), WinogradBound(1, 1, 1, false));
  EXPECT_LT(WinogradBound(1, 1, 1, true), WinogradBound(1, 1, 8, true));
  EXPECT_EQ(WinogradBound(2, 3, 1, true), 6 * WinogradBound(1, 1, 1, true));
}

// dst without bias is linear in src and in weights: the three directions are adjoint.
TEST(Convolution, DirectionsAreAdjoint) {
  std::mt19937 random(3);
  const auto between = [&random](int low, int high) {
    return low + static_cast<int64_t>(random() % static_cast<unsigned>(high - low + 1));
  };
  const auto integers = [&](int64_t count) {
    Numbers values(static_cast<size_t>(count));
    for (double& value : values) value = static_cast<double>(between(-8, 8));
    return values;
  };
  const auto dot = [](const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
    return sum;
  };
  for (int round = 0; round < 200; ++round) {
    Convolution p;
    p.n = between(1, 2);
    p.groups = between(1, 3);
    p.ic = between(1, 3);
    p.oc = between(1, 3);
    for (ConvolutionAxis& a : p.axes) {
      a = {between(1, 5), 1, between(1, 3), between(1, 3), between(0, 2), between(0, 3),
           between(0, 3)};
      a.output = a.RightOutput();
      if (a.output < 1) a = {};
    }
    const Numbers src = integers(p.n * p.groups * p.ic * p.inputs()),
                  weights = integers(p.groups * p.oc * p.ic * p.taps()),
                  diff_dst = integers(p.n * p.groups * p.oc * p.outputs());
    const double expected = dot(Forward(p, src, weights), diff_dst);
    EXPECT_EQ(dot(BackwardData(p, diff_dst, weights), src), expected);
    EXPECT_EQ(dot(BackwardWeights(p, src, diff_dst), weights), expected);
  }
}

}  // namespace
}  // namespace spec
