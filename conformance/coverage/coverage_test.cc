#include "conformance/coverage/coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace conformance {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<Requirement> kRequirements = {
    {"REO-001", "REO", false}, {"REO-002", "REO", false}, {"REO-007", "REO", true}};

Seen Ran(const std::string& id, int64_t counted = 100) {
  Seen seen;
  seen.property = seen.requirement = id;
  seen.counted = counted;
  seen.classes = {{"empty", counted}};
  return seen;
}

std::vector<Waiver> Parsed(const std::string& text) {
  std::string error;
  auto entries = ParseWaivers(text, "list", &error);
  EXPECT_EQ(error, "");
  return entries;
}

std::vector<std::string> Look(const std::vector<Waiver>& waivers, const std::vector<Seen>& seen,
                              const std::string& class_name = "") {
  std::map<std::string, std::vector<std::string>> classes;
  if (!class_name.empty()) classes["REO"] = {class_name};
  return Gaps(kRequirements, waivers, classes, seen,
              [](const std::string& file, const std::string&) { return file == "good.cc"; });
}

const char kRule[] = "REO-007 suite good.cc there is nothing to call";

TEST(Coverage, IsCompleteWhenEveryRequirementIsRunOrExcused) {
  EXPECT_THAT(Look(Parsed(kRule), {Ran("REO-001"), Ran("REO-002")}, "empty"), IsEmpty());
}

TEST(Coverage, LacksARequirementWithoutProperty) {
  EXPECT_THAT(Look(Parsed(kRule), {Ran("REO-001")}), ElementsAre("REO-002: no property names it"));
}

TEST(Coverage, LacksAPropertyThatNeverRan) {
  Seen refused = Ran("REO-002", 0);
  refused.not_run = "there is a GPU engine";
  EXPECT_THAT(Look(Parsed(kRule), {Ran("REO-001"), refused}),
              ElementsAre("REO-002: no case was run: there is a GPU engine"));
}

TEST(Coverage, LetsTheMachineDecideWhetherAPropertyRuns) {
  const auto waivers = Parsed(std::string(kRule) + "\nREO-002 machine with two devices");
  Seen refused = Ran("REO-002", 0);
  refused.not_run = "one device";
  EXPECT_THAT(Look(waivers, {Ran("REO-001"), refused}), IsEmpty());
  EXPECT_THAT(Look(waivers, {Ran("REO-001"), Ran("REO-002")}), IsEmpty());
  EXPECT_THAT(Look(waivers, {Ran("REO-001")}), ElementsAre("list:2: REO-002 has no property"));
}

TEST(Coverage, LacksCasesThatCount) {
  EXPECT_THAT(Look(Parsed(kRule), {Ran("REO-001"), Ran("REO-002", 9)}),
              ElementsAre(HasSubstr("only 9 cases")));
  EXPECT_THAT(Look(Parsed(kRule), {Ran("REO-001"), Ran("REO-002", 10)}), IsEmpty());
}

TEST(Coverage, OfAListMayHaveOneCase) {
  Seen listed = Ran("REO-002", 1);
  listed.listed = true;
  EXPECT_THAT(Look(Parsed(kRule), {Ran("REO-001"), listed}), IsEmpty());
}

TEST(Coverage, LacksAClassThatWasNotDrawn) {
  EXPECT_THAT(Look(Parsed(kRule), {Ran("REO-001"), Ran("REO-002")}, "rank 7"),
              ElementsAre(HasSubstr("'rank 7' was drawn 0 times")));
}

TEST(Coverage, RefusesAnExcuseThatIsStaleUnknownOrTwice) {
  const std::vector<Seen> all = {Ran("REO-001"), Ran("REO-002")};
  const std::string rule = std::string(kRule) + "\n";
  EXPECT_THAT(Look(Parsed(rule + "REO-001 waits for nothing"), all),
              ElementsAre(HasSubstr("list:2: REO-001 has a property that runs")));
  EXPECT_THAT(Look(Parsed(rule + "REO-999 waits for nothing"), all),
              ElementsAre("list:2: there is no requirement REO-999"));
  EXPECT_THAT(Look(Parsed(rule + kRule), all), ElementsAre("list:2: REO-007 is listed twice"));
}

TEST(Coverage, RefusesAnExcuseWhoseFileDoesNotCiteIt) {
  EXPECT_THAT(Look(Parsed("REO-007 suite bad.cc reason"), {Ran("REO-001"), Ran("REO-002")}),
              ElementsAre("list:1: bad.cc does not cite REO-007"));
}

TEST(Coverage, LetsTheSuiteExcuseRulesOnly) {
  EXPECT_THAT(Look(Parsed(std::string(kRule) + "\nREO-002 suite good.cc reason"), {Ran("REO-001")}),
              ElementsAre(HasSubstr("REO-002 is no RULE")));
  EXPECT_THAT(Look(Parsed("REO-007 waits for nothing"), {Ran("REO-001"), Ran("REO-002")}),
              ElementsAre(HasSubstr("REO-007 is a RULE")));
}

TEST(Coverage, ListsNameTheLineThatIsWrong) {
  std::string error;
  ParseWaivers("# a comment\n\nREO-001 perhaps", "list", &error);
  EXPECT_EQ(error, "list:3: 'perhaps' is none of suite, test, waits, machine");
  ParseWaivers("REO-001 waits", "list", &error);
  EXPECT_EQ(error, "list:1: gives no reason");
  ParseClasses("REO", "classes", &error);
  EXPECT_EQ(error, "classes:1: names no class");
}

TEST(Coverage, ClassesAreSeparatedByCommas) {
  std::string error;
  const auto classes = ParseClasses("REO rank 1, empty\nREO tail  # odd\n", "classes", &error);
  EXPECT_EQ(error, "");
  EXPECT_THAT(classes.at("REO"), ElementsAre("rank 1", "empty", "tail"));
}

}  // namespace
}  // namespace conformance
