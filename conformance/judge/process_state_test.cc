#include "conformance/judge/process_state.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cfenv>
#include <chrono>
#include <clocale>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <locale>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DNNSPEC_THREAD_SANITIZER
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define DNNSPEC_THREAD_SANITIZER
#endif

namespace conformance {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

// What is told of a change, of which nothing is left afterwards.
ProcessChange Told(const std::function<void()>& change) {
  ProcessState process;
  EXPECT_FALSE(process.PutBack());
  change();
  const std::optional<ProcessChange> told = process.PutBack();
  EXPECT_TRUE(told);
  if (const auto again = process.PutBack()) ADD_FAILURE() << again->where << ": " << again->got;
  return told.value_or(ProcessChange());
}

void ExpectTold(const std::function<void()>& change, const std::string& where,
                const std::string& expected, const std::string& got) {
  const ProcessChange told = Told(change);
  EXPECT_EQ(told.where, "process: " + where);
  EXPECT_EQ(told.expected, expected + " as before the case");
  EXPECT_EQ(told.got, got);
}

std::string Folder() { return std::filesystem::current_path(); }

TEST(ProcessState, IsSilentAboutWhatALibraryMayDo) {
  ProcessState process;
  for (int i = 0; i < 40; ++i) EXPECT_FALSE(process.PutBack());
  const int file = open("/dev/null", O_RDONLY);
  std::feraiseexcept(FE_DIVBYZERO | FE_INEXACT | FE_INVALID);
  volatile float tiny = 1e-40f;
  tiny = tiny * tiny;
  std::mutex mutex;
  mutex.lock();
  std::thread thread([&] {
    std::fesetround(FE_UPWARD);  // of that thread alone
    const std::lock_guard<std::mutex> lock(mutex);
  });
  setenv("PROCESS_STATE_TEST", "1", 1);
  unsetenv("PROCESS_STATE_TEST");
  struct sigaction action;
  sigaction(SIGUSR1, nullptr, &action);
  std::signal(SIGUSR1, SIG_IGN);
  sigaction(SIGUSR1, &action, nullptr);
  for (int i = 0; i < 40; ++i) EXPECT_FALSE(process.PutBack());
  EXPECT_NE(std::fetestexcept(FE_DIVBYZERO), 0) << "flags stay";
  close(file);
  mutex.unlock();
  thread.join();
}

TEST(ProcessState, TellsTheWorkingDirectoryAndGoesBack) {
  const std::string folder = Folder();
  ExpectTold([] { EXPECT_EQ(chdir("/"), 0); }, "working directory", folder, "/");
  EXPECT_EQ(Folder(), folder);
}

TEST(ProcessState, TellsAWorkingDirectoryThatIsGoneOnce) {
  const std::string folder = Folder();
  const std::string scratch = std::filesystem::temp_directory_path() / "process_state_test";
  std::filesystem::create_directory(scratch);
  std::filesystem::current_path(scratch);
  ExpectTold(
      [&] {
        std::filesystem::current_path("/");
        std::filesystem::remove(scratch);
      },
      "working directory", scratch, "/");
  std::filesystem::current_path(folder);
}

TEST(ProcessState, IsSilentWhereSomebodyElseRenamesTheWorkingDirectory) {
  const std::string folder = Folder();
  const std::string scratch = std::filesystem::temp_directory_path() / "process_state_renamed";
  std::filesystem::create_directory(scratch);
  std::filesystem::current_path(scratch);
  ProcessState process;
  std::filesystem::rename(scratch, scratch + "_again");
  EXPECT_FALSE(process.PutBack());
  std::filesystem::current_path("/");
  EXPECT_EQ(process.PutBack()->expected, scratch + "_again as before the case");
  EXPECT_EQ(Folder(), scratch + "_again");
  std::filesystem::current_path(folder);
  std::filesystem::remove(scratch + "_again");
}

TEST(ProcessState, TellsTheUmask) {
  const mode_t mine = umask(022);
  ExpectTold([] { umask(0127); }, "umask", "022", "127");
  EXPECT_EQ(umask(mine), 022u);
}

TEST(ProcessState, TellsTheLocale) {
  ExpectTold([] { ASSERT_NE(std::setlocale(LC_NUMERIC, "C.UTF-8"), nullptr); }, "locale", "C",
             "LC_CTYPE=C;LC_NUMERIC=C.UTF-8;LC_TIME=C;LC_COLLATE=C;LC_MONETARY=C;LC_MESSAGES=C;"
             "LC_PAPER=C;LC_NAME=C;LC_ADDRESS=C;LC_TELEPHONE=C;LC_MEASUREMENT=C;"
             "LC_IDENTIFICATION=C");
  EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
  ExpectTold([] { std::locale::global(std::locale("C.UTF-8")); }, "locale", "C", "C.UTF-8");
  EXPECT_EQ(std::locale().name(), "C");
}

class Comma : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(ProcessState, TellsTheLocaleThatCxxAloneSees) {
  ExpectTold([] { std::locale::global(std::locale(std::locale(), new Comma)); }, "std::locale", "C",
             "*");
  EXPECT_EQ(std::use_facet<std::numpunct<char>>(std::locale()).decimal_point(), '.');
}

TEST(ProcessState, TellsTheLocaleOfTheThread) {
  const locale_t mine = newlocale(LC_ALL_MASK, "C.UTF-8", nullptr);
  ASSERT_NE(mine, nullptr);
  ExpectTold([&] { uselocale(mine); }, "locale of the thread", "that of the process",
             "another one");
  EXPECT_EQ(uselocale(nullptr), LC_GLOBAL_LOCALE);
  freelocale(mine);
}

TEST(ProcessState, TellsEnvironmentVariablesWithoutTheirOldValues) {
  setenv("STATE_KEPT", "kept", 1);
  setenv("STATE_LOST", "secret", 1);
  setenv("STATE_OTHER", "secret", 1);
  const auto change = [] {
    setenv("STATE_NEW", "1", 1);
    setenv("STATE_OTHER", "2", 1);
    unsetenv("STATE_LOST");
  };
  ExpectTold(change, "environment variables",
             "STATE_NEW unset, STATE_OTHER unchanged, STATE_LOST set",
             "STATE_NEW=1, STATE_OTHER=2, STATE_LOST unset");
  EXPECT_EQ(std::getenv("STATE_NEW"), nullptr);
  EXPECT_STREQ(std::getenv("STATE_KEPT"), "kept");
  EXPECT_STREQ(std::getenv("STATE_LOST"), "secret");
  EXPECT_STREQ(std::getenv("STATE_OTHER"), "secret");
}

TEST(ProcessState, TellsThatAllVariablesAreGone) {
  setenv("STATE_KEPT", "kept", 1);
  EXPECT_THAT(Told([] { clearenv(); }).got, HasSubstr("STATE_KEPT unset"));
  EXPECT_STREQ(std::getenv("STATE_KEPT"), "kept");
}

void Handle(int) {}

TEST(ProcessState, TellsSignalHandlers) {
  ExpectTold(
      [] {
        std::signal(SIGUSR1, Handle);
        std::signal(SIGTERM, SIG_IGN);
      },
      "signal handlers", "SIGUSR1 default, SIGTERM default", "SIGUSR1 handled, SIGTERM ignored");
  struct sigaction action;
  sigaction(SIGUSR1, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}

TEST(ProcessState, TellsAHandlerThatReplacesAnother) {
  std::signal(SIGUSR2, Handle);
  ExpectTold([] { std::signal(SIGUSR2, [](int) {}); }, "signal handlers", "SIGUSR2 unchanged",
             "SIGUSR2 handled in another way");
  ExpectTold(
      [] {
        struct sigaction action;
        sigaction(SIGUSR2, nullptr, &action);
        action.sa_flags ^= SA_NODEFER;
        sigaction(SIGUSR2, &action, nullptr);
      },
      "signal handlers", "SIGUSR2 unchanged", "SIGUSR2 handled in another way");
  EXPECT_EQ(std::signal(SIGUSR2, SIG_DFL), Handle);
}

#ifndef DNNSPEC_THREAD_SANITIZER  // its runtime keeps no mask
TEST(ProcessState, TellsAHandlerThatBlocksOtherSignals) {
  std::signal(SIGUSR2, Handle);
  ExpectTold(
      [] {
        struct sigaction action;
        sigaction(SIGUSR2, nullptr, &action);
        sigaddset(&action.sa_mask, SIGINT);
        sigaction(SIGUSR2, &action, nullptr);
      },
      "signal handlers", "SIGUSR2 unchanged", "SIGUSR2 handled in another way");
  std::signal(SIGUSR2, SIG_DFL);
}
#endif

TEST(ProcessState, TellsAHandlerOfARealTimeSignalOfTheFirstCase) {
  ProcessState process;
  std::signal(SIGRTMIN + 3, Handle);
  const auto told = process.PutBack();
  ASSERT_TRUE(told);
  EXPECT_THAT(told->got, EndsWith(" handled"));
  EXPECT_EQ(std::signal(SIGRTMIN + 3, SIG_DFL), SIG_DFL);
}

TEST(ProcessState, TellsBlockedSignals) {
  ExpectTold(
      [] {
        sigset_t some;
        sigemptyset(&some);
        sigaddset(&some, SIGUSR1);
        sigaddset(&some, SIGTERM);
        pthread_sigmask(SIG_BLOCK, &some, nullptr);
      },
      "blocked signals", "none", "SIGUSR1 SIGTERM");
}

TEST(ProcessState, TellsTheRoundingMode) {
  const std::string nearest = FloatingPoint::Current().ToString();
  EXPECT_EQ(nearest, "rounding to nearest");
  ExpectTold([] { std::fesetround(FE_UPWARD); }, "floating-point environment", nearest,
             "rounding upward");
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

#if defined(__x86_64__)
TEST(ProcessState, TellsTrapsAndFlushingToZero) {
  ExpectTold(
      [] {
        std::feclearexcept(FE_ALL_EXCEPT);
        feenableexcept(FE_DIVBYZERO | FE_OVERFLOW);
      },
      "floating-point environment", "rounding to nearest",
      "rounding to nearest, trapped division by zero, trapped overflow");
  EXPECT_EQ(fegetexcept(), 0);
  ExpectTold([] { _mm_setcsr(_mm_getcsr() | 0x8040); }, "floating-point environment",
             "rounding to nearest", "rounding to nearest, flush-to-zero, denormals-are-zero");
  EXPECT_EQ(_mm_getcsr() & 0x8040, 0u);
}

TEST(ProcessState, TellsWhatOnlyTheX87Does) {
  const auto control = [](uint16_t word) {
    return [word] { asm volatile("fldcw %0" : : "m"(word)); };
  };
  constexpr char kWhere[] = "floating-point environment", kUsual[] = "rounding to nearest";
  ExpectTold(control(0x027f), kWhere, kUsual, "rounding to nearest, x87 precision of 53 bits");
  ExpectTold(control(0x0f7f), kWhere, kUsual, "rounding to nearest, x87 rounding toward zero");
  ExpectTold(control(0x037b), kWhere, kUsual, "rounding to nearest, x87 trapped division by zero");
}
#endif

TEST(ProcessState, TellsAClosedDescriptorAndOpensItAgain) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string number = std::to_string(ends[1]);
  ExpectTold([&] { close(ends[1]); }, "descriptors", number + " open", number + " closed");
  EXPECT_EQ(write(ends[1], "x", 1), 1);
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
  close(ends[0]);
  close(ends[1]);
}

TEST(ProcessState, TellsADescriptorThatMeansAnotherFile) {
  const int file = open("/", O_RDONLY);
  const std::string number = std::to_string(file);
  ExpectTold(
      [&] {
        const int other = open("/dev/null", O_RDONLY);
        dup2(other, file);
        close(other);
      },
      "descriptors", number + " unchanged", number + " is /dev/null");
  EXPECT_EQ(openat(file, "dev/null", O_WRONLY | O_TRUNC, 0) >= 0, true);
  close(file);
}

TEST(ProcessState, TellsOnceWhatCannotBeOpenedAgain) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  struct stat pipe_status;
  ASSERT_EQ(fstat(ends[1], &pipe_status), 0);
  const ProcessChange told = Told([&] {
    for (int number = ends[1]; number < 1024; ++number) {
      struct stat status;
      if (fstat(number, &status) == 0 && status.st_ino == pipe_status.st_ino) close(number);
    }
  });
  EXPECT_EQ(told.got, std::to_string(ends[1]) + " closed");
  EXPECT_LT(fcntl(ends[1], F_GETFD), 0);
  close(ends[0]);
}

TEST(ProcessState, TellsSeveralChangesAtOnce) {
  const ProcessChange told = Told([] {
    std::fesetround(FE_DOWNWARD);
    EXPECT_EQ(chdir("/"), 0);
    setenv("STATE_NEW", "1", 1);
  });
  EXPECT_EQ(told.where,
            "process: floating-point environment, working directory, environment variables");
  EXPECT_THAT(told.expected, StartsWith("rounding to nearest as before the case; /"));
  EXPECT_EQ(told.got, "rounding downward; /; STATE_NEW=1");
}

// Descriptors that are opened in one case and closed in none.
TEST(ProcessState, TellsOnceOfDescriptorsThatBecomeMoreCaseAfterCase) {
  ProcessState process({1000, 100});
  std::vector<int> files;
  std::vector<ProcessChange> told;
  for (int i = 0; i < 400; ++i) {
    files.push_back(open("/dev/null", O_RDONLY));
    if (const auto change = process.PutBack()) told.push_back(*change);
  }
  for (int file : files) close(file);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].where, "process: open descriptors");
  EXPECT_EQ(told[0].expected, "at most 100 more than after the first case");
  EXPECT_THAT(told[0].got, EndsWith(" more after 113 cases"));
}

