#include "conformance/report/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace conformance {
namespace {

using testing::HasSubstr;
using testing::Not;

// Of requirements and their verdicts.
RecordedRun RunOf(const char* date,
                  const std::vector<std::pair<const char*, const char*>>& requirements) {
  RecordedRun run;
  run.subject = "vendor";
  run.version = "1.0";
  run.engine = "cpu";
  run.profile = "portable";
  run.date = date;
  for (const auto& [id, verdict] : requirements) {
    RecordedRequirement requirement;
    requirement.id = id;
    requirement.verdict = verdict;
    run.requirements.push_back(requirement);
  }
  return run;
}

TEST(History, HasALineForEachRunAndForEachRequirementThatChanged) {
  Document document;
  document.runs = {
      RunOf("2026-11-21T10:00:00Z", {{"A-1", "pass"}, {"A-2", "fail"}, {"A-3", "pass"}}),
      RunOf("2026-11-22T10:00:00Z", {{"A-1", "pass"}, {"A-2", "pass"}, {"A-3", "pass"}}),
      RunOf("", {{"A-1", "expected_failure"}, {"A-2", "fail"}, {"A-3", "pass"}})};
  document.runs[2].version = "1.1";
  document.runs[2].partial = true;
  EXPECT_EQ(HistoryText(document),
            "#1  2026-11-21T10:00:00Z  vendor 1.0 (cpu), portable, 2 pass, 1 fail\n"
            "#2  2026-11-22T10:00:00Z  vendor 1.0 (cpu), portable, 3 pass\n"
            "#3  no date  vendor 1.1 (cpu), portable, 1 pass, 1 fail, 1 expected failure, "
            "interrupted\n"
            "\n"
            "vendor (cpu): 2 changed, 1 the same\n"
            "  A-2  #1 fail, #2 pass, #3 fail\n"
            "  A-1  #1 pass, #3 expected failure\n");
}

TEST(History, OfARunThatWasNotAskedIsNone) {
  Document document;
  document.runs = {RunOf("", {{"A-1", "pass"}}), RunOf("", {{"A-2", "fail"}}),
                   RunOf("", {{"A-1", "not_run"}, {"A-2", "fail"}})};
  EXPECT_THAT(HistoryText(document), HasSubstr("\nvendor (cpu): 1 changed, 1 the same\n"
                                               "  A-1  #1 pass, #3 not run\n"));
}

TEST(History, KeepsSubjectsAndEnginesApart) {
  Document document;
  document.runs = {RunOf("", {{"A-1", "pass"}}), RunOf("", {{"A-1", "fail"}}),
                   RunOf("", {{"A-1", "fail"}}), RunOf("", {{"A-1", "pass"}})};
  document.runs[1].engine = "gpu";
  document.runs[2].subject = "other";
  document.runs[3].engine = "gpu";
  const std::string text = HistoryText(document);
  EXPECT_THAT(text, HasSubstr("\nvendor (gpu): 1 changed, 0 the same\n  A-1  #2 fail, #4 pass\n"));
  EXPECT_THAT(text, Not(HasSubstr("(cpu): ")));
}

}  // namespace
}  // namespace conformance
