// ORC-REO.
#include "spec/reorder/oracle.h"

#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/rounding.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace spec {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kTiny = 0x1p-126f;  // the smallest normal number

// f32 to f32: alpha * source.
ReorderElement Scaled(float alpha, float source, Type to = Type::kF32) {
  ReorderElement e{Type::kF32, to, BitsOf(source)};
  e.scaled = true;
  e.alpha = alpha;
  e.old_type = to;
  return e;
}

// f32 to f32: alpha * source + beta * old.
ReorderElement Summed(float alpha, float source, float beta, float old) {
  ReorderElement e = Scaled(alpha, source);
  e.sum = true;
  e.beta = beta;
  e.old = BitsOf(old);
  return e;
}

float ExpectedF32(const ReorderElement& e) { return FloatOf(Expected(e)); }
bool Portable(const ReorderElement& e, float got) {
  return Accepts(e, BitsOf(got), Strictness::kPortable);
}
bool Project(const ReorderElement& e, float got) {
  return Accepts(e, BitsOf(got), Strictness::kProject);
}

TEST(Expected, WithoutAttributesIsTheCopy) {
  EXPECT_EQ(Expected({Type::kF32, Type::kS8, BitsOf(1024)}), 127u);
  EXPECT_EQ(Expected({Type::kF32, Type::kU8, BitsOf(-124)}), 0u);
  EXPECT_EQ(Expected({Type::kS32, Type::kS32, 16777217}), 16777217u);
  EXPECT_EQ(Expected({Type::kF32, Type::kF32, 0x7F800001}), 0x7F800001u);
}

TEST(Expected, IsScaledThenAccumulatedWithOneRoundingEach) {
  EXPECT_EQ(ExpectedF32(Scaled(0.5f, 3)), 1.5f);
  EXPECT_EQ(ExpectedF32(Scaled(1.0f / 3, 3)), 1.0f);
  EXPECT_EQ(ExpectedF32(Summed(2, 3, 0.5f, 8)), 10.0f);
  // Fused, 1 - 2^-23 * ... would not vanish: (1 + 2^-12)^2 rounds to 1 + 2^-11.
  const float x = 1 + 0x1p-12f;
  EXPECT_EQ(ExpectedF32(Summed(x, x, -1, 1 + 0x1p-11f)), 0.0f);
  EXPECT_EQ(std::fma(x, x, -(1 + 0x1p-11f)), 0x1p-24f);
}

TEST(Expected, PassesIntegersThroughF32) {  // REO-053
  ReorderElement e{Type::kS32, Type::kS32, 16777216};
  e.sum = true;
  e.beta = 1;
  e.old_type = Type::kS32;
  e.old = 1;
  EXPECT_EQ(Expected(e), 16777216u);
  ReorderElement halves{Type::kS8, Type::kS8, 3};
  halves.scaled = halves.sum = true;
  halves.alpha = halves.beta = 0.5f;
  halves.old_type = Type::kS8;
  halves.old = 0;
  EXPECT_EQ(Expected(halves), 2u);
}

TEST(Expected, ReadsTheOldValueAsItsOwnType) {
  ReorderElement e{Type::kU8, Type::kU8, 10};
  e.sum = true;
  e.beta = 1;
  e.old = 0xFF;
  e.old_type = Type::kU8;
  EXPECT_EQ(Expected(e), 255u);
  e.old_type = Type::kS8;
  EXPECT_EQ(Expected(e), 9u);
}

TEST(Expected, DoesNotReadTheOldValueWhenBetaIsZero) {
  EXPECT_EQ(ExpectedF32(Summed(2, 3, 0, kNan)), 6.0f);
  EXPECT_EQ(ExpectedF32(Summed(2, 3, -0.0f, kInf)), 6.0f);
  EXPECT_TRUE(std::isnan(ExpectedF32(Summed(2, 3, 1, kNan))));
}

