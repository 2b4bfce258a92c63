// ORC-REO-ZP: examples computed by hand.
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"
#include "spec/numeric/convert.h"
#include "spec/numeric/rounding.h"
#include "spec/reorder/oracle.h"

namespace spec {
namespace {

constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

using Zero = std::optional<int32_t>;

Bits Word(int32_t value) { return static_cast<Bits>(value); }
Bits Byte(int value) { return static_cast<uint8_t>(value); }

ReorderElement Shifted(Type from, Type to, Bits source, Zero src_zero, Zero dst_zero) {
  ReorderElement e{from, to, source};
  e.old_type = to;
  e.src_zero = src_zero;
  e.dst_zero = dst_zero;
  return e;
}

ReorderElement Scaled(ReorderElement e, float alpha) {
  e.scaled = true;
  e.alpha = alpha;
  return e;
}

ReorderElement Summed(ReorderElement e, float beta, Bits old) {
  e.sum = true;
  e.beta = beta;
  e.old = old;
  return e;
}

bool Portable(const ReorderElement& e, Bits got) { return Accepts(e, got, Strictness::kPortable); }
bool Project(const ReorderElement& e, Bits got) { return Accepts(e, got, Strictness::kProject); }

// The bits that both profiles accept, and no neighbour.
void ExpectOnly(const ReorderElement& e, Bits value) {
  EXPECT_EQ(Expected(e), value);
  for (const auto strictness : {Strictness::kProject, Strictness::kPortable}) {
    EXPECT_TRUE(Accepts(e, value, strictness));
    EXPECT_FALSE(Accepts(e, value + 1, strictness));
    if (value != 0) {
      EXPECT_FALSE(Accepts(e, value - 1, strictness));
    }
  }
}

TEST(ZeroPoints, DequantiseTheExample) {
  for (const auto& [stored, real] : {std::pair(0, -5.0f), {10, 0.0f}, {255, 122.5f}})
    ExpectOnly(Scaled(Shifted(Type::kU8, Type::kF32, Byte(stored), 10, {}), 0.5f), BitsOf(real));
}

TEST(ZeroPoints, AreAddedBeforeTheOneRounding) {  // REO-ZP-003
  ExpectOnly(Shifted(Type::kF32, Type::kU8, BitsOf(0.5f), {}, 1), 2);
  ExpectOnly(Shifted(Type::kF32, Type::kU8, BitsOf(2.5f), {}, 1), 4);
  ExpectOnly(Shifted(Type::kF32, Type::kS8, BitsOf(-0.5f), {}, 3), 2);
  // Saturation comes after it too.
  ExpectOnly(Shifted(Type::kF32, Type::kU8, BitsOf(300), {}, -100), 200);
}

TEST(ZeroPoints, OfTheDestinationAreNotScaled) {  // REO-ZP-004
  ExpectOnly(Scaled(Shifted(Type::kS8, Type::kS8, Byte(4), 3, 10), 2), 12);
}

TEST(ZeroPoints, LeaveTheOldValueAsStored) {  // REO-ZP-005
  ExpectOnly(Summed(Shifted(Type::kS8, Type::kS8, Byte(1), {}, 10), 1, Byte(20)), 31);
  ExpectOnly(Summed(Shifted(Type::kS8, Type::kS8, Byte(1), 3, {}), 2, Byte(20)), 38);
}

TEST(ZeroPoints, AreRoundedToF32) {  // REO-ZP-006
  const ReorderElement e = Shifted(Type::kS32, Type::kS32, 0, {}, 16777217);
  EXPECT_EQ(Expected(e), 16777216u);
  EXPECT_FALSE(Project(e, 16777217));
  EXPECT_TRUE(Portable(e, 16777217));
  const ReorderElement most = Shifted(Type::kF32, Type::kF32, BitsOf(0), {}, kMax);
  EXPECT_EQ(Expected(most), BitsOf(0x1p31f));
  EXPECT_EQ(Expected(Shifted(Type::kF32, Type::kF32, BitsOf(0), {}, kMin + 1)), BitsOf(-0x1p31f));
}

TEST(ZeroPoints, MayLieOutsideTheType) {  // REO-ZP-007
  ExpectOnly(Shifted(Type::kF32, Type::kS8, BitsOf(-1000), {}, 1000), 0);
  EXPECT_EQ(Expected(Shifted(Type::kS8, Type::kS8, 0, {}, 1000)), 127u);
  ExpectOnly(Shifted(Type::kU8, Type::kS32, Byte(255), 1000, {}), Word(-745));
}

TEST(ZeroPoints, TakeWideIntegersThroughF32) {  // REO-ZP-010
  const ReorderElement e = Shifted(Type::kS32, Type::kS32, 16777218, 1, {});
  EXPECT_EQ(Expected(e), 16777216u);  // a tie of 16777216 and 16777218
  EXPECT_TRUE(Portable(e, 16777217));
  EXPECT_FALSE(Portable(e, 16777200));
}

TEST(ZeroPoints, NeverWrap) {
  const ReorderElement low = Shifted(Type::kS32, Type::kS32, Word(kMin), 1, {});
  EXPECT_EQ(Expected(low), Word(kMin));
  EXPECT_FALSE(Portable(low, Word(kMax)));
  const ReorderElement far = Shifted(Type::kS32, Type::kS32, Word(kMin), kMax, {});
  EXPECT_EQ(Expected(far), Word(kMin));
  EXPECT_FALSE(Portable(far, 1));
  const ReorderElement high = Shifted(Type::kS32, Type::kS32, 1, {}, kMax);
  EXPECT_EQ(Expected(high), Word(kMax));
  EXPECT_FALSE(Portable(high, Word(kMin)));
  // The wildcard of the setter is a number like others at execution.
  EXPECT_EQ(Expected(Shifted(Type::kS32, Type::kS32, 0, {}, kMin)), Word(kMin));
}

TEST(ZeroPoints, OfZeroAtRunTimeTakePart) {
  const ReorderElement e = Shifted(Type::kS32, Type::kS32, 16777217, 0, {});
  EXPECT_EQ(Expected(e), 16777216u);
  EXPECT_TRUE(Portable(e, 16777217));
  EXPECT_FALSE(Project(e, 16777217));
  EXPECT_EQ(Expected(Shifted(Type::kF32, Type::kF32, BitsOf(1.5f), 0, 0)), BitsOf(1.5f));
}

TEST(ZeroPoints, FollowIeeeOnInfinitiesAndNans) {  // REO-ZP-021
  const float inf = std::numeric_limits<float>::infinity();
  ExpectOnly(Shifted(Type::kF32, Type::kS8, BitsOf(inf), 3, {}), 127);
  EXPECT_TRUE(Portable(Shifted(Type::kF32, Type::kF32, BitsOf(-inf), {}, kMax), BitsOf(-inf)));
  EXPECT_FALSE(Portable(Shifted(Type::kF32, Type::kF32, BitsOf(-inf), {}, kMax), BitsOf(inf)));
  const ReorderElement nan = Shifted(Type::kF32, Type::kF32, 0x7FC00000, {}, 3);
  EXPECT_TRUE(Project(nan, 0x7FC00000));
  EXPECT_TRUE(Portable(nan, 0xFFC00001));
  EXPECT_FALSE(Portable(nan, BitsOf(3)));
  EXPECT_EQ(Expected(Shifted(Type::kF32, Type::kU8, 0x7FC00000, {}, 3)), 0u);
  EXPECT_FALSE(Project(Shifted(Type::kF32, Type::kU8, 0x7FC00000, {}, 3), 3));
}

TEST(ZeroPoints, MakeTheSignOfZeroMeaningless) {
  const ReorderElement e = Scaled(Shifted(Type::kF32, Type::kF32, BitsOf(3), 3, {}), -2);
  EXPECT_TRUE(Project(e, 0x80000000));
  EXPECT_TRUE(Project(e, 0));
}

TEST(ZeroPoints, TakeEveryOrderOfTheAdditionsInPortable) {
  // 0.1 * (1.1 - 3) + 0.3 * 0.7 + 7.
  const ReorderElement e =
      Summed(Scaled(Shifted(Type::kF32, Type::kF32, BitsOf(1.1f), 3, 7), 0.1f), 0.3f, BitsOf(0.7f));
  const float x = 0.1f * (1.1f - 3), y = 0.3f * 0.7f;
  EXPECT_TRUE(Portable(e, BitsOf((x + 7) + y)));
  EXPECT_TRUE(Portable(e, BitsOf((y + 7) + x)));
  EXPECT_TRUE(Portable(e, BitsOf(std::fma(0.1f, 1.1f - 3, y) + 7)));
  EXPECT_FALSE(Portable(e, BitsOf(7.0201f)));
  EXPECT_FALSE(Portable(e, BitsOf(0.02f)));
}

TEST(ZeroPoints, AreNamedByTheText) {
  EXPECT_EQ(
      ExpectedText(Shifted(Type::kF32, Type::kU8, BitsOf(0.5f), {}, 1), Strictness::kPortable),
      "2 (0x02)");
  EXPECT_EQ(ExpectedText(Shifted(Type::kF32, Type::kF32, 0x7FC00000, 1, {}), Strictness::kPortable),
            "any nan");
}

RC_GTEST_PROP(ZeroPoints, ProjectIsWithinPortable, ()) {
  const Type from = kTypes[*rc::gen::inRange<size_t>(0, 6)];
  const Type to = kTypes[*rc::gen::inRange<size_t>(0, 6)];
  const auto zero = [] {
    return *rc::gen::inRange(0, 3) == 0 ? Zero() : Zero(*rc::gen::arbitrary<int32_t>());
  };
  const Bits mask = BytesOf(from) == 4 ? ~0u : (1u << 8 * BytesOf(from)) - 1;
  ReorderElement e = Shifted(from, to, *rc::gen::arbitrary<Bits>() & mask, zero(), zero());
  if (!e.src_zero && !e.dst_zero) e.src_zero = *rc::gen::inRange(-300, 300);
  if (*rc::gen::arbitrary<bool>())
    e = Scaled(e, static_cast<float>(*rc::gen::inRange(-99, 99)) / 7);
  if (*rc::gen::arbitrary<bool>()) {
    const Bits all = BytesOf(to) == 4 ? ~0u : (1u << 8 * BytesOf(to)) - 1;
    e = Summed(e, static_cast<float>(*rc::gen::inRange(-99, 99)) / 7,
               *rc::gen::arbitrary<Bits>() & all);
  }
  RC_ASSERT(Project(e, Expected(e)) && Portable(e, Expected(e)));
}

}  // namespace
}  // namespace spec
