#include "conformance/verdict/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "conformance/case/testing/toys.h"

namespace conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void Nothing(const Number&, Trial&) {}

const Property& Drawing() {
  static const auto* const property =
      new auto(Toy(ToyMust(), AnyNumber(), Nothing, {"odd", "even"}));
  return *property;
}

const Property& Listing() {
  static const auto* const property = new auto(Toy(ToyMust(), FirstNumbers(10), Nothing));
  return *property;
}

const Property& Should() {
  static const auto* const property = new auto(Toy(ToyShould(), FirstNumbers(10), Nothing));
  return *property;
}

// A result with this many cases of each kind, and all classes seen.
PropertyResult Seen(int64_t held, int64_t vacuous = 0, int64_t not_run = 0, int64_t deviated = 0,
                    int64_t failed = 0) {
  PropertyResult result;
  const int64_t counts[] = {held, vacuous, not_run, deviated, failed};
  for (int i = 0; i < 5; ++i) result.cases += result.results[i] = counts[i];
  result.classes = {{"odd", {held, 0}}, {"even", {held, 0}}};
  if (not_run > 0) result.reasons = {{"no bf16", not_run - 1}, {"no f16", 1}};
  if (deviated + failed > 0) {
    result.failures.emplace_back();
    result.failures[0].deviation = failed == 0;
  }
  return result;
}

Verdict Of(const Property& property, const PropertyResult& result,
           Profile profile = Profile::kProject) {
  RunOptions run_options;
  run_options.profile = profile;
  return Decide(property, result, run_options).verdict;
}

std::string Reason(const Property& property, const PropertyResult& result) {
  return Decide(property, result, RunOptions()).reason;
}

TEST(Decide, CasesThatHeldPass) {
  EXPECT_EQ(Of(Drawing(), Seen(2000)), Verdict::kPass);
  EXPECT_EQ(Of(Listing(), Seen(10)), Verdict::kPass);
}

TEST(Decide, OneFailureIsEnough) {
  EXPECT_EQ(Of(Drawing(), Seen(1999, 0, 0, 0, 1)), Verdict::kFail);
}

TEST(Decide, AFailureOutweighsWhatWasNotSeen) {
  PropertyResult result = Seen(0, 0, 0, 0, 3);
  result.classes.clear();
  EXPECT_EQ(Of(Drawing(), result), Verdict::kFail);
}

TEST(Decide, ADeviationIsWeak) {
  EXPECT_EQ(Of(Drawing(), Seen(1999, 0, 0, 1, 0), Profile::kPortable), Verdict::kWeak);
}

TEST(Decide, AShouldThatFailsIsWeakInPortableOnly) {
  EXPECT_EQ(Of(Should(), Seen(9, 0, 0, 0, 1), Profile::kPortable), Verdict::kWeak);
  EXPECT_EQ(Of(Should(), Seen(9, 0, 0, 0, 1), Profile::kProject), Verdict::kFail);
  EXPECT_EQ(Of(Listing(), Seen(9, 0, 0, 0, 1), Profile::kPortable), Verdict::kFail);
}

TEST(Decide, AShouldThatCrashesFailsEverywhere) {
  PropertyResult result = Seen(9, 0, 0, 0, 1);
  result.failures[0].signal = "SIGSEGV";
  EXPECT_EQ(Of(Should(), result, Profile::kPortable), Verdict::kFail);
}

TEST(Decide, WhatWasRefusedThroughoutIsNotRunForTheMainReason) {
  EXPECT_EQ(Of(Drawing(), Seen(0, 0, 2000)), Verdict::kNotRun);
  EXPECT_EQ(Reason(Drawing(), Seen(0, 0, 2000)), "no bf16");
}

TEST(Decide, WhatNarrowClaimsLeaveOfNoMeaningIsNotRun) {
  RunOptions claims;
  claims.outside = [](std::string_view) { return std::string(); };
  const PropertyOutcome left = Decide(Drawing(), Seen(0, 184, 1816), claims);
  EXPECT_EQ(left.verdict, Verdict::kNotRun);
  EXPECT_EQ(left.reason, "no bf16");
  EXPECT_EQ(Decide(Drawing(), Seen(0, 2000), claims).verdict, Verdict::kSuiteError);
  EXPECT_EQ(Of(Drawing(), Seen(0, 184, 1816)), Verdict::kSuiteError);
}

TEST(Decide, AMissedClassIsTheSuitesFault) {
  PropertyResult result = Seen(2000);
  result.classes.erase("odd");
  EXPECT_EQ(Of(Drawing(), result), Verdict::kSuiteError);
  EXPECT_EQ(Reason(Drawing(), result), "never saw 'odd' in 2000 cases");
}

