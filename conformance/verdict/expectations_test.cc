#include "conformance/verdict/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/case/testing/toys.h"

namespace conformance {
namespace {

using testing::HasSubstr;

void Nothing(const Number&, Trial&) {}

// TOY-001/left, TOY-001/right, TOY-002.
const std::vector<const Property*>& Known() {
  static const auto* const known = new std::vector<const Property*>{
      new PropertyOver<Number>(ToyMust(), "left", AnyNumber(), Nothing, {}),
      new PropertyOver<Number>(ToyMust(), "right", AnyNumber(), Nothing, {}),
      new PropertyOver<Number>(ToyShould(), "", AnyNumber(), Nothing, {})};
  return *known;
}

Expectations Parsed(const std::string& text) {
  return ParseExpectations(text, "known.txt", Known());
}

TEST(Expectations, AnEntryIsSixColumns) {
  const Expectations parsed =
      Parsed("# comment\n\n  toy 2.6.* TOY-001/left  findings/1.md 2027-01-31   it is  late \n");
  ASSERT_EQ(parsed.error, "");
  ASSERT_EQ(parsed.entries.size(), 1u);
  const Expectation& entry = parsed.entries[0];
  EXPECT_EQ(entry.subject, "toy");
  EXPECT_EQ(entry.version, "2.6.*");
  EXPECT_EQ(entry.name, "TOY-001/left");
  EXPECT_EQ(entry.link, "findings/1.md");
  EXPECT_EQ(entry.expires, "2027-01-31");
  EXPECT_EQ(entry.reason, "it is  late");
  EXPECT_EQ(entry.place, "known.txt:3");
}

TEST(Expectations, OfSeveralFilesAreOneList) {
  Expectations parsed = ParseExpectations("toy 1 TOY-002 a never b", "one", Known());
  parsed = ParseExpectations("toy 1 TOY-001 c never d", "two", Known(), parsed.entries);
  EXPECT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.entries.size(), 2u);
  parsed = ParseExpectations("toy 1 TOY-002 e never f", "three", Known(), parsed.entries);
  EXPECT_EQ(parsed.error, "three:1: 'TOY-002' stands at one:1 already");
}

TEST(Expectations, NothingIsExpectedByAnEmptyFile) {
  EXPECT_TRUE(Parsed("").entries.empty());
  EXPECT_EQ(Parsed("\n# only this\n").error, "");
}

TEST(Expectations, WhatIsWrongIsNamedWithItsLine) {
  const char* const kWrong[][2] = {
      {"toy 1 TOY-002 link never", "known.txt:1: an entry is"},
      {"toy 1 TOY-003 link never reason", "'TOY-003' is no property"},
      {"toy 1 TOY-001/up link never reason", "'TOY-001/up' is no property"},
      {"toy 1 TOY-002 link 2027-1-31 reason", "neither YYYY-MM-DD nor never"},
      {"toy 1 TOY-002 link 2027-13-31 reason", "neither YYYY-MM-DD nor never"},
      {"toy 1.* TOY-002 link never reason", "must expire"},
      {"toy 1.*.2 TOY-002 link 2027-01-31 reason", "'*' stands at the end only"},
      {"\n\ntoy 1 TOY-002 a never b\ntoy 1 TOY-002 c never d",
       "known.txt:4: 'TOY-002' stands at known.txt:3 already"},
  };
  for (const auto& [text, error] : kWrong) {
    EXPECT_THAT(Parsed(text).error, HasSubstr(error));
  }
}

TEST(Expectations, TheNearestRightEntriesAreTaken) {
  for (const char* text : {
           "toy 1 TOY-002 link never reason",
           "toy 1 MD-075 link never of another runner",
           "toy 1 TOY-001 link never reason",
           "toy 1.* TOY-002 link 2027-01-31 reason",
           "toy 1 TOY-002 a never b\ntoy 2 TOY-002 c never d\nyot 1 TOY-002 e never f",
       })
    EXPECT_EQ(Parsed(text).error, "") << text;
}

TEST(Expectations, AVersionIsExactOrABeginning) {
  const auto is_for = [](const char* pattern, const char* version) {
    Expectation entry;
    entry.subject = "toy";
    entry.version = pattern;
    return entry.IsFor("toy", version);
  };
  EXPECT_TRUE(is_for("2.6.3", "2.6.3"));
  EXPECT_FALSE(is_for("2.6.3", "2.6.30"));
  EXPECT_TRUE(is_for("2.6.*", "2.6.30"));
  EXPECT_FALSE(is_for("2.6.*", "2.7.0"));
  EXPECT_TRUE(is_for("*", "unknown"));
}

TEST(Expectations, AQuestionMarkMeansSometimes) {
  const Expectations parsed =
      Parsed("toy 1 TOY-001/left? link never reason\ntoy 1 TOY-002 link never reason\n");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.entries[0].name, "TOY-001/left");
  EXPECT_TRUE(parsed.entries[0].sometimes);
  EXPECT_FALSE(parsed.entries[1].sometimes);
  EXPECT_THAT(Parsed("toy 1 TOY-002 a never b\ntoy 1 TOY-002? c never d").error,
              HasSubstr("stands at known.txt:1 already"));
  EXPECT_THAT(Parsed("toy 1 TOY-003? link never reason").error,
              HasSubstr("'TOY-003' is no property"));
}

