// What a run makes of claims and of files with known failures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "conformance/cli/testing/toy_run.h"
#include "nlohmann/json.hpp"
#include "tools/testing/command.h"

namespace conformance {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using tools::Outcome;

TEST_F(Runner, JudgesWhatIsClaimedAlone) {
  const std::string claims = scratch_.Write(
      "my.claims", "dnnspec-claims 1\nengines cpu\ntopic shuffle\nwithout SHU-002 not yet\n");
  const json results = Results({"--filter=SHU-00[12]|REO-001", "--claims=" + claims});
  EXPECT_EQ(outcome_.status, 0) << outcome_.out;
  EXPECT_EQ(Requirement(results, "SHU-001")["verdict"], "pass");
  EXPECT_EQ(Requirement(results, "SHU-002")["not_run"], "not claimed: not yet");
  EXPECT_EQ(Requirement(results, "REO-001")["not_run"], "not claimed: topic reorder");
  EXPECT_EQ(results["claims"]["file"], claims);
  EXPECT_EQ(results["claims"]["verdicts"][0]["topic"], "reorder");
  EXPECT_EQ(results["claims"]["verdicts"][0]["verdict"], "not claimed");
  EXPECT_THAT(outcome_.out,
              HasSubstr("  shuffle                 partial        1 hold, 1 not claimed\n"));
}

TEST_F(Runner, RefusesClaimsThatItCannotReadInOneLine) {
  const std::string claims = scratch_.Write("my.claims", "dnnspec-claims 1\nengines tpu\n");
  const Outcome outcome = RunToy({"--claims=" + claims});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "conform: --claims: " + claims + ":2: 'tpu' is no engine; allowed: cpu, gpu\n");
  EXPECT_EQ(RunToy({"--claims=/none"}).err,
            "conform: --claims: cannot read /none: No such file or directory\n");
}

TEST_F(Runner, ReadsFilesThatBeginWithAByteOrderMark) {
  const std::string mark = "\xef\xbb\xbf";
  const std::string claims =
      scratch_.Write("my.claims", mark + "dnnspec-claims 1\nengines cpu\ntopic shuffle\n");
  const std::string known =
      scratch_.Write("known", mark + "toy 1.2.3 SHU-002/fails one never is large\n");
  const Outcome outcome = RunToy({"--filter=SHU-002", "--claims=" + claims, "--expect=" + known});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(Runner, DraftsClaimsThatItUnderstandsAgain) {
  const std::string draft = scratch_ / "draft.claims";
  RunToy({"--topic=shuffle", "--write-claims=" + draft});
  EXPECT_THAT(scratch_.Read("draft.claims"), HasSubstr("\ntopic shuffle\n"));
  EXPECT_THAT(scratch_.Read("draft.claims"), HasSubstr("  # fails today: SHU-002/fails, "));
  EXPECT_EQ(RunToy({"--filter=SHU-001", "--claims=" + draft}).status, 0);
  const Outcome again = RunToy({"--filter=SHU-001", "--write-claims=" + draft});
  EXPECT_EQ(again.status, 2);
  EXPECT_THAT(again.err, HasSubstr(draft + " is there already"));
  EXPECT_THAT(scratch_.Read("draft.claims"), HasSubstr("SHU-002/fails"));
  EXPECT_EQ(RunToy({"--filter=SHU-001", "--write-claims=/no/such"}).status, 2);
}

TEST_F(Runner, AClaimedChapterOfWhichNothingWasJudgedIsNotGreen) {
  const std::string claims =
      scratch_.Write("my.claims", "dnnspec-claims 1\nengines cpu\ntopic shuffle\ntopic reorder\n");
  const Outcome outcome = RunToy({"--filter=SHU-001|REO-010", "--claims=" + claims});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out,
              HasSubstr("NOT JUDGED  nothing of reorder, which is claimed, was judged: "
                        "no property yet\n"));
  // A chapter that is not claimed is no matter, and neither is a shard that got none of it.
  scratch_.Write("my.claims", "dnnspec-claims 1\nengines cpu\ntopic shuffle\n");
  EXPECT_EQ(RunToy({"--filter=SHU-001|REO-010", "--claims=" + claims}).status, 0);
  const Environment shard = {{"TEST_TOTAL_SHARDS", "2"},
                             {"TEST_SHARD_INDEX", "0"},
                             {"TEST_SHARD_STATUS_FILE", scratch_ / "status"}};
  EXPECT_EQ(RunToy({"--filter=REO-010"}, shard).status, 0);
}

TEST_F(Runner, ExpectedFailuresAreGreenAndUnexpectedPassesRed) {
  const std::string known =
      "toy 1.2.* SHU-002/fails one 2999-01-01 is large\n"
      "toy 1.2.3 SHU-003 two never dies\n";
  const json green = Results({"--topic=shuffle", "--expect=" + scratch_.Write("green", known)});
  EXPECT_EQ(outcome_.status, 0) << outcome_.out;
  EXPECT_EQ(Requirement(green, "SHU-002")["verdict"], "expected_failure");
  EXPECT_EQ(Requirement(green, "SHU-002")["reason"], "is large (one)");
  EXPECT_FALSE(Requirement(green, "SHU-002")["failures"].empty());

  const json red =
      Results({"--topic=shuffle", "--expect=" + scratch_.Write("green", known),
               "--expect=" + scratch_.Write("red", "toy 1.2.3 SHU-001 three never never\n")});
  EXPECT_EQ(outcome_.status, 1);
  EXPECT_EQ(Requirement(red, "SHU-001")["verdict"], "unexpected_pass");
  EXPECT_EQ(Requirement(red, "SHU-002")["verdict"], "expected_failure");
}

TEST_F(Runner, TheInstructionSetOfTheSubjectDecidesWhatIsExpected) {
  const std::string expect =
      "--expect=" + scratch_.Write("known",
                                   "toy 1.2.3 SHU-002 isa<avx512_core one never low\n"
                                   "toy 1.2.3 SHU-001 isa>=avx512_core two never high\n");
  const std::vector<std::string> flags = {"--filter=SHU-00[12]", expect};
  EXPECT_EQ(RunToy(flags).status, 0);
  const Outcome better = RunToy(flags, {{"TOY_SUBJECT_ISA", "avx512_core"}});
  EXPECT_EQ(better.status, 1);
  EXPECT_THAT(better.out, HasSubstr("1 failed"));
  EXPECT_THAT(better.out, HasSubstr("known:2 expects a failure: high"));
}

TEST_F(Runner, AStaleExpectationIsRed) {
  const json results =
      Results({"--filter=SHU-001",
               "--expect=" + scratch_.Write("stale", "toy 1.2.3 SHU-001 x 2020-01-01 long ago\n")});
  EXPECT_EQ(outcome_.status, 1);
  EXPECT_THAT(outcome_.out, HasSubstr("stale:1: the entry for SHU-001 expired on 2020-01-01"));
  EXPECT_EQ(results["problems"].size(), 1u);
}

}  // namespace
}  // namespace conformance
