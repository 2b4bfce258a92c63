// How many threads a loop may use. It is read once, so that each question is one of a new process.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>

#include "impl_cpu/threads/parallel_for.h"
#include "impl_cpu/threads/processors.h"

namespace impl_cpu {
namespace {

constexpr const char kProcessors[] = "DNNSPEC_PROCESSORS", kThreads[] = "DNNSPEC_NUM_THREADS";

// Ends the process with success if there are `expected` threads; a value that is null is not set.
[[noreturn]] void Leave(const char* processors, const char* threads, int expected) {
  unsetenv(kProcessors);
  unsetenv(kThreads);
  if (processors != nullptr) setenv(kProcessors, processors, 1);
  if (threads != nullptr) setenv(kThreads, threads, 1);
  std::fprintf(stderr, "%d threads\n", MaxThreads());
  exit(MaxThreads() == expected ? 0 : 1);
}

void Expect(int expected, const char* processors, const char* threads) {
  EXPECT_EXIT(Leave(processors, threads, expected), testing::ExitedWithCode(0), "")
      << expected << " threads";
}

TEST(MaxThreads, AreTheProcessors) { Expect(AvailableProcessors().count, nullptr, nullptr); }

TEST(MaxThreads, AreAsManyAsProcessorsAreSaidToBe) {
  Expect(7, "7", nullptr);
  Expect(1, "1", nullptr);
  Expect(1024, "1000000", nullptr);
}

TEST(MaxThreads, AreNoMoreThanIsAllowed) {
  Expect(3, "7", "3");
  Expect(7, "7", "9");
  Expect(1, nullptr, "1");
}

TEST(MaxThreads, AreTheProcessorsWhereThatIsNoNumber) {
  const int count = AvailableProcessors().count;
  for (const char* text : {"", "0", "-2", "many"}) {
    Expect(count, text, nullptr);
    Expect(count, nullptr, text);
  }
}

}  // namespace
}  // namespace impl_cpu