TEST(Expected, SaturatesAfterScaling) {  // ATTR-027
  EXPECT_EQ(Expected(Scaled(0.5f, 255, Type::kS8)), 127u);
  EXPECT_EQ(Expected(Scaled(0.5f, 5, Type::kS8)), 2u);
  EXPECT_EQ(Expected(Scaled(0.5f, 7, Type::kS8)), 4u);
  EXPECT_EQ(Expected(Scaled(2, 40000, Type::kF16)), 0x7C00u);
}

TEST(Expected, IsOneThirdInHalfPrecisionWithOneNarrowingAtTheEnd) {  // DT-007
  ReorderElement e{Type::kF16, Type::kF16, 0x3C01};                  // 1 + 2^-10
  e.scaled = e.sum = true;
  e.alpha = 1.0f / 3;
  e.beta = 1;
  e.old_type = Type::kF16;
  e.old = 0x3C00;                              // 1
  const double exact = (1 + 0x1p-10) / 3 + 1;  // 1.33366
  const Bits nearest = static_cast<Bits>(std::lround((exact - 1) * 1024)) + 0x3C00;
  EXPECT_EQ(Expected(e), nearest);
}

TEST(Accepts, TakesFusedAndUnfusedFormsInPortableAndOnlyOneInProject) {
  const float x = 1 + 0x1p-12f;
  const ReorderElement e = Summed(x, x, -1, 1 + 0x1p-11f);
  EXPECT_TRUE(Portable(e, 0.0f));
  EXPECT_TRUE(Portable(e, 0x1p-24f));
  EXPECT_TRUE(Project(e, 0.0f));
  EXPECT_FALSE(Project(e, 0x1p-24f));
  EXPECT_FALSE(Portable(e, 0x1p-20f));
}

TEST(Accepts, RefusesAStepBesideAnExactResult) {  // REO-054, REO-055
  for (const ReorderElement& e :
       {Summed(1, 3, 1, 5), Summed(-2, 3, 0.5f, 8), Scaled(4, 1.1f), Scaled(-0.25f, 1e10f),
        Summed(1, 16777216, 1, 1), Summed(1, 1.5f, 0, 7), Scaled(0.3f, 0.0f),
        Summed(0.3f, 0, 0.5f, 7)}) {
    const float expected = ExpectedF32(e);
    EXPECT_TRUE(Portable(e, expected));
    EXPECT_FALSE(Portable(e, std::nextafter(expected, kInf))) << expected;
    EXPECT_FALSE(Portable(e, std::nextafter(expected, -kInf))) << expected;
  }
  EXPECT_EQ(ExpectedF32(Summed(1, 16777216, 1, 1)), 16777216.0f);
}

TEST(Accepts, GivesOtherFactorsTheBoundOfTheirRoundings) {
  const ReorderElement e = Scaled(0.1f, 3);
  const float expected = ExpectedF32(e);
  EXPECT_TRUE(Portable(e, expected));
  float far = expected;
  for (int step = 0; step < 4; ++step) far = std::nextafter(far, kInf);
  EXPECT_FALSE(Portable(e, far));
  EXPECT_FALSE(Project(e, std::nextafter(expected, kInf)));
}

TEST(Accepts, BoundsTheRoundingsOfSubnormalNumbersAbsolutely) {
  // In units of 2^-149: 1.5 rounds to 2, 0.75 to 1. Unfused 3, exactly rounded and fused 2.
  const float unit = FloatOf(1);
  const ReorderElement e = Summed(1.5f, unit, 0.75f, unit);
  EXPECT_TRUE(Portable(e, 3 * unit));
  EXPECT_TRUE(Portable(e, 2 * unit));
  EXPECT_FALSE(Portable(e, 5 * unit));
  EXPECT_FALSE(Project(e, 2 * unit));
}

