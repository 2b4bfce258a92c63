#include "impl_vulkan/strided/axis.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace impl_vulkan {
namespace {

using Parts = std::vector<Part>;
using Periods = std::vector<int64_t>;

// Index i lies at the sum over its digits of (i / period % radix) * stride, where the radix of a
// digit ends where the period of the next one begins. Innermost first; the last one has no end.
struct Digit {
  int64_t period, stride;
};

class Digits {
 public:
  // Of indices below `reach`: a digit that is always 0 is left out, and so is one that goes on
  // where the one before ends.
  Digits(const spi::Layout& layout, int axis, int64_t reach) {
    int64_t period = 1, stride = 1;
    const auto add = [&](int64_t step) {
      if (digits_.empty()) {
        digits_.push_back({period, step});
      } else if (period < reach) {
        const Digit& inner = digits_.back();
        if (step != inner.stride * (period / inner.period)) digits_.push_back({period, step});
      }
    };
    for (int i = layout.block_count - 1; i >= 0; --i) {
      const spi::Block& block = layout.blocks[static_cast<size_t>(i)];
      if (block.axis == axis && block.size > 1) {
        add(stride);
        period *= block.size;
      }
      stride *= block.size;
    }
    add(layout.strides[static_cast<size_t>(axis)]);
  }

  // A side that does not exist: everything lies at 0.
  Digits() : digits_{{1, 0}} {}

  // Indices after which the pattern of offsets repeats.
  int64_t pattern() const { return digits_.back().period; }

  void AddPeriods(Periods* periods) const {
    for (const Digit& digit : digits_) periods->push_back(digit.period);
  }

  int64_t OffsetOf(int64_t index) const {
    int64_t offset = 0;
    for (size_t k = digits_.size(); k-- > 0;) {
      offset += index / digits_[k].period * digits_[k].stride;
      index %= digits_[k].period;
    }
    return offset;
  }

 private:
  std::vector<Digit> digits_;
};

bool SameNodes(const Part& a, const Part& b) {
  return std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(),
                    [](const Node& x, const Node& y) {
                      return std::tie(x.extent, x.source, x.destination, x.scale) ==
                             std::tie(y.extent, y.source, y.destination, y.scale);
                    });
}

Node Step(const Part& from, const Part& to) {
  return {1, to.source - from.source, to.destination - from.destination, to.scale - from.scale};
}

bool SameStep(const Node& a, const Node& b) {
  return std::tie(a.source, a.destination, a.scale) == std::tie(b.source, b.destination, b.scale);
}

// A loop starts at its lowest place on both sides.
bool IsUpward(const Node& step) {
  return step.source >= 0 && step.destination >= 0 && step.scale >= 0;
}

// One pass of joining neighbours of equal shape and equal distance into a loop over them.
Parts JoinOnce(const Parts& parts) {
  Parts joined;
  for (size_t i = 0; i < parts.size();) {
    size_t end = i + 1;
    Node step;
    if (end < parts.size() && SameNodes(parts[i], parts[end]) &&
        IsUpward(Step(parts[i], parts[end]))) {
      step = Step(parts[i], parts[end]);
      for (++end; end < parts.size() && SameNodes(parts[i], parts[end]) &&
                  SameStep(step, Step(parts[end - 1], parts[end]));
           ++end) {
      }
    }
    joined.push_back(parts[i]);
    if (end - i > 1) {
      step.extent = static_cast<int64_t>(end - i);
      joined.back().nodes.insert(joined.back().nodes.begin(), step);
    }
    i = end;
  }
  return joined;
}

Parts Join(Parts parts) {
  for (;;) {
    Parts joined = JoinOnce(parts);
    if (joined.size() == parts.size()) return joined;
    parts = std::move(joined);
  }
}

