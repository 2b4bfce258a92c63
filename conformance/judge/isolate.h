// Runs code in a forked child process, and tells how the child ended.
#ifndef DNNSPEC_CONFORMANCE_JUDGE_ISOLATE_H_
#define DNNSPEC_CONFORMANCE_JUDGE_ISOLATE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "conformance/judge/shared_state.h"

namespace conformance {

struct Limits {
  // The processor time that a case may take, all threads together; one that sleeps, in which no
  // thread could run, may take twice as long by the clock. So a busy machine makes no case a hang.
  std::chrono::milliseconds silence{10000};
  int64_t memory_bytes = 0;  // resident; 0: a share of the machine's
  int64_t output_bytes = int64_t{8} << 20;
  // Whether a case ends only when the parent process has answered: what a case does to it is then
  // told of that case, and not of one that came while the parent died. Costs some ten microseconds.
  bool paced = false;
};

// The limits, made wider where a sanitizer makes everything slower and bigger. `ulimit -m` makes
// memory_bytes less.
Limits DefaultLimits(int jobs);

// How a child ended.
struct End {
  // kParent: the process that had started it, and did nothing but wait for it, was ended or stopped
  // by a signal.
  enum Kind { kFinished, kSignal, kExit, kHang, kMemory, kOutput, kParent };
  Kind kind = kFinished;
  int number = 0;                      // of the signal, or the exit status
  bool leaving = false;                // the body had returned: what went wrong, went wrong at exit
  bool asleep = false;                 // of kHang: nothing could run
  std::chrono::milliseconds limit{0};  // of kHang: the time that was up
  std::string output;  // the last of what was written to stdout and stderr, and not taken

  bool finished() const { return kind == kFinished; }
  // "SIGSEGV", "exit 3", "hang", "memory", "output", "parent SIGKILL"; "" when it finished.
  std::string Signal() const;
  // A sentence, with the most telling line of the output: "SIGABRT: double free or corruption".
  std::string Describe() const;
};

// What the child has written to stdout and stderr, and a word with its parent.
class Captured {
 public:
  // `parent` is where the parent process answers; -1: it is not asked.
  Captured(int file, int parent) : file_(file), parent_(parent) {}

  // What came since the last call. One system call when that is nothing.
  std::string Take() const;

  // Returns when the parent process has answered, and never where it is gone.
  void AwaitParent() const;

 private:
  int file_;
  int parent_;
};

// Runs `body` in a child, which then leaves by exit(): destructors and leak checks run too. stdout
// and stderr of the child are captured, stdin is empty. The child is killed when a case takes more
// than the limits allow.
//
// The child's parent is not the process that calls but one between the two, in a group of its own:
// a subject that signals its parent, or its parent's group, ends that one, and is told so.
//
// Call from a process without other threads, in which the subject was never called.
End Isolate(const Limits& limits, SharedRunState* state,
            const std::function<void(const Captured& captured)>& body);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_JUDGE_ISOLATE_H_
