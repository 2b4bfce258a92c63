// Tasks shared out among the threads of a loop.
#ifndef DNNSPEC_IMPL_CPU_THREADS_TASK_SHARES_H_
#define DNNSPEC_IMPL_CPU_THREADS_TASK_SHARES_H_

#include <atomic>
#include <cstdint>

namespace impl_cpu {

// Each thread has tasks of its own, side by side and the same ones in each loop of as many tasks
// and threads, so that it finds in its caches what it left there. Once it is through with them it
// takes those of others that nobody has begun.
//
//   TaskShares shares(tasks, threads);
//   ParallelFor(threads, threads, [&](int64_t thread) {
//     shares.ForEach(thread, [&](int64_t task) { ... });
//   });
class TaskShares {
 public:
  TaskShares(int64_t tasks, int threads);

  // Calls run(task) for tasks that nobody has begun, until there are none. `thread` >= 0 tells
  // whose come first.
  template <class Run>
  void ForEach(int64_t thread, const Run& run) {
    if (count_ == 1) {
      for (int64_t task = 0; task < shares_[0].end; ++task) run(task);
      return;
    }
    int share = static_cast<int>(thread % count_);
    for (int64_t task = Next(&share); task >= 0; task = Next(&share)) run(task);
  }

 private:
  // Of `*share` as long as there is one, else of another, which `*share` is then; -1 if there is
  // none.
  int64_t Next(int* share);

  static constexpr int kMost = 64;  // threads beyond them have one together with others
  struct alignas(64) Share {
    std::atomic<int64_t> next;
    int64_t end;
  };

  const int count_;
  Share shares_[kMost];
};

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_THREADS_TASK_SHARES_H_
