#include "conformance/memory/value_cases.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "gtest/gtest.h"

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

template <class C>
std::string Print(const C& c) {
  Fields fields;
  c.Print(&fields);
  return fields.ToString();
}

template <class C>
std::string ErrorOf(const std::string& line) {
  const Fields fields = Fields::Parse(line);
  C::Parse(fields);
  return fields.error();
}

std::vector<ValueCase> SomeCases() {
  std::vector<ValueCase> cases{AllOf(Type::kBF16, Type::kF32), AroundAllOf(Type::kF16),
                               These(Type::kS8, Type::kU8, {0, 0x80, 0xff}),
                               TheseFloats(Type::kS8, {1024.0f})};
  Random random(1);
  const Cases<ValueCase> drawn = ListedThenDrawn({}, AllTypes(), AllTypes());
  for (int i = 0; i < 500; ++i) cases.push_back(drawn.at(i, random));
  return cases;
}

TEST(ValueCase, IsParsedAsItIsPrinted) {
  for (const ValueCase& c : SomeCases()) {
    const std::string line = Print(c);
    const Fields fields = Fields::Parse(line);
    const ValueCase parsed = ValueCase::Parse(fields);
    EXPECT_EQ(fields.error(), "") << line;
    EXPECT_EQ(Print(parsed), line);
    EXPECT_EQ(parsed.Elements(), c.Elements());
  }
  EXPECT_EQ(Print(TheseFloats(Type::kS8, {1024.0f})), "from=f32 to=s8 bits=44800000");
}

TEST(ValueCase, RefusesWhatMeansNothing) {
  EXPECT_EQ(ErrorOf<ValueCase>("from=s8 to=u8 bits=0,80,ff"), "");
  for (const char* line :
       {"from=s8 to=u8 bits=100", "from=s8 to=u8 bits=", "from=s8 to=u8 bits=1,,2",
        "from=s8 to=u8 bits=0x1", "from=s9 to=u8 bits=1", "from=s8 to=u8",
        "from=s8 to=u8 all=1+256", "from=s8 to=u8 all=-1+2", "from=s8 to=u8 all=3",
        "from=f32 to=s8 around=0+10", "from=f32 to=f16 around=0+65537",
        "from=f32 to=f16 draw=odd@1+2", "from=f32 to=f16 draw=mixed@1",
        "from=f32 to=f16 draw=mixed@1+0"})
    EXPECT_NE(ErrorOf<ValueCase>(line), "") << line;
}

TEST(ValueCase, HasAllBitPatterns) {
  const std::vector<Bits> elements = AllOf(Type::kS8, Type::kF32).Elements();
  EXPECT_EQ(std::set<Bits>(elements.begin(), elements.end()).size(), 256u);
  EXPECT_EQ(AllOf(Type::kF16, Type::kF32).Elements().size(), 65536u);
}

TEST(ValueCase, LiesAroundEveryFiniteValue) {
  for (Type type : {Type::kF16, Type::kBF16}) {
    const std::vector<Bits> elements = AroundAllOf(type).Elements();
    const size_t finite = type == Type::kF16 ? 2 * 0x7c00 : 2 * 0x7f80;
    ASSERT_EQ(elements.size(), 4 * finite);
    for (size_t k = 0; k < elements.size(); k += 4) {
      const float value = FloatOf(elements[k]), half = FloatOf(elements[k + 2]);
      const Bits near = spec::Convert(type, value);
      EXPECT_EQ(WordOf(spec::Widen(type, near)), elements[k]);
      // The words beside the half-way point go to different sides of it.
      const Bits below = spec::Convert(type, FloatOf(elements[k + 1]));
      const Bits above = spec::Convert(type, FloatOf(elements[k + 3]));
      EXPECT_EQ(below, near) << value << " " << half;
      EXPECT_EQ(above, near + 1) << value << " " << half;
    }
  }
}

TEST(ValueCase, ShrinksToOneElement) {
  for (ValueCase c : SomeCases()) {
    int steps = 0;
    const std::vector<Bits> all = c.Elements();
    for (auto simpler = c.Simpler(); !simpler.empty(); simpler = c.Simpler()) {
      for (const ValueCase& candidate : simpler) {
        EXPECT_EQ(ErrorOf<ValueCase>(Print(candidate)), "");
        EXPECT_LT(candidate.Elements().size(), c.Elements().size());
      }
      c = simpler.front();
      ASSERT_LT(++steps, 40);
    }
    const std::vector<Bits> left = c.Elements();
    ASSERT_LE(left.size(), 1u);
    if (left.empty()) continue;
    EXPECT_NE(std::find(all.begin(), all.end(), left[0]), all.end());
  }
}

TEST(ListedThenDrawn, BeginsWithTheList) {
  Random random(1);
  const Cases<ValueCase> cases =
      ListedThenDrawn({These(Type::kF32, Type::kS8, {1}), These(Type::kF32, Type::kS8, {2})},
                      {Type::kS8}, {Type::kU8});
  EXPECT_EQ(cases.count, 0);
  EXPECT_EQ(Print(cases.at(0, random)), "from=f32 to=s8 bits=1");
  EXPECT_EQ(Print(cases.at(1, random)), "from=f32 to=s8 bits=2");
  const ValueCase drawn = cases.at(2, random);
  EXPECT_EQ(drawn.from, Type::kS8);
  EXPECT_EQ(drawn.to, Type::kU8);
  EXPECT_GT(drawn.draw_count, 0);
}

TEST(ArithmeticCase, IsParsedAsItIsPrintedAndShrinks) {
  Random random(1);
  const Cases<ArithmeticCase> cases = AnyArithmetic(AllTypes(), AllTypes());
  for (int i = 0; i < 500; ++i) {
    ArithmeticCase c = cases.at(i, random);
    const std::string line = Print(c);
    const Fields fields = Fields::Parse(line);
    EXPECT_EQ(Print(ArithmeticCase::Parse(fields)), line);
    EXPECT_EQ(fields.error(), "") << line;
    int steps = 0;
    for (auto simpler = c.Simpler(); !simpler.empty(); simpler = c.Simpler()) {
      c = simpler[random.Between(0, static_cast<int64_t>(simpler.size()) - 1)];
      ASSERT_LT(++steps, 300);
    }
    EXPECT_TRUE(c.attributes.none());
    EXPECT_EQ(c.count, 1);
  }
}

TEST(ArithmeticCase, RefusesWhatMeansNothing) {
  EXPECT_EQ(ErrorOf<ArithmeticCase>("from=s8 to=s8 mask=0 alpha=0.5 values=index seed=0 count=3"),
            "");
  for (const char* line : {"from=s8 to=s8 mask=1 alpha=0.5 values=index seed=0 count=3",
                           "from=s8 to=s8 mask=0 alpha=0.5 rt=1 values=index seed=0 count=3",
                           "from=s8 to=s8 mask=0 alpha=0.5 values=index seed=0 count=0",
                           "from=s8 to=s8 mask=0 alpha=0.5 values=odd seed=0 count=3"})
    EXPECT_NE(ErrorOf<ArithmeticCase>(line), "") << line;
}

}  // namespace
}  // namespace conformance
