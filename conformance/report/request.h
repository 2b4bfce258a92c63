// Reads what a run was asked for, as far as its report tells it.
#ifndef DNNSPEC_CONFORMANCE_REPORT_REQUEST_H_
#define DNNSPEC_CONFORMANCE_REPORT_REQUEST_H_

#include <chrono>
#include <cstdint>
#include <string>

namespace conformance {

inline constexpr uint64_t kDefaultSeed = 1;

struct RunRequest {
  std::string filter;  // a Pattern, found anywhere in a property's name
  std::string topic;   // only requirements of this chapter: a folder's name
  uint64_t seed = kDefaultSeed;
  std::chrono::nanoseconds budget{0};  // for each requirement; 0: a fixed number of cases
  int64_t cases = 0;                   // of each property; 0: as many as is usual
  int jobs = 0;                        // processes at a time; 0: one for each processor
  std::string out;                     // folder for results
  // How a person starts the program, for commands in reports.
  std::string command;
  // Programs that show failures go there, where it is not as usual below `out`; "-": nowhere.
  std::string reproducers;
};

// The flags that choose cases, as a person would give them: " --seed=7 --budget=1s".
std::string CaseFlags(const RunRequest& request);

// The folder in which failures are written as programs; "" where none are.
std::string ProgramFolder(const RunRequest& request);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_REPORT_REQUEST_H_
