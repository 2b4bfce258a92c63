#include "spec/numeric/compare.h"

#include "gtest/gtest.h"

namespace spec {
namespace {

TEST(SameValue, TakesAllNansForOneAndTellsTheZerosApart) {
  EXPECT_TRUE(SameValue(Type::kF32, 0x7FC00000, 0xFFC12345));
  EXPECT_FALSE(SameValue(Type::kF32, 0x7FC00000, 0x7F800000));
  EXPECT_FALSE(SameValue(Type::kF32, 0x00000000, 0x80000000));
  EXPECT_TRUE(SameValue(Type::kF32, 0x3F800000, 0x3F800000));
  EXPECT_FALSE(SameValue(Type::kF32, 0x3F800000, 0x3F800001));
  EXPECT_FALSE(SameValue(Type::kS32, 0x7FC00000, 0x7FC00001));
}

TEST(SameUnlessFlushed, TakesAllBelowTheSmallestNormalF32ForOne) {
  EXPECT_TRUE(SameUnlessFlushed(Type::kF32, 0x007FFFFF, 0x80000000));
  EXPECT_FALSE(SameUnlessFlushed(Type::kF32, 0x00800000, 0x00000000));
  EXPECT_TRUE(SameUnlessFlushed(Type::kBF16, 0x007F, 0x0000));
  EXPECT_FALSE(SameUnlessFlushed(Type::kBF16, 0x0080, 0x0000));
  // A subnormal half is far above 2^-126.
  EXPECT_FALSE(SameUnlessFlushed(Type::kF16, 0x0001, 0x0000));
}

TEST(Between, OrdersFloatsByValue) {
  EXPECT_TRUE(Between(Type::kF32, 0xBF800000, 0x00000000, 0x3F800000));  // -1 <= 0 <= 1
  EXPECT_FALSE(Between(Type::kF32, 0x3F800000, 0x3F7FFFFF, 0x40000000));
  EXPECT_TRUE(Between(Type::kF32, 0x00000000, 0x80000000, 0x00000000));
  EXPECT_TRUE(Between(Type::kBF16, 0x7F7F, 0x7F80, 0x7F80));
  EXPECT_FALSE(Between(Type::kBF16, 0xC000, 0xC001, 0x0000));  // below -2
  EXPECT_FALSE(Between(Type::kF32, 0xFF800000, 0x7FC00000, 0x7F800000));
}

TEST(Between, OrdersIntegersWithTheirSign) {
  EXPECT_TRUE(Between(Type::kS8, 0xFF, 0x00, 0x01));
  EXPECT_FALSE(Between(Type::kU8, 0xFF, 0x00, 0x01));
  EXPECT_TRUE(Between(Type::kS32, 0x80000000, 0xFFFFFFFF, 0x00000000));
  EXPECT_FALSE(Between(Type::kS32, 0x00000001, 0x00000003, 0x00000002));
}

}  // namespace
}  // namespace spec
