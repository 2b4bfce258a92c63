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
using tools::Outcome;
using tools::Scratch;

// tools/conform as it is, with a build that makes a suite which says what it is called with.
class Conform : public testing::Test {
 protected:
  Conform() {
    tools::LinkPrograms(bin_, {"bash", "env", "dirname", "tail", "sed"});
    bin_.Script("bazel", "test \"$1\" = info && { echo " + checkout_ / "bin" + "; exit; }\n" +
                             "echo \"$@\" >>" + bin_ / "log\n" +
                             "case \"$*\" in *subjects_of_others) exit ${OTHERS_EXIT:-0} ;; esac\n"
                             "exit ${BAZEL_EXIT:-0}\n");
    checkout_.Script("tools/setup", "exit ${SETUP_EXIT:-0}\n");
    checkout_.Script("bin/conformance/conform",
                     "pwd; for a; do echo \"<$a>\"; done\n"
                     "echo \"$DNNSPEC_NOT_BUILT\"; exit 1\n");
    std::filesystem::copy_file(std::filesystem::canonical("tools/conform"),
                               checkout_ / "tools/conform");
  }

  Outcome ConformWith(std::vector<std::string> arguments,
                      std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), checkout_ / "tools/conform");
    environment["PATH"] = bin_.path();
    return tools::Run(arguments, environment, elsewhere_.path());
  }

  Scratch bin_, checkout_, elsewhere_;
};

TEST_F(Conform, BuildsAndHandsOnEveryArgumentFromWhereItWasCalled) {
  const Outcome outcome = ConformWith({"--filter=SHU 1", "--out=x"});
  EXPECT_EQ(outcome.out, elsewhere_.path() + "\n<--filter=SHU 1>\n<--out=x>\n\n");
  EXPECT_THAT(bin_.Read("log"),
              EndsWith(" //conformance:conform //conformance:subjects_of_others\n"));
}

TEST_F(Conform, HasTheExitStatusOfTheSuite) { EXPECT_EQ(ConformWith({}).status, 1); }

TEST_F(Conform, PrintsNothingOfItsOwnWhenEverythingIsThere) { EXPECT_EQ(ConformWith({}).err, ""); }

TEST_F(Conform, SaysWhyNothingHappensTheFirstTime) {
  std::filesystem::remove(checkout_ / "bin/conformance/conform");
  EXPECT_THAT(ConformWith({}).err, HasSubstr("conform: building, which takes minutes"));
}

TEST_F(Conform, FailsWithStatusTwoWhenTheBuildFails) {
  for (const std::string exit : {"1", "37"}) {
    const Outcome outcome = ConformWith({}, {{"OTHERS_EXIT", exit}, {"BAZEL_EXIT", "1"}});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.err, "conform: the build failed\n");
  }
}

TEST_F(Conform, JudgesTheOthersWhenASubjectDoesNotCompile) {
  const Outcome outcome = ConformWith({}, {{"OTHERS_EXIT", "1"}});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, EndsWith("\nonednn: it does not compile here: bazel build "
                                    "//conformance:onednn_runner shows why\n"));
}

TEST_F(Conform, FailsWithStatusTwoWhenTheMachineLacksSomething) {
  EXPECT_EQ(ConformWith({}, {{"SETUP_EXIT", "1"}}).status, 2);
  EXPECT_EQ(bin_.Read("log"), "");
}

}  // namespace
