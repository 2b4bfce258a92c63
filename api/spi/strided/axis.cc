#include "api/spi/strided/axis.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"

namespace spi {
namespace {

using List = std::vector<LoopNest>;
using Periods = absl::InlinedVector<int64_t, 4>;

bool SameStrides(const LoopDim& a, const LoopDim& b) {
  return std::tie(a.src_stride, a.dst_stride, a.scale_stride) ==
         std::tie(b.src_stride, b.dst_stride, b.scale_stride);
}

bool SameLoops(const LoopNest& a, const LoopNest& b) {
  return std::equal(
      a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(),
      [](const LoopDim& x, const LoopDim& y) { return x.extent == y.extent && SameStrides(x, y); });
}

LoopDim StepBetween(const LoopNest& from, const LoopNest& to) {
  return {1, to.src_offset - from.src_offset, to.dst_offset - from.dst_offset,
          to.scale_offset - from.scale_offset};
}

// A loop starts at its lowest place on every side.
bool IsUpward(const LoopDim& step) {
  return step.src_stride >= 0 && step.dst_stride >= 0 && step.scale_stride >= 0;
}

// One pass of joining neighbours of equal loops and equal distance into a loop over them.
List JoinOnce(const List& nests) {
  List joined;
  for (size_t i = 0; i < nests.size();) {
    size_t end = i + 1;
    LoopDim step;
    if (end < nests.size() && SameLoops(nests[i], nests[end]) &&
        IsUpward(StepBetween(nests[i], nests[end]))) {
      step = StepBetween(nests[i], nests[end]);
      for (++end; end < nests.size() && SameLoops(nests[i], nests[end]) &&
                  SameStrides(step, StepBetween(nests[end - 1], nests[end]));
           ++end) {
      }
    }
    joined.push_back(nests[i]);
    if (end - i > 1) {
      step.extent = static_cast<int64_t>(end - i);
      joined.back().loops.insert(joined.back().loops.begin(), step);
    }
    i = end;
  }
  return joined;
}

List Join(List nests) {
  for (;;) {
    List joined = JoinOnce(nests);
    if (joined.size() == nests.size()) return joined;
    nests = std::move(joined);
  }
}

// The least common multiple of positive numbers, or `most` where it is not below that.
int64_t CappedLcm(int64_t a, int64_t b, int64_t most) {
  int64_t multiple = 0;
  if (__builtin_mul_overflow(a / std::gcd(a, b), b, &multiple)) return most;
  return std::min(multiple, most);
}

bool Nest(absl::Span<const int64_t> periods) {
  for (size_t k = 1; k < periods.size(); ++k)
    if (periods[k] % periods[k - 1] != 0) return false;
  return true;
}

// An axis that both sides go through index by index.
class Indices {
 public:
  Indices(const Digits& src, const Digits& dst, int64_t scale_stride, int64_t max_nests)
      : src_(src), dst_(dst), scale_stride_(scale_stride), max_nests_(max_nests) {
    for (const Digits* side : {&src_, &dst_})
      for (const Digit& digit : *side) periods_.push_back(digit.period);
    std::sort(periods_.begin(), periods_.end());
    periods_.erase(std::unique(periods_.begin(), periods_.end()), periods_.end());
  }

  // Indices [begin, end). False where that takes too many nests.
  bool AddRange(int64_t begin, int64_t end, List* nests) const {
    return AddRange(begin, end, periods_, nests);
  }

  // Indices [0, extent): where the blocks do not nest, the pattern that they make together again
  // and again, and what is left.
  bool AddAll(int64_t extent, List* nests) const {
    int64_t pattern = 1;
    for (const int64_t period : periods_) pattern = CappedLcm(pattern, period, extent);
    const int64_t repeats = Nest(periods_) ? 1 : extent / pattern;
    if (repeats < 2) return AddRange(0, extent, nests);
    if (!AddRange(0, pattern, nests)) return false;
    LoopDim repeat = StepOf(pattern);
    repeat.extent = repeats;
    for (LoopNest& nest : *nests) nest.loops.push_back(repeat);
    return AddRange(repeats * pattern, extent, nests);
  }

 private:
  LoopDim StepOf(int64_t count) const {
    return {1, src_.OffsetOf(count), dst_.OffsetOf(count), count * scale_stride_};
  }

  // Inside a block of the largest period that digit stands still: what is left are the others.
  bool AddRange(int64_t begin, int64_t end, absl::Span<const int64_t> periods, List* nests) const {
    if (Nest(periods)) {
      AddNested(begin, end, periods, nests);
      return static_cast<int64_t>(nests->size()) <= max_nests_;
    }
    const int64_t largest = periods.back();
    while (begin < end) {
      const int64_t left = largest - begin % largest;
      const int64_t stop = end - begin > left ? begin + left : end;
      if (!AddRange(begin, stop, periods.first(periods.size() - 1), nests)) return false;
      begin = stop;
    }
    return true;
  }

  // Up to whole steps of the next period, then whole steps of the one after, and down again.
  void AddNested(int64_t begin, int64_t end, absl::Span<const int64_t> periods, List* nests) const {
    const auto add = [&](size_t k, int64_t count) {
      if (count == 0) return;
      LoopNest nest;
      nest.src_offset = src_.OffsetOf(begin);
      nest.dst_offset = dst_.OffsetOf(begin);
      nest.scale_offset = begin * scale_stride_;
      for (size_t m = k + 1; m-- > 0;) {
        LoopDim loop = StepOf(periods[m]);
        loop.extent = m == k ? count : periods[m + 1] / periods[m];
        nest.loops.push_back(loop);
      }
      nests->push_back(std::move(nest));
      begin += count * periods[k];
    };
    for (size_t k = 0; k + 1 < periods.size(); ++k) {
      const int64_t past = begin % periods[k + 1];
      if (past == 0) continue;
      if (periods[k + 1] - past > end - begin) break;
      add(k, (periods[k + 1] - past) / periods[k]);
    }
    for (size_t k = periods.size(); k-- > 0;) add(k, (end - begin) / periods[k]);
  }

