#include "spec/numeric/rounding.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"

namespace spec {
namespace {

TEST(ShiftToNearestEven, RoundsHalvesToEven) {
  // 0, 1, ..., 12 quarters.
  const uint64_t rounded[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3};
  for (uint64_t quarters = 0; quarters <= 12; ++quarters) {
    EXPECT_EQ(ShiftToNearestEven(quarters, 2), rounded[quarters]) << quarters;
  }
  EXPECT_EQ(ShiftToNearestEven(7, 0), 7u);
}

TEST(ShiftToNearestEven, AcceptsShiftsBeyondTheWord) {
  EXPECT_EQ(ShiftToNearestEven(UINT64_MAX, 63), 2u);
  EXPECT_EQ(ShiftToNearestEven(uint64_t{3} << 62, 64), 1u);
  EXPECT_EQ(ShiftToNearestEven(uint64_t{1} << 63, 64), 0u);  // a tie
  EXPECT_EQ(ShiftToNearestEven((uint64_t{1} << 63) + 1, 64), 1u);
  EXPECT_EQ(ShiftToNearestEven(UINT64_MAX, 65), 0u);
  EXPECT_EQ(ShiftToNearestEven(UINT64_MAX, 1000), 0u);
}

TEST(TakeApart, GivesTheValueOfEveryHalf) {
  for (uint32_t word = 0; word < 0x10000; ++word) {
    const Parts parts = TakeApart(kBinary16, word);
    const int exponent = static_cast<int>(word >> 10) & 31;
    const int fraction = static_cast<int>(word) & 1023;
    EXPECT_EQ(parts.negative, word >= 0x8000);
    if (exponent == 31) {
      EXPECT_EQ(parts.kind, fraction == 0 ? Class::kInfinite : Class::kNan) << word;
      continue;
    }
    ASSERT_EQ(parts.kind, Class::kFinite) << word;
    const double value =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
    EXPECT_EQ(std::ldexp(static_cast<double>(parts.significand), parts.exponent), value) << word;
  }
}

TEST(Round, PutsTogetherWhatTakeApartTookApart) {
  for (const Format format : {kBinary16, kBFloat16}) {
    for (uint32_t word = 0; word < 0x10000; ++word) {
      const Parts parts = TakeApart(format, word);
      if (parts.kind != Class::kFinite) continue;
      for (const Direction direction :
           {Direction::kNearestEven, Direction::kDown, Direction::kUp}) {
        ASSERT_EQ(Round(format, parts.negative, parts.significand, parts.exponent, direction),
                  word);
        // The same value with other parts.
        ASSERT_EQ(
            Round(format, parts.negative, parts.significand << 20, parts.exponent - 20, direction),
            word);
      }
    }
  }
}

TEST(Round, GoesTheWayItIsTold) {
  // 1 + 2^-12 lies between the halves 0x3C00 and 0x3C01, nearer to the first.
  const uint64_t significand = 4097;
  EXPECT_EQ(Round(kBinary16, false, significand, -12), 0x3C00u);
  EXPECT_EQ(Round(kBinary16, false, significand, -12, Direction::kDown), 0x3C00u);
  EXPECT_EQ(Round(kBinary16, false, significand, -12, Direction::kUp), 0x3C01u);
  EXPECT_EQ(Round(kBinary16, true, significand, -12), 0xBC00u);
  EXPECT_EQ(Round(kBinary16, true, significand, -12, Direction::kDown), 0xBC01u);
  EXPECT_EQ(Round(kBinary16, true, significand, -12, Direction::kUp), 0xBC00u);
}

TEST(Round, StaysFiniteOnlyWhenTheDirectionPointsInwards) {
  EXPECT_EQ(Round(kBinary16, false, 65504, 0), 0x7BFFu);
  EXPECT_EQ(Round(kBinary16, false, 65519, 0), 0x7BFFu);
  EXPECT_EQ(Round(kBinary16, false, 65520, 0), 0x7C00u);
  EXPECT_EQ(Round(kBinary16, false, 1, 10000), 0x7C00u);
  EXPECT_EQ(Round(kBinary16, false, 1, 10000, Direction::kDown), 0x7BFFu);
  EXPECT_EQ(Round(kBinary16, false, 65505, 0, Direction::kUp), 0x7C00u);
  EXPECT_EQ(Round(kBinary16, true, 65505, 0, Direction::kUp), 0xFBFFu);
  EXPECT_EQ(Round(kBinary16, true, 65505, 0, Direction::kDown), 0xFC00u);
}

TEST(Round, UnderflowsGraduallyAndKeepsTheSign) {
  EXPECT_EQ(Round(kBinary16, false, 1, -24), 0x0001u);
  EXPECT_EQ(Round(kBinary16, false, 1, -25), 0x0000u);  // a tie
  EXPECT_EQ(Round(kBinary16, false, 3, -26), 0x0001u);
  EXPECT_EQ(Round(kBinary16, true, 1, -1000), 0x8000u);
  EXPECT_EQ(Round(kBinary16, false, 1, -1000, Direction::kUp), 0x0001u);
  EXPECT_EQ(Round(kBinary16, true, 1, -1000, Direction::kUp), 0x8000u);
  EXPECT_EQ(Round(kBinary16, true, 0, 0), 0x8000u);
  // The largest subnormal and half a unit more: into the normal numbers.
  EXPECT_EQ(Round(kBinary16, false, 2047, -25), 0x0400u);
}

TEST(Exact, IsTheSameNumber) {
  EXPECT_EQ(Exact(1.5f), 1.5);
  EXPECT_EQ(Exact(FloatOf(1)), std::ldexp(1.0, -149));
  EXPECT_EQ(Exact(std::numeric_limits<float>::max()),
            static_cast<double>(std::numeric_limits<float>::max()));
  EXPECT_EQ(Exact(-std::numeric_limits<float>::infinity()),
            -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(Exact(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::signbit(Exact(-0.0f)));
}

}  // namespace
}  // namespace spec