TEST(Decide, AClassThatTheSubjectRefusedIsNotMissed) {
  PropertyResult result = Seen(1500, 0, 500);
  result.classes["odd"] = {0, 500};
  EXPECT_EQ(Of(Drawing(), result), Verdict::kPass);
}

TEST(Decide, VacuousCasesDoNotCount) {
  EXPECT_EQ(Of(Drawing(), Seen(0, 2000)), Verdict::kSuiteError);
  EXPECT_EQ(Of(Drawing(), Seen(49, 1951)), Verdict::kSuiteError);
  EXPECT_EQ(Of(Drawing(), Seen(50, 1950)), Verdict::kPass);
  EXPECT_EQ(Of(Drawing(), Seen(2, 59, 1939)), Verdict::kSuiteError);
  EXPECT_EQ(Of(Drawing(), Seen(3, 57, 1940)), Verdict::kPass);
  EXPECT_EQ(Of(Listing(), Seen(0, 10)), Verdict::kSuiteError);
  EXPECT_EQ(Of(Listing(), Seen(1, 9)), Verdict::kPass);
}

TEST(Decide, TooFewCasesByChoiceIsOutOfBudget) {
  PropertyResult result = Seen(20);
  result.classes.erase("odd");
  EXPECT_EQ(Of(Drawing(), result), Verdict::kNotRun);
  EXPECT_THAT(Reason(Drawing(), result), HasSubstr("out of budget: never saw 'odd'"));
  EXPECT_EQ(Of(Listing(), Seen(9)), Verdict::kNotRun);
  EXPECT_EQ(Reason(Listing(), Seen(9)), "out of budget: 9 cases of 10");
}

TEST(Decide, WhatTheSuiteDidWrongIsASuiteError) {
  PropertyResult result = Seen(2000);
  result.problem = "the suite threw";
  EXPECT_EQ(Of(Drawing(), result), Verdict::kSuiteError);
}

PropertyOutcome With(const Property& property, Verdict verdict, std::string reason = "") {
  return {&property, {}, verdict, std::move(reason)};
}

TEST(Merge, TheWorstPropertyDecides) {
  const Verdict order[] = {Verdict::kNotRun, Verdict::kPass,           Verdict::kExpectedFailure,
                           Verdict::kWeak,   Verdict::kUnexpectedPass, Verdict::kSuiteError,
                           Verdict::kFail};
  for (Verdict a : order)
    for (Verdict b : order) {
      const RequirementOutcome outcome = Merge(ToyMust(), {With(Drawing(), a), With(Drawing(), b)});
      EXPECT_EQ(outcome.verdict, std::max(a, b)) << NameOf(a) << " and " << NameOf(b);
    }
}

TEST(Merge, TheReasonIsOneOfTheVerdict) {
  const RequirementOutcome outcome =
      Merge(ToyMust(), {With(Drawing(), Verdict::kNotRun, "no bf16"),
                        With(Drawing(), Verdict::kSuiteError, "saw nothing")});
  EXPECT_EQ(outcome.reason, "saw nothing");
}

TEST(Merge, WithoutPropertiesThereIsNoVerdict) {
  EXPECT_EQ(Merge(ToyMust(), {}).verdict, Verdict::kNotRun);
  EXPECT_EQ(Merge(ToyMust(), {}).reason, "no property yet");
  static constexpr spec::Requirement rule = {"TOY-003", spec::Level::kRule, "model", "", "", ""};
  EXPECT_EQ(Merge(rule, {}).reason, "a rule for the suite");
}

Expectation Entry(std::string name, std::string expires = "never") {
  Expectation entry;
  entry.subject = "toy";
  entry.version = "1.0";
  entry.name = std::move(name);
  entry.link = "findings/1.md";
  entry.expires = std::move(expires);
  entry.reason = "known";
  entry.place = "f:1";
  return entry;
}

std::vector<std::string> Apply(const Expectation& entry, std::vector<PropertyOutcome>* outcomes) {
  return ApplyExpectations({entry}, "toy", "1.0", "2027-01-31", outcomes);
}

TEST(ApplyExpectations, AFailureThatIsExpectedIsSoCalled) {
  std::vector<PropertyOutcome> outcomes = {With(Drawing(), Verdict::kFail)};
  EXPECT_THAT(Apply(Entry("TOY-001"), &outcomes), IsEmpty());
  EXPECT_EQ(outcomes[0].verdict, Verdict::kExpectedFailure);
  EXPECT_EQ(outcomes[0].reason, "known (findings/1.md)");
}