  const Digits& src_;
  const Digits& dst_;
  const int64_t scale_stride_, max_nests_;
  Periods periods_;
};

// The steps of a loop, as those of one pattern that repeats itself and those that are left over.
struct Steps {
  int64_t begin, end;
  int64_t repeats;  // of all of them, end - begin steps apart
};

std::vector<Steps> StepsOf(const IndexLoop& loop, const Digits& src, const Digits& dst) {
  const auto period = [](const Digits& side, int64_t step) {
    return side.pattern() / std::gcd(side.pattern(), step);
  };
  const int64_t pattern = CappedLcm(period(src, loop.src), period(dst, loop.dst), loop.extent);
  const int64_t repeats = loop.extent / pattern;
  if (repeats < 2) return {{0, loop.extent, 1}};
  std::vector<Steps> steps = {{0, pattern, repeats}};
  if (repeats * pattern < loop.extent) steps.push_back({repeats * pattern, loop.extent, 1});
  return steps;
}

// Two loops that split an axis with blocks: every step of a pattern is a nest, until they are
// joined.
class Split {
 public:
  Split(const IndexLoops& loops, const Digits& src, const Digits& dst, int64_t scale_stride)
      : loops_(loops), src_(src), dst_(dst), scale_stride_(scale_stride) {}

  std::optional<List> All(int64_t max_points) const {
    const std::vector<Steps> outer = StepsOf(loops_.loops[0], src_, dst_);
    const std::vector<Steps> inner = StepsOf(loops_.loops[1], src_, dst_);
    int64_t count = 0;
    for (const Steps& u : outer) {
      for (const Steps& v : inner) {
        int64_t points = 0;
        if (__builtin_mul_overflow(u.end - u.begin, v.end - v.begin, &points) ||
            __builtin_add_overflow(count, points, &count) || count > max_points)
          return std::nullopt;
      }
    }
    List nests;
    for (const Steps& u : outer) {
      for (const Steps& v : inner) {
        List joined = Join(PointsOf(u, v));
        nests.insert(nests.end(), std::make_move_iterator(joined.begin()),
                     std::make_move_iterator(joined.end()));
      }
    }
    return Join(std::move(nests));
  }

 private:
  LoopNest PointAt(int64_t u, int64_t v) const {
    const int64_t index = u * loops_.loops[0].dst + v * loops_.loops[1].dst;
    LoopNest nest;
    nest.src_offset = src_.OffsetOf(u * loops_.loops[0].src + v * loops_.loops[1].src);
    nest.dst_offset = dst_.OffsetOf(index);
    nest.scale_offset = index * scale_stride_;
    return nest;
  }

  List PointsOf(const Steps& outer, const Steps& inner) const {
    List points;
    const LoopNest first = PointAt(outer.begin, inner.begin);
    LoopNest repeated;
    const auto add = [&](const Steps& steps, const LoopNest& next) {
      if (steps.repeats == 1) return;
      repeated.loops.push_back(StepBetween(first, next));
      repeated.loops.back().extent = steps.repeats;
    };
    add(outer, PointAt(outer.end, inner.begin));
    add(inner, PointAt(outer.begin, inner.end));
    for (int64_t u = outer.begin; u < outer.end; ++u) {
      for (int64_t v = inner.begin; v < inner.end; ++v) {
        points.push_back(PointAt(u, v));
        points.back().loops = repeated.loops;
      }
    }
    return points;
  }

  const IndexLoops& loops_;
  const Digits& src_;
  const Digits& dst_;
  const int64_t scale_stride_;
};

LoopNests Small(List list) {
  return LoopNests(std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()));
}

}  // namespace

void AddLoops(const IndexLoops& loops, const LoopDim& step, LoopNest* nest) {
  for (const IndexLoop& loop : loops)
    nest->loops.push_back({loop.extent, loop.src * step.src_stride, loop.dst * step.dst_stride,
                           loop.dst * step.scale_stride});
}

std::optional<LoopNests> NestsOfAxis(const IndexLoops& loops, const Layout& src, const Layout& dst,
                                     int axis, int64_t scale_stride, const Limits& limits) {
  const int64_t extent = dst.dims[static_cast<size_t>(axis)];
  const Digits from(src, axis, extent), to(dst, axis, extent);
  if (from.pattern() == 1 && to.pattern() == 1) {
    LoopNests plain(1);
    AddLoops(loops, {1, from.OffsetOf(1), to.OffsetOf(1), scale_stride}, &plain[0]);
    return plain;
  }
  List list;
  if (loops.count > 1) {
    std::optional<List> split = Split(loops, from, to, scale_stride).All(limits.max_points);
    if (!split.has_value()) return std::nullopt;
    list = *std::move(split);
  } else {
    if (!Indices(from, to, scale_stride, limits.max_nests).AddAll(extent, &list))
      return std::nullopt;
    list = Join(std::move(list));
  }
  return Small(std::move(list));
}

LoopNests NestsOfRange(const Layout& dst, int axis, int64_t begin, int64_t end) {
  const Digits nothing, to(dst, axis, end);
  List list;
  // The periods of one side always nest.
  Indices(nothing, to, 0, std::numeric_limits<int64_t>::max()).AddRange(begin, end, &list);
  return Small(std::move(list));
}

}  // namespace spi
