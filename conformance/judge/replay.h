// Runs cases that are given as lines.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_REPLAY_H_
#define DNNSPEC_CONFORMANCE_JUDGE_REPLAY_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/case/property.h"
#include "conformance/case/refusal.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/process_state.h"

namespace conformance {

// The fields of a line, which is a property's name and they.
Fields FieldsOf(const std::string& line);

// How one case ended.
struct Answer {
  CaseResult result = CaseResult::kHeld;
  std::string where, expected, got;
  int32_t status = Refusal::kNone;  // as in Failure
  std::string reason;               // why it was not run
  std::string signal;               // as in Failure
  std::string problem;              // the line means nothing; then nothing was run

  bool failed() const { return result >= CaseResult::kDeviated; }
};

// One case in the process that calls: runs `run` on a trial, with what the subject throws, prints
// and does to the process turned into failures. With claims `line`, which may come without the name
// of the property, says whether it is run, and a refusal is a failure. `process` was made before
// the first case.
Trial RunGuarded(const RunOptions& run_options, const Captured& captured, ProcessState* process,
                 const std::function<std::string()>& line, const std::function<void(Trial&)>& run);

// Runs the case that `fields` stands for ("key=value key=value") in a child process.
Answer Replay(const Property& property, const std::string& fields, const RunOptions& run_options,
              SharedRunState* state);

// Looks for a simpler line that fails as `failure` does, for at most run_options.shrink, and writes
// what it finds to *failure; says too whether the line fails alone.
void Shrink(const Property& property, const RunOptions& run_options, SharedRunState* state,
            Failure* failure);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_REPLAY_H_
