#include "conformance/gen/attributes.h"

#include <cmath>
#include <map>
#include <set>

#include "conformance/gen/shapes.h"
#include "gtest/gtest.h"
#include "spec/reorder/oracle.h"

namespace conformance {
namespace {

struct Drawn {
  spec::Dims dims;
  AttributesSpec attributes;
};

std::vector<Drawn> Draw(const AttributesLimits& limits) {
  Random random(1);
  std::vector<Drawn> drawn;
  for (int i = 0; i < 5000; ++i) {
    const spec::Dims dims = AnyShape(random, {1, 12, 65536, false});
    drawn.push_back({dims, AnyAttributes(random, dims, limits)});
  }
  return drawn;
}

std::string Text(const AttributesSpec& attributes) {
  Fields fields;
  SetAttributes(&fields, attributes);
  return fields.ToString();
}

TEST(Attributes, AreParsedAsTheyArePrinted) {
  for (const Drawn& d : Draw({})) {
    const Fields fields = Fields::Parse(Text(d.attributes));
    EXPECT_EQ(Text(GetAttributes(fields)), Text(d.attributes));
    EXPECT_EQ(fields.error(), "") << Text(d.attributes);
  }
  EXPECT_EQ(Text({}), "");
  EXPECT_TRUE(GetAttributes(Fields::Parse("")).none());
}

TEST(Attributes, AreRefusedWhenTheyMeanNothing) {
  for (const char* text : {"mask=-1 alpha=1", "mask=4096 alpha=1", "mask=1 scales=two",
                           "mask=1 alphas=two", "mask=1"}) {
    const Fields fields = Fields::Parse(text);
    GetAttributes(fields);
    EXPECT_NE(fields.error(), "") << text;
  }
}

TEST(Attributes, OfOlderLinesAreReadAndPrintedAsOfToday) {
  for (const std::string value : {"pow2", "any"}) {
    const Fields fields = Fields::Parse("mask=3 alphas=" + value + " rt=1");
    const AttributesSpec attributes = GetAttributes(fields);
    EXPECT_EQ(fields.error(), "");
    EXPECT_EQ(Text(attributes), "mask=3 scales=" + value + " rt=1");
  }
  const Fields both = Fields::Parse("mask=3 scales=any alphas=any");
  GetAttributes(both);
  EXPECT_NE(both.error(), "");
}

TEST(AnyAttributes, ReachesEveryKind) {
  std::map<std::string, int> seen;
  for (const Drawn& d : Draw({})) {
    const AttributesSpec& a = d.attributes;
    EXPECT_FALSE(a.none());
    EXPECT_LT(a.mask, 1 << d.dims.size());
    EXPECT_LE(spec::ScaleCount(a.mask, d.dims), 4096);
    if (a.scaled() && a.mask == 0) ++seen["common scale"];
    if (a.scaled() && a.mask > 0 && (a.mask & (a.mask - 1)) == 0) ++seen["one axis"];
    if ((a.mask & 5) == 5 && (a.mask & 2) == 0) ++seen["hole"];
    if (a.mask == (1 << d.dims.size()) - 1) ++seen["all axes"];
    if (a.run_time) ++seen["run time"];
    if (a.scaled() && a.sum) ++seen["scale and sum"];
    if (!a.scaled() && a.sum) ++seen["sum alone"];
    if (a.sum && a.beta == 0) ++seen["beta 0"];
    if (a.sum && a.beta == 1) ++seen["beta 1"];
  }
  for (const char* name : {"common scale", "one axis", "hole", "all axes", "run time",
                           "scale and sum", "sum alone", "beta 0", "beta 1"})
    EXPECT_GT(seen[name], 50) << name;
}

TEST(AnyAttributes, IsExactWhenAsked) {
  AttributesLimits limits;
  limits.exact = true;
  const auto power = [](float value) {
    int exponent = 0;
    return value == 0 || std::fabs(std::frexp(value, &exponent)) == 0.5f;
  };
  for (const Drawn& d : Draw(limits)) {
    EXPECT_TRUE(power(d.attributes.beta)) << Text(d.attributes);
    for (float scale : ScaleValues(d.attributes, d.dims, 1)) EXPECT_TRUE(power(scale)) << scale;
  }
}

TEST(ScaleValues, DifferFromTheirNeighbours) {
  AttributesSpec attributes;
  attributes.mask = 1;
  for (ScaleKind kind : {ScaleKind::kPowersOfTwo, ScaleKind::kAny}) {
    attributes.scales = kind;
    const std::vector<float> scales = ScaleValues(attributes, {26}, 5);
    EXPECT_EQ(std::set<float>(scales.begin(), scales.end()).size(), 26u);
  }
}

TEST(ScaleValues, AreAsManyAsTheMaskAsksFor) {
  AttributesSpec attributes;
  attributes.scales = ScaleKind::kPowersOfTwo;
  attributes.mask = 5;
  EXPECT_EQ(ScaleValues(attributes, {2, 3, 4}, 1).size(), 8u);
  attributes.mask = 0;
  EXPECT_EQ(ScaleValues(attributes, {2, 3, 4}, 1).size(), 1u);
}

TEST(DropAxis, ClosesTheGapInTheMask) {
  AttributesSpec attributes;
  attributes.mask = 0b1011;
  EXPECT_EQ(DropAxis(attributes, 0).mask, 0b101);
  EXPECT_EQ(DropAxis(attributes, 2).mask, 0b111);
  EXPECT_EQ(DropAxis(attributes, 3).mask, 0b011);
}

TEST(SimplerAttributes, EndAtNone) {
  for (const Drawn& d : Draw({})) {
    AttributesSpec attributes = d.attributes;
    int steps = 0;
    for (auto simpler = SimplerAttributes(attributes); !simpler.empty();
         simpler = SimplerAttributes(attributes)) {
      attributes = simpler.back();
      ASSERT_LT(++steps, 40) << Text(d.attributes);
    }
    EXPECT_TRUE(attributes.none());
  }
}

}  // namespace
}  // namespace conformance
