#include "spec/numeric/convert.h"

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/rounding.h"

namespace spec {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();

// The value of a half or a bfloat16, by the definition of the formats.
double ValueOf(Type type, Bits bits) {
  const int fraction_bits = type == Type::kF16 ? 10 : 7;
  const int bias = type == Type::kF16 ? 15 : 127;
  const int exponent = static_cast<int>(bits >> fraction_bits) & (2 * bias + 1);
  const int fraction = static_cast<int>(bits) & ((1 << fraction_bits) - 1);
  const int one = exponent == 0 ? 0 : 1 << fraction_bits;
  const double magnitude =
      std::ldexp(one + fraction, (exponent == 0 ? 1 : exponent) - bias - fraction_bits);
  return bits >= 0x8000 ? -magnitude : magnitude;
}

TEST(Type, HasANameAndASize) {
  std::string all;
  for (const Type type : kTypes) all += NameOf(type) + std::to_string(BytesOf(type)) + " ";
  EXPECT_EQ(all, "f162 bf162 f324 s324 s81 u81 ");
  EXPECT_TRUE(IsFloat(Type::kF16) && IsFloat(Type::kBF16) && IsFloat(Type::kF32));
  EXPECT_FALSE(IsFloat(Type::kS32) || IsFloat(Type::kS8) || IsFloat(Type::kU8));
}

TEST(Widen, GivesTheValueOfEverySixteenBitWord) {
  for (const Type type : {Type::kF16, Type::kBF16}) {
    const Bits infinity = type == Type::kF16 ? 0x7C00 : 0x7F80;
    for (Bits bits = 0; bits < 0x10000; ++bits) {
      const float wide = Widen(type, bits);
      if ((bits & 0x7FFF) > infinity) {
        ASSERT_TRUE(IsNan(type, bits));
        ASSERT_TRUE(std::isnan(wide)) << bits;
        ASSERT_EQ(std::signbit(wide), bits >= 0x8000) << bits;
      } else if ((bits & 0x7FFF) == infinity) {
        ASSERT_EQ(wide, bits >= 0x8000 ? -kInf : kInf);
      } else {
        ASSERT_EQ(Exact(wide), ValueOf(type, bits)) << bits;
        ASSERT_EQ(std::signbit(wide), bits >= 0x8000) << bits;
      }
    }
  }
}

TEST(Widen, TakesABFloat16ForTheUpperHalfOfAnF32) {
  for (Bits bits = 0; bits < 0x10000; ++bits) {
    ASSERT_EQ(BitsOf(Widen(Type::kBF16, bits)), bits << 16);
  }
}

TEST(Widen, RoundsS32ToNearestEven) {
  const auto widened = [](int32_t x) { return Widen(Type::kS32, static_cast<Bits>(x)); };
  EXPECT_EQ(widened(16777216), 16777216.0f);
  EXPECT_EQ(widened(16777217), 16777216.0f);
  EXPECT_EQ(widened(16777219), 16777220.0f);
  EXPECT_EQ(widened(-16777219), -16777220.0f);
  EXPECT_EQ(widened(INT32_MAX), 2147483648.0f);
  EXPECT_EQ(widened(INT32_MIN), -2147483648.0f);
}

RC_GTEST_PROP(Widen, AgreesWithTheProcessorOnS32, (int32_t x)) {
  RC_ASSERT(Widen(Type::kS32, static_cast<Bits>(x)) == static_cast<float>(x));
}

TEST(Widen, IsExactForEightBitIntegers) {
  for (int x = -128; x < 128; ++x) {
    EXPECT_EQ(Widen(Type::kS8, static_cast<Bits>(x) & 0xFF), static_cast<float>(x));
  }
  for (int x = 0; x < 256; ++x) {
    EXPECT_EQ(Widen(Type::kU8, static_cast<Bits>(x)), static_cast<float>(x));
  }
}

TEST(Convert, UndoesWidenOnEveryNarrowValue) {
  for (const Type type : {Type::kF16, Type::kBF16, Type::kS8, Type::kU8}) {
    const Bits count = BytesOf(type) == 2 ? 0x10000 : 0x100;
    for (Bits bits = 0; bits < count; ++bits) {
      const Bits back = Convert(type, Widen(type, bits));
      if (IsNan(type, bits)) {
        ASSERT_TRUE(IsNan(type, back));
      } else {
        ASSERT_EQ(back, bits) << NameOf(type);
      }
    }
  }
}

// Every tie between two neighbours, and the two f32 values beside it.
TEST(Convert, GoesToTheNearerNeighbourAndOnTiesToTheEvenOne) {
  for (const Type type : {Type::kF16, Type::kBF16}) {
    const Bits infinity = type == Type::kF16 ? 0x7C00 : 0x7F80;
    for (Bits lower = 0; lower + 1 <= infinity; ++lower) {
      // Beyond the largest value counts what would be the next one.
      const double next = lower + 1 == infinity ? std::ldexp(1, type == Type::kF16 ? 16 : 128)
                                                : ValueOf(type, lower + 1);
      const auto tie = static_cast<float>((ValueOf(type, lower) + next) / 2);
      ASSERT_EQ(Convert(type, tie), lower % 2 == 0 ? lower : lower + 1) << lower;
      ASSERT_EQ(Convert(type, std::nextafter(tie, 0.0f)), lower);
      ASSERT_EQ(Convert(type, std::nextafter(tie, kInf)), lower + 1);
      ASSERT_EQ(Convert(type, -tie), 0x8000 + (lower % 2 == 0 ? lower : lower + 1));
      ASSERT_EQ(Convert(type, -std::nextafter(tie, 0.0f)), 0x8000 + lower);
    }
  }
}

TEST(Convert, ToBFloat16IsTheShortFormulaOfTheCatalogue) {
  for (Bits high = 0; high < 0x10000; ++high) {
    for (const Bits low : {0x0000u, 0x0001u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu}) {
      const Bits word = high << 16 | low;
      if (IsNan(Type::kF32, word)) continue;
      ASSERT_EQ(Convert(Type::kBF16, FloatOf(word)), (word + 0x7FFF + ((word >> 16) & 1)) >> 16);
    }
  }
}

TEST(Convert, HasTheLiteralExamplesForFloats) {
  const auto bf16 = [](Bits word) { return Convert(Type::kBF16, FloatOf(word)); };
  EXPECT_EQ(bf16(0x3F808000), 0x3F80u);
  EXPECT_EQ(bf16(0x3F818000), 0x3F82u);
  EXPECT_EQ(bf16(0x3F808001), 0x3F81u);
  EXPECT_EQ(bf16(0x7F7F7FFF), 0x7F7Fu);
  EXPECT_EQ(bf16(0x7F7F8000), 0x7F80u);
  EXPECT_EQ(bf16(0x7F7FFFFF), 0x7F80u);
  const auto f16 = [](float value) { return Convert(Type::kF16, value); };
  EXPECT_EQ(f16(65504), 0x7BFFu);
  EXPECT_EQ(f16(65519), 0x7BFFu);
  EXPECT_EQ(f16(65519.99f), 0x7BFFu);
  EXPECT_EQ(f16(65520), 0x7C00u);
  EXPECT_EQ(f16(-65520), 0xFC00u);
  EXPECT_EQ(f16(1e6f), 0x7C00u);
  EXPECT_EQ(f16(0x1p-25f), 0x0000u);
  EXPECT_EQ(f16(std::nextafter(0x1p-25f, 1.0f)), 0x0001u);
  EXPECT_EQ(f16(-0x1p-25f), 0x8000u);
  EXPECT_EQ(f16(-0.0f), 0x8000u);
  EXPECT_EQ(f16(-kInf), 0xFC00u);
}

TEST(Convert, KeepsTheSignOfANanAndMakesItQuiet) {
  EXPECT_EQ(Convert(Type::kBF16, FloatOf(0xFF800001)), 0xFFC0u);
  EXPECT_EQ(Convert(Type::kF16, FloatOf(0x7F800001)), 0x7E00u);
  EXPECT_EQ(Convert(Type::kF32, FloatOf(0x7F800001)), 0x7FC00001u);
}

TEST(Convert, HasTheLiteralExamplesForIntegers) {
  EXPECT_EQ(Convert(Type::kS8, 1024.0f), 127u);  // DT-017
  EXPECT_EQ(Convert(Type::kU8, -124.0f), 0u);    // DT-017
  EXPECT_EQ(Convert(Type::kS8, -1024.0f), 0x80u);
  EXPECT_EQ(Convert(Type::kU8, 255.5f), 255u);
  EXPECT_EQ(Convert(Type::kS8, 126.5f), 126u);
  EXPECT_EQ(Convert(Type::kS8, 127.5f), 127u);
  EXPECT_EQ(Convert(Type::kS8, -128.5f), 0x80u);
  EXPECT_EQ(Convert(Type::kU8, 0.5f), 0u);
  EXPECT_EQ(Convert(Type::kU8, 1.5f), 2u);
  EXPECT_EQ(Convert(Type::kU8, 2.5f), 2u);
  EXPECT_EQ(Convert(Type::kS8, -0.5f), 0u);
  EXPECT_EQ(Convert(Type::kS8, -1.5f), 0xFEu);
  const auto s32 = [](float value) { return static_cast<int32_t>(Convert(Type::kS32, value)); };
  EXPECT_EQ(s32(2147483520.0f), 2147483520);
  EXPECT_EQ(s32(2147483648.0f), INT32_MAX);
  EXPECT_EQ(s32(4e9f), INT32_MAX);
  EXPECT_EQ(s32(kMax), INT32_MAX);
  EXPECT_EQ(s32(-2147483520.0f), -2147483520);
  EXPECT_EQ(s32(-2147483648.0f), INT32_MIN);
  EXPECT_EQ(s32(-2147483904.0f), INT32_MIN);
  EXPECT_EQ(s32(8388607.5f), 8388608);
  for (const Type type : {Type::kS32, Type::kS8, Type::kU8}) {
    EXPECT_EQ(Convert(type, kInf), type == Type::kS32  ? 0x7FFFFFFFu
                                   : type == Type::kS8 ? 127u
                                                       : 255u);
    EXPECT_EQ(Convert(type, -kInf), type == Type::kS32  ? 0x80000000u
                                    : type == Type::kS8 ? 0x80u
                                                        : 0u);
    EXPECT_EQ(Convert(type, FloatOf(0x7FC00000)), 0u);
    EXPECT_EQ(Convert(type, FloatOf(0xFF800001)), 0u);
    EXPECT_EQ(Convert(type, FloatOf(0x00000001)), 0u);
  }
}

// clamp(rint(y)) in double, for every value of two types and many f32.
TEST(Convert, ToIntegersIsRoundThenClamp) {
  std::vector<float> inputs;
  for (Bits bits = 0; bits < 0x10000; ++bits) {
    inputs.push_back(Widen(Type::kF16, bits));
    inputs.push_back(Widen(Type::kBF16, bits));
    inputs.push_back(FloatOf(bits << 16 | 0xFFFF));
    inputs.push_back(FloatOf((0x3F000000 + (bits << 9)) ^ (bits << 31)));
  }
  for (int quarters = -1200; quarters <= 1200; ++quarters) {
    inputs.push_back(static_cast<float>(quarters) / 4);
  }
  for (const float input : inputs) {
    if (std::isnan(input)) continue;
    const double rounded = std::nearbyint(static_cast<double>(input));
    ASSERT_EQ(static_cast<int8_t>(Convert(Type::kS8, input)),
              std::fmin(std::fmax(rounded, -128), 127))
        << input;
    ASSERT_EQ(Convert(Type::kU8, input), std::fmin(std::fmax(rounded, 0), 255)) << input;
    ASSERT_EQ(static_cast<int32_t>(Convert(Type::kS32, input)),
              std::fmin(std::fmax(rounded, INT32_MIN), INT32_MAX))
        << input;
  }
}

TEST(Copy, MovesTheBitsBetweenEqualTypes) {
  for (const Type type : kTypes) {
    for (const Bits bits : {0u, 1u, 0x7Fu, 0x80u, 0xFFu}) EXPECT_EQ(Copy(type, type, bits), bits);
  }
  EXPECT_EQ(Copy(Type::kF32, Type::kF32, 0x7F800001), 0x7F800001u);
  EXPECT_EQ(Copy(Type::kF16, Type::kF16, 0xFC01), 0xFC01u);
  EXPECT_EQ(Copy(Type::kS32, Type::kS32, 16777217), 16777217u);
}

TEST(Copy, SaturatesBetweenIntegersWithoutADetour) {
  for (int x = 0; x < 256; ++x) {
    const auto bits = static_cast<Bits>(x);
    const int as_signed = x < 128 ? x : x - 256;
    EXPECT_EQ(Copy(Type::kS8, Type::kU8, bits), static_cast<Bits>(as_signed < 0 ? 0 : as_signed));
    EXPECT_EQ(Copy(Type::kU8, Type::kS8, bits), static_cast<Bits>(x > 127 ? 127 : x));
    EXPECT_EQ(Copy(Type::kS8, Type::kS32, bits), static_cast<Bits>(as_signed));
    EXPECT_EQ(Copy(Type::kU8, Type::kS32, bits), bits);
  }
  const auto bits = [](int32_t x) { return static_cast<Bits>(x); };
  EXPECT_EQ(Copy(Type::kS32, Type::kS8, bits(INT32_MAX)), 127u);
  EXPECT_EQ(Copy(Type::kS32, Type::kS8, bits(INT32_MIN)), 0x80u);
  EXPECT_EQ(Copy(Type::kS32, Type::kS8, bits(-128)), 0x80u);
  EXPECT_EQ(Copy(Type::kS32, Type::kU8, bits(-1)), 0u);
  EXPECT_EQ(Copy(Type::kS32, Type::kU8, bits(256)), 255u);
}

TEST(Copy, GoesThroughF32BetweenAllOtherTypes) {
  // 2^30 + 2^22 + 1 is above the tie between two bf16 values, and on it as f32.
  EXPECT_EQ(Copy(Type::kS32, Type::kBF16, 1077936129), 0x4E80u);
  EXPECT_EQ(Copy(Type::kS32, Type::kF16, 65519), 0x7BFFu);
  EXPECT_EQ(Copy(Type::kS32, Type::kF16, 65520), 0x7C00u);
  for (Bits bits = 0; bits < 0x10000; ++bits) {
    EXPECT_EQ(Copy(Type::kF16, Type::kBF16, bits), Convert(Type::kBF16, Widen(Type::kF16, bits)));
    EXPECT_EQ(Copy(Type::kBF16, Type::kF16, bits), Convert(Type::kF16, Widen(Type::kBF16, bits)));
  }
}

TEST(Copy, FromS32ToF16IsTheSameWithAndWithoutTheDetour) {
  for (int32_t x = -66000; x <= 66000; ++x) {
    const auto direct =
        static_cast<Bits>(Round(kBinary16, x < 0, static_cast<uint64_t>(x < 0 ? -x : x), 0));
    ASSERT_EQ(Copy(Type::kS32, Type::kF16, static_cast<Bits>(x)), direct) << x;
  }
}

RC_GTEST_PROP(Convert, IsMonotone, (uint32_t a, uint32_t b)) {
  RC_PRE(!IsNan(Type::kF32, a) && !IsNan(Type::kF32, b));
  if (!Between(Type::kF32, a, a, b)) std::swap(a, b);
  for (const Type type : kTypes) {
    const Bits low = Convert(type, FloatOf(a)), high = Convert(type, FloatOf(b));
    RC_ASSERT(Between(type, low, low, high));
  }
}

RC_GTEST_PROP(Convert, IsOddForFloats, (uint32_t a)) {
  RC_PRE(!IsNan(Type::kF32, a));
  for (const Type type : {Type::kF16, Type::kBF16, Type::kF32}) {
    const Bits sign = Bits{1} << (8 * BytesOf(type) - 1);
    RC_ASSERT(Convert(type, FloatOf(a ^ 0x80000000)) == (Convert(type, FloatOf(a)) ^ sign));
  }
}

TEST(Convert, DoesNotDependOnTheRoundingMode) {
  std::vector<Bits> reference;
  for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    std::vector<Bits> results;
    for (Bits i = 0; i < 20000; ++i) {
      const Bits word = i * 214013 + 2531011;
      for (const Type type : kTypes) {
        results.push_back(Convert(type, FloatOf(word)));
        results.push_back(Copy(Type::kS32, type, word));
      }
    }
    std::fesetround(FE_TONEAREST);
    if (reference.empty()) reference = results;
    EXPECT_TRUE(results == reference) << mode;
  }
}

