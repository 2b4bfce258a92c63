#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using tools::Outcome;
using tools::Scratch;

// tools/bench as it is, with a build that makes a benchmark which says what it is called with.
class Bench : public testing::Test {
 protected:
  Bench() {
    tools::LinkPrograms(bin_, {"bash", "env", "dirname", "tail", "sed"});
    bin_.Script("bazel", "test \"$1\" = info && { echo " + checkout_ / "bin" + "; exit; }\n" +
                             "echo \"$@\" >>" + bin_ / "log\n" + "exit ${BAZEL_EXIT:-0}\n");
    checkout_.Script("tools/setup", "exit ${SETUP_EXIT:-0}\n");
    checkout_.Script("bin/tools/benchmark/bench", "pwd; for a; do echo \"<$a>\"; done\n");
    std::filesystem::copy_file(std::filesystem::canonical("tools/bench"),
                               checkout_ / "tools/bench");
  }

  Outcome BenchWith(std::vector<std::string> arguments,
                    std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), checkout_ / "tools/bench");
    environment["PATH"] = bin_.path();
    return tools::Run(arguments, environment, elsewhere_.path());
  }

  Scratch bin_, checkout_, elsewhere_;
};

TEST_F(Bench, BuildsAndHandsOnEveryArgumentFromWhereItWasCalled) {
  const Outcome outcome = BenchWith({"--filter=2-D f32", "--out=x"});
  EXPECT_EQ(outcome.out, elsewhere_.path() + "\n<--filter=2-D f32>\n<--out=x>\n");
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(bin_.Read("log"), EndsWith(" //tools/benchmark:bench\n"));
}

TEST_F(Bench, FailsWithStatusTwoWhenTheBuildFails) {
  const Outcome outcome = BenchWith({}, {{"BAZEL_EXIT", "1"}});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "bench: the build failed\n");
}

TEST_F(Bench, SaysWhyNothingHappensTheFirstTime) {
  std::filesystem::remove(checkout_ / "bin/tools/benchmark/bench");
  EXPECT_THAT(BenchWith({}).err, HasSubstr("bench: building, which takes minutes"));
}

TEST_F(Bench, ExplainsItselfWithoutABuild) {
  for (const char* flag : {"--help", "-h"}) {
    const Outcome outcome =
        BenchWith({"--engine=gpu", flag}, {{"SETUP_EXIT", "1"}, {"BAZEL_EXIT", "1"}});
    EXPECT_THAT(outcome.out, StartsWith("Measures reorder and shuffle"));
    EXPECT_THAT(outcome.out, EndsWith("nothing to measure with.\n"));
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(outcome.status, 0);
  }
}

}  // namespace
