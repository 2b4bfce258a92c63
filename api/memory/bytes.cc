#include "api/memory/bytes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace api {
namespace {

// A tensor as runs of bytes without a gap, repeated along nested axes, innermost first.
struct Runs {
  int64_t start = 0;  // in the buffer
  int64_t length = 0;
  int count = 0;  // axes
  struct Axis {
    int64_t extent, stride;
  };
  std::array<Axis, spi::kMaxRank> axes;
  // Of the first i axes: the bytes from the first run's first to the last run's last, and the
  // greatest common divisor of the strides.
  std::array<int64_t, spi::kMaxRank + 1> span, divisor;
};

int64_t ElementsOfBlock(const spi::Layout& layout) {
  int64_t elements = 1;
  for (int k = 0; k < layout.block_count; ++k) elements *= layout.blocks[k].size;
  return elements;
}

Runs RunsOf(const spi::Layout& layout) {
  const int64_t size = spi::SizeOf(layout.type);
  Runs runs;
  if (layout.kind == spi::LayoutKind::kOpaque) {
    runs.length = runs.span[0] = layout.opaque_bytes;
    runs.divisor[0] = 0;
    return runs;
  }
  runs.start = layout.offset * size;
  runs.length = ElementsOfBlock(layout) * size;
  std::array<Runs::Axis, spi::kMaxRank> axes;
  int count = 0;
  for (int j = 0; j < layout.rank; ++j) {
    const int64_t steps = spi::StepsAlong(layout, j);
    if (steps > 1 && layout.strides[j] > 0) axes[count++] = {steps, layout.strides[j] * size};
  }
  std::sort(axes.begin(), axes.begin() + count,
            [](const Runs::Axis& a, const Runs::Axis& b) { return a.stride < b.stride; });
  for (int i = 0; i < count; ++i) {
    if (runs.count == 0 && axes[i].stride <= runs.length)
      runs.length += (axes[i].extent - 1) * axes[i].stride;
    else
      runs.axes[runs.count++] = axes[i];
  }
  runs.span[0] = runs.length;
  runs.divisor[0] = 0;
  for (int i = 0; i < runs.count; ++i) {
    runs.span[i + 1] = runs.span[i] + (runs.axes[i].extent - 1) * runs.axes[i].stride;
    runs.divisor[i + 1] = std::gcd(runs.divisor[i], runs.axes[i].stride);
  }
  return runs;
}

int64_t FloorOf(int64_t a, int64_t b) { return a / b - (a % b < 0); }

// Looks for a run of `a` and a run of `b` that share a byte.
class Search {
 public:
  Search(const Runs& a, const Runs& b) : a_(a), b_(b) {}

  // With the first i axes of `a` and the first k of `b`, which begins `distance` after `a`.
  bool Meet(int i, int k, int64_t distance) {
    if (distance >= a_.span[i] || -distance >= b_.span[k]) return false;
    if (i == 0 && k == 0) return true;
    if (--steps_ < 0) return true;
    // Whatever the indices are, runs begin at multiples of this.
    const int64_t divisor = std::gcd(a_.divisor[i], b_.divisor[k]);
    const int64_t rest = distance - FloorOf(distance, divisor) * divisor;
    if (rest >= a_.length && rest + b_.length <= divisor) return false;
    const int64_t from = i == 0 ? 0 : a_.axes[i - 1].stride;
    const int64_t to = k == 0 ? 0 : b_.axes[k - 1].stride;
    // The longest stride is taken first: few of its steps bring the rest near enough. Where both
    // have it, the difference of the two indices counts.
    const int64_t stride = std::max(from, to);
    const int next_i = i - (from == stride), next_k = k - (to == stride);
    const int64_t least = to == stride ? 1 - b_.axes[k - 1].extent : 0;
    const int64_t most = from == stride ? a_.axes[i - 1].extent - 1 : 0;
    const int64_t first = std::max(least, FloorOf(distance - a_.span[next_i], stride) + 1);
    const int64_t last = std::min(most, -FloorOf(-distance - b_.span[next_k], stride) - 1);
    for (int64_t step = first; step <= last; ++step)
      if (Meet(next_i, next_k, distance - step * stride)) return true;
    return false;
  }

 private:
  const Runs& a_;
  const Runs& b_;
  int steps_ = 5000;
};

}  // namespace

ByteRange AddressedBytes(const spi::Layout& layout) {
  if (layout.rank == 0 || spi::IsEmpty(layout)) return {};
  int64_t end = 0;
  if (!spi::SizeInBytes(layout, &end))
    end = std::numeric_limits<int64_t>::max();  // scales of a tensor of narrower elements
  if (layout.kind == spi::LayoutKind::kOpaque) return {0, end};
  return {layout.offset * spi::SizeOf(layout.type), end};
}

bool Coincide(const spi::Layout& a, const spi::Layout& b, int64_t distance) {
  if (a.kind == spi::LayoutKind::kOpaque || b.kind == spi::LayoutKind::kOpaque)
    return a == b && distance == 0;
  const int64_t size = spi::SizeOf(a.type);
  if (spi::SizeOf(b.type) != size || a.blocks != b.blocks ||
      (b.offset - a.offset) * size + distance != 0)
    return false;
  for (int j = 0; j < a.rank; ++j)
    if (a.strides[j] != b.strides[j] && spi::StepsAlong(a, j) > 1) return false;
  return true;
}

bool ShareBytes(const spi::Layout& a, const spi::Layout& b, int64_t distance) {
  if (spi::IsEmpty(a) || spi::IsEmpty(b)) return false;
  const Runs first = RunsOf(a), second = RunsOf(b);
  return Search(first, second)
      .Meet(first.count, second.count, second.start + distance - first.start);
}

}  // namespace api