bool Portable(Type from, Type to, Bits source, Bits got) {
  return AcceptsCopy(from, to, source, got, Strictness::kPortable);
}
bool Project(Type from, Type to, Bits source, Bits got) {
  return AcceptsCopy(from, to, source, got, Strictness::kProject);
}

TEST(AcceptsCopy, TakesTheExactValueInBothProfiles) {
  for (const Type from : kTypes) {
    for (const Type to : kTypes) {
      for (Bits i = 0; i < 2000; ++i) {
        const Bits all = BytesOf(from) == 4 ? 0xFFFFFFFF : (Bits{1} << (8 * BytesOf(from))) - 1;
        const Bits source = (i * 214013 + 2531011) & all;
        EXPECT_TRUE(Portable(from, to, source, Copy(from, to, source)));
        EXPECT_TRUE(Project(from, to, source, Copy(from, to, source)));
      }
    }
  }
}

TEST(AcceptsCopy, RefusesTheNeighboursOfAnOrdinaryValue) {
  const Bits three = BitsOf(3.0f);
  for (const auto& [to, bits] : {std::pair<Type, Bits>{Type::kF32, three},
                                 {Type::kF16, 0x4200},
                                 {Type::kBF16, 0x4040},
                                 {Type::kS32, 3},
                                 {Type::kS8, 3},
                                 {Type::kU8, 3}}) {
    EXPECT_TRUE(Portable(Type::kF32, to, three, bits));
    EXPECT_FALSE(Portable(Type::kF32, to, three, bits + 1));
    EXPECT_FALSE(Portable(Type::kF32, to, three, bits - 1));
  }
}

