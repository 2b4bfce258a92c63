#include "spec/eltwise/oracle.h"

#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace spec {
namespace {

using A = EltwiseAlgorithm;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr EltwiseLimits kPortable = {};
constexpr EltwiseLimits kTight = {Strictness::kProject, true, false};

Bits BitsOf(float value) {
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool Holds(const EltwiseResult& result, float got) {
  return Accepts(Type::kF32, result, BitsOf(got));
}

// Accepts `got`, and what is `units` units in the last place away from it not.
void ExpectNear(const EltwiseResult& result, float got, int units, const char* what) {
  EXPECT_TRUE(Holds(result, got)) << what << " " << ToString(Type::kF32, result);
  EXPECT_FALSE(Accepts(Type::kF32, result, BitsOf(got) + static_cast<Bits>(units))) << what;
  EXPECT_FALSE(Accepts(Type::kF32, result, BitsOf(got) - static_cast<Bits>(units))) << what;
}

// One value and no other, the sign of zero aside.
void ExpectOnly(const EltwiseResult& result, float value) {
  ASSERT_EQ(result.count, 1) << ToString(Type::kF32, result);
  EXPECT_EQ(result.ranges[0].low, value);
  EXPECT_EQ(result.ranges[0].high, value);
  EXPECT_FALSE(result.nan);
}

void ExpectNan(const EltwiseResult& result) {
  EXPECT_EQ(result.count, 0) << ToString(Type::kF32, result);
  EXPECT_TRUE(result.nan);
}

struct Known {
  Eltwise eltwise;
  float s, d, factor;
};

// By hand, or from tables of functions, to seven digits or more.
const std::vector<Known> kKnown = {
    {{A::kTanh}, 0.5f, 0.46211715726f, 0.78644773296f},
    {{A::kTanh}, -2.0f, -0.96402758008f, 0.07065082486f},
    {{A::kElu, 2}, -1.0f, -1.26424111766f, 0.73575888234f},
    {{A::kElu, 1}, -0.001f, -0.00099950016663f, 0.99900049983f},
    {{A::kSoftRelu}, 1.0f, 1.31326168752f, 0.73105857863f},
    {{A::kSoftRelu}, -20.0f, 2.0611536181902e-9f, 2.0611536181902e-9f},
    {{A::kSoftRelu}, 100.0f, 100.0f, 1.0f},
    {{A::kLogistic}, 1.0f, 0.73105857863f, 0.19661193324f},
    {{A::kLogistic}, -10.0f, 4.5397868702e-5f, 4.5395807736e-5f},
    {{A::kExp}, 1.0f, 2.71828182846f, 2.71828182846f},
    {{A::kExp}, -10.0f, 4.5399929762e-5f, 4.5399929762e-5f},
    {{A::kLog}, 10.0f, 2.30258509299f, 0.1f},
    {{A::kGeluTanh}, 1.0f, 0.84119199061f, 1.08296408f},
    {{A::kGeluErf}, 1.0f, 0.84134474607f, 1.08331547058f},
    {{A::kGeluErf}, -1.0f, -0.15865525393f, -0.08331547058f},
    {{A::kSwish, 1}, 1.0f, 0.73105857863f, 0.92767051187f},
    {{A::kSwish, 2}, -0.5f, -0.13447071069f, 0.07232948812f},
    {{A::kPow, 3, 2}, 5.0f, 75.0f, 30.0f},
    {{A::kPow, 1, 0.5f}, 2.0f, 1.41421356237f, 0.35355339059f},
    {{A::kPow, 2, -1}, 4.0f, 0.5f, -0.125f},
    {{A::kSqrt}, 2.0f, 1.41421356237f, 0.35355339059f},
    {{A::kSquare}, 3.0f, 9.0f, 6.0f},
};

TEST(Eltwise, ForwardAndBackwardByHand) {
  for (const Known& known : kKnown) {
    const char* const name = NameOf(known.eltwise.algorithm);
    // The looser budgets are of magnitudes around 1: small results are not far enough from it.
    ExpectNear(EltwiseForward(known.eltwise, known.s, kTight), known.d, 256, name);
    EXPECT_TRUE(Holds(EltwiseForward(known.eltwise, known.s, kPortable), known.d)) << name;
    for (const float dd : {1.0f, -4.0f}) {
      const EltwiseResult back = EltwiseBackward(known.eltwise, known.s, dd, kTight);
      EXPECT_TRUE(Holds(back, known.factor * dd)) << name << ToString(Type::kF32, back);
      EXPECT_FALSE(Holds(back, known.factor * dd * 1.0625f)) << name;
      EXPECT_FALSE(Holds(back, -known.factor * dd)) << name;
      EXPECT_TRUE(Holds(EltwiseBackward(known.eltwise, known.s, dd, kPortable), known.factor * dd))
          << name;
    }
  }
}

TEST(Eltwise, ExactClassesHaveOneValue) {
  const EltwiseLimits all[] = {kPortable, kTight};
  for (const EltwiseLimits& limits : all) {
    ExpectOnly(EltwiseForward({A::kRelu, 0.5f}, -3, limits), -1.5f);
    ExpectOnly(EltwiseForward({A::kRelu, 0.3f}, 3, limits), 3);
    ExpectOnly(EltwiseForward({A::kAbs}, -3, limits), 3);
    ExpectOnly(EltwiseForward({A::kBoundedRelu, 6}, 7, limits), 6);
    ExpectOnly(EltwiseForward({A::kBoundedRelu, 6}, -7, limits), 0);
    ExpectOnly(EltwiseForward({A::kClip, -1, 2}, -7, limits), -1);
    ExpectOnly(EltwiseForward({A::kClip, -1, 2}, 1.25f, limits), 1.25f);
    ExpectOnly(EltwiseForward({A::kRound}, 2.5f, limits), 2);
    ExpectOnly(EltwiseForward({A::kRound}, -1.5f, limits), -2);
    ExpectOnly(EltwiseForward({A::kElu, 3}, 0.75f, limits), 0.75f);
    ExpectOnly(EltwiseBackward({A::kRelu, -2}, 0, 3, limits), -6);
    ExpectOnly(EltwiseBackward({A::kRelu, -2}, 1e-30f, 3, limits), 3);
    ExpectOnly(EltwiseBackward({A::kAbs}, -2, 3, limits), -3);
    ExpectOnly(EltwiseBackward({A::kAbs}, -0.0f, 3, limits), 0);
    ExpectOnly(EltwiseBackward({A::kLinear, 4, 1}, kNan, 3, limits), 12);
  }
}

TEST(Eltwise, DerivativesOfClampsAreOneAtTheUpperEndAlone) {
  const Eltwise bounded = {A::kBoundedRelu, 6}, clip = {A::kClip, -1, 2}, point = {A::kClip, 1, 1};
  ExpectOnly(EltwiseBackward(bounded, 0, 5, kPortable), 0);
  ExpectOnly(EltwiseBackward(bounded, 6, 5, kPortable), 5);
  ExpectOnly(EltwiseBackward(bounded, std::nextafter(6.0f, 7.0f), 5, kPortable), 0);
  ExpectOnly(EltwiseBackward(clip, -1, 5, kPortable), 0);
  ExpectOnly(EltwiseBackward(clip, std::nextafter(-1.0f, 0.0f), 5, kPortable), 5);
  ExpectOnly(EltwiseBackward(clip, 2, 5, kPortable), 5);
  ExpectOnly(EltwiseBackward(clip, std::nextafter(2.0f, 3.0f), 5, kPortable), 0);
  ExpectOnly(EltwiseBackward(point, 1, 5, kPortable), 0);
}

TEST(Eltwise, RoundingsAreThoseOfTheFormula) {
  // 0.1f * -3 and 3.1f * 3.1f need a rounding.
  const float product = 0.1f * -3.0f, square = 3.1f * 3.1f;
  ExpectOnly(EltwiseForward({A::kRelu, 0.1f}, -3, kTight), product);
  ExpectNear(EltwiseForward({A::kRelu, 0.1f}, -3, kPortable), product, 2, "relu");
  ExpectOnly(EltwiseForward({A::kSquare}, 3.1f, kTight), square);
  // fl(fl(0.1 * 10) - 1) is 0; fused it is 1.49e-8, and nothing lies between.
  const EltwiseResult linear = EltwiseForward({A::kLinear, 0.1f, -1}, 10, kTight);
  EXPECT_TRUE(Holds(linear, 0));
  EXPECT_TRUE(Holds(linear, 1.490116119384765625e-8f));
  EXPECT_FALSE(Holds(linear, 1e-8f));
  EXPECT_TRUE(Holds(EltwiseForward({A::kLinear, 0.1f, -1}, 10, kPortable), 1e-8f));
  EXPECT_FALSE(Holds(EltwiseForward({A::kLinear, 0.1f, -1}, 10, kPortable), 1e-6f));
}

TEST(Eltwise, ByTheResult) {
  ExpectOnly(EltwiseBackwardByResult({A::kRelu, 0.5f}, -3, 4, kTight), 2);
  ExpectOnly(EltwiseBackwardByResult({A::kRelu, 0.5f}, 3, 4, kTight), 4);
  EXPECT_TRUE(Holds(EltwiseBackwardByResult({A::kTanh}, 0.5f, 4, kTight), 3));
  EXPECT_TRUE(Holds(EltwiseBackwardByResult({A::kTanh}, 2, 4, kTight), -12));
  EXPECT_TRUE(Holds(EltwiseBackwardByResult({A::kElu, 2}, -0.5f, 4, kTight), 6));
  ExpectOnly(EltwiseBackwardByResult({A::kElu, 2}, 0.5f, 4, kTight), 4);
  EXPECT_TRUE(Holds(EltwiseBackwardByResult({A::kElu, 2}, 0, 4, kTight), 8));
  EXPECT_TRUE(Holds(EltwiseBackwardByResult({A::kSqrt}, 4, 4, kTight), 0.5f));
  EXPECT_TRUE(Holds(EltwiseBackwardByResult({A::kSqrt}, 0, 4, kTight), kInfinity));
  EXPECT_TRUE(Holds(EltwiseBackwardByResult({A::kLogistic}, 0.25f, 4, kTight), 0.75f));
  EXPECT_TRUE(Holds(EltwiseBackwardByResult({A::kExp}, 3, 4, kTight), 12));
  EXPECT_FALSE(Holds(EltwiseBackwardByResult({A::kExp}, 3, 4, kTight), 12.0001f));
}

TEST(Eltwise, SpecialValuesOfSaturatingFunctions) {
  ExpectNan(EltwiseForward({A::kTanh}, kNan, kPortable));
  EXPECT_TRUE(Holds(EltwiseForward({A::kTanh}, -kInfinity, kTight), -1));
  EXPECT_TRUE(Holds(EltwiseForward({A::kLogistic}, kInfinity, kTight), 1));
  EXPECT_TRUE(Holds(EltwiseForward({A::kLogistic}, -kInfinity, kTight), 0));
  EXPECT_TRUE(Holds(EltwiseForward({A::kElu, 3}, -kInfinity, kTight), -3));
  ExpectOnly(EltwiseForward({A::kExp}, kInfinity, kPortable), kInfinity);
  ExpectNan(EltwiseForward({A::kExp}, kNan, kPortable));
  EXPECT_TRUE(Holds(EltwiseForward({A::kExp}, 88.73f, kTight), kInfinity));
  EXPECT_FALSE(Holds(EltwiseForward({A::kExp}, 88.72f, kPortable), kInfinity));
  EXPECT_TRUE(Holds(EltwiseForward({A::kExp}, -95, kPortable), 0));
  EXPECT_FALSE(Holds(EltwiseForward({A::kExp}, -95, kTight), 0));
  ExpectOnly(EltwiseForward({A::kLog}, 0, kPortable), -kInfinity);
  ExpectNan(EltwiseForward({A::kLog}, -1, kPortable));
  ExpectNan(EltwiseForward({A::kSqrt}, -1, kPortable));
}

TEST(Eltwise, SpecialValuesThatPortableLeavesOpen) {
  for (const A algorithm : {A::kGeluTanh, A::kGeluErf}) {
    const EltwiseResult tight = EltwiseForward({algorithm}, -kInfinity, kTight),
                        portable = EltwiseForward({algorithm}, -kInfinity, kPortable);
    EXPECT_TRUE(Holds(tight, 0) && !Holds(tight, kNan));
    EXPECT_TRUE(Holds(portable, 0) && Holds(portable, kNan) && !Holds(portable, -1));
  }
  ExpectOnly(EltwiseForward({A::kSwish, 0}, -kInfinity, kTight), -kInfinity);
  EXPECT_TRUE(Holds(EltwiseForward({A::kSwish, 0}, -kInfinity, kPortable), kNan));
  EXPECT_FALSE(Holds(EltwiseForward({A::kSwish, -1}, -kInfinity, kPortable), kNan));
  ExpectNan(EltwiseForward({A::kRelu}, kNan, kTight));
  EXPECT_TRUE(Holds(EltwiseForward({A::kRelu}, kNan, kPortable), 0));
  EXPECT_FALSE(Holds(EltwiseForward({A::kRelu, 1}, kNan, kPortable), 0));
  ExpectOnly(EltwiseForward({A::kRelu}, -kInfinity, kTight), 0);
  ExpectNan(EltwiseForward({A::kClip, -1, 2}, kNan, kTight));
  EXPECT_TRUE(Holds(EltwiseForward({A::kClip, -1, 2}, kNan, kPortable), 2));
  EXPECT_FALSE(Holds(EltwiseForward({A::kClip, -1, 2}, kNan, kPortable), 0));
}

TEST(Eltwise, SpecialValuesBackward) {
  for (const A algorithm : {A::kTanh, A::kExp, A::kGeluErf, A::kSqrt, A::kLog, A::kSoftRelu})
    ExpectNan(EltwiseBackward({algorithm}, kNan, 1, kPortable));
  EXPECT_TRUE(Holds(EltwiseBackward({A::kRelu, 0.5f}, kNan, 1, kPortable), 1));
  EXPECT_FALSE(Holds(EltwiseBackward({A::kRelu, 0.5f}, kNan, 1, kTight), 1));
  EXPECT_TRUE(Holds(EltwiseBackward({A::kRelu, 0.5f}, kNan, 1, kTight), 0.5f));
  ExpectOnly(EltwiseBackward({A::kPow, 2, 0}, kNan, 1, kTight), 0);
  EXPECT_TRUE(Holds(EltwiseBackward({A::kGeluTanh}, -FLT_MAX, 3, kTight), 0));
  EXPECT_FALSE(Holds(EltwiseBackward({A::kGeluTanh}, -FLT_MAX, 3, kTight), kNan));
  EXPECT_TRUE(Holds(EltwiseBackward({A::kGeluTanh}, FLT_MAX, 3, kTight), 3));
  EXPECT_TRUE(Holds(EltwiseBackward({A::kLog}, 0, 3, kTight), kInfinity));
  EXPECT_FALSE(Holds(EltwiseBackward({A::kLog}, 0, 3, kTight), -kInfinity));
  ExpectNan(EltwiseBackward({A::kLog}, 0, 0, kTight));
  EXPECT_TRUE(Holds(EltwiseBackward({A::kSquare}, kInfinity, -3, kTight), -kInfinity));
  // e^s is a number, whatever evaluates it.
  EXPECT_TRUE(Holds(EltwiseBackward({A::kExp}, 1e30f, 0, kTight), 0));
  EXPECT_TRUE(Holds(EltwiseBackward({A::kExp}, 1e30f, 0, kTight), kNan));
  ExpectNan(EltwiseBackward({A::kExp}, kInfinity, 0, kTight));
  // The same for all sources.
  for (const float result : {3.0f, kNan})
    EXPECT_TRUE(Holds(EltwiseBackward({A::kSwish, 0}, kNan, 6, kTight), result));
  for (const float result : {15.0f, kNan})
    EXPECT_TRUE(Holds(EltwiseBackward({A::kPow, 5, 1}, kNan, 3, kTight), result));
  EXPECT_FALSE(Holds(EltwiseBackward({A::kPow, 5, 1}, kNan, 3, kTight), 3));
}

TEST(Eltwise, PowersMayOverflowOnTheWayInPortable) {
  // s^-1.5 = 2^129 / 1.3975, of which half is in range, and so is the product with 2^-10.
  const Eltwise root = {A::kPow, 1, -0.5f};
  EXPECT_TRUE(Holds(EltwiseBackward(root, 0x1.4p-86f, 0x1p-10f, kPortable), -kInfinity));
  EXPECT_FALSE(Holds(EltwiseBackward(root, 0x1.4p-86f, 0x1p-10f, kPortable), kInfinity));
  EXPECT_FALSE(Holds(EltwiseBackward(root, 0x1.4p-86f, 0x1p-10f, kTight), -kInfinity));
  // Of 1.25 * 2^-85 it is 2^127.5 / 1.3975.
  EXPECT_FALSE(Holds(EltwiseBackward(root, 0x1.4p-85f, 0x1p-10f, kPortable), -kInfinity));
}

TEST(Eltwise, TwiceAGradientMayOverflowInPortable) {
  for (const float s : {0x1p-20f, -0x1p-20f}) {
    const float infinity = s > 0 ? kInfinity : -kInfinity;
    EXPECT_TRUE(Holds(EltwiseBackward({A::kSquare}, s, 0x1p127f, kTight), s * 2 * 0x1p127f));
    EXPECT_FALSE(Holds(EltwiseBackward({A::kSquare}, s, 0x1p127f, kTight), infinity));
    EXPECT_TRUE(Holds(EltwiseBackward({A::kSquare}, s, 0x1p127f, kPortable), infinity));
    EXPECT_FALSE(Holds(EltwiseBackward({A::kSquare}, s, 0x1p127f, kPortable), -infinity));
    EXPECT_FALSE(Holds(EltwiseBackward({A::kSquare}, s, 0x1p126f, kPortable), infinity));
  }
}

TEST(Eltwise, SubnormalsMayBeFlushedInPortable) {
  const float tiny = 1e-40f;
  ExpectOnly(EltwiseForward({A::kAbs}, -tiny, kTight), tiny);
  EXPECT_TRUE(Holds(EltwiseForward({A::kAbs}, -tiny, kPortable), 0));
  EXPECT_FALSE(Holds(EltwiseForward({A::kLog}, tiny, kTight), -88));
  EXPECT_TRUE(Holds(EltwiseForward({A::kLog}, tiny, kPortable), -88));
  EXPECT_FALSE(Holds(EltwiseForward({A::kLog}, tiny, kPortable), -87));
  EXPECT_TRUE(Holds(EltwiseForward({A::kSquare}, 1e-20f, kPortable), 0));
  EXPECT_FALSE(Holds(EltwiseForward({A::kSquare}, 1e-18f, kPortable), 0));
}

// Half of what is a unit below 2^-125 is rounded to 2^-126.
TEST(Eltwise, WhatIsRoundedUpToTheSmallestNormalMayBeFlushedInPortable) {
  const float s = -0x1.fffffep-126f;
  EXPECT_TRUE(Holds(EltwiseForward({A::kRelu, 0.5f}, s, kPortable), -FLT_MIN));
  EXPECT_TRUE(Holds(EltwiseForward({A::kRelu, 0.5f}, s, kPortable), 0));
  EXPECT_FALSE(Holds(EltwiseForward({A::kRelu, 0.5f}, s, kTight), 0));
  EXPECT_FALSE(Holds(EltwiseForward({A::kRelu, 0.5f}, -0x1p-125f, kPortable), 0));
  EXPECT_TRUE(Holds(EltwiseBackward({A::kLinear, 0.5f}, 1, s, kPortable), 0));
  EXPECT_FALSE(Holds(EltwiseBackward({A::kLinear, 0.5f}, 1, -0x1p-125f, kPortable), 0));
}

// dd / (2d) as (dd / 2) / d: 15.5 of the smallest subnormal become 16.
TEST(Eltwise, SubnormalGradientsMayBeRoundedOnTheWay) {
  const float d = -0x1p-115f, dd = -31 * 0x1p-149f, halved = -16 * 0x1p-149f;
  const auto result = [&](const EltwiseLimits& limits) {
    return EltwiseBackwardByResult({A::kSqrt}, d, dd, limits);
  };
  EXPECT_TRUE(Holds(result(kPortable), halved / d));
  EXPECT_FALSE(Holds(result(kPortable), 2 * -FLT_MIN / (2 * d)));
  EXPECT_FALSE(Holds(result(kTight), halved / d));
  // One step has nothing on its way.
  EXPECT_TRUE(Holds(EltwiseBackward({A::kRelu}, 1, dd, kPortable), dd));
  EXPECT_FALSE(Holds(EltwiseBackward({A::kRelu}, 1, dd, kPortable), 2 * halved));
}

TEST(Eltwise, IntegersAreWidenedAndConverted) {
  const auto of = [](const Eltwise& eltwise, Type type, int32_t value) {
    const Bits bits = type == Type::kS32 ? static_cast<Bits>(value) : value & 0xff;
    return EltwiseForward(eltwise, type, bits, kPortable);
  };
  const Eltwise half = {A::kRelu, 0.5f};
  EXPECT_TRUE(Accepts(Type::kS8, of(half, Type::kS8, -5), 0xfe));
  EXPECT_TRUE(Accepts(Type::kS8, of(half, Type::kS8, -3), 0xfe));
  EXPECT_TRUE(Accepts(Type::kS8, of(half, Type::kS8, -1), 0x00));
  EXPECT_FALSE(Accepts(Type::kS8, of(half, Type::kS8, -1), 0xff));
  EXPECT_TRUE(Accepts(Type::kU8, of({A::kLinear, 2, 0}, Type::kU8, 200), 255));
  EXPECT_TRUE(Accepts(Type::kS32, of(half, Type::kS32, 16777217), 16777216));
  EXPECT_TRUE(Accepts(Type::kS32, of(half, Type::kS32, 16777217), 16777217));
  EXPECT_FALSE(Accepts(Type::kS32, of(half, Type::kS32, 16777217), 16777218));
  EXPECT_TRUE(Accepts(Type::kS32, of(half, Type::kS32, INT32_MAX), INT32_MAX));
  EXPECT_TRUE(Accepts(Type::kS32, of(half, Type::kS32, INT32_MAX), 2147483520));
  EXPECT_FALSE(Accepts(Type::kS32, of(half, Type::kS32, INT32_MAX), 0x80000000));
}

TEST(Eltwise, NarrowFloatsAreRoundedOnce) {
  // tanh(0.5) = 0.46211..., between the bf16 numbers 0.4609375 and 0.462890625.
  const EltwiseResult bf16 = EltwiseForward({A::kTanh}, Type::kBF16, 0x3f00, kPortable);
  EXPECT_TRUE(Accepts(Type::kBF16, bf16, 0x3eed));
  EXPECT_FALSE(Accepts(Type::kBF16, bf16, 0x3eec));
  EXPECT_FALSE(Accepts(Type::kBF16, bf16, 0x3eee));
  // In f16 arithmetic some units may be lost.
  const EltwiseResult f16 = EltwiseForward({A::kTanh}, Type::kF16, 0x3800, kPortable);
  EXPECT_TRUE(Accepts(Type::kF16, f16, 0x3765));
  EXPECT_TRUE(Accepts(Type::kF16, f16, 0x3766));
  EXPECT_FALSE(Accepts(Type::kF16, f16, 0x3865));
}

// Independent of the table of derivatives.
TEST(Eltwise, DerivativesAreThoseOfTheFunctions) {
  const Eltwise all[] = {{A::kRelu, 0.3f},
                         {A::kTanh},
                         {A::kElu, 1.5f},
                         {A::kSquare},
                         {A::kAbs},
                         {A::kSqrt},
                         {A::kLinear, 3, 1},
                         {A::kBoundedRelu, 4},
                         {A::kSoftRelu},
                         {A::kLogistic},
                         {A::kExp},
                         {A::kGeluTanh},
                         {A::kSwish, 1.702f},
                         {A::kSwish, -1},
                         {A::kLog},
                         {A::kClip, -1, 4},
                         {A::kPow, 1.5f, -0.5f},
                         {A::kPow, 2, 1.75f},
                         {A::kGeluErf}};
  for (const Eltwise& eltwise : all) {
    const bool positive = eltwise.algorithm == A::kSqrt || eltwise.algorithm == A::kLog ||
                          eltwise.algorithm == A::kPow;
    for (long double s = positive ? 0.11L : -8.1L; s < 8; s += 0.37L) {
      const long double step = 1e-5L;
      const long double slope =
          (Function(eltwise, s + step) - Function(eltwise, s - step)) / (2 * step);
      EXPECT_NEAR(static_cast<double>(slope), static_cast<double>(Derivative(eltwise, s)), 1e-6)
          << NameOf(eltwise.algorithm) << " at " << static_cast<double>(s);
      if (!HasDerivativeByResult(eltwise.algorithm)) continue;
      EXPECT_NEAR(static_cast<double>(slope),
                  static_cast<double>(DerivativeByResult(eltwise, Function(eltwise, s))), 1e-6)
          << NameOf(eltwise.algorithm) << " by the result of " << static_cast<double>(s);
    }
  }
}

TEST(Eltwise, EveryAlgorithmStandsOnce) {
  std::vector<bool> seen(std::size(kEltwiseAlgorithms));
  for (const A algorithm : kEltwiseAlgorithms) {
    EXPECT_FALSE(seen[static_cast<size_t>(algorithm)]) << NameOf(algorithm);
    seen[static_cast<size_t>(algorithm)] = true;
  }
}

}  // namespace
}  // namespace spec
