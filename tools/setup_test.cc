#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;
using tools::LinkPrograms;
using tools::Outcome;

using tools::Scratch;

int Lines(const std::string& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

// A machine that has every program setup looks for, except those that a test takes away.
class Setup : public testing::Test {
 protected:
  Setup() {
    LinkPrograms(bin_,
                 {"bash", "env", "sed", "tail", "mktemp", "rm", "dirname", "head", "ln", "true"});
    for (const char* program : {"g++", "python3", "zip", "unzip", "pkg-config", "glslangValidator",
                                "spirv-val", "git", "clang-format", "cmake", "npm"}) {
      bin_.Script(program, "exit 0\n");
    }
    bin_.Script("bazel", "echo 'bazel no_version'\n");
    bin_.Script("id", "echo 0\n");
    // Installs what it is asked for: here, a program of the package's name.
    bin_.Script("apt-get",
                "echo \"$@\" >>" + bin_ / "log" + "\n" +
                    "test -z \"$BROKEN\" || { echo 'E: no such package' >&2; exit 100; }\n"
                    "for package; do :; done\n"
                    "test \"$1\" != install || ln -s /bin/true " +
                    bin_ / "$package" + "\n");
  }

  void Remove(const std::string& program) { std::remove((bin_ / program).c_str()); }

  Outcome SetUpWith(std::vector<std::string> arguments, bool broken = false) {
    arguments.insert(arguments.begin(), "tools/setup");
    std::map<std::string, std::string> environment = {{"PATH", bin_.path()}};
    if (broken) environment["BROKEN"] = "yes";
    return tools::Run(arguments, environment);
  }

  Scratch bin_;
};

TEST_F(Setup, SaysThatNothingIsMissing) {
  const Outcome outcome = SetUpWith({});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("setup: nothing is missing ("));
}

TEST_F(Setup, SaysNothingWhenQuietAndNothingIsMissing) {
  const Outcome outcome = SetUpWith({"--quiet"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_EQ(bin_.Read("log"), "");
}

TEST_F(Setup, RefusesAnUnknownArgumentInOneLine) {
  const Outcome outcome = SetUpWith({"--everything"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(Lines(outcome.err), 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("'--everything'")) << outcome.err;
}

TEST_F(Setup, InstallsExactlyWhatIsMissing) {
  Remove("zip");
  const Outcome outcome = SetUpWith({"--quiet"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("setup: installing what is missing: 1 of ")) << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("+ apt-get install")) << outcome.out;
  const std::string log = bin_.Read("log");
  EXPECT_THAT(log, MatchesRegex("update .*\ninstall --yes .* zip\n"));
}

TEST_F(Setup, OnlyTellsWhenItShallCheck) {
  Remove("zip");
  const Outcome outcome = SetUpWith({"--check"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.out, "setup: missing: zip\n");
  EXPECT_EQ(bin_.Read("log"), "");
}

TEST_F(Setup, NamesThePackageThatCouldNotBeInstalled) {
  Remove("zip");
  const Outcome outcome = SetUpWith({}, /*broken=*/true);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("E: no such package")) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("as root: apt-get install zip\n")) << outcome.err;
}

TEST_F(Setup, WithoutRootAndSudoSaysWhatRootWouldType) {
  Remove("zip");
  bin_.Script("id", "echo 1000\n");
  const Outcome outcome = SetUpWith({});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err,
            "setup: not root, and there is no sudo; missing: zip; as root: apt-get install zip\n");
  EXPECT_EQ(bin_.Read("log"), "");
}

TEST_F(Setup, WithoutRootWorksWhenNothingIsMissing) {
  bin_.Script("id", "echo 1000\n");
  EXPECT_EQ(SetUpWith({}).status, 0);
}

TEST_F(Setup, WithoutRootUsesSudo) {
  Remove("zip");
  bin_.Script("id", "echo 1000\n");
  bin_.Script("sudo", "test \"$1\" = -n && shift\nexec \"$@\"\n");
  const Outcome outcome = SetUpWith({});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("+ sudo -n apt-get install")) << outcome.out;
  EXPECT_THAT(bin_.Read("log"), HasSubstr(" zip\n"));
}

TEST_F(Setup, DoesNotWaitForAPasswordThatNobodyCanType) {
  Remove("zip");
  bin_.Script("id", "echo 1000\n");
  bin_.Script("sudo", "exit 1\n");
  const Outcome outcome = SetUpWith({});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("sudo wants a password")) << outcome.err;
}

TEST_F(Setup, DoesWithoutWhatIsOptional) {
  Remove("npm");
  const Outcome outcome = SetUpWith({"--gate"}, /*broken=*/true);
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("doing without: npm")) << outcome.err;
}

TEST_F(Setup, TheGateTakesTheNewestClangThatThereIs) {
  LinkPrograms(bin_, {"sort"});
  bin_.Script("apt-cache", "echo clang-9 - C; echo clang-14 - C; echo clang-13 - C\n");
  EXPECT_EQ(SetUpWith({}).status, 0);
  EXPECT_EQ(bin_.Read("log"), "");
  const Outcome outcome = SetUpWith({"--gate"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(bin_.Read("log"), HasSubstr(" clang-14\n"));
}

TEST_F(Setup, LeavesLibrariesToABazelThatFetchesThem) {
  const Outcome debian = SetUpWith({});
  bin_.Script("bazel", "echo 'bazel 7.7.1'\n");
  const Outcome registry = SetUpWith({});
  EXPECT_EQ(registry.status, 0);
  EXPECT_NE(registry.out, debian.out);
}

TEST_F(Setup, KnowsEveryPackageThatTheBuildAsksFor) {
  const std::string list = "\n" + SetUpWith({"--list"}).out;
  std::ifstream file("third_party/system/libraries.bzl");
  const std::string table((std::istreambuf_iterator<char>(file)), {});
  const std::regex apt("apt = \"([^\"]+)\"");
  int packages = 0;
  for (std::sregex_iterator i(table.begin(), table.end(), apt), end; i != end; ++i) {
    const std::string names = (*i)[1];
    const std::regex word("[^ ]+");
    for (std::sregex_iterator name(names.begin(), names.end(), word); name != end; ++name) {
      ++packages;
      EXPECT_THAT(list, HasSubstr("\n" + name->str() + "\n")) << name->str();
    }
  }
  EXPECT_GE(packages, 7);
}

}  // namespace