TEST(AcceptsCopy, TakesAnyNanOfACopyInPortableAndTheSameInProject) {
  EXPECT_TRUE(Portable(Type::kF32, Type::kF32, 0x7F800001, 0xFFC00000));
  EXPECT_FALSE(Project(Type::kF32, Type::kF32, 0x7F800001, 0x7FC00001));
  EXPECT_TRUE(Project(Type::kF32, Type::kF32, 0x7F800001, 0x7F800001));
  EXPECT_FALSE(Portable(Type::kF32, Type::kF32, 0x7F800001, 0x7F800000));
  // A NaN that is converted has no particular payload in either profile.
  EXPECT_TRUE(Project(Type::kF32, Type::kBF16, 0x7FC00000, 0xFFFF));
  EXPECT_FALSE(Project(Type::kF32, Type::kBF16, 0x7FC00000, 0x7F80));
}

TEST(AcceptsCopy, TakesAnyIntegerForANanInPortableAndZeroInProject) {
  EXPECT_TRUE(Portable(Type::kF32, Type::kS8, 0x7FC00000, 127));
  EXPECT_FALSE(Project(Type::kF32, Type::kS8, 0x7FC00000, 127));
  EXPECT_TRUE(Project(Type::kF32, Type::kS8, 0x7FC00000, 0));
}

