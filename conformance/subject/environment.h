// The floating-point environment of the calling thread, which no call may change (DT-030).
#ifndef DNNSPEC_CONFORMANCE_SUBJECT_ENVIRONMENT_H_
#define DNNSPEC_CONFORMANCE_SUBJECT_ENVIRONMENT_H_

#include <cfenv>
#include <string>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace conformance {

// Puts back the environment it found.
class SavedEnvironment {
 public:
  SavedEnvironment() { std::fegetenv(&environment_); }
  ~SavedEnvironment() { std::fesetenv(&environment_); }
  SavedEnvironment(const SavedEnvironment&) = delete;
  SavedEnvironment& operator=(const SavedEnvironment&) = delete;

 private:
  std::fenv_t environment_;
};

// What a program may rely on: rounding mode, trapped exceptions, flush and denormal control. The
// sticky flags of exceptions that happened are not among them.
struct Environment {
  int rounding;
  int traps;
  unsigned control;

  static Environment Current() {
    Environment now{std::fegetround(), 0, 0};
#if defined(__GLIBC__)
    now.traps = fegetexcept();
#endif
#if defined(__x86_64__)
    now.control = _mm_getcsr() & ~0x3fu;  // without the sticky flags
#endif
    return now;
  }
  bool operator==(const Environment& other) const {
    return rounding == other.rounding && traps == other.traps && control == other.control;
  }
  std::string ToString() const {
    return "rounding " + std::to_string(rounding) + ", traps " + std::to_string(traps) +
           ", control " + std::to_string(control);
  }
};

// Things a program may have set before it calls: each flag by itself too, since what puts back more
// or less than it found has to be seen.
constexpr const char* kEnvironments[] = {"nothing",       "upward",         "downward", "flush",
                                         "flush results", "flush operands", "traps"};

inline void SetEnvironment(const std::string& what) {
  // Whatever a call before has left.
  std::fesetenv(FE_DFL_ENV);
  if (what == "upward") std::fesetround(FE_UPWARD);
  if (what == "downward") std::fesetround(FE_DOWNWARD);
#if defined(__GLIBC__)
  // The one exception that neither moving nor converting nor scaling values can raise.
  if (what == "traps") {
    std::feclearexcept(FE_DIVBYZERO);  // what happened before must not trap now
    feenableexcept(FE_DIVBYZERO);
  }
#endif
#if defined(__x86_64__)
  if (what.rfind("flush", 0) == 0) {
    const unsigned flags = what == "flush results"    ? 0x8000
                           : what == "flush operands" ? 0x40
                                                      : 0x8040;
    _mm_setcsr(_mm_getcsr() | flags);
  }
#endif
}

// One of kEnvironments for as long as this lives, and the first call that changed it.
class EnvironmentWatch {
 public:
  explicit EnvironmentWatch(const std::string& what) {
    SetEnvironment(what);
    before_ = after_ = Environment::Current();
  }

  // Makes the call, unless an earlier one has changed the environment.
  template <class Action>
  void Step(const char* call, Action action) {
    if (!culprit_.empty()) return;
    action();
    after_ = Environment::Current();
    if (!(after_ == before_)) culprit_ = call;
  }

  // "" while no call has changed it.
  const std::string& culprit() const { return culprit_; }
  const Environment& before() const { return before_; }
  const Environment& after() const { return after_; }

 private:
  SavedEnvironment saved_;
  Environment before_, after_;
  std::string culprit_;
};

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_SUBJECT_ENVIRONMENT_H_