void Append(Parts more, Parts* parts) {
  parts->insert(parts->end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
}

// The least common multiple of positive numbers, or `most` where it is not below that.
int64_t CappedLcm(int64_t a, int64_t b, int64_t most) {
  int64_t multiple = 0;
  if (__builtin_mul_overflow(a / std::gcd(a, b), b, &multiple)) return most;
  return std::min(multiple, most);
}

bool Nest(const Periods& periods) {
  for (size_t k = 1; k < periods.size(); ++k) {
    if (periods[k] % periods[k - 1] != 0) return false;
  }
  return true;
}

// An axis that both sides walk index by index.
class Walk {
 public:
  Walk(const Digits& source, const Digits& destination, int64_t scale_stride)
      : source_(source), destination_(destination), scale_stride_(scale_stride) {
    for (const Digits* side : {&source_, &destination_}) side->AddPeriods(&periods_);
    std::sort(periods_.begin(), periods_.end());
    periods_.erase(std::unique(periods_.begin(), periods_.end()), periods_.end());
  }

  // Indices [begin, end). False where that takes more than kMostParts parts.
  bool Range(int64_t begin, int64_t end, Parts* parts) const {
    return AddRange(begin, end, periods_, parts);
  }

  // Indices [0, extent): where the blocks do not nest, the pattern that they make together again
  // and again, and what is left.
  bool All(int64_t extent, Parts* parts) const {
    int64_t pattern = 1;
    for (const int64_t period : periods_) pattern = CappedLcm(pattern, period, extent);
    const int64_t repeats = Nest(periods_) || pattern == 0 ? 1 : extent / pattern;
    if (repeats < 2) return Range(0, extent, parts);
    if (!Range(0, pattern, parts)) return false;
    Node repeat = StepOf(pattern);
    repeat.extent = repeats;
    for (Part& part : *parts) part.nodes.push_back(repeat);
    return Range(repeats * pattern, extent, parts);
  }

 private:
  Node StepOf(int64_t count) const {
    return {1, source_.OffsetOf(count), destination_.OffsetOf(count), count * scale_stride_};
  }

  // Inside a block of the largest period that digit stands still: what is left are the others.
  bool AddRange(int64_t begin, int64_t end, const Periods& periods, Parts* parts) const {
    if (Nest(periods)) {
      AddNested(begin, end, periods, parts);
      return parts->size() <= kMostParts;
    }
    const int64_t largest = periods.back();
    const Periods inner(periods.begin(), periods.end() - 1);
    while (begin < end) {
      const int64_t left = largest - begin % largest;
      const int64_t stop = end - begin > left ? begin + left : end;
      if (!AddRange(begin, stop, inner, parts)) return false;
      begin = stop;
    }
    return true;
  }

  // Up to whole steps of the next period, then whole steps of the one after, and down again.
  void AddNested(int64_t begin, int64_t end, const Periods& periods, Parts* parts) const {
    const auto add = [&](size_t k, int64_t count) {
      if (count == 0) return;
      Part part;
      part.source = source_.OffsetOf(begin);
      part.destination = destination_.OffsetOf(begin);
      part.scale = begin * scale_stride_;
      for (size_t m = k + 1; m-- > 0;) {
        Node node = StepOf(periods[m]);
        node.extent = m == k ? count : periods[m + 1] / periods[m];
        part.nodes.push_back(node);
      }
      parts->push_back(std::move(part));
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

  const Digits& source_;
  const Digits& destination_;
  const int64_t scale_stride_;
  Periods periods_;
};

// Steps of a pattern that are looked at one by one, before they are joined.
constexpr int64_t kMostPoints = int64_t{1} << 17;

// The steps of a loop, as those of one pattern that repeats itself and those that are left over.
struct Steps {
  int64_t begin, end;
  int64_t repeats;  // of all of them, end - begin steps apart
};

std::vector<Steps> StepsOf(const AxisLoop& loop, const Digits& from, const Digits& to) {
  const auto period = [&](const Digits& side, int64_t step) {
    return side.pattern() / std::gcd(side.pattern(), step);
  };
  const int64_t pattern =
      CappedLcm(period(from, loop.source), period(to, loop.destination), loop.extent);
  const int64_t repeats = loop.extent / pattern;
  if (repeats < 2) return {{0, loop.extent, 1}};
  std::vector<Steps> steps = {{0, pattern, repeats}};
  if (repeats * pattern < loop.extent) steps.push_back({repeats * pattern, loop.extent, 1});
  return steps;
}

// Two loops that split the axis: every step of a pattern is a part, until parts are joined.
class Split {
 public:
  Split(const std::vector<AxisLoop>& loops, const Digits& source, const Digits& destination,
        int64_t scale_stride)
      : loops_(loops), source_(source), destination_(destination), scale_stride_(scale_stride) {}

  std::optional<Parts> All() const {
    const std::vector<Steps> outer = StepsOf(loops_[0], source_, destination_);
    const std::vector<Steps> inner = StepsOf(loops_[1], source_, destination_);
    int64_t count = 0;
    for (const Steps& u : outer) {
      for (const Steps& v : inner) {
        int64_t points = 0;
        if (__builtin_mul_overflow(u.end - u.begin, v.end - v.begin, &points) ||
            __builtin_add_overflow(count, points, &count) || count > kMostPoints) {
          return std::nullopt;
        }
      }
    }
    Parts parts;
    for (const Steps& u : outer) {
      for (const Steps& v : inner) Append(Join(PointsOf(u, v)), &parts);
    }
    return Join(std::move(parts));
  }

 private:
  Part PointAt(int64_t u, int64_t v) const {
    const int64_t position = u * loops_[0].destination + v * loops_[1].destination;
    Part part;
    part.source = source_.OffsetOf(u * loops_[0].source + v * loops_[1].source);
    part.destination = destination_.OffsetOf(position);
    part.scale = position * scale_stride_;
    return part;
  }

  Parts PointsOf(const Steps& outer, const Steps& inner) const {
    std::vector<Node> repeats;
    const auto add = [&](const Steps& steps, const Part& next) {
      if (steps.repeats == 1) return;
      repeats.push_back(Step(PointAt(outer.begin, inner.begin), next));
      repeats.back().extent = steps.repeats;
    };
    add(outer, PointAt(outer.end, inner.begin));
    add(inner, PointAt(outer.begin, inner.end));
    Parts points;
    for (int64_t u = outer.begin; u < outer.end; ++u) {
      for (int64_t v = inner.begin; v < inner.end; ++v) {
        points.push_back(PointAt(u, v));
        points.back().nodes = repeats;
      }
    }
    return points;
  }

  const std::vector<AxisLoop>& loops_;
  const Digits& source_;
  const Digits& destination_;
  const int64_t scale_stride_;
};

}  // namespace

std::optional<Parts> PartsOfAxis(const std::vector<AxisLoop>& loops, const spi::Layout& source,
                                 const spi::Layout& destination, int axis, int64_t scale_stride) {
  const int64_t extent = destination.dims[static_cast<size_t>(axis)];
  const Digits from(source, axis, extent), to(destination, axis, extent);
  if (from.pattern() == 1 && to.pattern() == 1) {
    const int64_t source_step = from.OffsetOf(1), destination_step = to.OffsetOf(1);
    Part part;
    for (const AxisLoop& loop : loops) {
      part.nodes.push_back({loop.extent, loop.source * source_step,
                            loop.destination * destination_step, loop.destination * scale_stride});
    }
    return Parts{part};
  }
  if (loops.size() > 1) return Split(loops, from, to, scale_stride).All();
  Parts parts;
  if (!Walk(from, to, scale_stride).All(extent, &parts)) return std::nullopt;
  return Join(std::move(parts));
}

Parts PartsOfRange(const spi::Layout& destination, int axis, int64_t begin, int64_t end) {
  const Digits nothing, to(destination, axis, end);
  Parts parts;
  Walk(nothing, to, 0).Range(begin, end, &parts);  // the periods of one side always nest
  return parts;
}

}  // namespace impl_vulkan