TEST(AcceptsCopy, TakesTheF32BelowTwoTo31OnlyForTooLargeValuesInPortable) {
  for (const float value : {2147483648.0f, 4e9f, kMax, kInf}) {
    EXPECT_TRUE(Portable(Type::kF32, Type::kS32, BitsOf(value), 2147483520)) << value;
    EXPECT_FALSE(Project(Type::kF32, Type::kS32, BitsOf(value), 2147483520)) << value;
    EXPECT_FALSE(Portable(Type::kF32, Type::kS32, BitsOf(value), 2147483521)) << value;
  }
  EXPECT_TRUE(Portable(Type::kBF16, Type::kS32, 0x4F00, 2147483520));
  EXPECT_TRUE(Portable(Type::kF16, Type::kS32, 0x7C00, 2147483520));
  EXPECT_FALSE(Portable(Type::kF32, Type::kS32, BitsOf(2147483392.0f), 2147483520));
  EXPECT_FALSE(Portable(Type::kS32, Type::kS32, INT32_MAX, 2147483520));
  EXPECT_FALSE(Portable(Type::kF32, Type::kS32, BitsOf(-kInf), static_cast<Bits>(-2147483520)));
}

TEST(AcceptsCopy, TakesTheLargestFiniteValueForAnOverflowInPortable) {
  EXPECT_TRUE(Portable(Type::kF32, Type::kF16, BitsOf(65520), 0x7BFF));
  EXPECT_FALSE(Project(Type::kF32, Type::kF16, BitsOf(65520), 0x7BFF));
  EXPECT_FALSE(Portable(Type::kF32, Type::kF16, BitsOf(65519), 0x7C00));
  EXPECT_TRUE(Portable(Type::kF32, Type::kF16, BitsOf(-1e6f), 0xFBFF));
  EXPECT_FALSE(Portable(Type::kF32, Type::kF16, BitsOf(-1e6f), 0x7BFF));
  EXPECT_TRUE(Portable(Type::kF32, Type::kBF16, 0x7F7F8000, 0x7F7F));
  EXPECT_FALSE(Portable(Type::kBF16, Type::kF32, 0x7F80, BitsOf(kMax)));
  EXPECT_FALSE(Portable(Type::kF32, Type::kF32, BitsOf(kInf), BitsOf(kMax)));
  EXPECT_FALSE(Portable(Type::kF16, Type::kF16, 0x7C00, 0x7BFF));
}

