// What the documents tell people to type exists.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace {

using testing::Contains;

constexpr const char* kDocuments[] = {"CONTRIBUTING.md",
                                      "README.md",
                                      "docs/README.md",
                                      "docs/bazel.md",
                                      "docs/claims.md",
                                      "docs/compatibility.md",
                                      "docs/design/cpu.md",
                                      "docs/design/mutants.md",
                                      "docs/design/suite.md",
                                      "docs/design/vulkan.md",
                                      "docs/dispute.md",
                                      "docs/glossary.md",
                                      "docs/performance-log-products.md",
                                      "docs/performance-log.md",
                                      "docs/performance.md",
                                      "docs/primitive.md",
                                      "docs/property.md",
                                      "docs/report.md",
                                      "docs/results.md",
                                      "docs/use.md",
                                      "docs/validate.md",
                                      "examples/README.md",
                                      "third_party/README.md",
                                      "tools/README.md"};

std::string Read(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

// Every match of `pattern`'s first group in the documents.
std::set<std::string> Mentioned(const std::string& pattern) {
  const std::regex regex(pattern);
  std::set<std::string> found;
  for (const char* document : kDocuments) {
    const std::string text = Read(document);
    for (std::sregex_iterator i(text.begin(), text.end(), regex), end; i != end; ++i) {
      found.insert((*i)[1]);
    }
  }
  return found;
}

// The scripts of tools that people start.
std::set<std::string> Commands() {
  std::set<std::string> commands;
  for (const auto& entry : std::filesystem::directory_iterator("tools")) {
    const bool script = !entry.is_directory() && entry.path().extension().empty() &&
                        access(entry.path().c_str(), X_OK) == 0 &&
                        Read(entry.path()).rfind("#!", 0) == 0;
    if (script) commands.insert(entry.path().string());
  }
  return commands;
}

TEST(Documents, NameCommandsThatExist) {
  const std::set<std::string> commands = Commands();
  EXPECT_THAT(commands, Contains("tools/test"));
  for (const std::string& name : Mentioned("(?:^|[ `(])(tools/[a-z_]+)(?=[ `\\n,.;:)])")) {
    if (std::filesystem::is_directory(name)) continue;
    EXPECT_THAT(commands, Contains(name));
  }
}

TEST(Documents, ListEveryCommand) {
  const std::set<std::string> listed = Mentioned("\\n\\| `(tools/[a-z_]+)");
  for (const std::string& command : Commands()) EXPECT_THAT(listed, Contains(command));
}

TEST(Documents, NameFlagsThatTheCommandKnows) {
  // Only whole flags that the script itself reads: what it hands on is not its own.
  for (const std::string& use : Mentioned("(tools/(?:setup|format|install|lint) --[a-z-]+)")) {
    const size_t space = use.find(' ');
    const std::string script = Read(use.substr(0, space)), flag = use.substr(space + 1);
    EXPECT_NE(script.find(flag + ")"), std::string::npos) << use;
  }
}

TEST(Documents, NameConfigurationsThatExist) {
  const std::string bazelrc = Read(".bazelrc");
  const std::set<std::string> names = Mentioned("--config=([a-z]+)");
  EXPECT_THAT(names, Contains("asan"));
  for (const std::string& name : names) {
    EXPECT_NE(bazelrc.find("\nbuild:" + name + " "), std::string::npos) << name;
  }
}

TEST(Documents, NameCapsThatReachTheTests) {
  const std::string bazelrc = Read(".bazelrc");
  const std::set<std::string> names = Mentioned("([A-Z]+_MAX_(?:CPU_)?ISA)=");
  EXPECT_THAT(names, Contains("DNNSPEC_MAX_ISA"));
  for (const std::string& name : names)
    EXPECT_NE(bazelrc.find("\ntest --test_env=" + name + "\n"), std::string::npos) << name;
}

TEST(Documents, AgreeOnTheVersion) {
  const std::string text = Read("version.bzl");
  std::smatch version;
  ASSERT_TRUE(std::regex_search(text, version, std::regex("VERSION = \"([0-9.]+)\"")));
  EXPECT_NE(Read("MODULE.bazel").find("    version = \"" + version.str(1) + "\",\n    bazel"),
            std::string::npos);
  EXPECT_NE(Read("CHANGELOG.md").find("\n## " + version.str(1)), std::string::npos);
}

}  // namespace
