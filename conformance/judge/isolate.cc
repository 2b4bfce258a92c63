#include "conformance/judge/isolate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define DNNSPEC_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DNNSPEC_SANITIZED
#endif

namespace conformance {
namespace {

using Clock = std::chrono::steady_clock;

#ifdef DNNSPEC_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr size_t kKeptOutput = 16 << 10;
constexpr std::chrono::milliseconds kLook{20};  // how often a running child is looked at

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::_Exit(2);
}

int64_t ResidentBytes(pid_t child) {
  char path[32], text[128];
  std::snprintf(path, sizeof(path), "/proc/%d/statm", static_cast<int>(child));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, sizeof(text) - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  long long total = 0, resident = 0, shared = 0;
  if (std::sscanf(text, "%lld %lld %lld", &total, &resident, &shared) != 3) return 0;
  return (resident - shared) * sysconf(_SC_PAGESIZE);
}

// What the system knows of the file /proc/PID/..., from behind the name in brackets; "" if it is
// gone.
std::string StatOf(const std::string& path) {
  char text[512];
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  const ssize_t size = read(file, text, sizeof(text));
  close(file);
  const std::string_view all(text, size < 0 ? 0 : size);
  return std::string(all.substr(std::min(all.size(), all.rfind(')') + 1)));
}

// Processor time of all threads of `process`, those that have ended too.
std::chrono::milliseconds ProcessorTime(pid_t process) {
  const std::string stat = StatOf("/proc/" + std::to_string(process) + "/stat");
  long long user = 0, system = 0;
  // state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt utime stime
  if (std::sscanf(stat.c_str(), " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld", &user,
                  &system) != 2)
    return std::chrono::milliseconds(0);
  return std::chrono::milliseconds((user + system) * 1000 / sysconf(_SC_CLK_TCK));
}

// Whether a thread of `process` runs, or would if a processor were free.
bool CanRun(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process) + "/task";
  DIR* const tasks = opendir(folder.c_str());
  if (tasks == nullptr) return false;
  bool runs = false;
  while (const dirent* task = runs ? nullptr : readdir(tasks)) {
    if (task->d_name[0] == '.') continue;
    runs = StatOf(folder + "/" + task->d_name + "/stat").substr(0, 2) == " R";
  }
  closedir(tasks);
  return runs;
}

int64_t SizeOf(int file) {
  struct stat status;
  return fstat(file, &status) == 0 ? status.st_size : 0;
}

std::string ReadFrom(int file, int64_t begin, int64_t end) {
  std::string text(static_cast<size_t>(std::max<int64_t>(0, end - begin)), '\0');
  const ssize_t size = pread(file, text.data(), text.size(), begin);
  text.resize(size < 0 ? 0 : static_cast<size_t>(size));
  return text;
}

std::string LastOf(int file) {
  const int64_t size = SizeOf(file);
  return ReadFrom(file, std::max<int64_t>(0, size - static_cast<int64_t>(kKeptOutput)), size);
}

// What comes first in a process that `parent` has forked.
void Enter(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) std::_Exit(2);
  setpgid(0, 0);  // what the subject starts is killed with it
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    // What a launcher ignores is not the subject's business; a sanitizer's handlers stay.
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      signal(number, SIG_DFL);
  }
}

void EnterChild(int output) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // Should the machine run out of memory, this is the process to end.
  if (const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); file >= 0) {
    if (write(file, "1000", 4) < 0) errno = 0;
    close(file);
  }
  const int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (nothing > STDERR_FILENO) close(nothing);
  setvbuf(stdout, nullptr, _IONBF, 0);
  // Its verbose switches are the reader's, not ours.
  unsetenv("DNNL_VERBOSE");
  unsetenv("ONEDNN_VERBOSE");
}

// What comes over the pipe from a child, and then from its guard.
struct Report {
  enum { kStarted, kEnded } what;
  int value;  // the child's process id; how it ended, as waitpid() has it
};

void Say(int pipe, const Report& report) {
  // One that cannot be said is one that nobody reads.
  if (write(pipe, &report, sizeof(report)) < 0) errno = 0;
}

bool Hear(int pipe, Report* report) {
  ssize_t size = 0;
  while ((size = read(pipe, report, sizeof(*report))) < 0 && errno == EINTR) {
  }
  return size == sizeof(*report);
}

