#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using tools::Outcome;
using tools::Scratch;

// tools/newest_compiler as it is, with compilers and a bazel that compile nothing.
class NewestCompiler : public testing::Test {
 protected:
  NewestCompiler() {
    tools::LinkPrograms(bin_, {"bash", "env", "dirname", "sed", "sort", "head"});
    bin_.Script("bazel", "echo \"$@\" >>" + bin_ / "log\n" + "exit ${BAZEL_EXIT:-0}\n");
    for (const char* name : {"clang++-9", "clang++-14", "clang++-14.0", "clang++"}) {
      bin_.Script(name, "exit 0\n");
    }
  }

  Outcome Compile(std::vector<std::string> arguments = {}, const std::string& status = "0") {
    arguments.insert(arguments.begin(), "tools/newest_compiler");
    return tools::Run(arguments, {{"PATH", bin_.path()}, {"BAZEL_EXIT", status}});
  }

  Scratch bin_;
};

TEST_F(NewestCompiler, IsTheClangWithTheHighestNumber) {
  const Outcome outcome = Compile();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "newest_compiler: clang++-14\n");
  EXPECT_THAT(bin_.Read("log"), HasSubstr("--repo_env=CXX=clang++-14 "));
  EXPECT_THAT(bin_.Read("log"), HasSubstr(" //api //impl_cpu //impl_vulkan\n"));
}

TEST_F(NewestCompiler, KeepsItsObjectsApart) {
  Compile({"//spec"});
  EXPECT_THAT(bin_.Read("log"), HasSubstr("--platform_suffix=-clang-14 "));
  EXPECT_THAT(bin_.Read("log"), HasSubstr(" //spec\n"));
}

TEST_F(NewestCompiler, FailsWhenTheBuildDoes) { EXPECT_EQ(Compile({}, "1").status, 1); }

TEST_F(NewestCompiler, SaysThatThereIsNone) {
  for (const char* name : {"clang++-9", "clang++-14"}) std::remove((bin_ / name).c_str());
  EXPECT_EQ(Compile().status, 3);
  EXPECT_EQ(bin_.Read("log"), "");
}

TEST_F(NewestCompiler, RefusesAFlagInOneLine) {
  const Outcome outcome = Compile({"--fast"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err,
            "newest_compiler: unknown argument '--fast' (usage: tools/newest_compiler "
            "[TARGET...])\n");
}

}  // namespace
