#include "conformance/report/history.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "conformance/case/printable.h"

namespace conformance {
namespace {

// A run and its number in the document, from 1.
struct Numbered {
  int number = 0;
  const RecordedRun* run = nullptr;
};

std::string Name(int number) { return "#" + std::to_string(number); }

std::string RunLine(const Numbered& numbered) {
  const RecordedRun& run = *numbered.run;
  std::string counts;
  for (const char* verdict :
       {"pass", "fail", "unexpected_pass", "expected_failure", "weak", "suite_error", "not_run"})
    if (const int count = run.Count(verdict); count > 0)
      counts += ", " + std::to_string(count) + " " + Words(verdict);
  return Name(numbered.number) + "  " +
         Printable((run.date.empty() ? "no date" : run.date) + "  " + run.Title() + ", " +
                   run.profile + counts) +
         (run.partial ? ", interrupted" : "") + "\n";
}

// What became of one requirement.
struct Course {
  std::string text;  // "#1 pass, #3 fail"
  std::string last;  // verdict
  int changes = 0;
};

Course CourseOf(const std::string& id, const std::vector<Numbered>& runs) {
  Course course;
  for (const Numbered& numbered : runs) {
    const RecordedRequirement* const requirement = numbered.run->Find(id);
    if (requirement == nullptr || requirement->verdict == course.last) continue;
    if (!course.last.empty()) ++course.changes;
    course.last = requirement->verdict;
    course.text += (course.text.empty() ? "" : ", ") + Name(numbered.number) + " " +
                   Words(requirement->verdict);
  }
  return course;
}

// Of the runs of one subject on one engine.
std::string CoursesText(const std::vector<Numbered>& runs) {
  std::set<std::string> seen;
  std::vector<std::pair<std::string, Course>> changed;
  int same = 0;
  for (const Numbered& numbered : runs) {
    for (const RecordedRequirement& requirement : numbered.run->requirements) {
      if (!seen.insert(requirement.id).second) continue;
      Course course = CourseOf(requirement.id, runs);
      if (course.changes == 0) ++same;
      if (course.changes > 0) changed.emplace_back(requirement.id, std::move(course));
    }
  }
  std::stable_sort(changed.begin(), changed.end(), [](const auto& a, const auto& b) {
    return Severity(a.second.last) > Severity(b.second.last);
  });
  const RecordedRun& run = *runs.front().run;
  std::string text = Printable(run.subject + " (" + run.engine + ")") + ": " +
                     std::to_string(changed.size()) + " changed, " + std::to_string(same) +
                     " the same\n";
  for (const auto& [id, course] : changed) text += "  " + Printable(id + "  " + course.text) + "\n";
  return text;
}

}  // namespace

std::string HistoryText(const Document& document) {
  std::string text;
  std::vector<std::vector<Numbered>> subjects;
  for (const RecordedRun& run : document.runs) {
    const Numbered numbered = {static_cast<int>(&run - document.runs.data()) + 1, &run};
    text += RunLine(numbered);
    const auto alike = [&run](const std::vector<Numbered>& runs) {
      return runs.front().run->subject == run.subject && runs.front().run->engine == run.engine;
    };
    const auto at = std::find_if(subjects.begin(), subjects.end(), alike);
    if (at == subjects.end()) {
      subjects.push_back({numbered});
    } else {
      at->push_back(numbered);
    }
  }
  for (const std::vector<Numbered>& runs : subjects)
    if (runs.size() > 1) text += "\n" + CoursesText(runs);
  return text;
}

}  // namespace conformance
