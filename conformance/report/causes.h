// Failures that one cause explains, as far as their texts tell: docs/report.md has the rule.
#ifndef DNNSPEC_CONFORMANCE_REPORT_CAUSES_H_
#define DNNSPEC_CONFORMANCE_REPORT_CAUSES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/document.h"

namespace conformance {

// What a report says of one failure.
struct Symptom {
  std::string_view topic;  // the chapter of its requirement
  std::string_view where, expected, got, signal;
};

// What went wrong, for a person, without what differs from case to case. Symptoms with the same
// text are taken to have one cause.
std::string CauseOf(const Symptom& symptom);

// The failures of a run that have one cause.
struct Cause {
  std::string text;
  std::vector<const RecordedRequirement*> requirements;  // each once, in their order
  std::vector<const RecordedFailure*> failures;          // of these; the first stands for all
  int64_t cases = 0;                                     // that failed so
};

// Of what is red in a run: no warnings, and nothing that was expected to fail. The cause of most
// requirements first. What they point to is the run's.
std::vector<Cause> CausesOf(const RecordedRun& run);

// "3 causes behind 17 failures"; "" where that would say nothing: every failure has its own.
std::string CauseCount(size_t causes, size_t failures);

// "REO-040, REO-042 and 3 more".
std::string Shortened(const std::vector<std::string>& ids, size_t most);
// Of what it is behind.
std::string IdsOf(const Cause& cause, size_t most);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_CAUSES_H_