TEST(Accepts, ReachesInfinityWhereTheBoundPassesTheLargestNumber) {
  const float below = std::nextafter(std::nextafter(kMax, 0.0f), 0.0f);
  const float above_one = std::nextafter(1.0f, 2.0f);
  EXPECT_EQ(ExpectedF32(Scaled(above_one, below)), kMax);
  EXPECT_TRUE(Portable(Scaled(above_one, below), kInf));
  EXPECT_TRUE(Portable(Scaled(-above_one, below), -kInf));
  EXPECT_FALSE(Portable(Scaled(above_one, below / 2), kInf));
  EXPECT_FALSE(Project(Scaled(above_one, below), kInf));
}

TEST(Accepts, RefusesSwappedFactors) {
  const ReorderElement e = Summed(2, 3, 0.5f, 7);  // 9.5
  EXPECT_TRUE(Portable(e, 9.5f));
  EXPECT_FALSE(Portable(e, 2 * 3 + 2 * 7.0f));
  EXPECT_FALSE(Portable(e, 0.5f * 3 + 2 * 7));
  EXPECT_FALSE(Portable(e, 3.0f));
  EXPECT_FALSE(Portable(e, 6.0f));
}

TEST(Accepts, IgnoresTheSignOfAZeroOnlyWithASum) {
  EXPECT_TRUE(Portable(Summed(1, 2, -1, 2), -0.0f));
  EXPECT_TRUE(Project(Summed(1, 2, -1, 2), -0.0f));
  EXPECT_TRUE(Project(Summed(1, -0.0f, 0, 7), 0.0f));
  EXPECT_TRUE(Portable(Scaled(3, -0.0f), 0.0f));
  EXPECT_FALSE(Project(Scaled(3, -0.0f), 0.0f));
  EXPECT_FALSE(Portable(Scaled(3, 0.0f), -0.0f));
  EXPECT_TRUE(Portable(Scaled(3, -0.0f), -0.0f));
  EXPECT_FALSE(Portable(Scaled(-3, -0.0f), -0.0f));
  // f16 may lose it (DT-015).
  EXPECT_TRUE(Accepts(Scaled(3, -0.0f, Type::kF16), 0x0000, Strictness::kPortable));
  EXPECT_FALSE(Accepts(Scaled(3, -0.0f, Type::kF16), 0x0000, Strictness::kProject));
  EXPECT_FALSE(Accepts(Scaled(3, 0.0f, Type::kF16), 0x8000, Strictness::kPortable));
  ReorderElement wide{Type::kF16, Type::kF32, 0x8000};
  wide.scaled = true;
  wide.alpha = 3;
  EXPECT_TRUE(Portable(wide, 0.0f));
  EXPECT_FALSE(Project(wide, 0.0f));
}

TEST(Accepts, FollowsIeeeOnInfinitiesAndNans) {  // REO-063
  EXPECT_TRUE(Portable(Scaled(0, kInf), kNan));
  EXPECT_FALSE(Portable(Scaled(0, kInf), 0.0f));
  EXPECT_TRUE(Portable(Scaled(-2, kInf), -kInf));
  EXPECT_FALSE(Portable(Scaled(-2, kInf), kInf));
  EXPECT_FALSE(Portable(Scaled(-2, kInf), kNan));
  EXPECT_TRUE(Portable(Summed(1, kInf, -1, kInf), kNan));
  EXPECT_FALSE(Portable(Summed(1, kInf, -1, kInf), kInf));
  EXPECT_TRUE(Portable(Summed(1, kInf, 1, 5), kInf));
  EXPECT_TRUE(Portable(Scaled(kNan, 1), kNan));
  EXPECT_FALSE(Portable(Scaled(kNan, 1), 1.0f));
  EXPECT_TRUE(Project(Scaled(kNan, 1), -kNan));
}

TEST(Accepts, TakesBothReadingsOfBetaZeroInPortable) {  // REO-060
  const ReorderElement e = Summed(2, 3, 0, kNan);
  EXPECT_TRUE(Portable(e, 6.0f));
  EXPECT_TRUE(Portable(e, kNan));
  EXPECT_FALSE(Portable(e, 5.0f));
  EXPECT_FALSE(Project(e, kNan));
  EXPECT_TRUE(Project(e, 6.0f));
  EXPECT_FALSE(Portable(Summed(2, 3, 0, 8), kNan));
}

