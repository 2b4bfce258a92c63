// Every command that the documents tell people to type: its program, its flags, its labels and its
// files exist, and what is quick really runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tools/testing/command.h"

namespace {

using testing::Contains;
using testing::HasSubstr;
using tools::Outcome;

namespace fs = std::filesystem;

std::string Text(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

std::vector<std::string> Documents() {
  std::vector<std::string> found = {"README.md",
                                    "CONTRIBUTING.md",
                                    "api/README.md",
                                    "conformance/README.md",
                                    "conformance/batches/README.md",
                                    "conformance/mutants/README.md",
                                    "examples/README.md",
                                    "impl_cpu/README.md",
                                    "impl_vulkan/README.md",
                                    "spec/README.md",
                                    "third_party/README.md",
                                    "tools/README.md"};
  for (const auto& entry : fs::recursive_directory_iterator("docs"))
    if (entry.path().extension() == ".md") found.push_back(entry.path().string());
  return found;
}

struct Command {
  std::string document, line, folder;  // folder: where an earlier "cd" of its block went
  std::vector<std::string> words;      // quotes removed, comment left out
};

// As a shell would cut it, as far as the documents need that.
std::vector<std::string> Words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool any = false;
  for (const char c : line) {
    if (quote == 0 && c == '#' && !any) break;
    if (quote == 0 && c == ' ') {
      if (any) words.push_back(word);
      word.clear();
      any = false;
    } else if (quote == 0 ? c == '\'' || c == '"' : c == quote) {
      quote = quote == 0 ? c : 0;
      any = true;
    } else {
      word += c;
      any = true;
    }
  }
  if (any) words.push_back(word);
  return words;
}

bool IsCommand(const std::vector<std::string>& words) {
  static const std::regex program(
      "(tools/[a-z_0-9]+|examples/[a-z-]+/run|(\\.\\./)?bin/[a-z]+|bazel|cc|c\\+\\+)");
  return words.size() > 1 ? std::regex_match(words[0], program)
                          : words.size() == 1 && words[0].rfind("tools/", 0) == 0 &&
                                std::regex_match(words[0], program);
}

// Indented and fenced lines, and what stands between backquotes.
std::vector<Command> Commands() {
  std::vector<Command> commands;
  for (const std::string& document : Documents()) {
    std::istringstream text(Text(document));
    std::string folder, line;
    bool fenced = false;
    while (std::getline(text, line)) {
      if (line.rfind("```", 0) == 0) fenced = !fenced;
      const bool block = fenced || line.rfind("    ", 0) == 0;
      if (!block || line.empty()) folder.clear();
      if (block) {
        const std::string typed = line.substr(line.find_first_not_of(' '));
        const std::vector<std::string> words = Words(typed);
        if (words.size() == 2 && words[0] == "cd") folder = words[1];
        if (IsCommand(words)) commands.push_back({document, typed, folder, words});
        continue;
      }
      static const std::regex quoted("`([^`]+)`");
      for (std::sregex_iterator i(line.begin(), line.end(), quoted), end; i != end; ++i) {
        const std::vector<std::string> words = Words(i->str(1));
        if (IsCommand(words)) commands.push_back({document, i->str(1), "", words});
      }
    }
  }
  return commands;
}

// "conform" of "tools/conform" and "../bin/conform"; "" of others.
std::string ToolOf(const Command& command) {
  const std::string& program = command.words[0];
  if (program.rfind("tools/", 0) == 0) return program.substr(6);
  const size_t bin = program.find("bin/");
  return bin == std::string::npos ? "" : program.substr(bin + 4);
}

std::string HelpOfProgram(const std::string& program) {
  const Outcome outcome =
      tools::Run({fs::absolute(program), "--help"}, {{"PATH", "/usr/bin:/bin"}});
  EXPECT_EQ(outcome.status, 0) << program << ": " << outcome.err;
  EXPECT_NE(outcome.out, "") << program;
  return outcome.out;
}

// What `tools/NAME --help` says.
std::string HelpOf(const std::string& tool) {
  static auto* const known = new std::map<std::string, std::string>;
  const auto [at, added] = known->emplace(tool, "");
  if (!added) return at->second;
  return at->second = HelpOfProgram("tools/" + tool);
}

// Whether the BUILD file of the package, which has to be among this test's data, makes `name`: as
// it stands, or as one of a family ("cpu" makes "cpu_shuffle_test").
bool Makes(const std::string& package, const std::string& name) {
  const std::string build = Text((package.empty() ? "" : package + "/") + "BUILD.bazel");
  if (build.find("\"" + name + "\"") != std::string::npos) return true;
  for (size_t end = name.find('_'); end != std::string::npos; end = name.find('_', end + 1)) {
    if (build.find("name = \"" + name.substr(0, end) + "\"") != std::string::npos) return true;
    // One of several, by topic.
    if (build.find("name = \"%s" + name.substr(end) + "\" % topic") != std::string::npos)
      return true;
  }
  return false;
}

void ExpectLabel(const Command& command, std::string label) {
  const std::string context = command.document + ": " + command.line;
  if (label.rfind("@dnnspec//", 0) == 0) label.erase(0, 8);
  if (label.rfind("//my", 0) == 0) return;  // what the reader has
  const std::string path = label.substr(2);
  if (!command.folder.empty()) {
    // A workspace of its own.
    const size_t colon = label.rfind(':');
    EXPECT_TRUE(Makes(command.folder + "/" + label.substr(2, colon - 2), label.substr(colon + 1)))
        << context;
    return;
  }
  if (path == "...") return;
  if (const size_t below = path.find("/..."); below != std::string::npos) {
    const std::string folder = path.substr(0, below);
    EXPECT_TRUE(fs::exists(folder + "/BUILD.bazel")) << context;
    return;
  }
  const size_t colon = path.find(':');
  const std::string package = path.substr(0, colon);
  const std::string name =
      colon == std::string::npos ? path.substr(path.rfind('/') + 1) : path.substr(colon + 1);
  if (name == "all") {
    EXPECT_TRUE(fs::exists(package + "/BUILD.bazel")) << context;
  } else {
    EXPECT_TRUE(Makes(package, name)) << context;
  }
}

TEST(DocumentedCommands, AreFound) {
  const std::vector<Command> commands = Commands();
  EXPECT_GE(commands.size(), 60u);
  std::set<std::string> programs;
  for (const Command& command : commands) programs.insert(command.words[0]);
  for (const char* program : {"bazel", "cc", "tools/conform", "tools/report", "../bin/report"})
    EXPECT_THAT(programs, Contains(program));
}

TEST(DocumentedCommands, HavePrograms) {
  for (const Command& command : Commands()) {
    const std::string tool = ToolOf(command);
    const std::string program = tool.empty() ? command.words[0] : "tools/" + tool;
    if (program.find('/') == std::string::npos) continue;
    EXPECT_TRUE(fs::exists(program)) << command.document << ": " << command.line;
  }
}

TEST(DocumentedCommands, HaveFlagsThatTheirProgramKnows) {
  int flags = 0;
  for (const Command& command : Commands()) {
    const std::string tool = ToolOf(command);
    // tools/test hands what it does not know to Bazel.
    if (tool.empty() || tool == "test") continue;
    for (const std::string& word : command.words) {
      if (word.rfind("--", 0) != 0 || word == "--help") continue;
      const std::string flag = word.substr(0, word.find('='));
      const std::regex known("(^|[^a-z-])" + flag + "([^a-z-]|$)");
      EXPECT_TRUE(std::regex_search(HelpOf(tool), known))
          << command.document << ": " << command.line;
      ++flags;
    }
  }
  EXPECT_GE(flags, 30);
}

TEST(DocumentedCommands, BuildProgramsThatExist) {
  for (const char* tool : {"tools/report"}) {
    const std::string script = Text(tool);
    std::smatch program;
    ASSERT_TRUE(std::regex_search(script, program, std::regex("null\\)/([a-z/_]+)"))) << tool;
    EXPECT_TRUE(fs::exists(program.str(1))) << tool << " starts " << program.str(1);
    std::string label = program.str(1);
    label[label.rfind('/')] = ':';
    EXPECT_THAT(script, HasSubstr(" //" + label + " ")) << tool;
  }
}

TEST(DocumentedCommands, AreExplainedBeforeTheyAreBuilt) {
  EXPECT_EQ(HelpOf("report"), HelpOfProgram("conformance/cli/report"));
  // Of the benchmark, every flag: the script's words are about two programs.
  const std::string program = HelpOfProgram("tools/benchmark/bench");
  const std::regex flag("\n +(--[a-z]+(=[A-Z]+)? +[^\n]+)");
  int flags = 0;
  for (std::sregex_iterator i(program.begin(), program.end(), flag), end; i != end; ++i, ++flags)
    EXPECT_THAT(HelpOf("bench"), HasSubstr(i->str(1)));
  EXPECT_GE(flags, 7);
}

TEST(DocumentedCommands, HaveConfigurationsAndLabelsThatExist) {
  const std::string bazelrc = Text(".bazelrc");
  for (const Command& command : Commands()) {
    const bool bazel = command.words[0] == "bazel" || ToolOf(command) == "test";
    if (!bazel) continue;
    for (const std::string& word : command.words) {
      if (word == "--") break;
      if (word.rfind("--config=", 0) == 0) {
        EXPECT_THAT(bazelrc, HasSubstr("\nbuild:" + word.substr(9) + " ")) << command.line;
      }
      if (word.rfind("//", 0) == 0 || word.rfind("@dnnspec//", 0) == 0) ExpectLabel(command, word);
      if (const size_t value = word.find("=//"); value != std::string::npos && word[0] == '-')
        ExpectLabel(command, word.substr(value + 1));
      if (word.rfind("--@dnnspec//", 0) == 0)
        ExpectLabel(command, word.substr(2, word.find('=') - 2));
    }
  }
}

TEST(DocumentedCommands, HaveFilesThatExist) {
  const std::regex path("(^|=)((examples|docs|spec|tools|conformance)/[A-Za-z0-9_./-]+)$");
  int files = 0;
  for (const Command& command : Commands()) {
    for (const std::string& word : command.words) {
      std::smatch match;
      if (!std::regex_search(word, match, path) || word.find("...") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(match.str(2))) << command.document << ": " << command.line;
      ++files;
    }
  }
  EXPECT_GE(files, 30);
}

constexpr char kResults[] =
    R"({"format": 1, "suite": "dnnspec 0.1.0", "subject": "vendor", "version": "1", "run": {"seed": 1,)"
    R"( "engine": "cpu", "profile": "portable", "command": "tools/conform", "seconds": 2.5},)"
    R"( "requirements": [{"id": "SHU-001", "level": "MUST", "topic": "shuffle", "text": "Text.",)"
    R"( "verdict": "pass", "cases": 5, "seconds": 0.5}]})";

TEST(DocumentedCommands, OfReportsRun) {
  int ran = 0;
  for (const Command& command : Commands()) {
    // The lines of blocks name files; between backquotes stand FILE and DIR.
    if (ToolOf(command) != "report" || command.line.find(".json") == std::string::npos) continue;
    if (std::regex_search(command.line, std::regex("\\b[A-Z]{3,}\\b"))) continue;
    tools::Scratch folder;
    for (const std::string& word : command.words) {
      const bool out = word.rfind("--out=", 0) == 0;
      if (!out && std::regex_search(word, std::regex("mutants\\.json$")))
        folder.Write(word.substr(word.find('=') + 1), "{\"mutants\": []}");
      else if (!out && std::regex_search(word, std::regex("\\.json$")))
        folder.Write(word, kResults);
    }
    std::vector<std::string> words = command.words;
    words[0] = fs::absolute("conformance/cli/report");
    const Outcome outcome = tools::Run(words, {}, folder.path());
    EXPECT_EQ(outcome.status, 0) << command.document << ": " << command.line << "\n" << outcome.err;
    ++ran;
  }
  EXPECT_GE(ran, 6);
}

TEST(DocumentedCommands, OfCompilersRunWhereTheyAreTyped) {
  if (!fs::exists("/usr/bin/cc")) GTEST_SKIP() << "there is no cc";
  int ran = 0;
  for (const Command& command : Commands()) {
    if (command.words[0] != "cc") continue;
    // A checkout, or an archive of tools/package.
    tools::Scratch root;
    const bool archive = command.folder == "template";
    const std::string header = archive ? "include/api/spi/plugin_abi.h" : "api/spi/plugin_abi.h";
    const std::string source = archive ? "template/vendor.c" : "examples/plugin-c/vendor.c";
    root.Write(header, Text("api/spi/plugin_abi.h"));
    root.Write(source, Text("examples/plugin-c/vendor.c"));
    const Outcome outcome = tools::Run(command.words, {{"PATH", "/usr/bin:/bin"}},
                                       archive ? root / "template" : root.path());
    EXPECT_EQ(outcome.status, 0) << command.line << "\n" << outcome.err;
    EXPECT_TRUE(fs::exists(root / (archive ? "template/libvendor.so" : "libvendor.so")));
    ++ran;
  }
  EXPECT_EQ(ran, 2);
}

}  // namespace
