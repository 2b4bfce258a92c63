// What the person who runs the suite asks for. The flags of a runner and of conform.
#ifndef DNNSPEC_CONFORMANCE_HARNESS_OPTIONS_H_
#define DNNSPEC_CONFORMANCE_HARNESS_OPTIONS_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/harness/trial.h"

namespace conformance {

inline constexpr uint64_t kDefaultSeed = 1;

struct Options {
  bool help = false;
  bool version = false;
  bool list = false;  // only name what would be judged
  std::string subject;
  std::optional<Profile> profile;
  std::optional<EngineChoice> engine;
  std::string filter;  // a Pattern, found anywhere in a property's name
  std::string topic;   // only requirements of this chapter: a folder's name
  uint64_t seed = kDefaultSeed;
  std::chrono::nanoseconds budget{0};  // for each requirement; 0: a fixed number of cases
  int64_t cases = 0;                   // 0: as many as is usual
  std::string replay;                  // --case: a line
  std::string out;                     // folder for results
  std::string expect;                  // file of expected failures
  std::string claims;                  // file of what the subject claims
  std::string write_claims;            // where a draft of one goes
  int jobs = 0;                        // 0: one for each processor
  bool differential = false;           // several subjects on the same cases
  std::string plugin;                  // path of a shared object to judge: conform only

  // Between programs of the suite: how a person starts this one, for commands in reports; and to
  // print only how many engines there are.
  // Programs that show failures go to `reproducers`, where it is not as usual below `out`.
  std::string command;
  std::string reproducers;
  std::string
      answers;  // file of lines, each of which is answered by a line (report/differential.h)
  bool probe = false;

  std::string error;  // one line; then nothing else counts
};

// `arguments` without the program's name. Takes --flag=value and --flag value.
Options ParseOptions(const std::vector<std::string>& arguments);

// The flags that choose cases, as a person would give them: " --seed=7 --budget=1s".
std::string CaseFlags(const Options& options);
// The flags that say how a case is judged, where they were given.
std::string JudgingFlags(const Options& options);

// "50ms", "1.5s", "10m", "2h"; nullopt for anything else, and for nothing.
std::optional<std::chrono::nanoseconds> ParseTime(const std::string& text);

// `text` for a shell: as it is, or in quotes.
std::string Quoted(const std::string& text);

// A runner judges what is linked into it, conform what it is told to.
enum class Judges { kOneSubject, kAnySubject };

// A line for each flag, and one for the exit status.
std::string OptionsHelp(Judges judges);

const char* NameOf(Profile profile);
const char* NameOf(EngineChoice engine);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_HARNESS_OPTIONS_H_
