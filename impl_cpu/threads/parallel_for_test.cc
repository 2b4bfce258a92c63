#include "impl_cpu/threads/parallel_for.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace impl_cpu {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool kThreadSanitizer = true;
#elif defined(__has_feature)
constexpr bool kThreadSanitizer = __has_feature(thread_sanitizer);
#else
constexpr bool kThreadSanitizer = false;
#endif

TEST(ParallelFor, DoesEachPieceOnce) {
  for (int threads : {1, 2, 3, 8}) {
    for (int64_t pieces : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> done(static_cast<size_t>(pieces));
      ParallelFor(pieces, threads, [&](int64_t i) { ++done[static_cast<size_t>(i)]; });
      for (const auto& count : done) ASSERT_EQ(count, 1);
    }
  }
}

TEST(ParallelFor, OfOneThreadStaysOnTheCaller) {
  const auto caller = std::this_thread::get_id();
  ParallelFor(10, 1, [&](int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
  ParallelFor(1, 4, [&](int64_t) { EXPECT_EQ(std::this_thread::get_id(), caller); });
}

TEST(ParallelFor, RunsFromSeveralThreadsAtOnceAndInsideItself) {
  std::atomic<int64_t> sum{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; ++t) {
    callers.emplace_back([&] {
      ParallelFor(20, 2,
                  [&](int64_t i) { ParallelFor(3, 2, [&](int64_t j) { sum += i * 3 + j; }); });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 3 * (59 * 60 / 2));
}

// Threads that the runtime keeps must not keep an environment of an earlier loop.
TEST(ParallelFor, HasTheFloatingPointEnvironmentOfItsCaller) {
  std::thread([] {
    for (int mode : {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST}) {
      ASSERT_EQ(fesetround(mode), 0);
      std::atomic<int> others{0};
      ParallelFor(200, 4, [&](int64_t) {
        if (fegetround() != mode) ++others;
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      });
      EXPECT_EQ(others, 0) << mode;
    }
  }).join();
}

// A thread of the pool sleeps, and is there again for the next loop.
TEST(ParallelFor, GoesOnAfterAPause) {
  for (int i = 0; i < 30; ++i) {
    std::atomic<int64_t> sum{0};
    ParallelFor(100, 4, [&](int64_t k) { sum += k; });
    EXPECT_EQ(sum, 4950);
    std::this_thread::sleep_for(std::chrono::milliseconds(i % 3));
  }
}

// The signals of a program are for its own threads.
TEST(ParallelFor, HasHelpersThatTakeNoSignals) {
  const auto caller = std::this_thread::get_id();
  std::atomic<int> open{0};
  ParallelFor(200, 4, [&](int64_t) {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    if (std::this_thread::get_id() == caller) return;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    if (sigismember(&blocked, SIGTERM) == 0) ++open;
  });
  EXPECT_EQ(open, 0);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGTERM), 0);
}

// Forked while other threads are anywhere in a loop, after the pool was used: the child has none of
// its threads, and does its loops all the same.
TEST(ParallelFor, WorksInAChild) {
  if (kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer lets no child start threads";
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop) ParallelFor(50, 4, [](int64_t) {});
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      alarm(30);
      std::atomic<int64_t> sum{0};
      for (int k = 0; k < 10; ++k) ParallelFor(100, 4, [&](int64_t j) { sum += j; });
      _exit(sum == 49500 ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << i;
  }
  stop = true;
  busy.join();
}

TEST(ParallelFor, HasAtLeastOneThread) { EXPECT_GE(MaxThreads(), 1); }

}  // namespace
}  // namespace impl_cpu
