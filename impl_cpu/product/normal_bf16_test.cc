#include "impl_cpu/product/normal_bf16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "impl_cpu/testing/targets.h"

namespace impl_cpu {
namespace {

float Widened(uint16_t bits) {
  const uint32_t wide = uint32_t{bits} << 16;
  float value;
  std::memcpy(&value, &wide, sizeof(value));
  return value;
}

TEST(LeastSizeOfBf16, IsThatOfTheLeastNumberThatIsNotZero) {
  ForEachTarget([] {
    for (int64_t count = 1; count <= 200; ++count)
      for (const int64_t at : {int64_t{0}, count / 2, count - 1})
        for (const uint16_t least : {0x0001, 0x8001, 0x007f, 0x3f80, 0xbf80, 0x7f80}) {
          std::vector<uint16_t> numbers(static_cast<size_t>(count), 0x7fc0);  // NaN
          for (size_t i = 0; i < numbers.size(); i += 3) numbers[i] = i % 2 == 0 ? 0 : 0x8000;
          numbers[static_cast<size_t>(at)] = least;
          EXPECT_EQ(LeastSizeOfBf16(numbers.data(), count), least & 0x7fff) << count << " " << at;
        }
  });
}

TEST(LeastSizeOfBf16, IsZeroWhereAllAre) {
  ForEachTarget([] {
    for (int64_t count = 0; count <= 200; ++count)
      for (const uint16_t zero : {0x0000, 0x8000})
        EXPECT_EQ(
            LeastSizeOfBf16(std::vector<uint16_t>(static_cast<size_t>(count), zero).data(), count),
            0);
  });
}

TEST(LeastSizeOfBf16, DoesNotReadBeyond) {
  ForEachTarget([] {
    for (int64_t count = 0; count <= 200; ++count) {
      std::vector<uint16_t> numbers(static_cast<size_t>(count) + 2, 0x3f80);
      numbers.front() = numbers.back() = 1;
      EXPECT_EQ(LeastSizeOfBf16(numbers.data() + 1, count), count == 0 ? 0 : 0x3f80);
    }
  });
}

TEST(LeastBf16, IsOfAllThatIsLookedAt) {
  LeastBf16 least;
  EXPECT_EQ(least.size(), 0);
  const uint16_t numbers[] = {0x8000, 0xc000, 0x3f80, 0x4000};
  least.Look(numbers, 1);
  EXPECT_EQ(least.size(), 0);
  least.Look(numbers + 1, 1);
  EXPECT_EQ(least.size(), 0x4000);
  least.Look(numbers + 2, 2);
  EXPECT_EQ(least.size(), 0x3f80);
  least.Look(numbers + 3, 1);
  EXPECT_EQ(least.size(), 0x3f80);
}

// Numbers of a size and the next larger ones, whose products differ by as little as any.
TEST(ProductsAreNormal, IsTrueWhereNoDifferenceOfProductsIsSubnormal) {
  int yes = 0, no = 0;
  for (int a = 1; a < 0x4000; a += 13)
    for (int b = 1; b < 0x4000; b += 17) {
      if (!ProductsAreNormal(static_cast<uint16_t>(a), static_cast<uint16_t>(b))) {
        ++no;
        continue;
      }
      ++yes;
      for (const int i : {0, 1, 2, 127})
        for (const int j : {0, 1, 2, 127}) {
          const double difference =
              double{Widened(static_cast<uint16_t>(a + i))} *
                  double{Widened(static_cast<uint16_t>(b + j))} -
              double{Widened(static_cast<uint16_t>(a))} * double{Widened(static_cast<uint16_t>(b))};
          EXPECT_TRUE(difference == 0 || std::abs(difference) >= 0x1p-126) << a << " " << b;
        }
    }
  EXPECT_GT(yes, 10000);
  EXPECT_GT(no, 10000);
}

TEST(LeastPartner, IsTheLeastOfAll) {
  for (int a = 0; a < 0x8000; a += 7)
    for (int b = 1; b < 0x8000; b += 0x40)
      EXPECT_EQ(b >= LeastPartnerOf(static_cast<uint16_t>(a)),
                a == 0 || (a >= 0x80 && b >= 0x80 && (a >> 7) + (b >> 7) >= 142))
          << a << " " << b;
}

TEST(ProductsAreNormal, IsFalseForSubnormalNumbersAndTrueForZeros) {
  EXPECT_FALSE(ProductsAreNormal(0x007f, 0x7f00));
  EXPECT_FALSE(ProductsAreNormal(0x7f00, 0x0001));
  EXPECT_TRUE(ProductsAreNormal(0x0080, 0x7f00));
  EXPECT_TRUE(ProductsAreNormal(0, 0x0001));
  EXPECT_TRUE(ProductsAreNormal(0x0001, 0));
}

}  // namespace
}  // namespace impl_cpu
