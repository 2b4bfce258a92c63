#include "impl_cpu/threads/task_shares.h"

#include <algorithm>
#include <limits>

namespace impl_cpu {
namespace {

// So many tasks to a thread are even enough.
constexpr int64_t kManyTasks = 16;
// How many more pieces, or ranges, there may be; and loads that are taken for equal.
constexpr int64_t kMostMore = 4;
constexpr double kSame = 1.01;

}  // namespace

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

Cut EvenCut(int64_t count, int64_t least, int64_t each, int64_t shares, int64_t wanted,
            int64_t threads) {
  const auto ceil_div = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  const auto needed = [&](int64_t pieces) {
    return std::clamp<int64_t>(ceil_div(wanted, pieces * each), 1, std::max<int64_t>(1, shares));
  };
  Cut best = {least, needed(least)};
  if (threads == 1 || least * each >= kManyTasks * threads) return best;
  // Of a thread that has most, all of whose pieces and ranges are larger ones.
  const auto load_of = [&](const Cut& cut) {
    return static_cast<double>(ceil_div(cut.pieces * cut.ranges * each, threads)) *
           static_cast<double>(ceil_div(count, cut.pieces)) *
           static_cast<double>(ceil_div(shares, cut.ranges));
  };
  const int64_t more = std::min(threads, kMostMore);
  double least_load = load_of(best);
  for (Cut cut = best; cut.pieces <= std::min(count, least + more); ++cut.pieces) {
    const int64_t first = needed(cut.pieces), last = std::min(shares, first + more);
    for (cut.ranges = first; cut.ranges <= last; ++cut.ranges) {
      const double load = load_of(cut);
      const bool fewer = cut.pieces * cut.ranges < best.pieces * best.ranges;
      if (load > (fewer ? kSame : 1 / kSame) * least_load) continue;
      least_load = std::min(load, least_load);
      best = cut;
    }
  }
  return best;
}

}  // namespace impl_cpu
