#include "tools/mutate/mutants.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace mutate {
namespace {

constexpr char kTwo[] =
    "# a comment\narea ends\n"
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
      "area a\nmutant s\nkills MD-005\nfile a.cc\nwhy nothing is written\nstatements\nfind "
      "f();\n|g();\n"
      "make\n");
  std::string out;
  ASSERT_EQ(Apply(mutants, "a.cc", "{ f();\ng(); }", &out), "");
  EXPECT_EQ(out, "{ if (::mutants::On(1)) {\n\n} else {\nf();\ng();\n} }");
}

TEST(Mutants, NearPicksTheOccurrenceAfterIt) {
  const auto mutants =
      Parsed("area a\nmutant s\nkills MD-005\nfile a.cc\nwhy w\nnear second\nfind x\nmake y\n");
  std::string out;
  ASSERT_EQ(Apply(mutants, "a.cc", "x second x", &out), "");
  EXPECT_EQ(out, "x second (::mutants::On(1) ? (y) : (x))");
}

TEST(Mutants, ATextThatIsNotThereOrNotAloneIsRefusedWithItsPlace) {
  const auto mutants =
      Parsed("area a\nmutant s\nkills X\nfile a.cc\nwhy w\nfind i < n\nmake i <= n\n");
  std::string out;
  EXPECT_EQ(Apply(mutants, "a.cc", "nothing", &out),
            "m.txt:2: mutant s: `find` occurs 0 times in a.cc, wanted is 1: i < n");
  EXPECT_EQ(Apply(mutants, "a.cc", "i < n i < n", &out),
            "m.txt:2: mutant s: `find` occurs 2 times in a.cc, wanted is 1: i < n");
}

TEST(Mutants, AConditionSaysWhereAFaultIs) {
  const auto mutants = Parsed(
      "area a\nmutant s\nkills X\nfile a.cc\nwhy w\nwhen x > 1\nfind f\nmake g\n"
      "and\nfind h\nmake i\n");
  std::string out;
  ASSERT_EQ(Apply(mutants, "a.cc", "f h", &out), "");
  EXPECT_EQ(out, "(::mutants::On(1) && (x > 1) ? (g) : (f)) (::mutants::On(1) ? (i) : (h))");
}

TEST(Mutants, ThePlaceOfWhatIsAllowedTellsWhoComes) {
  const auto mutants = Parsed(
      "area a\nmutant s\nkills X\nallowed A-28\nfile a.cc\nwhy w\nfind f\nmake g\n"
      "and\nstatements\nwhen x\n| > 1\nfind h;\nmake i;\n");
  std::string out;
  ASSERT_EQ(Apply(mutants, "a.cc", "f h;", &out), "");
  EXPECT_EQ(out,
            "(::mutants::Comes(1) ? (g) : (f)) if (::mutants::Asks(1) && (x\n > 1) && "
            "::mutants::Comes(1)) {\ni;\n} else {\nh;\n}");
}

TEST(Mutants, AFaultMayBeInTwoPlaces) {
  const auto mutants = Parsed(
      "area a\nmutant a\nkills X\nfile a.cc\nwhy w\nfind b\nmake d\n"
      "and\nstatements\nfind c;\nmake e;\n"
      "mutant f\nkills X\nfile a.cc\nwhy w\nfind g\nmake h\n");
  std::string out;
  ASSERT_EQ(Apply(mutants, "a.cc", "b c; g", &out), "");
  EXPECT_EQ(out,
            "(::mutants::On(1) ? (d) : (b)) if (::mutants::On(1)) {\ne;\n} else {\nc;\n} "
            "(::mutants::On(2) ? (h) : (g))");
}

TEST(Mutants, AllTextsThatAreMissingAreToldAtOnce) {
  std::string out;
  const auto mutants = Parsed(
      "area a\nmutant a\nkills X\nfile a.cc\nwhy w\nfind b\nmake d\n"
      "mutant e\nkills X\nfile a.cc\nwhy w\nfind c\nmake f\n");
  EXPECT_EQ(Apply(mutants, "a.cc", "d", &out),
            "m.txt:2: mutant a: `find` occurs 0 times in a.cc, wanted is 1: b\n"
            "m.txt:8: mutant e: `find` occurs 0 times in a.cc, wanted is 1: c");
}

TEST(Mutants, AnAreaHoldsForTheMutantsBelowIt) {
  const auto mutants = Parsed(
      "area one\nmutant a\nkills X\nfile a.cc\nwhy w\nfind b\nmake d\n"
      "mutant b\nkills X\nfile a.cc\nwhy w\nfind b\nmake d\n"
      "\narea two\nmutant c\nkills X\nfile a.cc\nwhy w\nfind b\nmake d\n");
  ASSERT_EQ(mutants.size(), 3u);
  EXPECT_EQ(mutants[0].area, "one");
  EXPECT_EQ(mutants[1].area, "one");
  EXPECT_EQ(mutants[2].area, "two");
}

TEST(Mutants, WhatIsAllowedIsMarked) {
  const auto mutants = Parsed(
      "area a\nmutant a\nkills X\nallowed A-28\nfile a.cc\nwhy w\nfind b\nmake d\n"
      "mutant c\nkills X\nfile a.cc\nwhy w\nfind b\nmake d\n");
  ASSERT_EQ(mutants.size(), 2u);
  EXPECT_EQ(mutants[0].allowed, "A-28");
  EXPECT_EQ(mutants[1].allowed, "");
}

