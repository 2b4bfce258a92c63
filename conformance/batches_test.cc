// Every shape that comes along is what the suite judges.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tools/testing/command.h"

namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

// Behind `n`, else the second word; "" in a comment.
std::string NameIn(const std::string& line) {
  const size_t quote = line.find('"');
  if (quote != line.npos) return line.substr(quote + 1, line.rfind('"') - quote - 1);
  std::istringstream words(line);
  std::string kind, name;
  words >> kind >> name;
  return kind == "#" ? "" : name;
}

TEST(Batches, AreJudgedLineByLine) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("conformance/batches")) {
    if (entry.path().extension() != ".shapes") continue;
    ++files;
    const std::string file = entry.path();
    const tools::Outcome outcome =
        tools::Run({"conformance/dnnspec_runner", "--subject=judged", "--batch=" + file}, {});
    EXPECT_EQ(outcome.status, 0) << file;
    EXPECT_EQ(outcome.err, "") << file;
    EXPECT_THAT(outcome.out, HasSubstr(" held, 0 failed, ")) << file;
    // Each shape has a case that was run.
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
      const std::string name = NameIn(line);
      if (name.empty()) continue;
      EXPECT_THAT(outcome.out, ContainsRegex("held      .*  # " + name + "\n")) << file;
    }
  }
  EXPECT_EQ(files, 4);
}

}  // namespace
