#include "conformance/cli/pattern.h"

#include <gtest/gtest.h>

namespace conformance {
namespace {

TEST(Pattern, IsFoundInAnyPart) {
  EXPECT_TRUE(Pattern("EO-01").IsIn("REO-010/f32"));
  EXPECT_FALSE(Pattern("SHU").IsIn("REO-010/f32"));
  EXPECT_TRUE(Pattern("^REO-0(10|11)(/|$)").IsIn("REO-010/f32"));
  EXPECT_FALSE(Pattern("^REO-0(10|11)(/|$)").IsIn("REO-012"));
  EXPECT_TRUE(Pattern("^MD-T-nchw$").IsIn("MD-T-nchw"));
}

TEST(Pattern, TheEmptyOneIsFoundEverywhere) { EXPECT_TRUE(Pattern("").IsIn("REO-010")); }

TEST(Pattern, SaysWhatIsWrongWithIt) {
  EXPECT_NE(Pattern("(").error(), "");
  EXPECT_NE(Pattern("[a").error(), "");
  EXPECT_NE(Pattern("a{2,1}").error(), "");
  EXPECT_EQ(Pattern("(a)").error(), "");
}

}  // namespace
}  // namespace conformance