TEST(Expectations, AnInstructionSetDecidesWhichCount) {
  const Expectations parsed = Parsed(
      "toy 1 TOY-001/left isa<avx2 a never b\ntoy 1 TOY-001/left? isa>=avx2 c never d\n"
      "toy 1 TOY-002 e never f\n");
  ASSERT_EQ(parsed.error, "");
  EXPECT_EQ(parsed.entries[0].link, "a");
  EXPECT_EQ(parsed.entries[0].expires, "never");
  EXPECT_EQ(parsed.entries[0].reason, "b");
  const auto reasons = [&](Isa isa) {
    std::string text;
    for (const Expectation& entry : OnesFor(isa, parsed.entries)) text += entry.reason;
    return text;
  };
  EXPECT_EQ(reasons(Isa::kSse41), "bf");
  EXPECT_EQ(reasons(Isa::kAvx2), "df");
  EXPECT_EQ(reasons(Isa::kAvx512Core), "df");
}

TEST(Expectations, OfOneNameMayNotCountForOneInstructionSetTwice) {
  EXPECT_THAT(Parsed("toy 1 TOY-002 isa<avx2 a never b\ntoy 1 TOY-002 isa<sse41 c never d").error,
              HasSubstr("stands at known.txt:1 already"));
  EXPECT_THAT(Parsed("toy 1 TOY-002 a never b\ntoy 1 TOY-002 isa<sse41 c never d").error,
              HasSubstr("stands at known.txt:1 already"));
  EXPECT_THAT(Parsed("toy 1 TOY-002 isa<avx9 a never b").error,
              HasSubstr("known.txt:1: 'isa<avx9' is neither"));
  EXPECT_THAT(Parsed("toy 1 TOY-002 isa<avx2 never b").error, HasSubstr("an entry is"));
}

TEST(Expectations, OnesForOtherVersionsOnlyAreReported) {
  const auto entries = Parsed("toy 1 TOY-002 a never b\ntoy 2.* TOY-002 c 2027-01-31 d\n").entries;
  EXPECT_EQ(OtherVersionsOnly(entries, "toy", "1"), "");
  EXPECT_EQ(OtherVersionsOnly(entries, "toy", "2.7"), "");
  EXPECT_EQ(OtherVersionsOnly(entries, "yot", "3"), "");
  EXPECT_EQ(OtherVersionsOnly({}, "toy", "3"), "");
  EXPECT_EQ(OtherVersionsOnly(entries, "toy", "3"),
            "known.txt:1: entries for toy 1, none for the version that was judged, 3");
}

TEST(Expectations, ThatNameNoSubjectCanBeTold) {
  const auto entries = Parsed("toy 1 TOY-002 a never b\n").entries;
  EXPECT_TRUE(AnyFor(entries, "toy"));
  EXPECT_FALSE(AnyFor(entries, "yot"));
  EXPECT_FALSE(AnyFor({}, "toy"));
}

TEST(Expectations, ARequirementStandsForAllItsProperties) {
  Expectation entry;
  entry.name = "TOY-001";
  EXPECT_TRUE(entry.Matches(*Known()[0]));
  EXPECT_TRUE(entry.Matches(*Known()[1]));
  EXPECT_FALSE(entry.Matches(*Known()[2]));
  entry.name = "TOY-001/left";
  EXPECT_TRUE(entry.Matches(*Known()[0]));
  EXPECT_FALSE(entry.Matches(*Known()[1]));
}

TEST(Expectations, TheLastDayCounts) {
  Expectation entry;
  entry.expires = "2027-01-31";
  EXPECT_FALSE(entry.Expired("2027-01-31"));
  EXPECT_TRUE(entry.Expired("2027-02-01"));
  entry.expires = "never";
  EXPECT_FALSE(entry.Expired("2999-01-01"));
}

TEST(Expectations, TodayIsADate) {
  EXPECT_THAT(Today(), testing::MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]"));
}

}  // namespace
}  // namespace conformance
