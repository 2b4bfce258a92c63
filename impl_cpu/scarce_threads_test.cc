// Where threads cannot be started or memory is short, an execution ends with the right result all
// the same, on the threads that there are. Each in a process of its own: what has been started or
// allocated once is there for what comes after.
#include <dlfcn.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/reorder/testing/reorder_operation.h"
#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "api/testing/plans.h"
#include "impl_cpu/implementation.h"
#include "tools/testing/scarce_malloc.h"

namespace {

// The start of a thread that fails, counted from 0; and whether all after it do.
std::atomic<int> failing_start{-1};
std::atomic<bool> later_starts_fail{false};
std::atomic<int> starts{0};

}  // namespace

// These replace what the C library has.
extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  static const auto real =
      reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  const int start = starts++, failing = failing_start;
  if (failing >= 0 && (start == failing || (start > failing && later_starts_fail))) return EAGAIN;
  return real(thread, attributes, run, argument);
}

// Eight processors, however many there are.
int sched_getaffinity(pid_t, size_t bytes, cpu_set_t* set) noexcept {
  CPU_ZERO_S(bytes, set);
  for (int i = 0; i < 8; ++i) CPU_SET_S(i, bytes, set);
  return 0;
}

long sysconf(int name) noexcept {
  static const auto real = reinterpret_cast<decltype(&sysconf)>(dlsym(RTLD_NEXT, "sysconf"));
  return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? 8 : real(name);
}

}  // extern "C"

namespace impl_cpu {
namespace {

constexpr int64_t kSize = 1500;

// Ends a child of the test, with what went wrong first.
enum Outcome { kRight, kNoPlan, kRefused, kWrong, kNoRight };

// A transposition of 9 MB, twice: by all threads that can be had.
class Transposition {
 public:
  Transposition() : src_(kSize * kSize), dst_(kSize * kSize) {
    for (size_t i = 0; i < src_.size(); ++i) src_[i] = static_cast<float>(i);
    spi::ReorderOperation operation;
    operation.src = operation.dst = spi::Strided(spi::DataType::kF32, {kSize, kSize});
    operation.dst.strides = {1, kSize};
    engine_ = *GetImplementation().MakeEngine(0);
    stream_ = *engine_->MakeStream(spi::kInOrder);
    plan_ = *spi::PlanOf(*engine_, operation, 0);
    from_ = *engine_->Wrap(src_.data(), 4 * src_.size());
    to_ = *engine_->Wrap(dst_.data(), 4 * dst_.size());
    buffers_ = {from_.get(), to_.get()};
  }

  Outcome Run() {
    dst_.assign(dst_.size(), -1.0f);
    if (!plan_->Execute(*stream_, buffers_).ok()) return kRefused;
    for (size_t i = 0; i < kSize; ++i)
      for (size_t j = 0; j < kSize; ++j)
        if (dst_[j * kSize + i] != src_[i * kSize + j]) return kWrong;
    return kRight;
  }

 private:
  std::vector<float> src_, dst_;
  std::shared_ptr<spi::Engine> engine_;
  std::unique_ptr<spi::Stream> stream_;
  std::shared_ptr<const spi::Plan> plan_;
  std::shared_ptr<spi::Buffer> from_, to_;
  std::vector<spi::Buffer*> buffers_;
};

// What a child that calls `make_scarce` and then executes ends with: "" if all is well.
template <typename MakeScarce>
std::string InAChild(const MakeScarce& make_scarce) {
  const pid_t child = fork();
  if (child < 0) return "cannot fork";
  if (child == 0) {
    alarm(60);  // of a hang
    Transposition transposition;
    if (!make_scarce()) _exit(kNoRight);
    Outcome outcome = transposition.Run();
    if (outcome == kRight) outcome = transposition.Run();
    // There may be plenty again.
    failing_start = -1;
    tools::UnlimitMalloc();
    if (outcome == kRight) outcome = transposition.Run();
    _exit(outcome);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  switch (WEXITSTATUS(status)) {
    case kRight:
      return "";
    case kRefused:
      return "refused";
    case kWrong:
      return "a wrong result";
    case kNoRight:
      return "no right";
    default:
      return "exit status " + std::to_string(WEXITSTATUS(status));
  }
}

TEST(ScarceThreads, ThatCannotBeStartedAreDoneWithout) {
  for (bool all_after : {false, true}) {
    for (int start = 0; start < 8; ++start) {
      SCOPED_TRACE(std::to_string(start) + (all_after ? " and all after it" : " alone"));
      EXPECT_EQ(InAChild([&] {
                  starts = 0;
                  later_starts_fail = all_after;
                  failing_start = start;
                  return true;
                }),
                "");
    }
  }
}

TEST(ScarceThreads, DoNotMindThatMemoryIsShort) {
  for (bool all_after : {false, true}) {
    for (int64_t enough = 0; enough < 12; ++enough) {
      SCOPED_TRACE(std::to_string(enough) + (all_after ? " and then none" : " and not the next"));
      EXPECT_EQ(InAChild([&] {
                  tools::LimitMalloc(enough, all_after);
                  return true;
                }),
                "");
    }
  }
}

// As `ulimit -u` or a container does it. The limit is on the processes and threads of a user, and
// not of one with CAP_SYS_RESOURCE, so the child becomes somebody who has no others.
TEST(ScarceThreads, AreNoMoreThanTheUserMayHave) {
  constexpr uid_t kNobodyElse = 61234;
  for (rlim_t limit : {1, 2, 3, 4, 6}) {
    const std::string outcome = InAChild([&] {
      const rlimit processes = {limit, limit};
      return setrlimit(RLIMIT_NPROC, &processes) == 0 && setgroups(0, nullptr) == 0 &&
             setresuid(kNobodyElse, kNobodyElse, kNobodyElse) == 0;
    });
    if (outcome == "no right") GTEST_SKIP() << "may not become another user";
    EXPECT_EQ(outcome, "") << limit;
  }
}

}  // namespace
}  // namespace impl_cpu
