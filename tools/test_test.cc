#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using tools::Outcome;
using tools::Scratch;

// tools/test as it is, with a setup and a bazel that write down what they are called with.
class TestScript : public testing::Test {
 protected:
  TestScript() {
    tools::LinkPrograms(
        bin_, {"bash", "env", "sed", "mktemp", "rm", "dirname", "realpath", "cp", "mkdir", "mv"});
    tools::LinkPrograms(bin_, {"python3"});
    bin_.Script("bazel",
                "echo \"$@\" >>" + bin_ / "log\n" +
                    "for a; do case $a in --build_event_json_file=*) : >${a#*=}; esac; done\n" +
                    "exit ${BAZEL_EXIT:-0}\n");
    checkout_.Script("tools/setup", "exit ${SETUP_EXIT:-0}\n");
    for (const char* example : {"pkg-config", "cmake"}) {
      checkout_.Script(std::string("examples/") + example + "/run",
                       std::string("test -d \"$1\" && echo ") + example + " >>" + bin_ / "log\n" +
                           "exit ${EXAMPLE_EXIT:-0}\n");
    }
    checkout_.Script("tools/install", "echo install \"$2\" >>" + bin_ / "log\n" +
                                          "mkdir -p \"${1#--prefix=}\"\n" +
                                          "exit ${INSTALL_EXIT:-0}\n");
    checkout_.Write("examples/consumer/WORKSPACE", "");
    for (const char* script : {"test", "tally.py"}) {
      const Outcome copied =
          tools::Run({"cp", "-L", std::string("tools/") + script, checkout_ / "tools/"},
                     {{"PATH", "/usr/bin:/bin"}});
      EXPECT_EQ(copied.status, 0) << copied.err;
    }
  }

  Outcome Test(std::vector<std::string> arguments,
               std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), checkout_ / "tools/test");
    environment["PATH"] = bin_.path();
    return tools::Run(arguments, environment);
  }

  std::string Log() { return bin_.Read("log"); }

  Scratch bin_, checkout_;
};

TEST_F(TestScript, RunsEverythingAndTheExamplesByDefault) {
  const Outcome outcome = Test({});
  EXPECT_THAT(Log(), HasSubstr(" //...\n"));
  EXPECT_THAT(Log(), HasSubstr("--symlink_prefix=/"));
  for (const char* cap : {"DNNSPEC_MAX_ISA", "ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"})
    EXPECT_THAT(Log(), HasSubstr(" --test_env=" + std::string(cap) + " "));
  EXPECT_THAT(Log(), HasSubstr("install --as-dnnl\npkg-config\ncmake\n"));
  EXPECT_THAT(outcome.out, EndsWith("\n2 passed, 0 failed, 0 skipped\n")) << outcome.err;
  EXPECT_EQ(outcome.status, 0);
}

TEST_F(TestScript, CountsWhatCannotBeTriedWithoutBazel) {
  const Outcome skipped = Test({}, {{"EXAMPLE_EXIT", "3"}, {"BAZEL_EXIT", "4"}});
  EXPECT_THAT(skipped.out, HasSubstr("skipped: examples/cmake\n"));
  const Outcome failed = Test({}, {{"EXAMPLE_EXIT", "1"}});
  EXPECT_THAT(failed.out, EndsWith("\n0 passed, 2 failed, 0 skipped\n"));
  const Outcome broken = Test({}, {{"INSTALL_EXIT", "1"}});
  EXPECT_THAT(broken.out, HasSubstr("FAILED: tools/install\n"));
}

TEST_F(TestScript, RunsEveryExampleAsAProjectOfItsOwn) {
  checkout_.Write("examples/vendor-spi/WORKSPACE", "");
  checkout_.Write("examples/vendor-own-header/WORKSPACE", "");
  checkout_.Script("examples/package/run", "echo \"run $2\" >>" + bin_ / "log\n");
  checkout_.Script("tools/package", "echo package >>" + bin_ / "log\n");
  const Outcome outcome = Test({});
  EXPECT_THAT(Log(), HasSubstr(" --config=null //:null_conformance\n"));
  EXPECT_THAT(Log(), HasSubstr("package\nrun --cases=300\n"));
  EXPECT_THAT(outcome.out, EndsWith("\n3 passed, 0 failed, 0 skipped\n")) << outcome.err;
}

TEST_F(TestScript, RunsOnlyTheTargetsThatAreNamed) {
  Test({"-c", "dbg", "//api/..."});
  EXPECT_THAT(Log(), EndsWith(" -c dbg //api/...\n"));
}

TEST_F(TestScript, RunsEveryTargetWithFlagsAlone) {
  Test({"--config=asan"});
  EXPECT_THAT(Log(), EndsWith(" --config=asan //...\n"));
}

TEST_F(TestScript, IsQuietInCi) {
  Test({"//api/..."}, {{"CI", "true"}});
  EXPECT_THAT(Log(), EndsWith(" --config=ci //api/...\n"));
}

TEST_F(TestScript, FailsWhenTheBuildFails) {
  const Outcome outcome = Test({}, {{"BAZEL_EXIT", "1"}});
  EXPECT_THAT(outcome.out, EndsWith("\n2 passed, 2 failed, 0 skipped\n"));
  EXPECT_EQ(outcome.status, 1);
}

TEST_F(TestScript, DoesNothingOnAMachineThatLacksSomething) {
  EXPECT_EQ(Test({}, {{"SETUP_EXIT", "1"}}).status, 2);
  EXPECT_EQ(Log(), "");
}

TEST_F(TestScript, AddsToATallyInsteadOfTheLastLine) {
  const std::string tally = bin_ / "tally";
  const Outcome outcome = Test({"--tally=" + tally});
  EXPECT_EQ(outcome.out.find(" passed, "), std::string::npos);
  EXPECT_THAT(bin_.Read("tally"), HasSubstr("status 0 bazel test //...\n"));
  EXPECT_THAT(bin_.Read("tally"), HasSubstr("pass examples/pkg-config\n"));
}

TEST_F(TestScript, WarningsAreErrorsOnlyWhenThatIsAskedFor) {
  Test({"--tally=" + bin_ / "tally"});
  EXPECT_THAT(Log(), testing::Not(HasSubstr("werror")));
  Test({"--tally=" + bin_ / "tally", "--werror"});
  EXPECT_THAT(Log(), HasSubstr(" --config=werror //...\n"));
  EXPECT_THAT(Log(), HasSubstr("install --as-dnnl\n"));
}

TEST_F(TestScript, RefusesATallyWithoutAFileInOneLine) {
  const Outcome outcome = Test({"--tally"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, testing::MatchesRegex("test: --tally wants a file .*\n"));
}

}  // namespace
