// oneTBB: on a machine that others use too, a loop costs a few microseconds more than its work,
// where OpenMP's teams wait for their last thread for milliseconds.

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "absl/functional/function_ref.h"
#include "impl_cpu/threads/limit.h"
#include "impl_cpu/threads/parallel_for.h"

namespace impl_cpu {

int MaxThreads() {
  static const int limit = ParseThreadLimit(std::getenv("DNNSPEC_NUM_THREADS"));
  if (limit == 1) return 1;
  try {
    return std::max(1, std::min(limit, tbb::this_task_arena::max_concurrency()));
  } catch (...) {
    return 1;  // the runtime cannot start
  }
}

void ParallelFor(int64_t pieces, int threads, absl::FunctionRef<void(int64_t)> body) {
  if (threads <= 1 || pieces <= 1) {
    for (int64_t i = 0; i < pieces; ++i) body(i);
    return;
  }
  std::atomic<int64_t> next{0};
  const auto claim = [&](int) {
    for (int64_t i = next++; i < pieces; i = next++) body(i);
  };
  try {
    // Of its own: the floating-point environment is the caller's of now, not of when it first had
    // an arena, and a group of the program that is cancelled around it does not end it early.
    tbb::task_group_context context(
        tbb::task_group_context::isolated,
        tbb::task_group_context::default_traits | tbb::task_group_context::fp_settings);
    // Isolated: while it waits, the caller must not pick up some other task of the program.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(0, static_cast<int>(std::min<int64_t>(threads, pieces)), claim,
                        tbb::simple_partitioner(), context);
    });
  } catch (...) {
    // No thread or no memory was to be had.
  }
  // Whatever claimed a piece has finished it; what nobody claimed is done here.
  claim(0);
}

}  // namespace impl_cpu
