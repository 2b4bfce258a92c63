// Runs code in a forked child process, and tells how the child ended.
#ifndef DNNSPEC_CONFORMANCE_HARNESS_ISOLATE_H_
#define DNNSPEC_CONFORMANCE_HARNESS_ISOLATE_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "conformance/harness/sheet.h"

namespace conformance {

struct Limits {
  std::chrono::milliseconds silence{10000};  // longest time without a new case
  int64_t memory_bytes = 0;                  // resident; 0: a share of the machine's
  int64_t output_bytes = int64_t{8} << 20;
};

// The limits, made wider where a sanitizer makes everything slower and bigger. `ulimit -m` makes
// memory_bytes less.
Limits DefaultLimits(int jobs);

// How a child ended.
struct End {
  enum Kind { kFinished, kSignal, kExit, kHang, kMemory, kOutput };
  Kind kind = kFinished;
  int number = 0;        // of the signal, or the exit status
  bool leaving = false;  // the body had returned: what went wrong, went wrong at exit
  std::string output;    // the last of what was written to stdout and stderr, and not taken

  bool finished() const { return kind == kFinished; }
  // "SIGSEGV", "exit 3", "hang", "memory", "output"; "" when it finished.
  std::string Signal() const;
  // A sentence, with the most telling line of the output: "SIGABRT: double free or corruption".
  std::string Describe() const;
};

// What the child has written to stdout and stderr.
class Captured {
 public:
  explicit Captured(int file) : file_(file) {}

  // What came since the last call. One system call when that is nothing.
  std::string Take() const;

 private:
  int file_;
};

// Runs `body` in a child, which then leaves by exit(): destructors and leak checks run too. stdout
// and stderr of the child are captured, stdin is empty. The child is killed when sheet->current
// stays as it is for limits.silence, and when it takes more than the limits allow.
//
// Call from a process without other threads, in which the subject was never called.
End Isolate(const Limits& limits, Sheet* sheet,
            const std::function<void(const Captured& captured)>& body);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_HARNESS_ISOLATE_H_
