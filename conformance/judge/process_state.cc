#include "conformance/judge/process_state.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <thread>
#include <utility>

#include "conformance/judge/signal_names.h"

namespace conformance {
namespace {

constexpr int kRarely = 16;  // in cases: how often a long look is taken
// Before this one signals have names of their own. Two of those behind it are the C library's.
constexpr int kRealTime = 32;

// The signals of a set, number 1 in bit 0. The kernel knows no more, and the C library leaves the
// rest of the set as it was.
uint64_t BitsOf(const sigset_t& set) {
  uint64_t bits = 0;
  static_assert(sizeof(set) >= sizeof(bits));
  std::memcpy(&bits, &set, sizeof(bits));
  return bits;
}

std::string NamesOfSignals(uint64_t bits) {
  std::string names;
  for (int number = 1; number <= 64; ++number)
    if ((bits >> (number - 1) & 1) != 0) names += (names.empty() ? "" : " ") + NameOfSignal(number);
  return names.empty() ? "none" : names;
}

bool IsHandled(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

bool IsSameAction(const struct sigaction& a, const struct sigaction& b) {
  constexpr int kRestorer = 0x04000000;  // the C library's own business
  return a.sa_handler == b.sa_handler && ((a.sa_flags ^ b.sa_flags) & ~kRestorer) == 0 &&
         (!IsHandled(a) || BitsOf(a.sa_mask) == BitsOf(b.sa_mask));
}

const char* NameOfAction(const struct sigaction& action) {
  if (IsHandled(action)) return "handled";
  return action.sa_handler == SIG_IGN ? "ignored" : "default";
}

std::string CurrentDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof(path)) == nullptr ? "" : path;
}

std::string Octal(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof(text), "%03o", static_cast<unsigned>(mode));
  return text;
}

bool IsEnvironment(const std::vector<std::string>& variables) {
  size_t i = 0;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at, ++i)
    if (i == variables.size() || variables[i] != *at) return false;
  return i == variables.size();
}

std::vector<std::string> Environment() {
  std::vector<std::string> variables;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) variables.emplace_back(*at);
  return variables;
}

std::map<std::string, std::string> ByName(const std::vector<std::string>& variables) {
  std::map<std::string, std::string> values;
  for (const std::string& variable : variables)
    if (const size_t equals = variable.find('='); equals != std::string::npos)
      values.emplace(variable.substr(0, equals), variable.substr(equals + 1));
  return values;
}

// -1 where the system does not say.
int64_t ThreadCount() {
  struct stat status;
  return stat("/proc/self/task", &status) == 0 ? static_cast<int64_t>(status.st_nlink) - 2 : -1;
}

// The descriptor that the next file would get: as many are open, and few below it are not. -1 where
// there is none.
int64_t LowestFree() {
  const int lowest = open("/", O_PATH | O_CLOEXEC);
  if (lowest >= 0) close(lowest);
  return lowest;
}

}  // namespace

// Puts what was found into one line.
class ProcessState::Changes {
 public:
  void Add(const char* what, const std::string& before, const std::string& now) {
    Append(what, before + " as before the case", now);
  }

  void Append(const char* what, const std::string& expected, const std::string& got) {
    change_.where += (change_.where.empty() ? "process: " : ", ") + std::string(what);
    change_.expected += (change_.expected.empty() ? "" : "; ") + expected;
    change_.got += (change_.got.empty() ? "" : "; ") + got;
  }

  std::optional<ProcessChange> Take() {
    if (change_.where.empty()) return std::nullopt;
    return std::move(change_);
  }

 private:
  ProcessChange change_;
};

ProcessGrowth ProcessGrowth::Bounds() {
  ProcessGrowth bounds;
  const int processors = static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  bounds.threads = std::min(1024, 128 + 16 * std::min(1024, processors));
  bounds.descriptors = 512;
  rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur / 2 < 512)
    bounds.descriptors = static_cast<int>(most.rlim_cur / 2);
  return bounds;
}

ProcessState::ProcessState(ProcessGrowth bounds)
    : bounds_(bounds),
      floating_point_(FloatingPoint::Current()),
      directory_(CurrentDirectory()),
      umask_(umask(0)),
      locale_(std::setlocale(LC_ALL, nullptr)),
      thread_locale_(uselocale(nullptr)),
      variables_(Environment()) {
  umask(umask_);
  sigemptyset(&blocked_);
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked_);
  std::memset(handlers_, 0, sizeof(handlers_));
  for (int number = 1; number < NSIG; ++number) sigaction(number, nullptr, &handlers_[number]);
  struct stat status;
  if (stat(".", &status) == 0) {
    directory_device_ = status.st_dev;
    directory_inode_ = status.st_ino;
  }
}

std::optional<ProcessChange> ProcessState::PutBack() {
  Changes changes;
  const bool long_look = looks_++ % kRarely == 0;
  PutBackFloatingPoint(&changes);
  PutBackBlockedSignals(&changes);
  PutBackHandlers(long_look ? NSIG : kRealTime, &changes);
  PutBackDirectory(&changes);
  PutBackUmask(&changes);
  PutBackLocale(&changes);
  PutBackVariables(&changes);
  PutBackDescriptors(&changes);
  if (long_look) LookForGrowth(&changes);
  return changes.Take();
}

void ProcessState::PutBackFloatingPoint(Changes* changes) const {
  const FloatingPoint now = FloatingPoint::Current();
  if (now == floating_point_) return;
  // Before anything computes.
  floating_point_.PutBack();
  changes->Add("floating-point environment", floating_point_.ToString(), now.ToString());
}

