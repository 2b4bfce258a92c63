#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::HasSubstr;
using testing::Not;
using tools::Outcome;
using tools::Scratch;

namespace fs = std::filesystem;

std::string Text(const fs::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

// tools/package as it is, with a build that is done already.
class Package : public testing::Test {
 protected:
  Package() {
    tools::LinkPrograms(bin_, {"bash", "env", "sed", "mktemp", "rm", "dirname", "realpath", "cp",
                               "mv", "mkdir", "chmod", "tar", "gzip", "cat"});
    for (const auto& page : fs::directory_iterator("docs"))
      if (page.path().extension() == ".md")
        checkout_.Write(page.path().string(), Text(page.path()));
    bin_.Script("bazel", "test \"$1\" = info && echo " + checkout_ / "bin" + "\n" +
                             "exit ${BAZEL_EXIT:-0}\n");
    bin_.Script("ldd", "printf '\\tlibabsl_base.so.1 => %s (0x0)\\n' " +
                           target_.Write("libabsl_base.so.1", "absl") +
                           "\necho '\tlibc.so.6 => /lib/libc.so.6 (0x0)'\n"
                           "echo '\tlibstdc++.so.6 => /lib/libstdc++.so.6 (0x0)'\n");
    checkout_.Script("tools/setup", "exit 0\n");
    checkout_.Write("version.bzl", "VERSION = \"1.2.3\"\n");
    for (const char* program : {"bin/conformance/cli/conform", "bin/conformance/plugin_runner",
                                "bin/conformance/cli/report"})
      checkout_.Script(program, "echo here\n");
    for (const char* file :
         {"api/spi/plugin_abi.h", "examples/plugin-c/vendor.c", "examples/plugin-c/vendor.claims",
          "conformance/batches/net.shapes", "LICENSE"})
      checkout_.Write(file, std::string("contents of ") + file + "\n");
    fs::copy_file(fs::canonical("tools/package"), checkout_ / "tools/package");
  }

  Outcome PackageWith(std::vector<std::string> arguments,
                      std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), checkout_ / "tools/package");
    environment["PATH"] = bin_.path();
    return tools::Run(arguments, environment);
  }

  // The archive's one folder, unpacked.
  fs::path Unpacked() {
    EXPECT_EQ(PackageWith({"--out=" + target_ / "x.tar.gz"}).status, 0);
    const Outcome outcome =
        tools::Run({"/bin/tar", "xzf", target_ / "x.tar.gz", "-C", target_.path()},
                   {{"PATH", "/usr/bin:/bin"}});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return target_ / "dnnspec-1.2.3";
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
        "batches/net.shapes", "docs/claims.md", "README.md", "LICENSE"})
    EXPECT_THAT(listing, HasSubstr("dnnspec-1.2.3/" + std::string(file) + "\n"));
}

TEST_F(Package, LinksToPagesThatItHolds) {
  const fs::path root = Unpacked();
  const std::regex link("\\]\\(([^)#]+)[^)]*\\)");
  int pages = 0, links = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".md") continue;
    ++pages;
    const std::string text = Text(entry.path());
    for (std::sregex_iterator i(text.begin(), text.end(), link), end; i != end; ++i, ++links)
      EXPECT_TRUE(fs::exists(entry.path().parent_path() / i->str(1)))
          << entry.path() << ": " << i->str(1);
  }
  // The archive's README lies elsewhere in the repository, so it names pages without a link.
  const std::string readme = Text(root / "README.md");
  const std::regex named("`(docs/[a-z]+[.]md)`");
  for (std::sregex_iterator i(readme.begin(), readme.end(), named), end; i != end; ++i, ++links)
    EXPECT_TRUE(fs::exists(root / i->str(1))) << i->str(1);
  EXPECT_GE(pages, 6);
  EXPECT_GE(links, 5);
}

TEST_F(Package, StartsThroughALinkFromElsewhere) {
  const fs::path conform = Unpacked() / "bin/conform";
  fs::create_symlink(conform, target_ / "conform");
  for (const std::string& path : {conform.string(), target_ / "conform"}) {
    const Outcome outcome = tools::Run({path}, {{"PATH", "/usr/bin:/bin"}}, "/");
    EXPECT_EQ(outcome.out, "here\n") << outcome.err;
  }
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
