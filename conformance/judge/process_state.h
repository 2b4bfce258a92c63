// Watches what a subject does to the process that calls it.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_PROCESS_STATE_H_
#define DNNSPEC_CONFORMANCE_JUDGE_PROCESS_STATE_H_

#include <locale.h>
#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <locale>
#include <optional>
#include <string>
#include <vector>

#include "conformance/judge/descriptors.h"
#include "conformance/judge/floating_point.h"

namespace conformance {

// What was found changed, as a failure is told.
struct ProcessChange {
  std::string where;     // "process: working directory", "process: umask, locale"
  std::string expected;  // "/tmp as before the case"
  std::string got;       // "/"
};

// By how many of these a process may grow before it is said to grow without end.
struct ProcessGrowth {
  int threads;
  int descriptors;

  // More than pools and drivers need, fewer than there are cases in a usual run. A thread for each
  // processor makes a pool, and between two cases hardly ten pools are alive; where there are very
  // many processors, a few. A process may have 1024 descriptors open where nobody says otherwise:
  // a library that takes half of them leaves its program too few.
  static ProcessGrowth Bounds();
};

// What all parts of a process share, and a library called by one of them leaves alone: working
// directory, umask, locale, environment variables, signal handlers, open descriptors; and of the
// calling thread, the signals that it blocks and how it computes with floating-point numbers.
//
// What a library may do is not told: open descriptors, start threads, raise floating-point flags.
// Only where descriptors or threads become more case after case is that told, once.
//
// To be made before the subject is called for the first time, and used by that thread alone.
class ProcessState {
 public:
  explicit ProcessState(ProcessGrowth bounds = ProcessGrowth::Bounds());
  ProcessState(const ProcessState&) = delete;
  ProcessState& operator=(const ProcessState&) = delete;

  // Tells what has changed since this was made, and puts it back. What cannot be put back is taken
  // for the state from then on, so that it is told once. To be called after each case: about ten
  // microseconds. Handlers of real-time signals, and growth, are looked at after the first case and
  // then after every sixteenth.
  std::optional<ProcessChange> PutBack();

 private:
  class Changes;

  void PutBackFloatingPoint(Changes* changes) const;
  void PutBackBlockedSignals(Changes* changes);
  void PutBackHandlers(int end, Changes* changes);
  void PutBackDirectory(Changes* changes);
  void PutBackUmask(Changes* changes) const;
  void PutBackLocale(Changes* changes);
  void PutBackVariables(Changes* changes);
  void PutBackDescriptors(Changes* changes);
  void LookForGrowth(Changes* changes);

  const ProcessGrowth bounds_;
  int64_t looks_ = 0;
  FloatingPoint floating_point_;
  sigset_t blocked_;
  struct sigaction handlers_[NSIG];
  std::string directory_;
  dev_t directory_device_ = 0;
  ino_t directory_inode_ = 0;
  mode_t umask_;
  std::string locale_;
  locale_t thread_locale_;
  std::locale cxx_locale_;
  std::vector<std::string> variables_;  // "NAME=value", in the order of the environment
  Descriptors descriptors_;
  // After the first case; -1: not known, or growth was told.
  int64_t threads_ = -1, lowest_free_ = -1;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_PROCESS_STATE_H_
