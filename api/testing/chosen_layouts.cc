#include "api/testing/chosen_layouts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "api/spi/operation.h"
#include "api/spi/signatures.h"
#include "api/testing/open_table.h"

namespace spi {
namespace {

std::string Answers(Engine& engine, const Operation& operation) {
  std::vector<std::string> answers;
  for (int candidate = 0;; ++candidate) {
    const absl::StatusOr<Planned> planned = engine.MakePlan({operation, nullptr, candidate});
    if (!planned.ok()) {
      EXPECT_EQ(planned.status().code(), absl::StatusCode::kUnimplemented) << planned.status();
      break;
    }
    std::string answer;
    for (const Layout& layout : planned->chosen)
      absl::StrAppend(&answer, answer.empty() ? "" : ", ", ToString(layout));
    if (answers.empty() || answers.back() != answer) answers.push_back(std::move(answer));
  }
  if (answers.empty()) return "unimplemented";
  std::string text;
  for (const std::string& answer : answers)
    absl::StrAppend(&text, text.empty() ? "" : " | ", answer);
  return text;
}

bool TakesAny(const Signature& signature) {
  return std::any_of(signature.arguments.begin(), signature.arguments.end(),
                     [](const ArgumentRule& rule) { return rule.any == nullptr; });
}

std::vector<std::string> Lines(const std::string& text) { return absl::StrSplit(text, '\n'); }

}  // namespace

std::string ChosenLayouts(Engine& engine) {
  static_assert(kOpen.size() == std::variant_size_v<Params>);
  std::string text;
  for (size_t i = 0; i < kOpen.size(); ++i) {
    const std::vector<Operation> operations = kOpen[i]();
    EXPECT_NE(operations.empty(), TakesAny(*kSignatures[i])) << kSignatures[i]->name;
    for (const Operation& operation : operations)
      absl::StrAppend(&text, ToString(operation), ": ", Answers(engine, operation), "\n");
  }
  return text;
}

void ExpectChosenLayouts(Engine& engine, const std::string& path) {
  const std::string now = ChosenLayouts(engine);
  if (const char* const file = std::getenv("DNNSPEC_WRITE_GOLDEN")) {
    std::ofstream(file) << now;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file.good()) << path;
  const std::vector<std::string> wanted =
      Lines({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  const std::vector<std::string> lines = Lines(now);
  EXPECT_EQ(lines.size(), wanted.size());
  for (size_t i = 0; i < lines.size() && i < wanted.size(); ++i)
    ASSERT_EQ(lines[i], wanted[i]) << path << ":" << i + 1;
}

}  // namespace spi