TEST(Mutants, WhatOnlySomeInstructionSetsCompileIsMarked) {
  const auto parsed = [](const std::string& isa) {
    return Parsed("area a\nmutant a\nkills X\n" + isa + "file a.cc\nwhy w\nfind b\nmake d\n");
  };
  EXPECT_EQ(parsed("")[0].isa, "");
  EXPECT_EQ(parsed("isa >=AVX3\n")[0].isa, ">=AVX3");
  EXPECT_EQ(parsed("isa <=SSE4\n")[0].isa, "<=SSE4");
  EXPECT_EQ(parsed("isa >=SSSE3 <=SSE4\n")[0].isa, ">=SSSE3 <=SSE4");
  for (const char* isa : {"isa", "isa AVX3", "isa >AVX3", "isa >=", "isa <=SSE4 >=SSSE3",
                          "isa >=SSSE3 >=SSE4", "isa >=SSSE3 <=SSE4 <=SSE4"})
    EXPECT_EQ(Wrong(std::string("mutant a\n") + isa + "\n").rfind("m.txt:2: `isa` wants ", 0), 0u)
        << isa;
}

TEST(Mutants, OverlappingTextsAreRefused) {
  const auto mutants = Parsed(
      "area a\nmutant a\nkills X\nfile a.cc\nwhy w\nfind b c\nmake d\n"
      "mutant e\nkills X\nfile a.cc\nwhy w\nfind c d\nmake f\n");
  std::string out;
  EXPECT_EQ(Apply(mutants, "a.cc", "b c d", &out),
            "m.txt:8: mutant e overlaps mutant a: give both the same `find`");
}

TEST(Mutants, MalformedFilesAreRefusedWithTheirLine) {
  EXPECT_EQ(Wrong("kills X\n"), "m.txt:1: `kills` before the first `mutant`");
  EXPECT_EQ(
      Wrong("mutant a\nkilled X\n"),
      "m.txt:2: unknown word `killed`; known are area, mutant, kills, allowed, isa, file, why, "
      "when, near, find, make, statements, and");
  EXPECT_EQ(Wrong("area a\nmutant a\nfile f\nwhy w\nfind x\nmake y\n"),
            "m.txt:2: mutant a: no `kills` line names a requirement");
  EXPECT_EQ(Wrong("area a\nmutant a\nkills X, Y\nfile f\nwhy w\nfind x\nmake y\n"),
            "m.txt:2: mutant a: 'X,' is no requirement; what it kills is separated by blanks");
  EXPECT_EQ(Wrong("area a\nmutant a\nkills X\nfile f\nwhy w\nfind x\nmake x\n"),
            "m.txt:2: mutant a: `make` equals `find`");
  EXPECT_EQ(Wrong("area a\nmutant a\nkills X\nfile f\nwhy w\nfind x\nmake y\nmutant a\n"),
            "m.txt:8: mutant a is there already");
  EXPECT_EQ(Wrong("mutant a\nkills X\nfile f\nwhy w\nfind x\nmake y\n"),
            "m.txt:1: mutant a: no `area` line above it");
  EXPECT_EQ(Wrong("area a\nmutant a\nkills X\nfile f\nwhy w\nfind x, y\nmake f(x, y)\n"),
            "m.txt:2: mutant a: a list with commas is no expression");
  EXPECT_EQ(Wrong("| x\n"), "m.txt:1: '|' continues nothing");
  EXPECT_EQ(Wrong("mutant a\nallowed\n"), "m.txt:2: `allowed` names nothing that allows it");
}

TEST(Mutants, IncludesOfMirroredFilesAreRedirected) {
  EXPECT_EQ(
      Redirect("#include \"a/b.h\"\n#include \"c.h\"\n#define HWY_TARGET_INCLUDE \"a/k.cc\"\n",
               {{"a/b.h", "m/a/b.h"}, {"a/k.cc", "m/a/k.cc"}}),
      "#include \"m/a/b.h\"\n#include \"c.h\"\n#define HWY_TARGET_INCLUDE \"m/a/k.cc\"\n");
}

TEST(Mutants, AFolderStandsForTheFileThatHoldsTheText) {
  auto mutants = Parsed("area a\nmutant a\nkills X\nfile d/\nwhy w\nfind b\nmake c\n");
  EXPECT_EQ(Settle({{"d/x.cc", "a"}, {"d/y.cc", "b"}, {"e/z.cc", "b"}}, &mutants), "");
  EXPECT_EQ(mutants[0].file, "d/y.cc");

  auto others = Parsed("area a\nmutant a\nkills X\nfile d/\nwhy w\nfind b\nmake c\n");
  EXPECT_EQ(Settle({{"d/x.cc", "b"}, {"d/y.cc", "b"}}, &others),
            "m.txt:2: mutant a: its text is in 2 files of d/, wanted is 1: b");
}

TEST(Mutants, WhatIncludesAMutantIsAffectedAtAnyDistance) {
  const auto mutants = Parsed("area a\nmutant a\nkills X\nfile a.h\nwhy w\nfind b\nmake d\n");
  EXPECT_EQ(Affected(mutants, {{"a.h", "the header"},
                               {"public/a.h", "the header"},
                               {"b.h", "#include \"public/a.h\"\n"},
                               {"c.cc", "#define HWY_TARGET_INCLUDE \"b.h\"\n"},
                               {"d.cc", "#include \"e.h\"\n// #include \"a.h\"\n"},
                               {"e.h", ""}}),
            (std::set<std::string>{"a.h", "public/a.h", "b.h", "c.cc"}));
}

}  // namespace
}  // namespace mutate
