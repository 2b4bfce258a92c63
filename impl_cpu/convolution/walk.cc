#include "impl_cpu/convolution/walk.h"

#include <cstddef>
#include <utility>

namespace impl_cpu {
namespace {

constexpr int64_t kMostWalks = 1 << 12;

// Whether place 0 <= j < count exists that reads something by a tap of `base`.
void AddTap(int64_t tap, int64_t base, WalkAxis* axis) {
  const Range range = PlacesOf(*axis, {tap, base});
  if (range.begin >= range.end) return;
  axis->lowest = axis->taps.empty() ? base : std::min(axis->lowest, base);
  axis->highest = axis->taps.empty() ? base : std::max(axis->highest, base);
  axis->taps.push_back({tap, base});
}

WalkAxis ForwardAxis(const spi::ConvolutionAxis& from) {
  WalkAxis axis;
  axis.count = from.output;
  axis.step = from.stride;
  axis.extent = from.input;
  if (from.output == 0) return axis;  // then distances of taps may not fit
  for (int64_t k = 0; k < from.kernel; ++k) AddTap(k, k * from.step - from.padding, &axis);
  return axis;
}

WalkAxis BackwardAxis(const spi::ConvolutionAxis& from, int64_t remainder) {
  WalkAxis axis;
  axis.count = (from.input - 1 - remainder) / from.stride + 1;
  axis.first = remainder;
  axis.every = from.stride;
  axis.extent = from.output;
  if (from.output == 0) return axis;
  for (int64_t k = 0; k < from.kernel; ++k) {
    const int64_t at = remainder + from.padding - k * from.step;
    if (at % from.stride == 0) AddTap(k, at / from.stride, &axis);
  }
  return axis;
}

}  // namespace

std::vector<Walk> WalksOf(const spi::ConvolutionView& view) {
  std::vector<Walk> walks;
  if (view.prop != spi::PropKind::kBackwardData) {
    walks.emplace_back();
    for (size_t j = 0; j < 3; ++j) walks[0].axes[j] = ForwardAxis(view.axes[j]);
    return walks;
  }
  std::array<int64_t, 3> remainders;
  for (size_t j = 0; j < 3; ++j) remainders[j] = std::min(view.axes[j].stride, view.axes[j].input);
  if (remainders[0] > kMostWalks / std::max<int64_t>(1, remainders[1]) ||
      remainders[0] * remainders[1] > kMostWalks / std::max<int64_t>(1, remainders[2]))
    return {};
  for (int64_t d = 0; d < remainders[0]; ++d)
    for (int64_t h = 0; h < remainders[1]; ++h)
      for (int64_t w = 0; w < remainders[2]; ++w)
        walks.push_back({{BackwardAxis(view.axes[0], d), BackwardAxis(view.axes[1], h),
                          BackwardAxis(view.axes[2], w)}});
  return walks;
}

}  // namespace impl_cpu
