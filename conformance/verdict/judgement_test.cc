#include "conformance/verdict/judgement.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/refusal.h"
#include "conformance/case/testing/toys.h"
#include "conformance/case/trial.h"
#include "conformance/judge/judge.h"
#include "conformance/verdict/claims.h"
#include "conformance/verdict/draft.h"
#include "conformance/verdict/verdict.h"
#include "spec/requirements.h"

namespace conformance {
namespace {

void Nothing(const Number&, Trial&) {}

// A requirement with one property, and what was seen of it.
RequirementOutcome Outcome(const char* id, Verdict verdict, PropertyResult result = {},
                           const std::string& reason = "") {
  const spec::Requirement& requirement = *spec::FindRequirement(id);
  static std::vector<std::unique_ptr<PropertyOver<Number>>> properties;
  properties.push_back(
      std::make_unique<PropertyOver<Number>>(Toy(requirement, AnyNumber(), Nothing)));
  return Merge(requirement, {{properties.back().get(), std::move(result), verdict, reason}});
}

PropertyResult Cover(const std::string& name, int64_t run, int64_t failed = 0,
                     int64_t refused = 0) {
  PropertyResult result;
  result.classes[name] = {run, refused, failed};
  return result;
}

Claims Parse(const std::string& text) {
  return ParseClaims("dnnspec-claims 1\nengines cpu\n" + text, "my.claims",
                     {{"REO-010", "reorder"}, {"REO-056", "reorder"}, {"SHU-020", "shuffle"}});
}

// Of the chapter itself, or of a part.
ClaimVerdict VerdictOf(const std::string& claims, const std::vector<RequirementOutcome>& outcomes,
                       const std::string& part = "", bool narrowed = false) {
  for (const Judgement& judgement :
       JudgeClaims(Parse(claims), EngineChoice::kCpu, outcomes, narrowed))
    if (judgement.part == part) return judgement.verdict;
  ADD_FAILURE() << "no judgement of " << part;
  return ClaimVerdict::kNotClaimed;
}

TEST(Judgement, IsConformantWhenTheWholeIsClaimedAndHolds) {
  const std::vector<RequirementOutcome> held = {Outcome("REO-010", Verdict::kPass),
                                                Outcome("REO-056", Verdict::kWeak)};
  EXPECT_EQ(VerdictOf("topic reorder\n", held), ClaimVerdict::kConformant);
  EXPECT_EQ(VerdictOf("topic reorder\ntypes f32\n", held), ClaimVerdict::kPartial);
  EXPECT_EQ(VerdictOf("topic reorder\nwithout REO-056 no scales\n", held), ClaimVerdict::kPartial);
  EXPECT_EQ(VerdictOf("topic shuffle\n", held), ClaimVerdict::kNotClaimed);
  EXPECT_EQ(VerdictOf("", held), ClaimVerdict::kNotClaimed);
}

TEST(Judgement, IsNonConformantWithAFailureInside) {
  EXPECT_EQ(VerdictOf("topic reorder\n",
                      {Outcome("REO-010", Verdict::kPass), Outcome("REO-056", Verdict::kFail)}),
            ClaimVerdict::kNonConformant);
  EXPECT_EQ(VerdictOf("topic reorder\n", {Outcome("REO-056", Verdict::kUnexpectedPass)}),
            ClaimVerdict::kNonConformant);
}

TEST(Judgement, IsPartialWithFailuresThatAreKnownOrTimeThatRanOut) {
  const auto judge = [](RequirementOutcome other) {
    return VerdictOf("topic reorder\n", {Outcome("REO-010", Verdict::kPass), std::move(other)});
  };
  EXPECT_EQ(judge(Outcome("REO-056", Verdict::kExpectedFailure)), ClaimVerdict::kPartial);
  EXPECT_EQ(judge(Outcome("REO-056", Verdict::kSuiteError)), ClaimVerdict::kPartial);
  EXPECT_EQ(judge(Outcome("REO-056", Verdict::kNotRun, {}, "out of budget: 3 cases of 5")),
            ClaimVerdict::kPartial);
  EXPECT_EQ(judge(Outcome("REO-056", Verdict::kNotRun, {}, "one device only")),
            ClaimVerdict::kConformant);
}

TEST(Judgement, IsNoneOfTheseWhenNothingWasRun) {
  EXPECT_EQ(
      VerdictOf("topic reorder\n", {Outcome("REO-010", Verdict::kNotRun, {}, "no GPU engine")}),
      ClaimVerdict::kNotJudged);
}

TEST(Judgement, OfADataTypeLooksAtItsCases) {
  const auto judge = [](PropertyResult result, const std::string& claims = "topic reorder\n") {
    return VerdictOf(claims, {Outcome("REO-010", Verdict::kPass, std::move(result))}, "s8");
  };
  EXPECT_EQ(judge(Cover("s8", 10)), ClaimVerdict::kConformant);
  EXPECT_EQ(judge(Cover("s8", 10, 1)), ClaimVerdict::kNonConformant);
  EXPECT_EQ(judge(Cover("f32", 10)), ClaimVerdict::kNotJudged);
  EXPECT_EQ(judge(Cover("f32", 10), "topic reorder\ntypes f32\n"), ClaimVerdict::kNotClaimed);
  PropertyResult died = Cover("s8", 10);
  died.failures.emplace_back();
  died.failures.back().signal = "SIGSEGV";
  died.failures.back().line = "REO-010 src=s8:2x3:ab dst=f32:2x3:ab";
  EXPECT_EQ(judge(died), ClaimVerdict::kNonConformant);
}

TEST(Judgement, OfLessThanAChapterIsPartial) {
  const std::vector<RequirementOutcome> outcomes = {
      Outcome("REO-010", Verdict::kPass, Cover("f32", 10))};
  EXPECT_EQ(VerdictOf("topic reorder\n", outcomes), ClaimVerdict::kConformant);
  EXPECT_EQ(VerdictOf("topic reorder\n", outcomes, "", true), ClaimVerdict::kPartial);
}

TEST(Judgement, OfAnotherEngineSaysThatNothingIsClaimed) {
  const Claims claims = Parse("topic reorder\n");
  const std::vector<RequirementOutcome> outcomes = {
      Outcome("REO-010", Verdict::kNotRun, {}, "not claimed: engine gpu")};
  EXPECT_EQ(
      ClaimsText(claims, EngineChoice::kGpu,
                 JudgeClaims(claims, EngineChoice::kGpu, outcomes, false)),
      "claims of my.claims:\n"
      "  nothing is claimed of the gpu engine, so nothing was judged (--engine chooses another)\n"
      "  reorder                 not claimed    1 not claimed\n");
}

TEST(Judgement, IsToldInALineForEachChapterAndEachPartThatFails) {
  const Claims claims = Parse("topic reorder\n");
  const std::vector<RequirementOutcome> outcomes = {
      Outcome("REO-010", Verdict::kFail, Cover("s8", 10, 2)),
      Outcome("SHU-020", Verdict::kNotRun, {}, "not claimed: topic shuffle")};
  EXPECT_EQ(ClaimsText(claims, EngineChoice::kCpu,
                       JudgeClaims(claims, EngineChoice::kCpu, outcomes, false)),
            "claims of my.claims:\n"
            "  reorder                 non-conformant 1 fail\n"
            "    reorder s8            non-conformant 2 of 10 cases fail\n"
            "  shuffle                 not claimed    1 not claimed\n");
}

// Whether what is drafted is understood again, and its text.
std::string Draft(const std::vector<RequirementOutcome>& outcomes) {
  const std::string text = DraftClaims("vendor", EngineChoice::kCpu, Profile::kPortable, outcomes);
  EXPECT_EQ(ParseClaims(text, "draft", {{"REO-010", "reorder"}, {"REO-056", "reorder"}}).error, "")
      << text;
  return text.substr(text.find("\n\n") + 2);
}

Asked Reorder(const std::string& from, const std::string& to, int rank = 2,
              std::vector<std::string> features = {}) {
  return {"reorder", "", {from, to}, rank, std::move(features)};
}

TEST(Draft, LeavesOutWhatIsRefusedWithAttributesByName) {
  PropertyResult result;
  result.classes["f32"] = {10, 0, 0};
  result.refusals[Reorder("f32", "f32", 2, {"zero points"})] = 3;
  EXPECT_EQ(Draft({Outcome("REO-010", Verdict::kPass, result)}),
            "topic reorder\n"
            "  without REO-010 refused: reorder f32 -> f32 with zero points\n");
}

TEST(Draft, ReadsNoSentence) {
  PropertyResult result;
  result.classes["f32"] = {10, 0, 0};
  result.reasons["refused: reorder f32 -> s8"] = 3;
  EXPECT_EQ(Draft({Outcome("REO-010", Verdict::kPass, result)}), "topic reorder\n");
}

TEST(Draft, ClaimsTheTypesAndPairsThatWereAnswered) {
  PropertyResult result;
  result.classes["f32"] = {10, 0, 0};
  result.classes["s8"] = {5, 5, 0};
  result.classes["f16"] = {0, 5, 0};
  result.classes["bf16"] = {3, 0, 3};
  result.refusals[Reorder("s8", "s8")] = 3;
  result.refusals[Reorder("f16", "s8")] = 3;
  result.refusals[Reorder("f32", "f32", 7)] = 1;
  EXPECT_EQ(Draft({Outcome("REO-010", Verdict::kPass, result)}),
            "topic reorder\n"
            "  types  f32 s32 s8 u8\n"
            "  ranks  0-6\n"
            "  except s8->s8\n");
}

TEST(Draft, ATypeThatIsNotServedIsNoLimitOfTheRank) {
  PropertyResult result;
  result.classes["f32"] = {10, 0, 0};
  result.classes["f16"] = {0, 5, 0};
  result.refusals[Reorder("f16", "f32")] = 3;
  result.refusals[Reorder("f32", "f16")] = 3;
  result.refusals[{"reorder", "", {"f16"}, 2, {}}] = 3;
  result.refusals[Reorder("f16", "f32", 7)] = 1;
  result.refusals[Reorder("f16", "f32", 7, {"scale"})] = 1;
  EXPECT_EQ(Draft({Outcome("REO-010", Verdict::kPass, result)}),
            "topic reorder\n"
            "  types  f32 bf16 s32 s8 u8\n");
}

TEST(Draft, ATypeInNoPairThatIsServedIsNotClaimed) {
  PropertyResult result;
  for (const std::string type : {"f32", "bf16", "f16", "s32", "s8", "u8"}) {
    result.classes[type] = {10, 0, 0};
    result.refusals[Reorder("bf16", type)] = 1;
    result.refusals[Reorder(type, "bf16")] = 1;
  }
  result.refusals[Reorder("f32", "u8")] = 1;
  EXPECT_EQ(Draft({Outcome("REO-010", Verdict::kPass, result)}),
            "topic reorder\n"
            "  types  f32 f16 s32 s8 u8\n"
            "  except f32->u8\n");
}

TEST(Draft, LeavesOutWhatWasOnlyRefused) {
  PropertyResult refused = Cover("f32", 10, 10);
  refused.failures.emplace_back();
  refused.failures.back().where = "reorder::primitive_desc, f32 -> f32";
  refused.failures.back().got = "dnnl::error (status 3): could not";
  refused.failures.back().status = Refusal::kUnimplemented;
  const RequirementOutcome failed = Outcome("REO-056", Verdict::kFail, refused);
  EXPECT_EQ(Draft({failed}), "# topic reorder: nothing of it was answered\n");
  EXPECT_EQ(Draft({Outcome("REO-010", Verdict::kPass, Cover("f32", 5)), failed}),
            "topic reorder\n"
            "  without REO-056 refused: reorder::primitive_desc, f32 -> f32: "
            "dnnl::error (status 3): could not\n");
}

TEST(Draft, TellsWhatTheSubjectSaid) {
  PropertyResult result;
  for (const std::string type : {"f32", "s8"}) result.classes[type] = {10, 0, 0};
  result.classes["f16"] = {0, 5, 0};
  for (const auto& [asked, words] : {std::pair(Reorder("f16", "f32"), "(status 3): no f16"),
                                     std::pair(Reorder("s8", "f32"), "(status 3): no s8"),
                                     std::pair(Reorder("f32", "f32", 2, {"sum"}), "no sum")}) {
    result.refusals[asked] = 1;
    result.refusal_words[asked] = words;
  }
  EXPECT_EQ(Draft({Outcome("REO-010", Verdict::kPass, result)}),
            "topic reorder\n"
            "  types  f32 bf16 s32 s8 u8\n"
            "  # f16 is refused: (status 3): no f16\n"
            "  except s8->f32\n"
            "  # s8->f32 is refused: (status 3): no s8\n"
            "  without REO-010 refused: reorder f32 -> f32 with sum: no sum\n");
}

TEST(Draft, AnotherStatusThanUnimplementedIsNoRefusal) {
  PropertyResult failed = Cover("f32", 10, 1);
  failed.failures.emplace_back();
  failed.failures.back().where = "reorder f32 -> s8";
  failed.failures.back().got = "dnnl::error (status 5): not (status 3)";
  failed.failures.back().status = 5;
  EXPECT_EQ(
      Draft({Outcome("REO-010", Verdict::kPass), Outcome("REO-056", Verdict::kFail, failed)}),
      "topic reorder\n"
      "  # fails today: REO-056, reorder f32 -> s8: dnnl::error (status 5): not (status 3)\n");
}

TEST(Draft, ClaimsWhatWasAnsweredWronglyAndSaysSo) {
  PropertyResult wrong = Cover("f32", 10, 1);
  wrong.failures.emplace_back();
  wrong.failures.back().where = "dst[1]";
  wrong.failures.back().got = "7";
  EXPECT_EQ(Draft({Outcome("REO-010", Verdict::kPass), Outcome("REO-056", Verdict::kFail, wrong)}),
            "topic reorder\n"
            "  # fails today: REO-056, dst[1]\n");
}

}  // namespace
}  // namespace conformance
