// Reads the flags of a runner and of conform.
#ifndef DNNSPEC_CONFORMANCE_CLI_OPTIONS_H_
#define DNNSPEC_CONFORMANCE_CLI_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case/trial.h"
#include "conformance/judge/isolate.h"
#include "conformance/report/request.h"

namespace conformance {

struct Options : RunRequest {
  bool help = false;
  bool version = false;
  bool list = false;  // only name what would be judged
  std::string subject;
  std::optional<Profile> profile;
  std::optional<EngineChoice> engine;
  std::string subject_version;            // instead of what the subject says of itself
  std::string require;                    // a Pattern: what has to be judged
  std::string replay;                     // --case: a line
  std::string batch;                      // file of such lines
  std::vector<std::string> expect;        // files of expected failures
  std::string claims;                     // file of what the subject claims
  std::string write_claims;               // where a draft of one goes
  bool differential = false;              // several subjects on the same cases
  std::string plugin;                     // path of a shared object to judge: conform only
  std::chrono::nanoseconds case_time{0};  // 0: as DefaultLimits says

  // Between programs of the suite.
  std::string answers;  // file of lines, each answered by a line (report/differential.h)
  bool linked = false;  // with --topic: what else the program has properties of, too
  bool probe = false;   // print only how many engines there are

  std::string error;  // one line; then nothing else counts
};

// `arguments` without the program's name. Takes --flag=value and --flag value.
Options ParseOptions(const std::vector<std::string>& arguments);

// The flags that say how a case is judged, where they were given.
std::string JudgingFlags(const Options& options);

// The limits of cases, of which so many are run at a time. Without --case-time one of 2^28 products
// has its time twice, one of 2^29 three times, and so on.
Limits LimitsOf(const Options& options, int jobs, int64_t products = 0);

// "50ms", "1.5s", "10m", "2h"; nullopt for anything else, and for nothing.
std::optional<std::chrono::nanoseconds> ParseTime(const std::string& text);

// A runner judges what is linked into it, conform what it is told to.
enum class Judges { kOneSubject, kAnySubject };

// A line for each flag, and one for the exit status.
std::string OptionsHelp(Judges judges);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_CLI_OPTIONS_H_
