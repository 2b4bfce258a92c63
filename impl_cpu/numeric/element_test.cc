#include "impl_cpu/numeric/element.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

namespace impl_cpu {
namespace {

template <typename To>
To NarrowTo(float value) {
  To to;
  Narrow(value, &to);
  return to;
}

template <typename From, typename To>
To CopyTo(From from) {
  To to;
  Copy(from, &to);
  return to;
}

F16 Half(uint32_t bits) { return F16{static_cast<uint16_t>(bits)}; }
BF16 Brain(uint32_t bits) { return BF16{static_cast<uint16_t>(bits)}; }

// The value of a positive finite f16 by its definition.
double ValueOfHalf(uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const double fraction = bits & 0x3ff;
  return exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Element, WidensEveryF16) {
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    ASSERT_EQ(Widen(Half(bits)), ValueOfHalf(bits)) << bits;
    ASSERT_EQ(BitsOf(Widen(Half(bits | 0x8000))), BitsOf(Widen(Half(bits))) | 0x80000000) << bits;
  }
  EXPECT_EQ(Widen(Half(0x7c00)), std::numeric_limits<float>::infinity());
  EXPECT_EQ(Widen(Half(0xfc00)), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(BitsOf(Widen(Half(0xfc01))), 0xffc02000u);
}

TEST(Element, RoundsToTheNearestF16AndTiesToEven) {
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const float lower = Widen(Half(bits)), upper = Widen(Half(bits + 1));
    const float middle = (lower + upper) / 2;  // exact in f32
    ASSERT_EQ(NarrowTo<F16>(lower).bits, bits);
    ASSERT_EQ(NarrowTo<F16>(middle).bits, bits & 1 ? bits + 1 : bits);
    ASSERT_EQ(NarrowTo<F16>(std::nextafter(middle, 0.0f)).bits, bits);
    ASSERT_EQ(NarrowTo<F16>(std::nextafter(middle, 1e6f)).bits, bits + 1);
    ASSERT_EQ(NarrowTo<F16>(-middle).bits, (bits & 1 ? bits + 1 : bits) | 0x8000);
  }
}

TEST(Element, OverflowsF16FromHalfWayOn) {
  EXPECT_EQ(NarrowTo<F16>(65504).bits, 0x7bff);
  EXPECT_EQ(NarrowTo<F16>(std::nextafter(65520.0f, 0.0f)).bits, 0x7bff);
  EXPECT_EQ(NarrowTo<F16>(65520).bits, 0x7c00);
  EXPECT_EQ(NarrowTo<F16>(-1e30f).bits, 0xfc00);
  EXPECT_EQ(NarrowTo<F16>(0x1p-25f).bits, 0);
  EXPECT_EQ(NarrowTo<F16>(FromBits(0xff800001)).bits, 0xfe00);
  EXPECT_EQ(NarrowTo<F16>(FromBits(0x7fffffff)).bits, 0x7fff);
}

TEST(Element, RoundsToTheNearestBf16AndTiesToEven) {
  EXPECT_EQ(NarrowTo<BF16>(FromBits(0x3f808000)).bits, 0x3f80);
  EXPECT_EQ(NarrowTo<BF16>(FromBits(0x3f818000)).bits, 0x3f82);
  EXPECT_EQ(NarrowTo<BF16>(FromBits(0x3f808001)).bits, 0x3f81);
  EXPECT_EQ(NarrowTo<BF16>(FromBits(0x7f7f7fff)).bits, 0x7f7f);
  EXPECT_EQ(NarrowTo<BF16>(FromBits(0x7f7f8000)).bits, 0x7f80);
  EXPECT_EQ(NarrowTo<BF16>(FromBits(0x00008001)).bits, 0x0001);
  EXPECT_EQ(NarrowTo<BF16>(-0.0f).bits, 0x8000);
  EXPECT_EQ(NarrowTo<BF16>(FromBits(0x7f800001)).bits, 0x7fc0);
  EXPECT_EQ(NarrowTo<BF16>(FromBits(0xffffffff)).bits, 0xffff);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    if ((bits & 0x7fff) > 0x7f80) continue;
    ASSERT_EQ(NarrowTo<BF16>(Widen(Brain(bits))).bits, bits);
  }
}

TEST(Element, RoundsToIntegersHalfToEvenAndSaturates) {
  EXPECT_EQ(NarrowTo<int8_t>(0.5f), 0);
  EXPECT_EQ(NarrowTo<int8_t>(1.5f), 2);
  EXPECT_EQ(NarrowTo<int8_t>(-2.5f), -2);
  EXPECT_EQ(NarrowTo<int8_t>(1024.0f), 127);
  EXPECT_EQ(NarrowTo<int8_t>(-1e30f), -128);
  EXPECT_EQ(NarrowTo<uint8_t>(-124.0f), 0);
  EXPECT_EQ(NarrowTo<uint8_t>(254.5f), 254);
  EXPECT_EQ(NarrowTo<uint8_t>(255.5f), 255);
  EXPECT_EQ(NarrowTo<int32_t>(2147483520.0f), 2147483520);
  EXPECT_EQ(NarrowTo<int32_t>(2147483648.0f), 2147483647);
  EXPECT_EQ(NarrowTo<int32_t>(-2147483648.0f), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(NarrowTo<int32_t>(std::numeric_limits<float>::infinity()), 2147483647);
}

TEST(Element, TurnsNanIntoZeroAsAnInteger) {
  for (uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u}) {
    EXPECT_EQ(NarrowTo<int32_t>(FromBits(bits)), 0);
    EXPECT_EQ(NarrowTo<int8_t>(FromBits(bits)), 0);
    EXPECT_EQ(NarrowTo<uint8_t>(FromBits(bits)), 0);
  }
}

TEST(Element, CopiesIntegersWithoutADetourThroughF32) {
  EXPECT_EQ((CopyTo<int32_t, int32_t>(16777217)), 16777217);
  EXPECT_EQ((CopyTo<int32_t, int8_t>(std::numeric_limits<int32_t>::min())), -128);
  EXPECT_EQ((CopyTo<int32_t, uint8_t>(256)), 255);
  EXPECT_EQ((CopyTo<int8_t, uint8_t>(int8_t{-1})), 0);
  EXPECT_EQ((CopyTo<uint8_t, int8_t>(uint8_t{200})), 127);
  EXPECT_EQ((CopyTo<uint8_t, int32_t>(uint8_t{200})), 200);
  EXPECT_EQ((CopyTo<int32_t, float>(16777217)), 16777216.0f);
  EXPECT_EQ((CopyTo<int32_t, BF16>(1077936129).bits), NarrowTo<BF16>(0x1.01p30f).bits);
  EXPECT_EQ(BitsOf(CopyTo<float, float>(FromBits(0x7f800001))), 0x7f800001u);
}

TEST(Element, RoundsToIntegersByTheModeOfTheThread) {
  const int before = std::fegetround();
  std::fesetround(FE_UPWARD);
  volatile float value = 0.25f;
  const int8_t up = NarrowTo<int8_t>(value);
  std::fesetround(before);
  EXPECT_EQ(up, 1);
  EXPECT_EQ(NarrowTo<int8_t>(value), 0);
}

}  // namespace
}  // namespace impl_cpu
