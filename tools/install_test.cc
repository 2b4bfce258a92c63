#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using tools::Outcome;
using tools::Scratch;

namespace fs = std::filesystem;

// tools/install as it is, with a build that is done already.
class Install : public testing::Test {
 protected:
  Install() {
    tools::LinkPrograms(
        bin_, {"bash", "env", "sed", "mktemp", "rm", "rmdir", "dirname", "realpath", "cp", "mv",
               "ln", "mkdir", "chmod", "find", "sort", "grep", "cat", "paste"});
    bin_.Script("bazel", "test \"$1\" = info && echo " + checkout_ / "bin" + "\n" +
                             "exit ${BAZEL_EXIT:-0}\n");
    checkout_.Script("tools/setup", "exit 0\n");
    checkout_.Write("version.bzl", "\"\"\"Doc.\"\"\"\n\nVERSION = \"1.2.3\"\n");
    checkout_.Write("bin/tools/packaging/include/dnnl.hpp", "// DNNSPEC umbrella\n");
    checkout_.Write("bin/tools/packaging/include/oneapi/dnnl/dnnl.hpp", "// DNNSPEC\n");
    checkout_.Write("bin/tools/packaging/libdnnspec.so", "library");
    checkout_.Write("api/types/dnnl_version.h",
                    "#define DNNL_VERSION_MAJOR 2\n#define DNNL_VERSION_MINOR 6\n"
                    "#define DNNL_VERSION_PATCH 3\n#define DNNL_VERSION_HASH \"dnnspec\"\n");
    fs::copy_file(fs::canonical("tools/install"), checkout_ / "tools/install");
    fs::create_directories(checkout_ / "tools/packaging");
    for (const char* name :
         {"config-version.cmake", "dnnl-config.cmake", "dnnspec-config.cmake", "dnnspec.pc"}) {
      const std::string file = std::string("tools/packaging/") + name + ".in";
      fs::copy_file(fs::canonical(file), checkout_ / file);
    }
  }

  Outcome InstallWith(std::vector<std::string> arguments,
                      std::map<std::string, std::string> environment = {}) {
    arguments.insert(arguments.begin(), checkout_ / "tools/install");
    environment["PATH"] = bin_.path();
    return tools::Run(arguments, environment);
  }

