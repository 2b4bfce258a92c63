#include "conformance/reproduce/amalgamate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

const SourceTexts& Sources() {
  static const auto* const sources = new SourceTexts{
      {"a/base.h",
       "#ifndef DNNSPEC_A_BASE_H_\n#define DNNSPEC_A_BASE_H_\n#include <string>\n"
       "namespace n {\nint Base();\n}  // namespace n\n#endif  // DNNSPEC_A_BASE_H_\n"},
      {"a/base.cc",
       "#include \"a/base.h\"\nnamespace n {\nnamespace {\nint Helper() { return 1; }\n"
       "}  // namespace\nint Base() { return Helper(); }\n}  // namespace n\n"},
      {"a/base_more.cc", "#include \"a/base.h\"\nnamespace n {\nint more;\n}  // namespace n\n"},
      {"a/other_check.cc",
       "#include \"a/base.h\"\nnamespace n {\nbool other = Define(1);\n}  // namespace n\n"},
      {"b/check.cc",
       "#include <string>\n#include \"a/base.h\"\n#include \"outside.h\"\n#include \"gen.inc\"\n"
       "namespace n {\nnamespace {\nint Helper() { return 2; }\nint Mine() { return Helper(); }\n"
       "}  // namespace\nbool defined = Define(Mine());\n}  // namespace n\n"},
      {"b/unused.h", "namespace n {\nint unused;\n}  // namespace n\n"},
  };
  return *sources;
}

std::string Made() {
  return Amalgamate(Sources(), {"b/check.cc"}, {{"gen.inc", "int generated;\n"}});
}

size_t Times(const std::string& text, const std::string& what) {
  size_t times = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++times;
  return times;
}

TEST(Amalgamate, TakesWhatTheCheckStandsOnAndNothingElse) {
  const std::string text = Made();
  EXPECT_EQ(Times(text, "int Base();"), 1u);
  EXPECT_EQ(Times(text, "int Base() {"), 1u);
  EXPECT_EQ(Times(text, "int more;"), 1u);
  EXPECT_EQ(Times(text, "bool defined"), 1u);
  EXPECT_THAT(text, Not(HasSubstr("bool other")));
  EXPECT_THAT(text, Not(HasSubstr("int unused")));
  EXPECT_LT(text.find("int Base() {"), text.find("bool defined"));
}

TEST(Amalgamate, IncludesOnlyWhatIsNotAmongTheSources) {
  const std::string text = Made();
  EXPECT_EQ(Times(text, "#include <string>"), 1u);
  EXPECT_EQ(Times(text, "#include \"outside.h\""), 1u);
  EXPECT_EQ(Times(text, "int generated;"), 1u);
  EXPECT_EQ(Times(text, "#include"), 2u);
  EXPECT_THAT(text, Not(HasSubstr("_BASE_H_")));
}

TEST(Amalgamate, RenamesWhatWouldMeetInOneFile) {
  const std::string text = Made();
  EXPECT_THAT(text, HasSubstr("#define Helper Helper_of_a_base\n"));
  EXPECT_THAT(text, HasSubstr("#define Helper Helper_of_b_check\n"));
  EXPECT_EQ(Times(text, "#undef Helper\n"), 2u);
  EXPECT_THAT(text, Not(HasSubstr("#define Mine")));
}

TEST(Amalgamate, TakesWhatSeveralFilesStandOnOnce) {
  const std::string text =
      Amalgamate(Sources(), {"a/other_check.cc", "b/check.cc"}, {{"gen.inc", ""}});
  EXPECT_EQ(Times(text, "int Base() {"), 1u);
  EXPECT_EQ(Times(text, "bool other"), 1u);
  EXPECT_LT(text.find("bool other"), text.find("bool defined"));
}

TEST(HasWord, MeansWholeWords) {
  EXPECT_TRUE(HasWord("spec::REO_010,", "REO_010"));
  EXPECT_FALSE(HasWord("spec::REO_0101", "REO_010"));
  EXPECT_FALSE(HasWord("XREO_010", "REO_010"));
  EXPECT_TRUE(HasWord("XREO_010 REO_010", "REO_010"));
}

}  // namespace
}  // namespace conformance
