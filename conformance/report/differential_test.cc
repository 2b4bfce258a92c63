#include "conformance/report/differential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nlohmann/json.hpp"

namespace conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

Reply Held(std::string subject) { return {std::move(subject), Reply::kHeld, "", "", ""}; }
Reply Failed(std::string subject, std::string got, std::string where = "dst[0]") {
  return {std::move(subject), Reply::kFailed, std::move(where), "7", std::move(got)};
}
Reply NotRun(std::string subject) {
  return {std::move(subject), Reply::kNotRun, "", "", "refused"};
}

TEST(Differential, TheOracleIsRefereeBetweenSubjectsThatDisagree) {
  EXPECT_EQ(FindingOf({"L", {Held("a"), Failed("b", "8")}}), Finding::kDisagreement);
  EXPECT_EQ(FindingOf({"L", {Failed("a", "8"), Held("b"), Held("c")}}), Finding::kDisagreement);
}

TEST(Differential, SubjectsThatAllAgreeAgainstTheOracleAskTheSpecification) {
  EXPECT_EQ(FindingOf({"L", {Failed("a", "8"), Failed("b", "8")}}), Finding::kQuestion);
  EXPECT_EQ(FindingOf({"L", {Failed("a", "8"), NotRun("b"), Failed("c", "8")}}),
            Finding::kQuestion);
}

TEST(Differential, SubjectsThatFailInSeveralWaysDisagree) {
  EXPECT_EQ(FindingOf({"L", {Failed("a", "8"), Failed("b", "9")}}), Finding::kDisagreement);
  EXPECT_EQ(FindingOf({"L", {Failed("a", "8"), Failed("b", "8", "dst[1]")}}),
            Finding::kDisagreement);
}

TEST(Differential, OneVoiceIsNoComparison) {
  EXPECT_EQ(FindingOf({"L", {Failed("a", "8")}}), Finding::kNothing);
  EXPECT_EQ(FindingOf({"L", {Failed("a", "8"), NotRun("b")}}), Finding::kNothing);
  EXPECT_EQ(FindingOf({"L", {Held("a"), Held("b")}}), Finding::kNothing);
  EXPECT_EQ(FindingOf({"L", {}}), Finding::kNothing);
}

TEST(Differential, ThePageTellsWhoSaysWhat) {
  const std::string text = DifferentialText({
      {"REO-010 x", {Held("cpu 1"), Failed("onednn 2.6.3", "8"), NotRun("vulkan 1")}},
      {"SHU-020 y", {Failed("cpu 1", "9"), Failed("onednn 2.6.3", "9")}},
      {"SHU-021 z", {Failed("cpu 1", "9"), NotRun("onednn 2.6.3")}},
  });
  EXPECT_THAT(text, HasSubstr("DISAGREEMENT\n"
                              "  case      REO-010 x\n"
                              "  oracle    7\n"
                              "  cpu 1         as expected\n"
                              "  onednn 2.6.3  8 at dst[0]\n"
                              "  vulkan 1      not run: refused\n"));
  EXPECT_THAT(text, HasSubstr("QUESTION TO THE SPECIFICATION  all agree against the oracle\n"
                              "  case      SHU-020 y\n"));
  EXPECT_THAT(text, Not(HasSubstr("SHU-021")));
  EXPECT_THAT(text, HasSubstr("differential: 3 failing cases compared: 1 disagreement, 1 question "
                              "to the specification\n"));
}

TEST(Differential, TheFileHoldsEveryComparison) {
  const json file = json::parse(
      DifferentialJson({{"SHU-020 y", {Failed("cpu 1", "\xff"), Failed("onednn 2.6.3", "\xff")}},
                        {"SHU-021 z", {Failed("cpu 1", "9"), NotRun("onednn 2.6.3")}}},
                       "tools/conform --differential"));
  EXPECT_EQ(file["run"]["command"], "tools/conform --differential");
  ASSERT_EQ(file["comparisons"].size(), 2u);
  EXPECT_EQ(file["comparisons"][0]["finding"], "question to the specification");
  EXPECT_EQ(file["comparisons"][0]["subjects"][0]["result"], "failed");
  EXPECT_EQ(file["comparisons"][1]["finding"], "none");
  EXPECT_EQ(file["comparisons"][1]["subjects"][1]["result"], "not_run");
}

TEST(Differential, ARepliesLineReadsBack) {
  for (const Reply& reply : {Held("a b"), Failed("c", "a \"b\"\n"), NotRun("d")}) {
    Reply read;
    ASSERT_EQ(ParseReply(ReplyLine(reply), &read), "");
    EXPECT_EQ(ReplyLine(read), ReplyLine(reply));
    EXPECT_EQ(read.kind, reply.kind);
    EXPECT_EQ(read.got, reply.got);
  }
  Reply read;
  EXPECT_EQ(ParseReply("conform: dead", &read), "no answer: 'conform: dead'");
  EXPECT_EQ(ParseReply("{\"result\":\"well\"}", &read), "no result: '{\"result\":\"well\"}'");
}

}  // namespace
}  // namespace conformance
