#include <gtest/gtest.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_group.h>

#include <atomic>
#include <cstdint>

#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {
namespace {

TEST(ParallelForOfTbb, IsDoneInsideAGroupThatIsCancelled) {
  std::atomic<int64_t> pieces{0};
  tbb::task_group_context group;
  const auto body = [&](int) {
    group.cancel_group_execution();
    ParallelFor(100, 2, [&](int64_t) { ++pieces; });
  };
  tbb::parallel_for(0, 1, body, group);
  EXPECT_EQ(pieces, 100);
}

}  // namespace
}  // namespace impl_cpu
