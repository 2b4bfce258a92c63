// How convolution_window.comp computes a piece: rows that follow one another along an axis, of
// which taps overlap.
#ifndef DNNSPEC_IMPL_VULKAN_CONVOLUTION_WINDOW_H_
#define DNNSPEC_IMPL_VULKAN_CONVOLUTION_WINDOW_H_

#include <array>
#include <cstdint>
#include <optional>

#include "impl_vulkan/convolution/convolution.h"

namespace impl_vulkan {

struct Window {
  int axis = 2;
  int64_t rows = 1;  // of an invocation
  int64_t taps = 1;
  // Places from one row and from one tap to the next; and whether the last tap reads the first one.
  int64_t row_step = 1, tap_step = 1;
  bool backwards = false;
  // Every stride-th place is an element, from this one on.
  int64_t stride = 1, first = 0;

  // Of all rows, from that of the first row on.
  int64_t places() const { return (rows - 1) * row_step + (taps - 1) * tap_step + 1; }
  // From the base of the gather to the first place, 0 or less.
  int64_t before() const { return backwards ? -(taps - 1) * tap_step : 0; }
};

// None where a channel of C is computed from several of A, where many are from one, and where steps
// are so large that the places of an invocation would be too many.
std::optional<Window> WindowFor(const LoopRanges& ranges, const std::array<Gather, 3>& gathers);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_CONVOLUTION_WINDOW_H_
