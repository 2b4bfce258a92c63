#include "impl_vulkan/convolution/window.h"

#include <algorithm>

namespace impl_vulkan {
namespace {

// Each place, and each row's sum, is kept in a register.
constexpr int64_t kMostPlaces = 24, kMostRows = 8;
// With more channels from one of A, tiles of rows and channels read less.
constexpr int64_t kMostChannels = 3;
// The more rows, the less often an element is read.
constexpr int64_t kRows = 4;

int64_t ExtentOf(const LoopRanges& ranges, int loop) {
  return ranges[static_cast<size_t>(loop)].extent;
}

// Along which rows follow one another: not the innermost one if another will do, so that neighbours
// read and write side by side.
int AxisFor(const LoopRanges& ranges) {
  const auto is_wide = [&](int d) { return ExtentOf(ranges, kX0 + d) > 1; };
  const auto overlaps = [&](int d) { return is_wide(d) && ExtentOf(ranges, kT0 + d) > 1; };
  for (const int d : {1, 2, 0}) {
    if (overlaps(d)) return d;
  }
  for (const int d : {1, 2, 0}) {
    if (is_wide(d)) return d;
  }
  return 2;
}

}  // namespace

std::optional<Window> WindowFor(const LoopRanges& ranges, const std::array<Gather, 3>& gathers) {
  if (ExtentOf(ranges, kInner) != 1 || ExtentOf(ranges, kChannel) > kMostChannels) return {};
  Window window;
  window.axis = AxisFor(ranges);
  const Gather& gather = gathers[static_cast<size_t>(window.axis)];
  window.taps = ExtentOf(ranges, kT0 + window.axis);
  window.backwards = gather.tap_step < 0;
  window.row_step = gather.row_step;
  window.tap_step = window.backwards ? -gather.tap_step : gather.tap_step;
  window.stride = gather.stride;
  if (std::max({window.taps, window.row_step, window.tap_step}) > kMostPlaces) return {};
  if (window.stride > kMostRows) return {};
  const int64_t most = std::min(kRows, ExtentOf(ranges, kX0 + window.axis));
  // A multiple of the stride, so that each invocation begins as far from an element.
  window.rows = (most + window.stride - 1) / window.stride * window.stride;
  while (window.rows > window.stride && window.places() > kMostPlaces) window.rows -= window.stride;
  if (window.places() > kMostPlaces) return {};
  // From an element on to the first place.
  const int64_t beyond = (gather.base + window.before()) % window.stride;
  window.first = beyond > 0 ? window.stride - beyond : -beyond;
  return window;
}

}  // namespace impl_vulkan
