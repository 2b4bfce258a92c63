#include "tools/mutate/mutants.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mutate {
namespace {

constexpr char kTwo[] =
    "# a comment\n"
    "mutant one\nkills REO-010 REO-017\nfile a.cc\nwhy an end\nfind i < n\nmake i <= n\n"
    "\n"
    "mutant two\nkills REO-010\nfile a.cc\nwhy a start\nfind i < n\nmake i + 1 < n\n";

std::vector<Mutant> Parsed(const std::string& text) {
  std::vector<Mutant> mutants;
  EXPECT_EQ(ParseMutants("m.txt", text, &mutants), "");
  return mutants;
}

std::string Wrong(const std::string& text) {
  std::vector<Mutant> mutants;
  return ParseMutants("m.txt", text, &mutants);
}

TEST(Mutants, MutantsOfOneTextBecomeOneChain) {
  std::string out;
  ASSERT_EQ(Apply(Parsed(kTwo), "a.cc", "for (; i < n; ++i) {}\n", &out), "");
  EXPECT_EQ(out,
            "for (; (::mutants::On(1) ? (i <= n) : (::mutants::On(2) ? (i + 1 < n) : (i < n))); "
            "++i) {}\n");
}

TEST(Mutants, OtherFilesStayAsTheyAre) {
  std::string out;
  ASSERT_EQ(Apply(Parsed(kTwo), "b.cc", "i < n", &out), "");
  EXPECT_EQ(out, "i < n");
}

TEST(Mutants, StatementsBecomeBranches) {
  const auto mutants = Parsed(
      "mutant s\nkills MD-005\nfile a.cc\nwhy nothing is written\nstatements\nfind f();\n|g();\n"
      "make\n");
  std::string out;
  ASSERT_EQ(Apply(mutants, "a.cc", "{ f();\ng(); }", &out), "");
  EXPECT_EQ(out, "{ if (::mutants::On(1)) {\n\n} else {\nf();\ng();\n} }");
}

TEST(Mutants, NearPicksTheOccurrenceAfterIt) {
  const auto mutants =
      Parsed("mutant s\nkills MD-005\nfile a.cc\nwhy w\nnear second\nfind x\nmake y\n");
  std::string out;
  ASSERT_EQ(Apply(mutants, "a.cc", "x second x", &out), "");
  EXPECT_EQ(out, "x second (::mutants::On(1) ? (y) : (x))");
}

TEST(Mutants, ATextThatIsNotThereOrNotAloneIsRefusedWithItsPlace) {
  std::string out;
  EXPECT_EQ(Apply(Parsed(kTwo), "a.cc", "nothing", &out),
            "m.txt:2: mutant one: `find` occurs 0 times in a.cc, wanted is 1: i < n");
  EXPECT_EQ(Apply(Parsed(kTwo), "a.cc", "i < n i < n", &out),
            "m.txt:2: mutant one: `find` occurs 2 times in a.cc, wanted is 1: i < n");
}

TEST(Mutants, OverlappingTextsAreRefused) {
  const auto mutants = Parsed(
      "mutant a\nkills X\nfile a.cc\nwhy w\nfind b c\nmake d\n"
      "mutant e\nkills X\nfile a.cc\nwhy w\nfind c d\nmake f\n");
  std::string out;
  EXPECT_EQ(Apply(mutants, "a.cc", "b c d", &out),
            "m.txt:7: mutant e overlaps mutant a: give both the same `find`");
}

TEST(Mutants, MalformedFilesAreRefusedWithTheirLine) {
  EXPECT_EQ(Wrong("kills X\n"), "m.txt:1: `kills` before the first `mutant`");
  EXPECT_EQ(Wrong("mutant a\nkilled X\n"),
            "m.txt:2: unknown word `killed`; known are mutant, kills, file, why, near, find, make, "
            "statements");
  EXPECT_EQ(Wrong("mutant a\nfile f\nwhy w\nfind x\nmake y\n"),
            "m.txt:1: mutant a: no `kills` line names a requirement");
  EXPECT_EQ(Wrong("mutant a\nkills X\nfile f\nwhy w\nfind x\nmake x\n"),
            "m.txt:1: mutant a: `make` equals `find`");
  EXPECT_EQ(Wrong("mutant a\nkills X\nfile f\nwhy w\nfind x\nmake y\nmutant a\n"),
            "m.txt:7: mutant a is there already");
  EXPECT_EQ(Wrong("| x\n"), "m.txt:1: '|' continues nothing");
}

TEST(Mutants, IncludesOfMirroredFilesAreRedirected) {
  EXPECT_EQ(
      Redirect("#include \"a/b.h\"\n#include \"c.h\"\n#define HWY_TARGET_INCLUDE \"a/k.cc\"\n",
               {{"a/b.h", "m/a/b.h"}, {"a/k.cc", "m/a/k.cc"}}),
      "#include \"m/a/b.h\"\n#include \"c.h\"\n#define HWY_TARGET_INCLUDE \"m/a/k.cc\"\n");
}

}  // namespace
}  // namespace mutate
