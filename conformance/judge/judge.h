// Runs one property to its end: all its cases, over as many child processes as it takes.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_JUDGE_H_
#define DNNSPEC_CONFORMANCE_JUDGE_JUDGE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/case/asked.h"
#include "conformance/case/property.h"
#include "conformance/case/refusal.h"
#include "conformance/case/trial.h"
#include "conformance/judge/isolate.h"
#include "conformance/judge/shared_state.h"

namespace conformance {

// Cases of an unbounded property in a run that says nothing else, unless each of them costs much.
inline constexpr int64_t kDefaultCases = 2000;
// Cases that a property gets however short its time is.
inline constexpr int64_t kFewestCases = 200;

// How properties are run.
struct RunOptions {
  Profile profile = Profile::kPortable;
  EngineChoice engine = EngineChoice::kCpu;
  uint64_t seed = 1;
  // At most this many cases of each property; 0: all of a list, kDefaultCases of what is drawn. Of
  // draws that cost much there are fewer: DrawnCases.
  int64_t cases = 0;
  // When not 0: draws cases for this long instead, kFewestCases at least, `cases` at most.
  std::chrono::nanoseconds budget{0};
  Limits limits;
  // Why a case, told by its line, is not to be run; "" if it is. Null: all are run.
  std::function<std::string(std::string_view line)> outside;
  // The same of a refusal, where the line did not tell what would be asked for.
  std::function<std::string(const Asked& refused)> refused_outside;
  // Whether the subject claims to serve the cases that are run: then a refusal is a failure.
  bool claimed = false;
  // The primitive whose topic gives the property to another chapter, else "". Where nothing is
  // claimed, a subject that answers `unimplemented` is not asked.
  std::string guest;
  // A property ends when as many cases failed; 0: it goes on.
  int64_t enough = 0;
  int deaths = 10;  // after so many dead children a property is given up
  // So many cases without an answer, too. The first counts only if it has none either when it is
  // alone and has twice the time.
  int hangs = 2;
  std::chrono::milliseconds shrink{5000};  // time to shrink one failure
};

// How many cases an unbounded property draws where others draw `cases`: fewer of those that cost
// much, but for the first few. One that drew as many as by default, and missed a class that it must
// see, is at fault.
int64_t DrawnCases(const Property& property, int64_t cases = kDefaultCases);

// Failures of one kind.
struct Failure {
  std::string line;     // the first case, as it was drawn
  std::string minimal;  // the simplest line found that fails in the same way; else `line`
  // Of the minimal case.
  std::string where, expected, got;
  // What the subject answered where it refused, and may not; else Refusal::kNone.
  int32_t status = Refusal::kNone;
  std::string signal;      // how the process ended; "" when it did not
  int64_t count = 0;       // cases that failed like this
  bool deviation = false;  // a SHOULD that was not met in the portable profile
  // False when the line holds in a process of its own: what it fails on is left by earlier cases,
  // or chance.
  bool alone = true;
  // The case as calls with literal data (Property::Statements); "" where there are none.
  std::string statements;
  // Where the failure was written as a program, below the folder for results; "" if it was not.
  std::string reproducer;
};

struct ClassCount {
  int64_t run = 0;
  int64_t not_run = 0;  // the subject refused them
  int64_t failed = 0;   // of those run; a case in which the process died has no classes
};

struct PropertyResult {
  std::string name;
  int64_t cases = 0;        // that ended, or that a child died in
  int64_t planned = 0;      // that would have been run had nothing stopped it; 0: until time is up
  int64_t results[5] = {};  // by CaseResult; deaths are failures
  std::map<std::string, ClassCount> classes;
  std::map<std::string, int64_t> reasons;                          // of cases not run
  std::map<Asked, int64_t> refusals;                               // what the subject refused
  std::map<Asked, std::string> refusal_words;                      // what it said the first time
  std::map<std::pair<std::string, std::string>, int64_t> records;  // question, answer
  std::vector<Failure> failures;  // one of each kind, a few kinds at most
  std::string stopped;            // why the property was given up; else ""
  std::string problem;            // what the suite itself did wrong; then nothing else counts
  double seconds = 0;

  int64_t of(CaseResult result) const { return results[static_cast<int>(result)]; }
  // Cases that say something about the subject.
  int64_t counted() const {
    return of(CaseResult::kHeld) + of(CaseResult::kDeviated) + of(CaseResult::kFailed);
  }
};

// `state` is for this call; others may watch it.
PropertyResult Judge(const Property& property, const RunOptions& run_options,
                     SharedRunState* state);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_JUDGE_H_
