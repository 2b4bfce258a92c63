#include "conformance/case/numbered_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace conformance {
namespace {

std::string Shown(std::string_view text, Comments comments = Comments::kAnywhere) {
  std::string shown;
  for (const NumberedLine& line : LinesOf(text, comments))
    shown += std::to_string(line.number) + "[" + std::string(line.text) + "]";
  return shown;
}

TEST(NumberedLines, AreThoseThatSaySomething) {
  EXPECT_EQ(Shown(""), "");
  EXPECT_EQ(Shown("\n \t\n# nothing\n  # nothing\n"), "");
  EXPECT_EQ(Shown("a\n\nb c"), "1[a]3[b c]");
}

TEST(NumberedLines, AreWithoutTheBlanksAroundThem) { EXPECT_EQ(Shown("\t a  b \r\n"), "1[a  b]"); }

TEST(NumberedLines, EndWhereACommentBegins) {
  EXPECT_EQ(Shown("a # why\n#b\nc#d\n"), "1[a]3[c]");
  EXPECT_EQ(Shown("a issue#7 # why\n #b\n", Comments::kWholeLines), "1[a issue#7 # why]");
}

}  // namespace
}  // namespace conformance