TEST(ProcessState, IsSilentAboutDescriptorsThatStayAsMany) {
  std::vector<int> files;
  ProcessState process({1000, 100});
  for (int i = 0; i < 90; ++i) files.push_back(open("/dev/null", O_RDONLY));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(process.PutBack());
  for (int i = 0; i < 90; ++i) files.push_back(open("/dev/null", O_RDONLY));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(process.PutBack());
  for (int file : files) close(file);
}

// Threads that wait until this ends.
class Waiting {
 public:
  ~Waiting() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      over_ = true;
    }
    ended_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void Add() {
    threads_.emplace_back([this] {
      std::unique_lock<std::mutex> lock(mutex_);
      ended_.wait(lock, [this] { return over_; });
    });
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

TEST(ProcessState, TellsOnceOfThreadsThatBecomeMoreCaseAfterCase) {
  ProcessState process({20, 1000});
  Waiting threads;
  std::vector<ProcessChange> told;
  for (int i = 0; i < 80; ++i) {
    threads.Add();
    if (const auto change = process.PutBack()) told.push_back(*change);
  }
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].where, "process: threads");
  EXPECT_EQ(told[0].expected, "at most 20 more than after the first case");
  EXPECT_EQ(told[0].got, "32 more after 33 cases");
}

TEST(ProcessState, IsSilentAboutAPoolOfThreads) {
  ProcessState process({20, 1000});
  Waiting threads;
  for (int i = 0; i < 40; ++i) threads.Add();
  for (int i = 0; i < 40; ++i) EXPECT_FALSE(process.PutBack());
  for (int i = 0; i < 15; ++i) threads.Add();
  for (int i = 0; i < 40; ++i) EXPECT_FALSE(process.PutBack());
}

TEST(ProcessState, IsSilentAboutThreadsThatAreAboutToEnd) {
  ProcessState process({20, 1000});
  EXPECT_FALSE(process.PutBack());
  std::vector<std::thread> threads;
  for (int i = 0; i < 40; ++i)
    threads.emplace_back([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  for (int i = 0; i < 40; ++i) EXPECT_FALSE(process.PutBack());
  for (std::thread& thread : threads) thread.join();
}

TEST(ProcessGrowth, FindsWhatGrowsWithEachOfAUsualRunsCases) {
  const ProcessGrowth bounds = ProcessGrowth::Bounds();
  EXPECT_GE(bounds.threads, 128 + 16);
  EXPECT_LE(bounds.threads, 1024);
  EXPECT_GT(bounds.descriptors, 0);
  EXPECT_LE(bounds.descriptors, 512);
}

}  // namespace
}  // namespace conformance
