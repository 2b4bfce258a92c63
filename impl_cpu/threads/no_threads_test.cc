// Where no thread can be started, loops run on those that there are. A program of its own: threads
// that have run once need nothing new.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <vector>

#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

// Leaves this process `bytes` of address space beyond what it has, as long as it lives.
class AddressSpaceLimit {
 public:
  explicit AddressSpaceLimit(rlim_t bytes) {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    getrlimit(RLIMIT_AS, &before_);
    rlimit limited = before_;
    limited.rlim_cur =
        std::min(before_.rlim_max, pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes);
    set_ = pages > 0 && setrlimit(RLIMIT_AS, &limited) == 0;
  }
  ~AddressSpaceLimit() { setrlimit(RLIMIT_AS, &before_); }
  bool set() const { return set_; }

 private:
  rlimit before_;
  bool set_ = false;
};

void ExpectEachPieceOnce(rlim_t room) {
  std::vector<std::atomic<int>> done(1000);
  {
    AddressSpaceLimit limit(room);
    ASSERT_TRUE(limit.set());
    ParallelFor(1000, 4, [&](int64_t i) { ++done[static_cast<size_t>(i)]; });
  }
  for (const auto& count : done) ASSERT_EQ(count, 1);
}

// In this order: a stack that was made once is used again.
TEST(ParallelForWithoutThreads, DoesEachPieceOnTheCaller) { ExpectEachPieceOnce(1 << 20); }

// A stack takes 8 MiB.
TEST(ParallelForWithoutThreads, DoesEachPieceOnTheCallerAndTheFirstHelper) {
  rlimit stack;
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &stack), 0);
  if (stack.rlim_cur > rlim_t{1} << 30) GTEST_SKIP() << "stacks have no limit";
  ExpectEachPieceOnce(stack.rlim_cur + stack.rlim_cur / 2);
}

TEST(ParallelForWithoutThreads, GoesOnWhereThereAreThreadsAgain) {
  ExpectEachPieceOnce(rlim_t{1} << 40);
}

}  // namespace
}  // namespace impl_cpu
