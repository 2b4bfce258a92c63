#include "impl_cpu/threads/task_shares.h"

#include <algorithm>

namespace impl_cpu {

TaskShares::TaskShares(int64_t tasks, int threads) : count_(std::clamp(threads, 1, kMost)) {
  if (count_ == 1) {
    shares_[0].end = tasks;
    return;
  }
  for (int i = 0; i < count_; ++i) {
    shares_[i].next.store(tasks * i / count_, std::memory_order_relaxed);
    shares_[i].end = tasks * (i + 1) / count_;
  }
}

int64_t TaskShares::Next(int* share) {
  for (int tried = 0; tried < count_; ++tried) {
    Share& from = shares_[*share];
    if (from.next.load(std::memory_order_relaxed) < from.end) {
      const int64_t task = from.next.fetch_add(1, std::memory_order_relaxed);
      if (task < from.end) return task;
    }
    *share = *share + 1 == count_ ? 0 : *share + 1;
  }
  return -1;
}

}  // namespace impl_cpu