TEST(Accepts, TakesAnyIntegerForANanInPortableAndZeroInProject) {
  const ReorderElement e = Scaled(2, kNan, Type::kS8);
  EXPECT_TRUE(Accepts(e, 0, Strictness::kProject));
  EXPECT_FALSE(Accepts(e, 127, Strictness::kProject));
  EXPECT_TRUE(Accepts(e, 127, Strictness::kPortable));
}

TEST(Accepts, TakesWhatTheConversionTakesInPortable) {
  const ReorderElement e = Scaled(2, 1.5e9f, Type::kS32);
  EXPECT_TRUE(Accepts(e, 2147483647, Strictness::kPortable));
  EXPECT_TRUE(Accepts(e, 2147483520, Strictness::kPortable));
  EXPECT_FALSE(Accepts(e, 2147483519, Strictness::kPortable));
  EXPECT_FALSE(Accepts(e, 2147483520, Strictness::kProject));
  const ReorderElement half = Scaled(2, 40000, Type::kF16);
  EXPECT_TRUE(Accepts(half, 0x7BFF, Strictness::kPortable));
  EXPECT_FALSE(Accepts(half, 0xFBFF, Strictness::kPortable));
  EXPECT_FALSE(Accepts(half, 0x7BFF, Strictness::kProject));
}

TEST(Accepts, KeepsAnOverflowOfF32Infinite) {
  EXPECT_TRUE(Portable(Scaled(2, kMax), kInf));
  EXPECT_FALSE(Portable(Scaled(2, kMax), kMax));
  EXPECT_FALSE(Portable(Scaled(2, kMax), kNan));
  EXPECT_TRUE(Portable(Scaled(-3, kMax), -kInf));
  EXPECT_FALSE(Portable(Scaled(-3, kMax), kInf));
}

TEST(Accepts, JudgesOverflowingProductsByTheirClassOnly) {
  // Unfused NaN or infinite, fused finite.
  const ReorderElement e = Summed(3, kMax, -1, kMax);
  EXPECT_TRUE(Portable(e, kInf));
  EXPECT_FALSE(Portable(e, -kInf));
  EXPECT_FALSE(Portable(e, kNan));
  const ReorderElement large = Summed(1.5f, 0x1.8p126f, 1, 5);  // above 2^127
  EXPECT_TRUE(Portable(large, 1.0f));
  EXPECT_FALSE(Portable(large, kInf));
  EXPECT_FALSE(Portable(Summed(1.5f, 0x1.8p125f, 1, 5), 1.0f));
  const ReorderElement cancelling = Summed(2, kMax, -2, kMax);
  EXPECT_TRUE(Portable(cancelling, kNan));
  EXPECT_TRUE(Portable(cancelling, 0.0f));
}