void ProcessState::PutBackBlockedSignals(Changes* changes) {
  sigset_t now;
  pthread_sigmask(SIG_SETMASK, nullptr, &now);
  if (BitsOf(now) == BitsOf(blocked_)) return;
  changes->Add("blocked signals", NamesOfSignals(BitsOf(blocked_)), NamesOfSignals(BitsOf(now)));
  pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
}

void ProcessState::PutBackHandlers(int end, Changes* changes) {
  std::string before, after;
  for (int number = 1; number < end; ++number) {
    struct sigaction now;
    if (number == SIGKILL || number == SIGSTOP) continue;  // nothing can change these
    if (sigaction(number, nullptr, &now) != 0 || IsSameAction(now, handlers_[number])) continue;
    const char* const name = NameOfAction(now);
    const bool differs = std::strcmp(name, NameOfAction(handlers_[number])) != 0;
    before += (before.empty() ? "" : ", ") + NameOfSignal(number) + " " +
              (differs ? NameOfAction(handlers_[number]) : "unchanged");
    after += (after.empty() ? "" : ", ") + NameOfSignal(number) + " " + name +
             (differs ? "" : " in another way");
    if (sigaction(number, &handlers_[number], nullptr) != 0) handlers_[number] = now;
  }
  if (!before.empty()) changes->Add("signal handlers", before, after);
}

void ProcessState::PutBackDirectory(Changes* changes) {
  char path[PATH_MAX];
  const bool named = getcwd(path, sizeof(path)) != nullptr;
  if (named ? directory_ == path : directory_.empty()) return;
  // Somebody else may rename or remove it.
  struct stat status = {};
  if (stat(".", &status) == 0 && status.st_dev == directory_device_ &&
      status.st_ino == directory_inode_) {
    directory_ = named ? path : "";
    return;
  }
  changes->Add("working directory", directory_, named ? path : "one that is gone");
  if (chdir(directory_.c_str()) == 0) return;
  directory_ = named ? path : "";
  directory_device_ = status.st_dev;
  directory_inode_ = status.st_ino;
}

void ProcessState::PutBackUmask(Changes* changes) const {
  // The call that asks also sets: the same as before, so that no thread meets another one.
  const mode_t now = umask(umask_);
  if (now != umask_) changes->Add("umask", Octal(umask_), Octal(now));
}

void ProcessState::PutBackLocale(Changes* changes) {
  const locale_t of_thread = uselocale(nullptr);
  if (of_thread != thread_locale_) {
    changes->Add("locale of the thread",
                 thread_locale_ == LC_GLOBAL_LOCALE ? "that of the process" : "unchanged",
                 of_thread == LC_GLOBAL_LOCALE ? "that of the process" : "another one");
    uselocale(thread_locale_);
  }
  const std::locale of_cxx;
  const bool cxx_changed = of_cxx != cxx_locale_;
  const std::string now = std::setlocale(LC_ALL, nullptr);
  if (now != locale_) {
    changes->Add("locale", locale_, now);
  } else if (cxx_changed) {
    changes->Add("std::locale", cxx_locale_.name(), of_cxx.name());
  }
  if (cxx_changed) std::locale::global(cxx_locale_);  // sets that of C, too
  if ((cxx_changed || now != locale_) && std::setlocale(LC_ALL, locale_.c_str()) == nullptr)
    locale_ = std::setlocale(LC_ALL, nullptr);
}

void ProcessState::PutBackVariables(Changes* changes) {
  if (IsEnvironment(variables_)) return;
  const std::map<std::string, std::string> before = ByName(variables_), now = ByName(Environment());
  std::string expected, got;
  const auto tell = [&](const std::string& was, const std::string& is) {
    expected += (expected.empty() ? "" : ", ") + was;
    got += (got.empty() ? "" : ", ") + is;
  };
  for (const auto& [name, value] : now) {
    const auto at = before.find(name);
    if (at != before.end() && at->second == value) continue;
    tell(name + (at == before.end() ? " unset" : " unchanged"), name + "=" + value);
  }
  for (const auto& [name, value] : before)
    if (now.count(name) == 0) tell(name + " set", name + " unset");
  if (!expected.empty()) changes->Add("environment variables", expected, got);
  for (const auto& [name, value] : now)
    if (before.count(name) == 0) unsetenv(name.c_str());
  for (const auto& [name, value] : before) {
    const auto at = now.find(name);
    if (at == now.end() || at->second != value) setenv(name.c_str(), value.c_str(), 1);
  }
  variables_ = Environment();  // in their new order
}

void ProcessState::PutBackDescriptors(Changes* changes) {
  std::string before, now;
  descriptors_.PutBack(&before, &now);
  if (!before.empty()) changes->Add("descriptors", before, now);
}

void ProcessState::LookForGrowth(Changes* changes) {
  const auto tell = [&](const char* what, int most, int64_t more) {
    changes->Append(what, "at most " + std::to_string(most) + " more than after the first case",
                    std::to_string(more) + " more after " + std::to_string(looks_) + " cases");
  };
  int64_t threads = ThreadCount();
  const int64_t lowest_free = LowestFree();
  if (looks_ == 1) {
    threads_ = threads;
    lowest_free_ = lowest_free;
    return;
  }
  if (threads_ >= 0 && threads - threads_ > bounds_.threads) {
    // They may be about to end.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    threads = ThreadCount();
    if (threads - threads_ > bounds_.threads) {
      tell("threads", bounds_.threads, threads - threads_);
      threads_ = -1;
    }
  }
  if (lowest_free_ >= 0 && lowest_free - lowest_free_ > bounds_.descriptors) {
    tell("open descriptors", bounds_.descriptors, lowest_free - lowest_free_);
    lowest_free_ = -1;
  }
}

}  // namespace conformance
