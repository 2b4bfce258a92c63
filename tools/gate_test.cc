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

// tools/gate and .ci/run as they are, over steps that end as a test wants.
class Gate : public testing::Test {
 protected:
  Gate() {
    checkout_.Script("tools/setup", "exit 0\n");
    checkout_.Script("tools/format", "exit 0\n");
    checkout_.Script("tools/check_includes", "exit 0\n");
    Compiler("g++", "12");
    TestsLeave("pass one");
    std::filesystem::create_directory(checkout_ / ".ci");
    for (const char* file : {"tools/gate", "tools/tally.py", ".ci/run"}) {
      std::filesystem::copy_file(std::filesystem::canonical(file), checkout_ / file);
    }
  }

  void TestsLeave(const std::string& line) {
    checkout_.Script("tools/test",
                     "echo '" + line + "' >>${1#--tally=}\necho seed $RC_PARAMS flags $2\n");
  }

  void Compiler(const std::string& name, const std::string& version) {
    checkout_.Script("bin/" + name, "echo " + version + "\n");
  }

  Outcome Run(const std::string& command, std::vector<std::string> arguments = {},
              std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), checkout_ / command);
    environment["PATH"] = checkout_ / "bin" + ":/usr/bin:/bin";
    return tools::Run(arguments, environment);
  }

  Scratch checkout_;
};

TEST_F(Gate, AddsUpEveryStep) {
  const Outcome outcome = Run("tools/gate");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, EndsWith("\n3 passed, 0 failed, 0 skipped\n"));
}

TEST_F(Gate, IsWhatCiRuns) {
  const Outcome gate = Run("tools/gate"), ci = Run(".ci/run");
  EXPECT_EQ(ci.out, gate.out);
  EXPECT_EQ(ci.status, 0);
}

TEST_F(Gate, FailsWithAnyStep) {
  checkout_.Script("tools/format", "exit 1\n");
  const Outcome outcome = Run(".ci/run");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("FAILED: tools/format --check\n"));
  EXPECT_THAT(outcome.out, EndsWith("\n2 passed, 1 failed, 0 skipped\n"));
}

TEST_F(Gate, FailsWithAnyTest) {
  TestsLeave("fail one");
  EXPECT_EQ(Run("tools/gate").status, 1);
}

TEST_F(Gate, GoesOnAfterAFailureToShowAllOfThem) {
  checkout_.Script("tools/check_includes", "exit 2\n");
  TestsLeave("fail one");
  EXPECT_THAT(Run("tools/gate").out, EndsWith("\n1 passed, 2 failed, 0 skipped\n"));
}

TEST_F(Gate, SkipsWhatCannotBeTriedHere) {
  checkout_.Script("tools/format", "exit 3\n");
  const Outcome outcome = Run("tools/gate");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("skipped: tools/format --check\n"));
}

TEST_F(Gate, DrawsTheSameCasesEveryTime) {
  EXPECT_THAT(Run("tools/gate").out, HasSubstr("\nseed seed="));
}

TEST_F(Gate, WarningsAreErrorsWithACompilerThatItKnows) {
  EXPECT_THAT(Run("tools/gate").out, HasSubstr(" flags --werror\n"));
  Compiler("clang++", "14.0.6");
  EXPECT_THAT(Run("tools/gate", {}, {{"CXX", "clang++"}}).out, HasSubstr(" flags --werror\n"));
}

TEST_F(Gate, WarningsOfANewerCompilerAreNoErrors) {
  Compiler("g++", "14");
  EXPECT_THAT(Run("tools/gate").out, HasSubstr(" flags\n"));
  Compiler("clang++", "22.1.8");
  EXPECT_THAT(Run("tools/gate", {}, {{"CXX", "clang++"}}).out, HasSubstr(" flags\n"));
}

TEST_F(Gate, RefusesArgumentsInOneLine) {
  const Outcome outcome = Run("tools/gate", {"--fast"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "gate: unknown argument '--fast' (usage: tools/gate)\n");
}

}  // namespace
