#include "conformance/report/results.h"

#include "conformance/case/printable.h"
#include "spec/topics.h"

namespace conformance {

void Count::Add(const RequirementOutcome& outcome) {
  ++(outcome.absent ? absent : of[static_cast<int>(outcome.verdict)]);
  cases += outcome.cases();
  seconds += outcome.seconds();
}

int Count::total() const {
  int sum = absent;
  for (int count : of) sum += count;
  return sum;
}

Count CountAll(const Results& results) {
  Count count;
  for (const RequirementOutcome& outcome : results.requirements) count.Add(outcome);
  return count;
}

int ExitStatus(const Results& results) {
  if (results.partial) return 3;
  const Count count = CountAll(results);
  if (count.failed() > 0 || !results.problems.empty()) return 1;
  return count[Verdict::kSuiteError] > 0 || !results.not_judged.empty() ? 2 : 0;
}

std::string DateText(std::time_t time) {
  std::tm parts = {};
  gmtime_r(&time, &parts);
  char text[sizeof("-2147481748-12-31T23:59:60Z")];
  return std::string(text, std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts));
}

std::string_view AreaOf(const spec::Requirement& requirement) {
  const std::string_view id = requirement.id;
  return id.substr(0, id.find('-'));
}

std::string_view TitleOfArea(std::string_view area) {
  for (size_t i = 0; i < spec::kAreaCount; ++i)
    if (spec::kAreas[i].prefix == area) return spec::kAreas[i].title;
  return area;
}

std::string ReplayCommand(const Results& results, const PropertyOutcome& property,
                          const Failure& failure) {
  RunRequest request = results.request;
  if (failure.alone) return request.command + " --case=" + Quoted(failure.minimal);
  // Only the whole property shows it.
  request.topic.clear();
  request.filter = "^" + property.property->name() + "$";
  return request.command + CaseFlags(request);
}

std::string ProgramPath(const Results& results, const Failure& failure) {
  if (failure.reproducer.empty()) return "";
  return ProgramFolder(results.request) + "/" + failure.reproducer;
}

}  // namespace conformance
