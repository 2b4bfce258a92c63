#include "conformance/report/text.h"

#include <cstdio>
#include <vector>

#include "conformance/case/printable.h"
#include "conformance/report/causes.h"
#include "conformance/report/numbers.h"

namespace conformance {
namespace {

std::string RequirementText(const RecordedRequirement& requirement) {
  std::string text = "  " + Words(requirement.verdict) + "  " +
                     Printable(requirement.id + "  " + requirement.text) + "\n";
  if (!requirement.reason.empty()) text += "    " + Printable(requirement.reason) + "\n";
  for (const RecordedFailure& failure : requirement.failures) {
    text += "    case      " + Printable(failure.minimal) + "\n    at        " +
            Printable(failure.where) + "\n    expected  " + Printable(failure.expected) +
            "\n    got       " + Printable(failure.got) + "\n    replay    " +
            Printable(failure.replay) + "\n";
  }
  return text;
}

// What is behind more than one failure.
std::string CausesText(const RecordedRun& run) {
  const std::vector<Cause> causes = CausesOf(run);
  size_t failures = 0;
  std::string text;
  for (const Cause& cause : causes) {
    failures += cause.failures.size();
    if (cause.failures.size() > 1)
      text += "    " + Printable(cause.text + ": " + IdsOf(cause, 5)) + "\n";
  }
  const std::string count = CauseCount(causes.size(), failures);
  return count.empty() ? "" : "  " + count + "\n" + text;
}

std::string RunText(const RecordedRun& run) {
  char seconds[32];
  std::snprintf(seconds, sizeof(seconds), "%.1f s", run.seconds);
  const std::string on = run.device.empty() ? "" : " on " + run.device;
  std::string text = Printable(run.Title() + on + ", " + run.profile) + " profile, seed " +
                     std::to_string(run.seed) + ": " + std::to_string(run.requirements.size()) +
                     (run.requirements.size() == 1 ? " requirement" : " requirements");
  for (const char* verdict :
       {"pass", "fail", "unexpected_pass", "expected_failure", "weak", "suite_error", "not_run"})
    if (const int count = run.Count(verdict); count > 0)
      text += ", " + std::to_string(count) + " " + Words(verdict);
  text +=
      "; " + Grouped(run.cases) + (run.cases == 1 ? " case in " : " cases in ") + seconds + "\n";
  if (run.partial) text += "  partial: the run was cut short\n";
  for (const RecordedClaim& claim : run.claims)
    if (claim.part.empty() || claim.verdict == "non-conformant")
      text += "  claim " +
              Printable(claim.topic + (claim.part.empty() ? "" : " " + claim.part) + ": " +
                        claim.verdict) +
              "\n";
  text += CausesText(run);
  for (const char* verdict : {"fail", "unexpected_pass", "suite_error"})
    for (const RecordedRequirement& requirement : run.requirements)
      if (requirement.verdict == verdict) text += RequirementText(requirement);
  for (const std::string& problem : run.problems)
    text += "  expectations  " + Printable(problem) + "\n";
  return text;
}

}  // namespace

std::string ToText(const Document& document) {
  std::string text;
  for (const RecordedRun& run : document.runs) text += (text.empty() ? "" : "\n") + RunText(run);
  return text;
}

}  // namespace conformance
