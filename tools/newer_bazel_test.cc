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
using tools::Outcome;

std::string Text(const std::string& path) {
  std::ifstream file(path);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

Outcome Forward(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "tools/registry/forward.py");
  return tools::Run(arguments, {{"PATH", "/usr/bin:/bin"}});
}

TEST(NewerBazel, RefusesWrongUsageInOneLine) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {}, {"--room"}, {"--room="}, {"--root=/x"}, {"--room=/x", "--shell", "//api"}}) {
    std::vector<std::string> command = {"tools/newer_bazel"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    const Outcome outcome = tools::Run(command, {{"PATH", "/usr/bin:/bin"}});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("usage: tools/newer_bazel --room=DIR"));
  }
}

// A new dependency of MODULE.bazel has to be one that the machine can serve.
TEST(Registry, HasEveryModuleThatIsAskedFor) {
  tools::Scratch folder;
  const Outcome outcome = Forward({".", folder / "registry", "stub@1.2"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string modules = Text("MODULE.bazel");
  const std::regex dep("\nbazel_dep\\(name = \"([^\"]+)\", version = \"([^\"]+)\"\\)");
  int count = 0;
  for (std::sregex_iterator i(modules.begin(), modules.end(), dep), end; i != end; ++i) {
    const std::string name = i->str(1), version = i->str(2);
    if (name == "rules_cc" || name == "platforms") continue;
    EXPECT_THAT(outcome.out, HasSubstr(name + " " + version + "\n"));
    const std::string entry = "registry/modules/" + name + "/" + version;
    EXPECT_THAT(folder.Read(entry + "/MODULE.bazel"),
                HasSubstr("module(name = \"" + name + "\", version = \"" + version + "\")"));
    EXPECT_EQ(folder.Read(entry + "/source.json"),
              "{\"type\": \"local_path\", \"path\": \"" + name + "\"}\n");
    ++count;
  }
  EXPECT_GE(count, 7);
  EXPECT_THAT(folder.Read("registry/modules/stub/1.2/source.json"), HasSubstr("\"stub\""));
}

TEST(Registry, HasTheLabelsOfTheLibraries) {
  tools::Scratch folder;
  ASSERT_EQ(Forward({".", folder / "r"}).status, 0);
  EXPECT_THAT(
      folder.Read("r/src/abseil-cpp/absl/status/BUILD.bazel"),
      HasSubstr(
          "alias(name = \"statusor\", actual = \"@system_abseil_cpp//absl/status:statusor\")"));
  EXPECT_THAT(
      folder.Read("r/src/googletest/BUILD.bazel"),
      HasSubstr("alias(name = \"gtest_main\", actual = \"@system_googletest//:gtest_main\")"));
}

TEST(Registry, SaysWhatItCannotServe) {
  tools::Scratch folder;
  folder.Write("checkout/third_party/system/libraries.bzl",
               Text("third_party/system/libraries.bzl"));
  folder.Write("checkout/third_party/system/absl.bzl", Text("third_party/system/absl.bzl"));
  folder.Write("checkout/MODULE.bazel", "bazel_dep(name = \"zlib\", version = \"1\")\n");
  const Outcome outcome = Forward({folder / "checkout", folder / "r"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "forward: third_party/system has no 'zlib'\n");
  EXPECT_EQ(Forward({"."}).status, 2);
  EXPECT_EQ(Forward({"/no/such/folder", folder / "r"}).status, 1);
}

}  // namespace
