#include "conformance/harness/isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
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

void EnterChild(int output) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);  // what the subject starts is killed with it
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action;
    // What a launcher ignores is not the subject's business; a sanitizer's handlers stay.
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      signal(number, SIG_DFL);
  }
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

// Waits for `child`, or for `time`. True when it ended.
bool WaitFor(pid_t child, std::chrono::nanoseconds time, int* status) {
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  const timespec wait = {static_cast<time_t>(time.count() / 1000000000),
                         static_cast<long>(time.count() % 1000000000)};
  if (waitpid(child, status, WNOHANG) == child) return true;
  sigtimedwait(&ended, nullptr, &wait);
  return waitpid(child, status, WNOHANG) == child;
}

// Watches until the child has ended or was killed for a reason, which is then in `end`.
int Watch(pid_t child, const Limits& limits, const Sheet& sheet, int output, End* end) {
  int status = 0;
  int64_t last_case = sheet.current;
  uint32_t last_stage = sheet.stage;
  Clock::time_point last_look = Clock::now();
  Clock::duration silence{0};
  while (!WaitFor(child, kLook, &status)) {
    const Clock::time_point now = Clock::now();
    // A machine that stood still, or was too busy to look, was so for the subject too.
    silence += std::min<Clock::duration>(now - last_look, 2 * kLook);
    last_look = now;
    if (sheet.current != last_case || sheet.stage != last_stage) {
      last_case = sheet.current;
      last_stage = sheet.stage;
      silence = Clock::duration::zero();
    }
    if (silence > limits.silence) {
      end->kind = End::kHang;
    } else if (ResidentBytes(child) > limits.memory_bytes) {
      end->kind = End::kMemory;
    } else if (SizeOf(output) > limits.output_bytes) {
      end->kind = End::kOutput;
    } else {
      continue;
    }
    kill(-child, SIGKILL);
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    break;
  }
  kill(-child, SIGKILL);  // whatever the subject started and left
  return status;
}

const char* NameOfSignal(int number) {
  switch (number) {
    case SIGABRT:
      return "SIGABRT";
    case SIGALRM:
      return "SIGALRM";
    case SIGBUS:
      return "SIGBUS";
    case SIGFPE:
      return "SIGFPE";
    case SIGILL:
      return "SIGILL";
    case SIGKILL:
      return "SIGKILL";
    case SIGPIPE:
      return "SIGPIPE";
    case SIGSEGV:
      return "SIGSEGV";
    case SIGSYS:
      return "SIGSYS";
    case SIGTERM:
      return "SIGTERM";
    case SIGTRAP:
      return "SIGTRAP";
    default:
      return nullptr;
  }
}

// The line that says most about what went wrong.
std::string TellingLine(std::string_view output) {
  std::string last;
  while (!output.empty()) {
    const std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(output.size(), line.size() + 1));
    for (std::string_view mark : {"ERROR: ", "WARNING: ThreadSanitizer", "runtime error: "})
      if (line.find(mark) != std::string_view::npos) return std::string(line);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) last = line;
  }
  return last;
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

std::string End::Signal() const {
  switch (kind) {
    case kFinished:
      return "";
    case kExit:
      return "exit " + std::to_string(number);
    case kHang:
      return "hang";
    case kMemory:
      return "memory";
    case kOutput:
      return "output";
    case kSignal:
      break;
  }
  const char* const name = NameOfSignal(number);
  return name != nullptr ? name : "signal " + std::to_string(number);
}

std::string End::Describe() const {
  std::string text;
  switch (kind) {
    case kFinished:
      return "";
    case kExit:
      text = "the process was ended by exit(" + std::to_string(number) + ")";
      break;
    case kHang:
      text = "no answer in time";
      break;
    case kMemory:
      text = "memory without end";
      break;
    case kOutput:
      text = "output without end";
      break;
    case kSignal:
      text = "the process was ended by " + Signal();
      break;
  }
  if (leaving) text += ", at exit";
  const std::string line = TellingLine(output);
  return line.empty() ? text : text + ": " + Printable(line);
}

std::string Captured::Take() const {
  const off_t size = lseek(file_, 0, SEEK_CUR);
  if (size <= 0) return "";
  std::string text = ReadFrom(file_, 0, std::min<int64_t>(size, kKeptOutput));
  if (ftruncate(file_, 0) == 0) lseek(file_, 0, SEEK_SET);
  return WithoutRefusals(text);
}

End Isolate(const Limits& limits, Sheet* sheet,
            const std::function<void(const Captured& captured)>& body) {
  const int output = memfd_create("output", MFD_CLOEXEC);
  if (output < 0) Die("conformance: memfd_create");
  sigset_t ended;
  sigemptyset(&ended);
  sigaddset(&ended, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ended, nullptr);
  std::fflush(nullptr);
  sheet->stage = Sheet::kStarting;
  const pid_t child = fork();
  if (child < 0) Die("conformance: fork");
  if (child == 0) {
    EnterChild(output);
    sheet->stage = Sheet::kRunning;
    body(Captured(output));
    sheet->stage = Sheet::kLeaving;
    std::exit(0);
  }
  End end;
  const int status = Watch(child, limits, *sheet, output, &end);
  end.leaving = sheet->stage == Sheet::kLeaving;
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
