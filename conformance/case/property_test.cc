#include "conformance/case/property.h"

#include <set>

#include "gtest/gtest.h"

namespace conformance {
namespace {

const spec::Requirement kRequirement = {"TOY-001", spec::Level::kMust, "model", "", "", ""};
const spec::Requirement kOther = {"TOY-000", spec::Level::kMust, "model", "", "", ""};

struct Number {
  int64_t value = 0;

  void Print(Fields* fields) const { fields->SetInt("value", value); }
  static Number Parse(const Fields& fields) {
    Number number{fields.Int("value")};
    if (number.value < 0) fields.Reject("value", "is negative");
    return number;
  }
  std::vector<Number> Simpler() const {
    if (value == 0) return {};
    return {{value / 2}, {value - 1}};
  }
};

void IsSmall(const Number& number, Trial& trial) {
  trial.Expect(number.value < 1000, "value", "< 1000", std::to_string(number.value));
}

Cases<Number> AnyNumber() {
  return Drawn<Number>([](Random& random) { return Number{random.Between(0, 1 << 20)}; });
}

PropertyOver<Number> Over(Cases<Number> cases, std::string_view variant = "") {
  return PropertyOver<Number>(kRequirement, variant, std::move(cases), IsSmall, {"rank 1"});
}

std::string RunLine(const Property& property, std::string_view fields, Trial& trial) {
  return property.RunFields(Fields::Parse(fields), trial);
}

TEST(Property, IsNamedAfterItsRequirementAndVariant) {
  EXPECT_EQ(Over(AnyNumber()).name(), "TOY-001");
  EXPECT_EQ(Over(AnyNumber(), "small").name(), "TOY-001/small");
}

TEST(Property, TheSameSeedAndIndexGiveTheSameLine) {
  EXPECT_EQ(Over(AnyNumber()).Line(7, 3), Over(AnyNumber()).Line(7, 3));
}

TEST(Property, SeedIndexAndNameEachChangeTheCase) {
  std::set<std::string> lines;
  for (uint64_t seed = 0; seed < 10; ++seed)
    for (int64_t index = 0; index < 10; ++index)
      for (const char* variant : {"", "a", "b"}) {
        std::string line = Over(AnyNumber(), variant).Line(seed, index);
        lines.insert(line.substr(line.find(' ')));
      }
  EXPECT_GE(lines.size(), 298u);
}

TEST(Property, ALineRunsAsTheCaseThatItWasPrintedFrom) {
  const auto property = Over(AnyNumber());
  for (int64_t index = 0; index < 100; ++index) {
    Trial drawn(Profile::kPortable, EngineChoice::kCpu), replayed = drawn;
    property.Run(1, index, drawn);
    const std::string line = property.Line(1, index);
    ASSERT_EQ(RunLine(property, line.substr(property.name().size()), replayed), "");
    EXPECT_EQ(drawn.got(), replayed.got()) << line;
  }
}

TEST(Property, AListIsRunInOrder) {
  const auto property = Over(Listed<Number>({{3}, {1}, {2000}}));
  EXPECT_EQ(property.count(), 3);
  EXPECT_EQ(property.Line(1, 2), "TOY-001 value=2000");
}

TEST(Property, ALineThatMeansNothingRunsNothing) {
  Trial trial(Profile::kPortable, EngineChoice::kCpu);
  EXPECT_EQ(RunLine(Over(AnyNumber()), "value=-5000", trial), "field 'value' is negative: '-5000'");
  EXPECT_EQ(RunLine(Over(AnyNumber()), "valu=5000", trial), "field 'value' is missing");
  EXPECT_FALSE(trial.failed());
}

TEST(Property, WhatIsNoneOfItsCasesIsNeitherRunNorOfferedAsSimpler) {
  Cases<Number> odd = AnyNumber();
  odd.contains = [](const Number& number) { return number.value % 2 == 1; };
  const auto property = Over(odd);
  Trial trial(Profile::kPortable, EngineChoice::kCpu);
  EXPECT_EQ(RunLine(property, "value=8000", trial), "this is a case, but none of TOY-001");
  EXPECT_FALSE(trial.failed());
  EXPECT_EQ(RunLine(property, "value=8001", trial), "");
  EXPECT_TRUE(trial.failed());
  EXPECT_EQ(property.Simpler(Fields::Parse("value=11")),
            std::vector<std::string>{"TOY-001 value=5"});
}

TEST(Property, SimplerLinesCarryTheName) {
  EXPECT_EQ(Over(AnyNumber(), "v").Simpler(Fields::Parse("value=10")),
            (std::vector<std::string>{"TOY-001/v value=5", "TOY-001/v value=9"}));
}

// With a second number, by which the first is multiplied.
struct Pair {
  Number first, second;

  int64_t products() const { return first.value * second.value; }
  void Print(Fields* fields) const {
    first.Print(fields);
    fields->SetInt("times", second.value);
  }
  static Pair Parse(const Fields& fields) { return {Number::Parse(fields), {fields.Int("times")}}; }
  std::vector<Pair> Simpler() const { return {}; }
};

TEST(Property, CountsTheProductsOfCasesThatDo) {
  const PropertyOver<Pair> property(kRequirement, "", Listed<Pair>({}), [](const Pair&, Trial&) {},
                                    {});
  EXPECT_EQ(property.Products(Fields::Parse("value=6 times=7")), 42);
  EXPECT_EQ(Over(AnyNumber()).Products(Fields::Parse("value=6")), 0);
}

void AlwaysHolds(const NoParameters&, Trial&) {}

TEST(Property, PropertiesAreOrderedByName) {
  ASSERT_TRUE(Define(kRequirement, "b", AlwaysHolds));
  ASSERT_TRUE(Define(kOther, "", AlwaysHolds));
  ASSERT_TRUE(Define(kRequirement, "a", AlwaysHolds));
  std::vector<std::string> names;
  for (const Property* property : Properties()) names.push_back(property->name());
  EXPECT_EQ(names, (std::vector<std::string>{"TOY-000", "TOY-001/a", "TOY-001/b"}));
}

TEST(Property, ALiteralCheckHasOneCaseWithoutFields) {
  const PropertyOver<NoParameters> property(kRequirement, "", Listed<NoParameters>({{}}),
                                            AlwaysHolds, {});
  EXPECT_EQ(property.count(), 1);
  EXPECT_EQ(property.Line(1, 0), "TOY-001");
}

TEST(PropertyDeathTest, TwoOfOneNameEndTheProgram) {
  EXPECT_EXIT(
      {
        Define(kRequirement, "twice", AlwaysHolds);
        Define(kRequirement, "twice", AlwaysHolds);
      },
      testing::ExitedWithCode(2), "two properties are named TOY-001/twice");
}

}  // namespace
}  // namespace conformance
