#include "conformance/report/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "conformance/report/document.h"
#include "conformance/report/written.h"

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Diff, OfTheSameIsNothing) {
  const Difference difference = Compare(Typical(), Typical());
  EXPECT_EQ(difference.text, "vendor 2.6.3 (cpu): 0 changed, 3 the same\n");
  EXPECT_FALSE(difference.worse);
}

TEST(Diff, ComparesRunsOfOneSubjectInTheirOrder) {
  const std::string passed = File(Requirement("SHU-001", "pass")),
                    failed = File(Requirement("SHU-001", "fail", kFailure));
  const auto both = [](const std::string& one, const std::string& other) {
    return Parse("{\"format\": 1, \"subjects\": [" + one + "," + other + "]}");
  };
  EXPECT_FALSE(Compare(both(passed, failed), both(passed, failed)).worse);
  EXPECT_TRUE(Compare(both(passed, failed), both(failed, failed)).worse);
}

TEST(Diff, TellsWhatGotWorseFirst) {
  const Document before =
      Parse(File(Requirement("SHU-001", "fail", kFailure) + "," + Requirement("SHU-002", "pass") +
                 "," + Requirement("SHU-003", "pass")));
  const Document after =
      Parse(File(Requirement("SHU-001", "pass") + "," + Requirement("SHU-002", "fail", kFailure) +
                 "," + Requirement("SHU-004", "pass")));
  const Difference difference = Compare(before, after);
  EXPECT_EQ(difference.text,
            "vendor 2.6.3 (cpu): 4 changed, 0 the same\n"
            "  worse   SHU-002  pass -> fail: SHU-020 a=0\n"
            "  gone    SHU-003  was pass\n"
            "  better  SHU-001  fail -> pass\n"
            "  new     SHU-004  pass\n");
  EXPECT_TRUE(difference.worse);
  EXPECT_TRUE(Compare(after, before).worse);  // SHU-004 is gone then
}

TEST(Diff, WhatIsNewMayNotFail) {
  const std::string passed = Requirement("SHU-001", "pass");
  const Document before = Parse(File(passed));
  EXPECT_FALSE(Compare(before, Parse(File(passed + "," + Requirement("SHU-002", "weak")))).worse);
  EXPECT_TRUE(
      Compare(before, Parse(File(passed + "," + Requirement("SHU-002", "fail", kFailure)))).worse);
  Document none = before;
  none.runs.clear();
  EXPECT_FALSE(Compare(none, before).worse);
  EXPECT_TRUE(Compare(none, Typical()).worse);
}

TEST(Diff, OneRunIsComparedWithOneWhateverTheSubjectsAreCalled) {
  Document before = Parse(File(Requirement("SHU-001", "pass")));
  const Document after = Parse(File(Requirement("SHU-001", "fail", kFailure)));
  before.runs[0].subject = "vendor-1.0";
  before.runs[0].profile = "project";
  const Difference difference = Compare(before, after);
  EXPECT_TRUE(difference.worse);
  EXPECT_EQ(difference.text,
            "not alike: vendor-1.0 2.6.3 (cpu), project against vendor 2.6.3 (cpu), portable\n"
            "vendor 2.6.3 (cpu): 1 changed, 0 the same\n"
            "  worse   SHU-001  pass -> fail: SHU-020 a=0\n"
            "  cause   new  dst[<b>]: expected #, got # & #: SHU-001\n");
}

TEST(Diff, NamesTheCausesOfOneRunAlone) {
  Document before = Parse(File(Requirement("SHU-001", "fail", kFailure) + "," +
                               Requirement("SHU-002", "fail", kFailure)));
  Document after = before;
  for (RecordedRequirement& requirement : after.runs[0].requirements)
    requirement.failures[0].where = "src";
  after.runs[0].requirements[0].failures.push_back(before.runs[0].requirements[0].failures[0]);
  const Difference difference = Compare(before, after);
  EXPECT_EQ(difference.text,
            "vendor 2.6.3 (cpu): 0 changed, 2 the same\n"
            "  cause   new  src: expected #, got # & #: SHU-001, SHU-002\n");
  // Another draw may show a cause that was there before.
  EXPECT_FALSE(difference.worse);
  after.runs[0].requirements[0].failures.pop_back();
  EXPECT_THAT(Compare(before, after).text,
              HasSubstr("  cause   gone  dst[<b>]: expected #, got # & #: SHU-001, SHU-002\n"));
}

TEST(Diff, ComparesPropertiesWhereTheVerdictIsTheSame) {
  const auto with = [](const char* first, const char* second) {
    std::string requirement = Requirement("SHU-020", "fail", kFailure);
    const std::string properties =
        std::string("\"properties\": [{\"name\": \"SHU-020\", \"verdict\": \"") + first +
        "\"}, {\"name\": \"SHU-020/large\", \"verdict\": \"" + second + "\"}], \"old\": [";
    requirement.replace(Place(requirement, "\"properties\": ["),
                        std::string_view("\"properties\": [").size(), properties);
    return Parse(File(requirement));
  };
  const Difference difference = Compare(with("pass", "fail"), with("fail", "pass"));
  EXPECT_EQ(difference.text,
            "vendor 2.6.3 (cpu): 1 changed, 0 the same\n"
            "  worse   SHU-020  pass -> fail: SHU-020 a=0\n"
            "  better  SHU-020/large  fail -> pass\n"
            "  cause   new  dst[<b>]: expected #, got # & #: SHU-020\n");
  EXPECT_TRUE(difference.worse);
  EXPECT_FALSE(Compare(with("fail", "fail"), with("fail", "pass")).worse);
}

TEST(Diff, SaysHowTheRunsWereAskedDifferently) {
  Document before = Typical(), after = Typical();
  before.runs[0].asked = 2000;
  after.runs[0].asked = 400;
  after.runs[0].seed = 8;
  after.runs[0].claims_file = "other.claims";
  EXPECT_THAT(Compare(before, after).text,
              StartsWith("asked differently: seed 7 -> 8, cases 2000 -> 400, claims my.claims -> "
                         "other.claims\nvendor 2.6.3 (cpu): 0 changed"));
  EXPECT_FALSE(Compare(before, after).worse);
}

TEST(Diff, APassThatIsNoLongerRunIsWorseAndTheOppositeBetter) {
  const Document passed = Parse(File(Requirement("SHU-001", "pass")));
  const Document not_run = Parse(File(Requirement("SHU-001", "not_run")));
  EXPECT_TRUE(Compare(passed, not_run).worse);
  EXPECT_FALSE(Compare(not_run, passed).worse);
}

}  // namespace
}  // namespace conformance
