#include "conformance/case/fields.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace conformance {
namespace {

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float FloatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

std::string Printed(float value) {
  Fields fields;
  fields.SetFloat("x", value);
  return fields.ToString();
}

RC_GTEST_PROP(Fields, EveryIntegerSurvives, (int64_t value)) {
  Fields fields;
  fields.SetInt("n", value);
  const Fields parsed = Fields::Parse(fields.ToString());
  RC_ASSERT(parsed.Int("n") == value);
  RC_ASSERT(parsed.error().empty());
}

RC_GTEST_PROP(Fields, EveryListOfIntegersSurvives, (const std::vector<int64_t>& values)) {
  Fields fields;
  fields.SetInts("dims", values);
  const Fields parsed = Fields::Parse(fields.ToString());
  RC_ASSERT(parsed.Ints("dims") == values);
  RC_ASSERT(parsed.error().empty());
}

RC_GTEST_PROP(Fields, EveryFloatSurvivesBitByBit, (uint32_t bits)) {
  const Fields parsed = Fields::Parse(Printed(FloatOf(bits)));
  RC_ASSERT(BitsOf(parsed.Float("x")) == bits);
  RC_ASSERT(parsed.error().empty());
}

TEST(Fields, SpecialFloatsSurviveBitByBit) {
  for (uint32_t bits :
       {0x00000000u, 0x80000000u, 0x00000001u, 0x007fffffu, 0x7f7fffffu, 0x7f800000u, 0xff800000u,
        0x7fc00000u, 0x7f800001u, 0xffffffffu, 0x3f7fffffu}) {
    EXPECT_EQ(BitsOf(Fields::Parse(Printed(FloatOf(bits))).Float("x")), bits) << std::hex << bits;
  }
}

TEST(Fields, FloatsReadAsAPersonWritesThem) {
  EXPECT_EQ(Printed(0.5f), "x=0.5");
  EXPECT_EQ(Printed(-std::numeric_limits<float>::infinity()), "x=-inf");
  EXPECT_EQ(Printed(FloatOf(0x7fc000d0)), "x=nan:7fc000d0");
  EXPECT_EQ(Printed(-0.0f), "x=-0");
}

RC_GTEST_PROP(Fields, PrintingWhatWasParsedGivesTheSameText, (const std::vector<uint8_t>& keys)) {
  Fields fields;
  for (size_t i = 0; i < keys.size(); ++i)
    fields.Set("k" + std::to_string(i), std::string(keys[i] % 5, static_cast<char>('a' + i % 26)));
  RC_ASSERT(Fields::Parse(fields.ToString()).ToString() == fields.ToString());
}

TEST(Fields, OrderIsKept) {
  Fields fields;
  fields.Set("z", "1");
  fields.Set("a", "f32:2x3");
  EXPECT_EQ(fields.ToString(), "z=1 a=f32:2x3");
}

TEST(Fields, AnEmptyListIsADash) {
  Fields fields;
  fields.SetInts("dims", {});
  EXPECT_EQ(fields.ToString(), "dims=-");
}

TEST(Fields, AValueMayHoldAnEqualsSign) {
  const Fields fields = Fields::Parse("expr=a=b");
  EXPECT_EQ(fields.Text("expr"), "a=b");
  EXPECT_EQ(fields.error(), "");
}

struct Wrong {
  const char* text;
  void (*read)(const Fields&);
  const char* error;
};

TEST(Fields, WhatIsWrongIsNamed) {
  const Wrong wrongs[] = {
      {"a=1", [](const Fields& f) { f.Int("b"); }, "field 'b' is missing"},
      {"a=1x", [](const Fields& f) { f.Int("a"); }, "field 'a' is not an integer: '1x'"},
      {"a=", [](const Fields& f) { f.Int("a"); }, "field 'a' is not an integer: ''"},
      {"a=9223372036854775808", [](const Fields& f) { f.Int("a"); },
       "field 'a' is not an integer: '9223372036854775808'"},
      {"a=1,", [](const Fields& f) { f.Ints("a"); }, "field 'a' is not a list of integers: '1,'"},
      {"a=,1", [](const Fields& f) { f.Ints("a"); }, "field 'a' is not a list of integers: ',1'"},
      {"a=nan", [](const Fields& f) { f.Float("a"); }, "field 'a' is not a number: 'nan'"},
      {"a=nan:0", [](const Fields& f) { f.Float("a"); }, "field 'a' is not a number: 'nan:0'"},
      {"a=1 b=2", [](const Fields& f) { f.Int("a"); }, "field 'b' means nothing here"},
      {"a=1 a=2", [](const Fields& f) { f.Int("a"); }, "field 'a' is given twice: '1'"},
      {"a=1 b", [](const Fields& f) { f.Int("a"); },
       "field 'b' has no value (a field is key=value)"},
      {"=1", [](const Fields&) {}, "field '' is not a key"},
  };
  for (const Wrong& wrong : wrongs) {
    const Fields fields = Fields::Parse(wrong.text);
    wrong.read(fields);
    EXPECT_EQ(fields.error(), wrong.error) << wrong.text;
  }
}

TEST(Fields, TheFirstThingWrongIsTheOneThatIsTold) {
  const Fields fields = Fields::Parse("a=x b=y");
  fields.Int("a");
  fields.Int("b");
  fields.Reject("b", "is out of range");
  EXPECT_EQ(fields.error(), "field 'a' is not an integer: 'x'");
}

TEST(Fields, AValueWithABlankIsRefused) {
  Fields fields;
  fields.Set("a", "one two");
  EXPECT_EQ(fields.error(), "field 'a' has a value with a blank in it");
}

}  // namespace
}  // namespace conformance
