#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using tools::Outcome;
using tools::Scratch;

// tools/format as it is, with formatters that want "good" where "bad" stands.
class Format : public testing::Test {
 protected:
  Format() {
    tools::LinkPrograms(bin_, {"bash", "env", "sed", "dirname", "nproc", "sort", "xargs", "cmp",
                               "sh", "mkdir", "tail", "cat"});
    bin_.Script("git",
                "test \"$1\" = rev-parse && { echo true; exit; }\n"
                "for a; do case $a in\n"
                "  '*.cc') printf 'a.cc\\nfolder/b.cc\\ndeleted.cc\\n' ;;\n"
                "  '*.bazel') echo BUILD.bazel ;;\n"
                "esac; done\n");
    bin_.Script("clang-format",
                "case $1 in\n"
                "  --version) echo 'Debian clang-format version '${CLANG:-14.0.6} ;;\n"
                "  -i) shift; for f; do sed -i s/bad/good/ $f; done ;;\n"
                "  *) sed s/bad/good/ $1 ;;\n"
                "esac\n");
    bin_.Script("buildifier",
                "case $1 in\n"
                "  --version) echo 'buildifier version: 8.2.1' ;;\n"
                "  -mode=fix) sed -i s/bad/good/ $2 ;;\n"
                "  *) test $(cat $2) = good || { echo \"$2 # reformat\"; exit 4; } ;;\n"
                "esac\n");
    checkout_.Write("a.cc", "good\n");
    checkout_.Write("folder/b.cc", "good\n");
    checkout_.Write("BUILD.bazel", "good\n");
    std::filesystem::create_directory(checkout_ / "tools");
    std::filesystem::copy_file(std::filesystem::canonical("tools/format"),
                               checkout_ / "tools/format");
  }

  Outcome FormatWith(std::vector<std::string> arguments, const std::string& clang = "14.0.6") {
    arguments.insert(arguments.begin(), checkout_ / "tools/format");
    return tools::Run(arguments, {{"PATH", bin_.path()}, {"HOME", home_.path()}, {"CLANG", clang}});
  }

  Scratch bin_, checkout_, home_;
};

TEST_F(Format, AcceptsWhatIsFormatted) {
  const Outcome outcome = FormatWith({"--check"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "format: 2 C++ files, 1 Bazel files\n");
}

TEST_F(Format, NamesACppFileAndLeavesIt) {
  checkout_.Write("folder/b.cc", "bad\n");
  const Outcome outcome = FormatWith({"--check"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("\n  folder/b.cc\n"));
  EXPECT_EQ(checkout_.Read("folder/b.cc"), "bad\n");
}

TEST_F(Format, NamesABazelFileAndLeavesIt) {
  checkout_.Write("BUILD.bazel", "bad\n");
  const Outcome outcome = FormatWith({"--check"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("BUILD.bazel # reformat\n"));
  EXPECT_EQ(checkout_.Read("BUILD.bazel"), "bad\n");
}

TEST_F(Format, RewritesWhatIsNotFormatted) {
  checkout_.Write("folder/b.cc", "bad\n");
  checkout_.Write("BUILD.bazel", "bad\n");
  EXPECT_EQ(FormatWith({}).status, 0);
  EXPECT_EQ(checkout_.Read("folder/b.cc"), "good\n");
  EXPECT_EQ(checkout_.Read("BUILD.bazel"), "good\n");
  EXPECT_EQ(FormatWith({"--check"}).status, 0);
}

TEST_F(Format, RefusesAClangFormatThatWritesOtherwise) {
  const Outcome outcome = FormatWith({"--check"}, "15.0.0");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "format: clang-format 14 was not found: tools/setup --gate\n");
}

TEST_F(Format, SaysWhenBazelFilesCouldNotBeChecked) {
  std::remove((bin_ / "buildifier").c_str());
  const Outcome outcome = FormatWith({"--check"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, HasSubstr("1 Bazel files not checked\n"));
}

TEST_F(Format, StillNamesCppFilesWithoutBuildifier) {
  std::remove((bin_ / "buildifier").c_str());
  checkout_.Write("a.cc", "bad\n");
  EXPECT_EQ(FormatWith({"--check"}).status, 1);
}

TEST_F(Format, FetchesBuildifierOnceIntoTheUsersCache) {
  std::remove((bin_ / "buildifier").c_str());
  const std::string cache = home_ / ".cache/dnnspec/buildifier-8.2.1";
  bin_.Script("npm", "echo \"$@\" >>" + bin_ / "log" + "\nmkdir -p " + cache +
                         "/node_modules/.bin\nprintf '#!/bin/sh\\nexit 0\\n' >" + cache +
                         "/node_modules/.bin/buildifier\n/bin/chmod +x " + cache +
                         "/node_modules/.bin/buildifier\n");
  EXPECT_EQ(FormatWith({"--check"}).status, 0);
  EXPECT_EQ(FormatWith({"--check"}).status, 0);
  EXPECT_THAT(bin_.Read("log"), testing::MatchesRegex("install [^\n]* @bazel/buildifier@8.2.1\n"));
}

TEST_F(Format, RefusesAnUnknownArgumentInOneLine) {
  const Outcome outcome = FormatWith({"--fix"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "format: unknown arguments '--fix' (usage: tools/format [--check])\n");
}

}  // namespace