TEST(Accepts, TakesTheInfinityOfAFusedFormWhereSeparateOperationsGiveANan) {  // REO-063
  // +inf and -2^129: unfused inf - inf, fma(4, -2^127, inf) = inf.
  const ReorderElement e = Summed(1, kInf, 4, -0x1p127f);
  EXPECT_TRUE(std::isnan(ExpectedF32(e)));
  EXPECT_EQ(std::fma(4.0f, -0x1p127f, kInf), kInf);
  EXPECT_TRUE(Portable(e, kNan));
  EXPECT_TRUE(Portable(e, kInf));
  EXPECT_FALSE(Portable(e, -kInf));
  EXPECT_FALSE(Portable(e, kMax / 2));
  EXPECT_TRUE(Project(e, kNan));
  EXPECT_FALSE(Project(e, kInf));
  EXPECT_EQ(ExpectedText(e, Strictness::kPortable), "any nan or inf (0x7f800000)");
  // The other way round: 2^129 - inf.
  const ReorderElement infinite_old = Summed(4, 0x1p127f, 1, -kInf);
  EXPECT_TRUE(Portable(infinite_old, -kInf));
  EXPECT_FALSE(Portable(infinite_old, kInf));
  // Both overflow: fused, either of the two is rounded to an infinity first. 2^130 - 2^129 is
  // beyond f32 too.
  const ReorderElement both = Summed(8, 0x1p127f, -4, 0x1p127f);
  EXPECT_TRUE(Portable(both, kInf));
  EXPECT_TRUE(Portable(both, -kInf));
  EXPECT_TRUE(Portable(both, kNan));
  EXPECT_FALSE(Portable(both, 0.0f));
  EXPECT_FALSE(Project(both, -kInf));
  // The largest number does not overflow: inf in every form.
  EXPECT_FALSE(Portable(Summed(1, kInf, -1, kMax), kNan));
  // Infinities on both sides, or infinity times 0, in no form but NaN.
  EXPECT_FALSE(Portable(Summed(1, kInf, 4, -kInf), kInf));
  EXPECT_FALSE(Portable(Summed(0, kInf, 4, -0x1p127f), kInf));
  ReorderElement half = Summed(1, kInf, 4, -0x1p127f);
  half.to = Type::kF16;
  EXPECT_TRUE(Accepts(half, 0x7C00, Strictness::kPortable));
  EXPECT_FALSE(Accepts(half, 0xFC00, Strictness::kPortable));
}

TEST(Accepts, TakesFlushedSubnormalsInPortable) {  // DT-031
  const float subnormal = kTiny / 4;
  EXPECT_TRUE(Portable(Scaled(2, subnormal), 0.0f));
  EXPECT_TRUE(Portable(Scaled(2, subnormal), kTiny / 2));
  EXPECT_FALSE(Portable(Scaled(2, subnormal), -0.0f));
  EXPECT_FALSE(Project(Scaled(2, subnormal), 0.0f));
  // A flushed operand, although the product is normal.
  EXPECT_TRUE(Portable(Scaled(16, subnormal), 0.0f));
  EXPECT_FALSE(Portable(Scaled(16, kTiny), 0.0f));
  // One term of two.
  EXPECT_TRUE(Portable(Summed(1, subnormal, 1, 2 * kTiny), 2 * kTiny));
  EXPECT_TRUE(Portable(Summed(1, subnormal, 1, 2 * kTiny), 2 * kTiny + subnormal));
  EXPECT_FALSE(Portable(Summed(1, subnormal, 1, 2 * kTiny), 0.0f));
  EXPECT_TRUE(Portable(Summed(1, 2 * kTiny, 1, subnormal), 2 * kTiny));
  EXPECT_FALSE(Portable(Summed(1, 2 * kTiny, 1, subnormal), 0.0f));
  // Both terms, although their sum is normal; then without a sign.
  const ReorderElement both = Summed(1, -0.75f * kTiny, 1, -0.75f * kTiny);
  EXPECT_TRUE(Portable(both, -1.5f * kTiny));
  EXPECT_TRUE(Portable(both, -0.0f));
  EXPECT_TRUE(Portable(both, 0.0f));
  EXPECT_FALSE(Portable(both, -1.25f * kTiny));
  // Both operands, although each product is normal.
  EXPECT_TRUE(Portable(Summed(16, subnormal, 16, subnormal), 0.0f));
  EXPECT_FALSE(Portable(Summed(16, subnormal, 16, kTiny), 0.0f));
  // The result of two normal terms.
  const ReorderElement difference = Summed(1, 1.5f * kTiny, -1, kTiny);
  EXPECT_TRUE(Portable(difference, kTiny / 2));
  EXPECT_TRUE(Portable(difference, 0.0f));
  EXPECT_FALSE(Portable(difference, kTiny / 4));
  // A subnormal f32 result that bf16 would round up to its smallest normal.
  ReorderElement narrowed{Type::kF32, Type::kBF16, 0x80000004};
  narrowed.sum = true;
  narrowed.beta = 1;
  narrowed.old_type = Type::kBF16;
  narrowed.old = 0x0080;
  EXPECT_TRUE(Accepts(narrowed, 0x0080, Strictness::kPortable));
  EXPECT_TRUE(Accepts(narrowed, 0x0000, Strictness::kPortable));
  EXPECT_FALSE(Accepts(narrowed, 0x0000, Strictness::kProject));
  EXPECT_FALSE(Accepts(narrowed, 0x0040, Strictness::kPortable));
}