TEST(ApplyExpectations, APassIsUnexpected) {
  std::vector<PropertyOutcome> outcomes = {With(Drawing(), Verdict::kPass)};
  EXPECT_THAT(Apply(Entry("TOY-001"), &outcomes), IsEmpty());
  EXPECT_EQ(outcomes[0].verdict, Verdict::kUnexpectedPass);
}

TEST(ApplyExpectations, AnEntryForARequirementWantsOneOfItsPropertiesToFail) {
  std::vector<PropertyOutcome> outcomes = {With(Drawing(), Verdict::kPass),
                                           With(Listing(), Verdict::kFail)};
  EXPECT_THAT(Apply(Entry("TOY-001"), &outcomes), IsEmpty());
  EXPECT_EQ(outcomes[0].verdict, Verdict::kPass);
  EXPECT_EQ(outcomes[1].verdict, Verdict::kExpectedFailure);
}

TEST(ApplyExpectations, OtherSubjectsAndVersionsAreNoConcern) {
  std::vector<PropertyOutcome> outcomes = {With(Drawing(), Verdict::kFail)};
  EXPECT_THAT(ApplyExpectations({Entry("TOY-001")}, "toy", "1.1", "2027-01-31", &outcomes),
              IsEmpty());
  EXPECT_THAT(ApplyExpectations({Entry("TOY-001")}, "yot", "1.0", "2027-01-31", &outcomes),
              IsEmpty());
  EXPECT_EQ(outcomes[0].verdict, Verdict::kFail);
}

TEST(ApplyExpectations, AnEntryThatHasExpiredCoversNothingAndIsReported) {
  std::vector<PropertyOutcome> outcomes = {With(Drawing(), Verdict::kFail)};
  EXPECT_THAT(Apply(Entry("TOY-001", "2027-01-30"), &outcomes),
              ElementsAre("f:1: the entry for TOY-001 expired on 2027-01-30"));
  EXPECT_EQ(outcomes[0].verdict, Verdict::kFail);
}

TEST(ApplyExpectations, AnEntryForWhatWasNotRunIsReported) {
  std::vector<PropertyOutcome> outcomes = {With(Drawing(), Verdict::kNotRun)};
  EXPECT_THAT(Apply(Entry("TOY-001"), &outcomes), ElementsAre(HasSubstr("was not run")));
}

TEST(ApplyExpectations, WhatFailsSometimesMayPassOrFailButMustBeRun) {
  Expectation entry = Entry("TOY-001");
  entry.sometimes = true;
  std::vector<PropertyOutcome> outcomes = {With(Drawing(), Verdict::kPass)};
  EXPECT_THAT(Apply(entry, &outcomes), IsEmpty());
  EXPECT_EQ(outcomes[0].verdict, Verdict::kPass);
  outcomes = {With(Drawing(), Verdict::kFail)};
  EXPECT_THAT(Apply(entry, &outcomes), IsEmpty());
  EXPECT_EQ(outcomes[0].verdict, Verdict::kExpectedFailure);
  outcomes = {With(Drawing(), Verdict::kNotRun)};
  EXPECT_THAT(Apply(entry, &outcomes), ElementsAre(HasSubstr("was not run")));
  // Of fewer cases than a verdict wants, some.
  outcomes = {With(Listing(), Verdict::kNotRun)};
  outcomes[0].result = Seen(9);
  EXPECT_THAT(Apply(entry, &outcomes), IsEmpty());
  EXPECT_EQ(outcomes[0].verdict, Verdict::kNotRun);
  entry.expires = "2027-01-30";
  outcomes = {With(Drawing(), Verdict::kFail)};
  EXPECT_THAT(Apply(entry, &outcomes), ElementsAre(HasSubstr("expired")));
  EXPECT_EQ(outcomes[0].verdict, Verdict::kFail);
}

TEST(ApplyExpectations, WhatWasFilteredOutIsNoConcern) {
  std::vector<PropertyOutcome> outcomes = {With(Should(), Verdict::kPass)};
  EXPECT_THAT(Apply(Entry("TOY-001"), &outcomes), IsEmpty());
  EXPECT_EQ(outcomes[0].verdict, Verdict::kPass);
}

TEST(ApplyExpectations, ASuiteErrorIsNeverExpected) {
  std::vector<PropertyOutcome> outcomes = {With(Drawing(), Verdict::kSuiteError)};
  Apply(Entry("TOY-001"), &outcomes);
  EXPECT_EQ(outcomes[0].verdict, Verdict::kSuiteError);
}

}  // namespace
}  // namespace conformance
