#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::EndsWith;
using testing::StartsWith;
using tools::Outcome;
using tools::Scratch;

// tools/report as it is, with a build that makes a program which says what it is called with.
class Report : public testing::Test {
 protected:
  Report() {
    tools::LinkPrograms(bin_, {"bash", "env", "dirname", "tail", "sed"});
    bin_.Script("bazel", "test \"$1\" = info && { echo " + checkout_ / "bin" + "; exit; }\n" +
                             "echo \"$@\" >>" + bin_ / "log\n" + "exit ${BAZEL_EXIT:-0}\n");
    checkout_.Script("tools/setup", "exit ${SETUP_EXIT:-0}\n");
    checkout_.Script("bin/conformance/report/report",
                     "pwd; for a; do echo \"<$a>\"; done; exit 1\n");
    std::filesystem::copy_file(std::filesystem::canonical("tools/report"),
                               checkout_ / "tools/report");
  }

  Outcome ReportWith(std::vector<std::string> arguments,
                     std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), checkout_ / "tools/report");
    environment["PATH"] = bin_.path();
    return tools::Run(arguments, environment, elsewhere_.path());
  }

  Scratch bin_, checkout_, elsewhere_;
};

TEST_F(Report, HandsOnEveryArgumentFromWhereItWasCalled) {
  const Outcome outcome = ReportWith({"diff", "a b.json", "c.json"});
  EXPECT_EQ(outcome.out, elsewhere_.path() + "\n<diff>\n<a b.json>\n<c.json>\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(bin_.Read("log"), EndsWith(" //conformance/report\n"));
}

TEST_F(Report, FailsWithStatusTwoWhenItCannotBeBuilt) {
  const Outcome outcome = ReportWith({"text"}, {{"BAZEL_EXIT", "1"}});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "report: the build failed\n");
  EXPECT_EQ(ReportWith({"text"}, {{"SETUP_EXIT", "1"}}).status, 2);
}

TEST_F(Report, ExplainsItselfWithoutABuild) {
  for (const char* flag : {"--help", "-h"}) {
    const Outcome outcome = ReportWith({"text", flag}, {{"SETUP_EXIT", "1"}, {"BAZEL_EXIT", "1"}});
    EXPECT_THAT(outcome.out, StartsWith("usage: report COMMAND"));
    EXPECT_THAT(outcome.out, EndsWith("usage or a file that is none.\n"));
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.status, 0);
  }
}

}  // namespace