TEST(AcceptsCopy, TakesAFlushedSubnormalResultInPortable) {
  EXPECT_TRUE(Portable(Type::kF32, Type::kBF16, 0x80400000, 0x8000));
  EXPECT_FALSE(Portable(Type::kF32, Type::kBF16, 0x80400000, 0x0000));
  EXPECT_FALSE(Project(Type::kF32, Type::kBF16, 0x80400000, 0x8000));
  EXPECT_FALSE(Portable(Type::kF32, Type::kBF16, 0x80800000, 0x8000));
  // Subnormal until it is rounded up to 0x0080, the smallest normal.
  EXPECT_TRUE(Portable(Type::kF32, Type::kBF16, 0x007FB7FA, 0x0000));
  EXPECT_FALSE(Portable(Type::kF32, Type::kBF16, 0x007FB7FA, 0x8000));
  EXPECT_FALSE(Project(Type::kF32, Type::kBF16, 0x007FB7FA, 0x0000));
  // From (1 - 2^-11) * 2^-14, a tie that goes to the even 0x0400, to the last f32 below 2^-14.
  for (const Bits source : {0x387FE000u, 0x387FF000u, 0x387FFFFFu}) {
    EXPECT_EQ(Copy(Type::kF32, Type::kF16, source), 0x0400u);
    EXPECT_TRUE(Portable(Type::kF32, Type::kF16, source, 0x0000));
    EXPECT_TRUE(Portable(Type::kF32, Type::kF16, source | 0x80000000, 0x8000));
    EXPECT_TRUE(Portable(Type::kF32, Type::kF16, source | 0x80000000, 0x0000));
    EXPECT_FALSE(Portable(Type::kF32, Type::kF16, source, 0x8000));
    EXPECT_FALSE(Project(Type::kF32, Type::kF16, source, 0x0000));
    EXPECT_FALSE(Portable(Type::kF32, Type::kF16, source, 0x0001));
  }
  EXPECT_FALSE(Portable(Type::kF32, Type::kF16, 0x38800000, 0x0000));
  EXPECT_FALSE(Portable(Type::kF32, Type::kBF16, 0x00800000, 0x0000));
  EXPECT_FALSE(Portable(Type::kBF16, Type::kF16, 0x3880, 0x0000));
  EXPECT_FALSE(Portable(Type::kF32, Type::kF32, 0x00400000, 0));
  EXPECT_FALSE(Portable(Type::kF16, Type::kF32, 0x0001, 0));
  EXPECT_FALSE(Portable(Type::kBF16, Type::kF32, 0x0001, 0));
}

