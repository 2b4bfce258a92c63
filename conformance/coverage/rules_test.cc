// The RULE rows of the catalogue are duties of the suite: they are looked for in its own sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

namespace {

using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::Each;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// The comment before an execution behind which nothing is read: it says why.
constexpr char kNoWait[] = "// No wait: ";

// The lines of each file that calls a subject, by path. Other comments are gone.
const std::map<std::string, std::vector<std::string>>& Checks() {
  static const auto* const checks = [] {
    auto* const files = new std::map<std::string, std::vector<std::string>>;
    std::ifstream list("conformance/coverage/checks.txt");
    for (std::string path; std::getline(list, path);) {
      std::ifstream file(path);
      EXPECT_TRUE(file) << path;
      std::vector<std::string>& lines = (*files)[path];
      for (std::string line; std::getline(file, line);) {
        if (line.find(kNoWait) == std::string::npos)
          line.erase(std::min(line.find("//"), line.size()));
        lines.push_back(line);
      }
    }
    EXPECT_GE(files->size(), 60u);
    return files;
  }();
  return *checks;
}

// "path: line" wherever `pattern` is found.
std::vector<std::string> Places(const std::string& pattern) {
  const std::regex wanted(pattern);
  std::vector<std::string> places;
  for (const auto& [path, lines] : Checks())
    for (const std::string& line : lines)
      if (std::regex_search(line, wanted)) places.push_back(path + ": " + line);
  return places;
}

std::string TextOf(const std::string& path) {
  std::string text;
  for (const std::string& line : Checks().at(path)) text += line + "\n";
  return text;
}

int CountOf(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// STR-008: whoever executes waits before anything is read, a few lines further on, or says why not.
TEST(Rules, ResultsAreReadAfterWaiting) {
  constexpr int kLines = 16;
  const std::regex executes("[.>]execute\\(");
  int excused = 0;
  for (const auto& [path, lines] : Checks()) {
    for (size_t i = 1; i < lines.size(); ++i) {
      const auto end = lines.begin() + std::min(lines.size(), i + kLines);
      const bool waits = std::any_of(lines.begin() + i, end, [](const std::string& line) {
        return line.find("wait()") != std::string::npos;
      });
      const bool missing = std::regex_search(lines[i], executes) && !waits;
      const bool says_why = lines[i - 1].find(kNoWait) != std::string::npos;
      EXPECT_EQ(missing, says_why) << path << ":" << i + 1 << ":" << lines[i];
      if (says_why) ++excused;
    }
  }
  EXPECT_GT(excused, 0);
}

// PRIM-042: what several threads share is made with a scratchpad of the user.
TEST(Rules, ThreadsSharePrimitivesInUserModeOnly) {
  const std::string text = TextOf("conformance/model/threads.cc");
  EXPECT_GE(CountOf(text, "set_scratchpad_mode(dnnl::scratchpad_mode::user)"), 2);
  EXPECT_EQ(CountOf(text, "scratchpad_mode::library"), 0);
  // Threads elsewhere make engines, errors and descriptors, and execute nothing.
  EXPECT_THAT(Places("= std::thread\\("),
              Each(ContainsRegex("model/(threads|engines|errors|resolved).cc")));
}

// MEM-025: what is mapped is unmapped.
TEST(Rules, WhatIsMappedIsUnmapped) {
  for (const auto& [path, lines] : Checks()) {
    const std::string text = TextOf(path);
    if (CountOf(text, ".map_data") > 0) {
      EXPECT_GT(CountOf(text, "unmap_data"), 0) << path;
    }
  }
}

// MEM-032: a tensor is written before it takes part; SHU-038: source and destination of a run are
// two tensors, each with a buffer of its own.
TEST(Rules, TensorsAreTwoAndAreWrittenFirst) {
  for (const char* const path : {"conformance/shuffle/run.cc", "conformance/reorder/run.cc"}) {
    const std::string text = TextOf(path);
    EXPECT_EQ(CountOf(text, "Tensor(c."), 2) << path;
    EXPECT_EQ(CountOf(text, "Store("), 2) << path;
  }
}

// MD-047, OPT-013: nothing looks into a descriptor; layouts are told apart by what they do. OPT-045
// writes descriptors of its own, in one place; another tells in failures what is in them.
TEST(Rules, NothingLooksIntoADescriptor) {
  EXPECT_THAT(Places("dnnl_memory_desc_t|format_desc|desc\\w*(\\(\\))?\\.data\\.|offset0"),
              Each(AnyOf(StartsWith("conformance/subject/blocked.cc"),
                         StartsWith("conformance/subject/descriptor_text.cc"))));
}

// REO-007: there is no operation descriptor to make; the surface says so, and nothing else does.
TEST(Rules, NothingMakesAnOperationDescriptorOfReorder) {
  EXPECT_THAT(Places("reorder::desc\\b"), Each(StartsWith("conformance/model/surface.cc")));
}

// PRIM-014: the order of implementations is recorded, not judged.
TEST(Rules, TheOrderOfImplementationsIsRecordedOnly) {
  const std::string text = TextOf("conformance/model/queries.cc");
  EXPECT_GT(CountOf(text, "next_impl"), 0);
}

}  // namespace