// Answers `child`, which asks with one byte. True when it has ended, false when it can ask no more.
bool AnswerUntilItEnds(int socket, pid_t child, int* status) {
  pollfd asked = {socket, POLLIN, 0};
  char byte = 0;
  while (waitpid(child, status, WNOHANG) != child) {
    if (poll(&asked, 1, static_cast<int>(kLook.count())) <= 0) continue;
    if (recv(socket, &byte, 1, 0) != 1) return false;
    if (send(socket, &byte, 1, MSG_NOSIGNAL) != 1) return false;
  }
  return true;
}

// The process between the judge and the child.
[[noreturn]] void BeGuard(pid_t judge, int reports, int output, bool paced, SharedRunState* state,
                          const std::function<void(const Captured& captured)>& body) {
  Enter(judge);
  const pid_t guard = getpid();
  int ends[2] = {-1, -1};
  if (paced && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) std::_Exit(2);
  const pid_t child = fork();
  if (child < 0) std::_Exit(2);
  if (child == 0) {
    Enter(guard);
    Say(reports, {Report::kStarted, getpid()});
    close(reports);
    if (paced) close(ends[0]);
    EnterChild(output);
    state->stage = SharedRunState::kRunning;
    body(Captured(output, ends[1]));
    state->stage = SharedRunState::kLeaving;
    std::exit(0);
  }
  int status = 0;
  if (paced) close(ends[1]);
  if (!paced || !AnswerUntilItEnds(ends[0], child, &status)) {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  Say(reports, {Report::kEnded, status});
  std::_Exit(0);
}

// Kills a child that has no guard any more. When this returns, it writes to no state.
void KillOrphan(pid_t child) {
  kill(-child, SIGKILL);
  kill(child, SIGKILL);
  const int process = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (process < 0) return;  // it is gone, or the kernel is old
  pollfd ended = {process, POLLIN, 0};
  poll(&ended, 1, 1000);
  close(process);
}

// Waits until `guard` has ended or was stopped, or for `time`. Whether it did.
bool WaitFor(pid_t guard, std::chrono::nanoseconds time, int* status) {
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  const timespec wait = {static_cast<time_t>(time.count() / 1000000000),
                         static_cast<long>(time.count() % 1000000000)};
  if (waitpid(guard, status, WNOHANG | WUNTRACED) == guard) return true;
  sigtimedwait(&ended, nullptr, &wait);
  return waitpid(guard, status, WNOHANG | WUNTRACED) == guard;
}

// How long a child has been at its case.
class CaseClock {
 public:
  CaseClock(pid_t child, const SharedRunState& state) : child_(child), state_(state) { Restart(); }

  // To be called every now and then.
  void Look() {
    const Clock::time_point now = Clock::now();
    // A machine that stood still, or was too busy to look, did so to the subject too.
    const Clock::duration passed = std::min<Clock::duration>(now - last_look_, 2 * kLook);
    last_look_ = now;
    if (state_.current != case_ || state_.stage != stage_) return Restart();
    const std::chrono::milliseconds time = ProcessorTime(child_);
    if (time == last_time_ && !CanRun(child_)) slept_ += passed;
    last_time_ = time;
  }

  std::chrono::milliseconds ran() const { return last_time_ - begin_; }  // processor time
  Clock::duration slept() const { return slept_; }

 private:
  void Restart() {
    case_ = state_.current;
    stage_ = state_.stage;
    begin_ = last_time_ = ProcessorTime(child_);
    slept_ = Clock::duration::zero();
  }

  const pid_t child_;
  const SharedRunState& state_;
  int64_t case_;
  uint32_t stage_;
  std::chrono::milliseconds begin_, last_time_;
  Clock::duration slept_{0};
  Clock::time_point last_look_ = Clock::now();
};

// Watches until the child has ended or was killed for a reason, which is then in `end`. Gives how
// it ended, as waitpid() has it.
int Watch(pid_t guard, int reports, const Limits& limits, const SharedRunState& state, int output,
          End* end) {
  Report report = {};
  // What is forked says so first.
  errno = EAGAIN;
  if (!Hear(reports, &report) || report.what != Report::kStarted) Die("conformance: fork");
  const pid_t child = report.value;
  int status = 0;
  CaseClock clock(child, state);
  while (!WaitFor(guard, kLook, &status)) {
    clock.Look();
    if (clock.ran() > limits.silence || clock.slept() > 2 * limits.silence) {
      end->kind = End::kHang;
      end->asleep = clock.ran() <= limits.silence;
      end->limit = end->asleep ? 2 * limits.silence : limits.silence;
    } else if (ResidentBytes(child) > limits.memory_bytes) {
      end->kind = End::kMemory;
    } else if (SizeOf(output) > limits.output_bytes) {
      end->kind = End::kOutput;
    } else {
      continue;
    }
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(guard, &status, 0) < 0 && errno == EINTR) {
    }
    break;
  }
  if (WIFSTOPPED(status)) {
    end->number = WSTOPSIG(status);
    kill(guard, SIGKILL);
    while (waitpid(guard, &status, 0) < 0 && errno == EINTR) {
    }
  } else if (WIFSIGNALED(status)) {
    end->number = WTERMSIG(status);
  }
  if (Hear(reports, &report)) {
    kill(-child, SIGKILL);  // whatever the subject started and left
    return report.value;
  }
  KillOrphan(child);
  if (end->kind == End::kFinished) end->kind = End::kParent;
  return status;
}