TEST(AcceptsCopy, ForgivesTheLostSignOfAZeroOnlyBesideF16AndOnlyInPortable) {
  EXPECT_TRUE(Portable(Type::kF32, Type::kF16, 0x80000000, 0x0000));
  EXPECT_TRUE(Portable(Type::kF16, Type::kF32, 0x8000, 0x00000000));
  EXPECT_TRUE(Portable(Type::kF16, Type::kF16, 0x8000, 0x0000));
  EXPECT_FALSE(Project(Type::kF32, Type::kF16, 0x80000000, 0x0000));
  EXPECT_FALSE(Project(Type::kF16, Type::kF32, 0x8000, 0x00000000));
  EXPECT_FALSE(Project(Type::kF16, Type::kF16, 0x8000, 0x0000));
  EXPECT_FALSE(Portable(Type::kF32, Type::kF16, 0x00000000, 0x8000));
  EXPECT_FALSE(Portable(Type::kF16, Type::kF16, 0x0000, 0x8000));
  EXPECT_FALSE(Portable(Type::kF32, Type::kBF16, 0x80000000, 0x0000));
  EXPECT_FALSE(Portable(Type::kF32, Type::kF32, 0x80000000, 0x00000000));
  EXPECT_FALSE(Portable(Type::kBF16, Type::kF32, 0x8000, 0x00000000));
}

