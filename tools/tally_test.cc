#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tools/testing/command.h"

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using tools::Outcome;
using tools::Scratch;

class Tally : public testing::Test {
 protected:
  // A test.xml, and the event that a finished test leaves.
  std::string Result(const std::string& label, const std::string& status,
                     const std::string& test_cases, int shard = 1) {
    const std::string xml = scratch_.Write(
        "xml" + std::to_string(++files_),
        "<testsuites><testsuite name='S'>" + test_cases + "</testsuite></testsuites>");
    return "{\"id\":{\"testResult\":{\"label\":\"" + label +
           "\",\"run\":1,\"attempt\":1,\"shard\":" + std::to_string(shard) +
           "}},\"testResult\":{\"status\":\"" + status +
           "\",\"testActionOutput\":[{\"name\":\"test.xml\",\"uri\":\"file://" + xml + "\"}]}}\n";
  }

  Outcome Add(const std::string& events, const std::string& lines) {
    scratch_.Write("events", events);
    const std::string file = scratch_.Write("tally", "events " + scratch_ / "events\n" + lines);
    return tools::Run({"tools/tally.py", file}, {{"PATH", "/usr/bin:/bin"}});
  }

  Scratch scratch_;
  int files_ = 0;
};

constexpr char kPassed[] = "<testcase name='a' status='run' result='completed' classname='S'/>";
constexpr char kSkipped[] =
    "<testcase name='b' status='run' result='skipped' classname='S'><skipped/></testcase>";
constexpr char kFailed[] =
    "<testcase name='c' status='run' result='completed' classname='S'><failure/></testcase>";
constexpr char kDisabled[] = "<testcase name='d' status='notrun' result='suppressed'/>";

TEST_F(Tally, AddsCasesOfTargetsAndShards) {
  const Outcome outcome = Add(Result("//a:t", "PASSED", std::string(kPassed) + kPassed) +
                                  Result("//b:t", "PASSED", kPassed, 1) +
                                  Result("//b:t", "PASSED", std::string(kPassed) + kSkipped, 2),
                              "status 0 bazel test //...\n");
  EXPECT_THAT(outcome.out, EndsWith("\n4 passed, 0 failed, 1 skipped\n"));
  EXPECT_THAT(outcome.out, HasSubstr("skipped: //b:t S.b\n"));
  EXPECT_EQ(outcome.status, 0);
}

TEST_F(Tally, PutsManySkipsOfOneTargetInOneLine) {
  const Outcome outcome = Add(Result("//a:t", "PASSED", std::string(kSkipped) + kSkipped + kPassed),
                              "status 0 bazel test //...\n");
  EXPECT_EQ(outcome.out, "skipped: //a:t: 2 cases\n1 passed, 0 failed, 2 skipped\n");
}

TEST_F(Tally, NamesWhatFailed) {
  const Outcome outcome =
      Add(Result("//a:t", "FAILED", std::string(kPassed) + kFailed), "status 3 bazel test //...\n");
  EXPECT_EQ(outcome.out, "FAILED: //a:t S.c\n1 passed, 1 failed, 0 skipped\n");
  EXPECT_EQ(outcome.status, 1);
}

TEST_F(Tally, CountsATargetThatDiedAfterItsCasesPassed) {
  const Outcome outcome = Add(Result("//a:t", "TIMEOUT", kPassed), "status 3 bazel test //...\n");
  EXPECT_EQ(outcome.out, "FAILED: //a:t TIMEOUT\n1 passed, 1 failed, 0 skipped\n");
}

TEST_F(Tally, DoesNotCountDisabledCases) {
  const Outcome outcome =
      Add(Result("//a:t", "PASSED", std::string(kPassed) + kDisabled), "status 0 bazel test\n");
  EXPECT_EQ(outcome.out, "1 passed, 0 failed, 0 skipped\n");
}

TEST_F(Tally, CountsABuildThatFailed) {
  const Outcome outcome = Add("", "status 1 bazel test //...\n");
  EXPECT_EQ(outcome.out,
            "FAILED: bazel test //... (exit status 1)\n0 passed, 1 failed, 0 skipped\n");
  EXPECT_EQ(outcome.status, 1);
}

TEST_F(Tally, FailsWhenNothingRan) { EXPECT_EQ(Add("", "status 4 bazel test //...\n").status, 1); }

TEST_F(Tally, FailsWhenBazelSaysSoAndNoEventDoes) {
  const Outcome outcome = Add(Result("//a:t", "PASSED", kPassed), "status 3 bazel test //...\n");
  EXPECT_THAT(outcome.out, EndsWith("\n1 passed, 1 failed, 0 skipped\n"));
}

TEST_F(Tally, CountsAnIncompatibleTargetAsSkipped) {
  const Outcome outcome = Add(Result("//a:t", "PASSED", kPassed) +
                                  "{\"id\":{\"targetCompleted\":{\"label\":\"//"
                                  "b:t\"}},\"aborted\":{\"reason\":\"SKIPPED\"}}\n",
                              "status 0 bazel test //...\n");
  EXPECT_THAT(outcome.out, EndsWith("\n1 passed, 0 failed, 1 skipped\n"));
}

TEST_F(Tally, AddsStepsThatAreNotBazelTests) {
  const Outcome outcome = Add(
      "", "status 0 bazel test\npass tools/format --check\nskip a b\nfail examples/pkg-config\n");
  EXPECT_EQ(outcome.out,
            "skipped: a b\nFAILED: examples/pkg-config\n1 passed, 1 failed, 1 skipped\n");
}

TEST_F(Tally, SurvivesHalfAnEvent) {
  const Outcome outcome =
      Add(Result("//a:t", "PASSED", kPassed) + "{\"id\":{", "status 38 bazel test //...\n");
  EXPECT_THAT(outcome.out, EndsWith("\n1 passed, 1 failed, 0 skipped\n"));
}

TEST_F(Tally, RefusesWrongUsageInOneLine) {
  const Outcome outcome = tools::Run({"tools/tally.py"}, {{"PATH", "/usr/bin:/bin"}});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "tally: usage: tally.py FILE\n");
}

}  // namespace