TEST(Accepts, LetsAFactorOfOneCopy) {
  ReorderElement e{Type::kS32, Type::kS32, 16777217};
  e.scaled = true;
  EXPECT_TRUE(Accepts(e, 16777217, Strictness::kPortable));
  EXPECT_TRUE(Accepts(e, 16777216, Strictness::kPortable));
  EXPECT_FALSE(Accepts(e, 16777218, Strictness::kPortable));
  EXPECT_FALSE(Accepts(e, 16777217, Strictness::kProject));
  e.alpha = -1;
  EXPECT_FALSE(Accepts(e, static_cast<Bits>(-16777217), Strictness::kPortable));
}

Type AnyType() { return *rc::gen::elementOf(std::vector<Type>(kTypes, kTypes + 6)); }

// Finite, of ordinary size, or a bit pattern whose square does not leave the safe range.
float AnyFactor() {
  const Bits word = *rc::gen::arbitrary<Bits>();
  const Bits exponent =
      *rc::gen::elementOf(std::vector<Bits>{62, 65, 100, 120, 126, 127, 128, 160});
  return FloatOf((word & 0x807FFFFF) | exponent << 23);
}

Bits AnyBits(Type type) {
  const Bits word = *rc::gen::arbitrary<Bits>();
  if (type == Type::kF32) return BitsOf(AnyFactor());
  return BytesOf(type) == 4 ? word : word & ((Bits{1} << (8 * BytesOf(type))) - 1);
}

ReorderElement AnyComputation() {
  ReorderElement e{AnyType(), AnyType(), 0};
  e.source = AnyBits(e.from);
  e.scaled = true;
  e.alpha = AnyFactor();
  e.sum = *rc::gen::arbitrary<bool>();
  e.beta = AnyFactor();
  e.old_type = e.to;
  e.old = AnyBits(e.old_type);
  return e;
}

RC_GTEST_PROP(Accepts, TakesTheExpectedValue, ()) {
  const ReorderElement e = AnyComputation();
  RC_ASSERT(Accepts(e, Expected(e), Strictness::kProject));
  RC_ASSERT(Accepts(e, Expected(e), Strictness::kPortable));
}

RC_GTEST_PROP(Accepts, TakesEveryOrderOfEvaluationInPortable, ()) {
  ReorderElement e = AnyComputation();
  e.sum = true;
  if (*rc::gen::arbitrary<bool>()) {  // nearly cancelling
    const float p = Widen(e.from, e.source), q = -e.alpha * p / e.beta;
    e.old_type = Type::kF32;
    e.old = BitsOf(q);
  }
  const volatile float p = Widen(e.from, e.source), q = Widen(e.old_type, e.old);
  const volatile float scaled = e.alpha * p, old = e.beta * q;
  RC_PRE(std::fabs(scaled) < 0x1p127f && std::fabs(old) < 0x1p127f);
  const volatile float unfused = scaled + old;
  for (const float intermediate :
       {static_cast<float>(unfused), std::fma(e.alpha, p, old), std::fma(e.beta, q, scaled)}) {
    RC_ASSERT(Accepts(e, Convert(e.to, intermediate), Strictness::kPortable));
  }
}

RC_GTEST_PROP(Accepts, RefusesWhatIsFarFromTheValue, ()) {
  ReorderElement e = AnyComputation();
  e.to = e.old_type = Type::kF32;
  e.old = BitsOf(AnyFactor());
  const float expected = ExpectedF32(e);
  RC_PRE(std::fabs(expected) < kInf);
  const float p = Widen(e.from, e.source), q = e.sum ? FloatOf(e.old) : 0;
  const double terms = std::fabs(double{e.alpha} * p) + std::fabs(double{e.beta} * q);
  RC_PRE(terms > 0x1p-100 && terms < 0x1p120);
  for (const double far : {expected + 0x1p-20 * terms, expected - 0x1p-20 * terms}) {
    RC_ASSERT(!Accepts(e, BitsOf(static_cast<float>(far)), Strictness::kPortable));
  }
}