// Without the line in which a sanitizer's runtime says that it refused an allocation: the subject
// did not print it, and may ask for more than there is.
std::string WithoutRefusals(std::string_view output) {
  std::string rest;
  while (!output.empty()) {
    const size_t end = std::min(output.size() - 1, output.find('\n'));
    const std::string_view line = output.substr(0, end + 1);
    output.remove_prefix(line.size());
    const bool refusal = line.substr(0, 2) == "==" &&
                         line.find("Sanitizer failed to allocate 0x") != std::string_view::npos;
    if (!refusal) rest += line;
  }
  return rest;
}

// LeakSanitizer ends the process with an error where it could not stop its threads to look, which
// happens now and then with many of them, and always under ptrace. That says nothing of leaks.
bool LeakCheckFailed(const std::string& output) {
  return output.find("LeakSanitizer has encountered a fatal error") != std::string::npos;
}

}  // namespace

Limits DefaultLimits(int jobs) {
  Limits limits;
  const int64_t machine = int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  limits.memory_bytes = std::min(int64_t{4} << 30, machine / (2 * std::max(1, jobs)));
  // `ulimit -m`, which the system itself heeds no more.
  rlimit wanted;
  if (getrlimit(RLIMIT_RSS, &wanted) == 0 && wanted.rlim_cur != RLIM_INFINITY)
    limits.memory_bytes = std::min(limits.memory_bytes, static_cast<int64_t>(wanted.rlim_cur));
  if (kSanitized) {
    limits.silence *= 6;
    limits.memory_bytes *= 2;
  }
  return limits;
}

std::string Captured::Take() const {
  const off_t size = lseek(file_, 0, SEEK_CUR);
  if (size <= 0) return "";
  std::string text = ReadFrom(file_, 0, std::min<int64_t>(size, kKeptOutput));
  if (ftruncate(file_, 0) == 0) lseek(file_, 0, SEEK_SET);
  return WithoutRefusals(text);
}

void Captured::AwaitParent() const {
  char byte = 0;
  // A subject may have closed what it did not open: then nobody can be asked.
  if (parent_ < 0 || fcntl(parent_, F_GETFD) < 0) return;
  errno = 0;
  ssize_t size = send(parent_, &byte, 1, MSG_NOSIGNAL);
  if (size == 1) {
    while ((size = recv(parent_, &byte, 1, 0)) < 0 && errno == EINTR) {
    }
  }
  // The signal that is on its way, of a parent that died.
  if (size != 1 && errno != ENOTSOCK) raise(SIGKILL);
}

End Isolate(const Limits& limits, SharedRunState* state,
            const std::function<void(const Captured& captured)>& body) {
  const int output = memfd_create("output", MFD_CLOEXEC);
  if (output < 0) Die("conformance: memfd_create");
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, nullptr);
  std::fflush(nullptr);
  state->stage = SharedRunState::kStarting;
  int reports[2];
  if (pipe2(reports, O_CLOEXEC) != 0) Die("conformance: pipe");
  const pid_t judge = getpid();
  const pid_t guard = fork();
  if (guard < 0) Die("conformance: fork");
  if (guard == 0) {
    close(reports[0]);
    BeGuard(judge, reports[1], output, limits.paced, state, body);
  }
  close(reports[1]);
  End end;
  const int status = Watch(guard, reports[0], limits, *state, output, &end);
  close(reports[0]);
  end.leaving = state->stage == SharedRunState::kLeaving;
  end.output = LastOf(output);
  if (end.kind != End::kFinished) {
  } else if (WIFSIGNALED(status)) {
    end.kind = End::kSignal;
    end.number = WTERMSIG(status);
  } else if (!end.leaving || (WEXITSTATUS(status) != 0 && !LeakCheckFailed(end.output))) {
    end.kind = End::kExit;
    end.number = WEXITSTATUS(status);
  }
  close(output);
  return end;
}

}  // namespace conformance
