#include "impl_cpu/product/even_cut.h"

#include <algorithm>

#include "impl_cpu/product/rounding.h"

namespace impl_cpu {
namespace {

// So many tasks to a thread are even enough.
constexpr int64_t kManyTasks = 16;
// How many more pieces, or ranges, there may be; and loads that are taken for equal.
constexpr int64_t kMostMore = 4;
constexpr double kSame = 1.01;

}  // namespace

Cut EvenCut(int64_t count, int64_t least, int64_t each, int64_t shares, int64_t wanted,
            int64_t threads) {
  const auto needed = [&](int64_t pieces) {
    return std::clamp<int64_t>(CeilDiv(wanted, pieces * each), 1, std::max<int64_t>(1, shares));
  };
  Cut best = {least, needed(least)};
  if (threads == 1 || least * each >= kManyTasks * threads) return best;
  // Of a thread that has most, all of whose pieces and ranges are larger ones.
  const auto load_of = [&](const Cut& cut) {
    return static_cast<double>(CeilDiv(cut.pieces * cut.ranges * each, threads)) *
           static_cast<double>(CeilDiv(count, cut.pieces)) *
           static_cast<double>(CeilDiv(shares, cut.ranges));
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