// Runs `visit` in floating-point environments that callers may have set.
void InEveryEnvironment(const std::function<void()>& visit) {
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    visit();
#if defined(__SSE2__)
    const unsigned control = _mm_getcsr();
    _mm_setcsr(control | 0x8040);  // subnormal results and operands are zeros
    visit();
    _mm_setcsr(control);
#endif
  }
  std::fesetround(FE_TONEAREST);
}

TEST(Accepts, DoesNotDependOnTheEnvironment) {
  std::vector<ReorderElement> elements;
  std::vector<Bits> expected;
  for (Bits i = 0; i < 5000; ++i) {
    const Bits word = i * 214013 + 2531011;
    const float subnormal = FloatOf(word & 0x807FFFFF);
    elements.push_back(Summed(0.1f, FloatOf(word), 1.0f / 3, FloatOf(word * 69069)));
    elements.push_back(Summed(0.1f, subnormal, 1, FloatOf(word * 69069 & 0x81FFFFFF)));
    elements.push_back(Scaled(1.7f, subnormal));
    elements.push_back(Scaled(1.7f, FloatOf(word), Type::kBF16));
    elements.push_back(Scaled(0.3f, FloatOf((word & 0x80FFFFFF) | 0x41000000), Type::kU8));
  }
  std::vector<bool> verdicts;
  for (const ReorderElement& e : elements) {
    expected.push_back(Expected(e));
    verdicts.push_back(Accepts(e, expected.back() ^ 1, Strictness::kPortable));
  }
  InEveryEnvironment([&] {
    int same = 0, accepted = 0, alike = 0;
    for (size_t i = 0; i < elements.size(); ++i) {
      same += SameValue(elements[i].to, Expected(elements[i]), expected[i]);
      accepted += Accepts(elements[i], expected[i], Strictness::kPortable);
      alike += Accepts(elements[i], expected[i] ^ 1, Strictness::kPortable) == verdicts[i];
    }
    EXPECT_EQ(same, 25000);
    EXPECT_EQ(accepted, 25000);
    EXPECT_EQ(alike, 25000);
  });
}

TEST(ExpectedText, NamesTheValueOrTheBounds) {
  const auto text = [](const ReorderElement& e, Strictness strictness) {
    return ExpectedText(e, strictness);
  };
  EXPECT_EQ(text({Type::kF32, Type::kS8, BitsOf(1024)}, Strictness::kProject), "127 (0x7f)");
  EXPECT_EQ(text(Scaled(0.5f, 3), Strictness::kPortable), "1.5 (0x3fc00000)");
  EXPECT_EQ(text(Scaled(0.1f, 3), Strictness::kProject), "0.300000012 (0x3e99999a)");
  EXPECT_EQ(text(Scaled(0.1f, 3), Strictness::kPortable),
            "0.299999982 (0x3e999999) to 0.300000012 (0x3e99999a)");
  EXPECT_EQ(text(Scaled(2, kNan), Strictness::kPortable), "any nan");
  EXPECT_EQ(text(Scaled(2, kNan, Type::kS8), Strictness::kPortable), "any value");
  EXPECT_EQ(text(Scaled(2, kNan, Type::kS8), Strictness::kProject), "0 (0x00)");
  EXPECT_EQ(text(Summed(2, 3, 0, kNan), Strictness::kPortable), "6 (0x40c00000) or any nan");
  EXPECT_EQ(text(Scaled(2, 1.5e9f, Type::kS32), Strictness::kPortable),
            "2147483647 (0x7fffffff) or 2147483520 (0x7fffff80)");
}

}  // namespace
}  // namespace spec
