#include "spec/numeric/arithmetic.h"

#include <cmath>
#include <cstdint>
#include <limits>

#include "gtest/gtest.h"
#include "spec/numeric/rounding.h"

namespace spec {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();

// Words without a pattern, the same in every run (xorshift64*).
class Words {
 public:
  uint32_t Next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<uint32_t>((state_ * 2685821657736338717) >> 32);
  }

 private:
  uint64_t state_ = 88172645463325252;
};

// The processor's own, in the default environment that tests run in.
float HardwareMultiply(float a, float b) {
  const volatile float x = a, y = b;
  return x * y;
}
float HardwareAdd(float a, float b) {
  const volatile float x = a, y = b;
  return x + y;
}

bool Same(float x, float y) { return BitsOf(x) == BitsOf(y) || (std::isnan(x) && std::isnan(y)); }

TEST(Multiply, AgreesWithTheProcessorOnAnyWords) {
  Words words;
  for (int i = 0; i < 400000; ++i) {
    const float a = FloatOf(words.Next()), b = FloatOf(words.Next());
    ASSERT_TRUE(Same(Multiply(a, b), HardwareMultiply(a, b))) << a << " * " << b;
  }
}

TEST(Multiply, AgreesWithTheProcessorWhereProductsAreSubnormal) {
  Words words;
  for (int i = 0; i < 200000; ++i) {
    // Exponents that add up to between 2^-150 and 2^-120.
    const uint32_t exponent = 20 + words.Next() % 80;
    const uint32_t other = 127 - 20 + words.Next() % 30 - exponent;
    const float a = FloatOf((words.Next() & 0x807FFFFF) | exponent << 23);
    const float b = FloatOf((words.Next() & 0x807FFFFF) | (other & 0xFF) << 23);
    ASSERT_TRUE(Same(Multiply(a, b), HardwareMultiply(a, b))) << a << " * " << b;
  }
}

TEST(Add, AgreesWithTheProcessorOnAnyWords) {
  Words words;
  for (int i = 0; i < 400000; ++i) {
    const float a = FloatOf(words.Next()), b = FloatOf(words.Next());
    ASSERT_TRUE(Same(Add(a, b), HardwareAdd(a, b))) << a << " + " << b;
  }
}

TEST(Add, AgreesWithTheProcessorOnNeighbouringExponentsAndTies) {
  Words words;
  for (int i = 0; i < 800000; ++i) {
    // Exponents up to 63 apart, from the subnormals on; few low bits, so that ties are frequent.
    const uint32_t exponent = words.Next() % 190;
    const uint32_t other = exponent + words.Next() % 64;
    const uint32_t mask = i % 2 == 0 ? 0x807FFFFF : 0x80700003;
    const float a = FloatOf((words.Next() & mask) | exponent << 23);
    const float b = FloatOf((words.Next() & mask) | other << 23);
    ASSERT_TRUE(Same(Add(a, b), HardwareAdd(a, b))) << a << " + " << b;
  }
}

TEST(Arithmetic, FollowsIeeeOnTheSpecialValues) {
  EXPECT_TRUE(std::isnan(Multiply(kInf, 0.0f)));
  EXPECT_TRUE(std::isnan(Multiply(-0.0f, -kInf)));
  EXPECT_EQ(Multiply(-2.0f, kInf), -kInf);
  EXPECT_EQ(Multiply(kMax, 2.0f), kInf);
  EXPECT_EQ(Multiply(kMax, -2.0f), -kInf);
  EXPECT_TRUE(std::signbit(Multiply(-0.0f, 3.0f)));
  EXPECT_TRUE(std::isnan(Add(kInf, -kInf)));
  EXPECT_EQ(Add(kInf, kInf), kInf);
  EXPECT_EQ(Add(1.0f, -kInf), -kInf);
  EXPECT_EQ(Add(kMax, kMax), kInf);
  EXPECT_FALSE(std::signbit(Add(-0.0f, 0.0f)));
  EXPECT_TRUE(std::signbit(Add(-0.0f, -0.0f)));
  EXPECT_FALSE(std::signbit(Add(1.5f, -1.5f)));
  EXPECT_TRUE(std::isnan(Add(std::nanf(""), 1.0f)));
  EXPECT_TRUE(std::isnan(Multiply(std::nanf(""), 0.0f)));
}

TEST(Arithmetic, RoundsOnceToNearestEven) {
  EXPECT_EQ(Add(16777216.0f, 1.0f), 16777216.0f);
  EXPECT_EQ(Add(16777218.0f, 1.0f), 16777220.0f);
  EXPECT_EQ(Add(16777216.0f, std::nextafter(1.0f, 2.0f)), 16777218.0f);
  EXPECT_EQ(Multiply(3.0f, 1.0f / 3), 1.0f);
}

TEST(Nearest, AgreesWithTheProcessor) {
  Words words;
  for (int i = 0; i < 200000; ++i) {
    const uint64_t word = static_cast<uint64_t>(words.Next()) << 32 | words.Next();
    // Exponents around those of floats.
    const int exponent = static_cast<int>(word % 320) - 160;
    const double value = std::ldexp(1.0 + static_cast<double>(word >> 12) / 0x1p52, exponent);
    ASSERT_TRUE(Same(Nearest(value), static_cast<float>(value))) << value;
    ASSERT_TRUE(Same(Nearest(-value), static_cast<float>(-value))) << value;
  }
}

TEST(AtLeastAndAtMost, EncloseWithNeighbours) {
  Words words;
  for (int i = 0; i < 200000; ++i) {
    const uint64_t word = static_cast<uint64_t>(words.Next()) << 32 | words.Next();
    const int exponent = static_cast<int>(word % 320) - 160;
    const double value = (word >> 63 ? -1 : 1) *
                         std::ldexp(1.0 + static_cast<double>(word >> 12) / 0x1p52, exponent);
    const float low = AtMost(value), high = AtLeast(value);
    ASSERT_LE(low, value);
    ASSERT_GE(high, value);
    ASSERT_GT(std::nextafter(low, kInf), value);
    ASSERT_LT(std::nextafter(high, -kInf), value);
  }
}

TEST(AtLeastAndAtMost, AreTheNumberItselfWhenItIsAFloat) {
  for (const float value : {0.0f, 1.5f, -3.25f, FloatOf(1), kMax, kInf, -kInf}) {
    EXPECT_EQ(AtLeast(Exact(value)), value);
    EXPECT_EQ(AtMost(Exact(value)), value);
  }
}

TEST(AtLeastAndAtMost, ReachInfinityOnlyOutwards) {
  EXPECT_EQ(AtLeast(1e39), kInf);
  EXPECT_EQ(AtMost(1e39), kMax);
  EXPECT_EQ(AtLeast(-1e39), -kMax);
  EXPECT_EQ(AtMost(-1e39), -kInf);
}

}  // namespace
}  // namespace spec