TEST(AcceptsCopy, TakesS32ToBFloat16RoundedOnceInPortable) {
  EXPECT_TRUE(Portable(Type::kS32, Type::kBF16, 1077936129, 0x4E81));  // 1082130432
  EXPECT_FALSE(Project(Type::kS32, Type::kBF16, 1077936129, 0x4E81));
  EXPECT_TRUE(Project(Type::kS32, Type::kBF16, 1077936129, 0x4E80));
  EXPECT_EQ(Widen(Type::kBF16, 0x4E81), 1082130432.0f);
  EXPECT_EQ(Widen(Type::kBF16, 0x4E80), 1073741824.0f);
  EXPECT_FALSE(Portable(Type::kS32, Type::kBF16, 1077936128, 0x4E81));
}

TEST(ToString, ShowsValueAndBits) {
  EXPECT_EQ(ToString(Type::kBF16, 0x3FC0), "1.5 (0x3fc0)");
  EXPECT_EQ(ToString(Type::kF32, 0x3DCCCCCD), "0.100000001 (0x3dcccccd)");
  EXPECT_EQ(ToString(Type::kS8, 0x80), "-128 (0x80)");
  EXPECT_EQ(ToString(Type::kS32, 0xFFFFFFFF), "-1 (0xffffffff)");
  EXPECT_EQ(ToString(Type::kF16, 0xFC00), "-inf (0xfc00)");
  EXPECT_EQ(ToString(Type::kF16, 0x7E00), "nan (0x7e00)");
  EXPECT_EQ(ToString(Type::kF32, 0x80000000), "-0 (0x80000000)");
}

TEST(ToString, ListsWhatIsAcceptable) {
  const auto text = [](Type from, Type to, Bits source) {
    return ToString(to, AcceptableCopies(from, to, source, Strictness::kPortable));
  };
  EXPECT_EQ(text(Type::kF32, Type::kS32, BitsOf(4e9f)),
            "2147483647 (0x7fffffff) or 2147483520 (0x7fffff80)");
  EXPECT_EQ(text(Type::kF32, Type::kS8, 0x7FC00000), "any value");
  EXPECT_EQ(text(Type::kF32, Type::kF16, 0x7FC00000), "any nan");
  EXPECT_EQ(text(Type::kS32, Type::kU8, 7), "7 (0x07)");
}

}  // namespace
}  // namespace spec
