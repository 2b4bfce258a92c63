#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using testing::Not;
using tools::Outcome;
using tools::Scratch;

namespace fs = std::filesystem;

// tools/package as it is, with a build that is done already.
class Package : public testing::Test {
 protected:
  Package() {
    tools::LinkPrograms(bin_, {"bash", "env", "sed", "mktemp", "rm", "dirname", "realpath", "cp",
                               "mv", "mkdir", "chmod", "tar", "gzip", "cat"});
    bin_.Script("bazel", "test \"$1\" = info && echo " + checkout_ / "bin" + "\n" +
                             "exit ${BAZEL_EXIT:-0}\n");
    bin_.Script("ldd", "printf '\\tlibabsl_base.so.1 => %s (0x0)\\n' " +
                           target_.Write("libabsl_base.so.1", "absl") +
                           "\necho '\tlibc.so.6 => /lib/libc.so.6 (0x0)'\n"
                           "echo '\tlibstdc++.so.6 => /lib/libstdc++.so.6 (0x0)'\n");
    checkout_.Script("tools/setup", "exit 0\n");
    checkout_.Write("version.bzl", "VERSION = \"1.2.3\"\n");
    for (const char* program : {"bin/conformance/driver/conform", "bin/conformance/plugin_runner",
                                "bin/conformance/report/report"})
      checkout_.Script(program, "echo here\n");
    for (const char* file :
         {"api/spi/plugin_abi.h", "examples/plugin-c/vendor.c", "examples/plugin-c/vendor.claims",
          "docs/archive.md", "docs/claims.md", "LICENSE"})
      checkout_.Write(file, std::string("contents of ") + file + "\n");
    fs::copy_file(fs::canonical("tools/package"), checkout_ / "tools/package");
  }

  Outcome PackageWith(std::vector<std::string> arguments,
                      std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), checkout_ / "tools/package");
    environment["PATH"] = bin_.path();
    return tools::Run(arguments, environment);
  }

  std::string Listing() {
    return tools::Run({"/bin/tar", "tzf", target_ / "x.tar.gz"}, {{"PATH", "/usr/bin:/bin"}}).out;
  }

  Scratch bin_, checkout_, target_;
};

TEST_F(Package, HoldsProgramsHeaderTemplateAndDocuments) {
  const Outcome outcome = PackageWith({"--out=" + target_ / "x.tar.gz"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string listing = Listing();
  for (const char* file :
       {"bin/conform", "libexec/plugin_runner", "bin/report", "lib/libabsl_base.so.1",
        "include/api/spi/plugin_abi.h", "template/vendor.c", "template/vendor.claims",
        "docs/claims.md", "README.md", "LICENSE"})
    EXPECT_THAT(listing, HasSubstr("dnnspec-1.2.3/" + std::string(file) + "\n"));
}

TEST_F(Package, LeavesTheLibrariesOfEveryMachineOut) {
  ASSERT_EQ(PackageWith({"--out=" + target_ / "x.tar.gz"}).status, 0);
  EXPECT_THAT(Listing(), Not(HasSubstr("libc.so")));
  EXPECT_THAT(Listing(), Not(HasSubstr("libstdc++")));
}

TEST_F(Package, IsTheSameBytesTheSecondTime) {
  ASSERT_EQ(PackageWith({"--out=" + target_ / "x.tar.gz"}).status, 0);
  const std::string first = target_.Read("x.tar.gz");
  ASSERT_EQ(PackageWith({"--out", target_ / "x.tar.gz"}).status, 0);
  EXPECT_EQ(target_.Read("x.tar.gz"), first);
}

TEST_F(Package, LeavesNothingWhenTheBuildFails) {
  const Outcome outcome = PackageWith({"--out=" + target_ / "y.tar.gz"}, {{"BAZEL_EXIT", "1"}});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "package: the build failed\n");
  EXPECT_FALSE(fs::exists(target_ / "y.tar.gz"));
}

TEST_F(Package, RefusesInOneLine) {
  const std::string usage = " (usage: tools/package --out=FILE.tar.gz)\n";
  EXPECT_EQ(PackageWith({}).err, "package: --out is missing" + usage);
  EXPECT_EQ(PackageWith({"--out"}).err, "package: --out wants a file" + usage);
  EXPECT_EQ(PackageWith({"--out=x.zip"}).err,
            "package: --out 'x.zip' does not end in .tar.gz" + usage);
  EXPECT_EQ(PackageWith({"--fast"}).err, "package: unknown argument '--fast'" + usage);
  EXPECT_EQ(PackageWith({"--out=/no/such/x.tar.gz"}).err,
            "package: /no/such is not a writable folder\n");
  EXPECT_EQ(PackageWith({}).status, 2);
}

}  // namespace