  // Every file and link below the prefix.
  std::vector<std::string> Files() {
    std::vector<std::string> files;
    if (!fs::exists(prefix_)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(prefix_)) {
      if (entry.is_symlink() || !entry.is_directory()) {
        files.push_back(entry.path().lexically_relative(prefix_).string());
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  Scratch bin_, checkout_, target_;
  const std::string prefix_ = target_ / "a/b";
};

TEST_F(Install, LaysDownHeadersLibraryAndWhatFindsThem) {
  const Outcome outcome = InstallWith({"--prefix=" + prefix_});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(Files(), ElementsAre("include/dnnl.hpp", "include/oneapi/dnnl/dnnl.hpp",
                                   "lib/cmake/dnnspec/dnnspec-config-version.cmake",
                                   "lib/cmake/dnnspec/dnnspec-config.cmake", "lib/libdnnspec.so",
                                   "lib/libdnnspec.so.1", "lib/libdnnspec.so.1.2.3",
                                   "lib/pkgconfig/dnnspec.pc"));
  EXPECT_EQ(target_.Read("a/b/lib/libdnnspec.so"), "library");
  const std::string pc = target_.Read("a/b/lib/pkgconfig/dnnspec.pc");
  EXPECT_THAT(pc, HasSubstr("Version: 1.2.3\n"));
  EXPECT_THAT(pc, HasSubstr("Libs: -L${libdir} -ldnnspec\n"));
  const std::string package = "a/b/lib/cmake/dnnspec/dnnspec-config";
  EXPECT_THAT(target_.Read(package + ".cmake"), HasSubstr("/lib/libdnnspec.so.1.2.3\"\n"));
  EXPECT_THAT(target_.Read(package + ".cmake"), HasSubstr("\"libdnnspec.so.1\"\n"));
  EXPECT_THAT(target_.Read(package + "-version.cmake"), HasSubstr("(PACKAGE_VERSION \"1.2.3\")"));
  EXPECT_THAT(target_.Read(package + "-version.cmake"), HasSubstr(" \"1.\" "));
}

TEST_F(Install, NamesNoPlaceInWhatItWrites) {
  EXPECT_EQ(InstallWith({"--prefix=" + prefix_, "--as-dnnl"}).status, 0);
  for (const std::string& file : Files()) {
    EXPECT_THAT(target_.Read("a/b/" + file), Not(HasSubstr(target_.path()))) << file;
    EXPECT_THAT(target_.Read("a/b/" + file), Not(HasSubstr("@"))) << file;
  }
}

TEST_F(Install, BeforeVersionOneAMinorVersionServesItselfOnly) {
  checkout_.Write("version.bzl", "VERSION = \"0.4.2\"\n");
  EXPECT_EQ(InstallWith({"--prefix=" + prefix_}).status, 0);
  EXPECT_THAT(target_.Read("a/b/lib/cmake/dnnspec/dnnspec-config-version.cmake"),
              HasSubstr(" \"0.4.\" "));
}

TEST_F(Install, IsFoundAsOneDnnWhereThatIsAskedFor) {
  EXPECT_EQ(InstallWith({"--prefix=" + prefix_, "--as-dnnl"}).status, 0);
  EXPECT_THAT(Files(), Contains("lib/cmake/dnnl/dnnl-config.cmake"));
  EXPECT_THAT(target_.Read("a/b/lib/cmake/dnnl/dnnl-config-version.cmake"),
              HasSubstr("(PACKAGE_VERSION \"2.6.3\")"));
}

TEST_F(Install, LeavesTheCMakePackageOfAnotherOneDnnAlone) {
  target_.Write("a/b/lib/cmake/dnnl/dnnl-config.cmake", "# of somebody else\n");
  EXPECT_EQ(
      InstallWith({"--prefix=" + prefix_, "--as-dnnl"}).err,
      "install: " + prefix_ + "/lib/cmake/dnnl/dnnl-config.cmake belongs to another oneDNN\n");
}

TEST_F(Install, SaysThatTheLibraryNeedsTheAbseilOfThisSystem) {
  EXPECT_THAT(InstallWith({"--prefix=" + prefix_}).out, Not(HasSubstr("Abseil")));
  checkout_.Write("bin/tools/packaging/libdnnspec.so", "x libabsl_status.so.20220623 x");
  EXPECT_THAT(InstallWith({"--prefix=" + prefix_}).out, HasSubstr("needs this system's Abseil"));
}

TEST_F(Install, LeavesNothingElseBehind) {
  InstallWith({"--prefix", prefix_});
  EXPECT_EQ(std::distance(fs::directory_iterator(target_.path()), fs::directory_iterator()), 1);
}

TEST_F(Install, ReplacesWhatAnEarlierRunLeft) {
  InstallWith({"--prefix=" + prefix_});
  checkout_.Write("bin/tools/packaging/libdnnspec.so", "newer");
  EXPECT_EQ(InstallWith({"--prefix=" + prefix_}).status, 0);
  EXPECT_EQ(target_.Read("a/b/lib/libdnnspec.so"), "newer");
}

TEST_F(Install, LeavesTheHeadersOfAnotherOneDnnAlone) {
  target_.Write("a/b/include/dnnl.hpp", "// of somebody else\n");
  const Outcome outcome = InstallWith({"--prefix=" + prefix_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "install: " + prefix_ + "/include/dnnl.hpp belongs to another oneDNN\n");
  EXPECT_THAT(Files(), ElementsAre("include/dnnl.hpp"));
}

TEST_F(Install, InstallsNothingWhereAFileIsInTheWay) {
  target_.Write("a/b/lib", "");
  const Outcome outcome = InstallWith({"--prefix=" + prefix_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "install: " + prefix_ + "/lib is not a writable folder\n");
  EXPECT_THAT(Files(), ElementsAre("lib"));
}

TEST_F(Install, RefusesAPrefixBelowAFile) {
  const std::string file = target_.Write("file", "");
  const Outcome outcome = InstallWith({"--prefix=" + file + "/x"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "install: " + file + " is not a folder\n");
}

TEST_F(Install, InstallsNothingWhenTheBuildFails) {
  const Outcome outcome = InstallWith({"--prefix=" + prefix_}, {{"BAZEL_EXIT", "1"}});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "install: the build failed\n");
  EXPECT_TRUE(fs::is_empty(target_.path()));
}

TEST_F(Install, UndoesWhatItDidWhenTheDiskFailsHalfWay) {
  std::remove((bin_ / "mv").c_str());
  // The fourth file does not move.
  bin_.Script("mv", "n=$(cat " + bin_ / "count" + " 2>/dev/null || echo 0)\n" +
                        "echo $((n + 1)) >" + bin_ / "count\n" +
                        "test $n -ne 3 || exit 1\nexec /bin/mv \"$@\"\n");
  const Outcome outcome = InstallWith({"--prefix=" + prefix_});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.err, HasSubstr("it is as it was\n"));
  EXPECT_THAT(Files(), IsEmpty());
  EXPECT_TRUE(fs::is_empty(target_.path()));
}

TEST_F(Install, UndoesAReplacementToo) {
  InstallWith({"--prefix=" + prefix_});
  checkout_.Write("bin/tools/packaging/include/dnnl.hpp", "// DNNSPEC newer\n");
  std::remove((bin_ / "mv").c_str());
  bin_.Script("mv", "n=$(cat " + bin_ / "count" + " 2>/dev/null || echo 0)\n" +
                        "echo $((n + 1)) >" + bin_ / "count\n" +
                        "test $n -ne 3 || exit 1\nexec /bin/mv \"$@\"\n");
  const std::vector<std::string> before = Files();
  EXPECT_EQ(InstallWith({"--prefix=" + prefix_}).status, 1);
  EXPECT_EQ(Files(), before);
  EXPECT_EQ(target_.Read("a/b/include/dnnl.hpp"), "// DNNSPEC umbrella\n");
}

TEST_F(Install, RefusesWrongUsageInOneLine) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {}, {"--prefix"}, {"--prefix="}, {"--to=/x"}, {"--prefix=/a b"}}) {
    const Outcome outcome = InstallWith(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("usage: tools/install --prefix=DIR"));
  }
}

}  // namespace
