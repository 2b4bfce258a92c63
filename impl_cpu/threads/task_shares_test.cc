#include "impl_cpu/threads/task_shares.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace impl_cpu {
namespace {

std::vector<int64_t> Alone(int64_t tasks, int threads, int64_t thread) {
  TaskShares shares(tasks, threads);
  std::vector<int64_t> order;
  shares.ForEach(thread, [&](int64_t task) { order.push_back(task); });
  return order;
}

TEST(TaskShares, AThreadBeginsWithItsOwn) {
  EXPECT_EQ(Alone(6, 1, 0), (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(Alone(6, 2, 0), (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(Alone(6, 2, 1), (std::vector<int64_t>{3, 4, 5, 0, 1, 2}));
  EXPECT_EQ(Alone(7, 3, 2), (std::vector<int64_t>{4, 5, 6, 0, 1, 2, 3}));
  // A thread of the pool that is numbered beyond those of the loop.
  EXPECT_EQ(Alone(6, 2, 5), (std::vector<int64_t>{3, 4, 5, 0, 1, 2}));
}

TEST(TaskShares, ThereMayBeNoTasks) {
  EXPECT_TRUE(Alone(0, 3, 1).empty());
  EXPECT_EQ(Alone(1, 3, 1), std::vector<int64_t>{0});
}

TEST(TaskShares, EachIsTakenOnce) {
  for (int threads : {2, 3, 100}) {
    std::vector<std::atomic<int>> taken(1000);
    TaskShares shares(1000, threads);
    std::vector<std::thread> all;
    for (int thread = 0; thread < 3; ++thread)
      all.emplace_back([&shares, &taken, thread] {
        shares.ForEach(thread, [&](int64_t task) { ++taken[static_cast<size_t>(task)]; });
      });
    for (std::thread& thread : all) thread.join();
    for (const auto& count : taken) ASSERT_EQ(count, 1) << threads;
  }
}

}  // namespace
}  // namespace impl_cpu
