// Forward and backward data as one form: each place of the result sums, over taps, one place of
// what is read.
//
// Forward is one walk: place j reads by tap k the place j * S + k * step - P. Backward data is a
// walk for each remainder r of a division by S: the places r + j * S of diff_src share their taps,
// and read the places j + (r + P - k * step) / S of diff_dst, so that no product with nothing is
// summed.
#ifndef DNNSPEC_IMPL_CPU_CONVOLUTION_WALK_H_
#define DNNSPEC_IMPL_CPU_CONVOLUTION_WALK_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "api/convolution/operation.h"

namespace impl_cpu {

struct WalkTap {
  int64_t tap;   // of the kernel
  int64_t base;  // place j reads j * step + base
};

// One spatial axis. Places beyond [0, extent) do not exist.
struct WalkAxis {
  int64_t count = 1;             // of places
  int64_t first = 0, every = 1;  // place j is first + j * every of the result's axis
  int64_t step = 1;
  int64_t extent = 1;                    // of what is read
  absl::InlinedVector<WalkTap, 8> taps;  // those that some place reads by, in order
  int64_t lowest = 0, highest = 0;       // base of them

  // Whether every tap of place j reads something.
  bool Complete(int64_t j) const { return j * step + lowest >= 0 && j * step + highest < extent; }
};

// A place of a batch: by axis, whose innermost is the last.
struct WalkPlace {
  int64_t batch;
  std::array<int64_t, 3> at;
};

struct Walk {
  std::array<WalkAxis, 3> axes;

  // Place number `index` of all batches, one behind the other.
  WalkPlace PlaceOf(int64_t index) const {
    WalkPlace place;
    for (size_t a = 3; a-- > 0;) {
      place.at[a] = index % axes[a].count;
      index /= axes[a].count;
    }
    place.batch = index;
    return place;
  }

  int64_t places() const { return axes[0].count * axes[1].count * axes[2].count; }
  int64_t taps() const {
    return static_cast<int64_t>(axes[0].taps.size() * axes[1].taps.size() * axes[2].taps.size());
  }
};

// Those that have places; forward where `view` is not of backward data. Nothing if there would be
// too many.
std::vector<Walk> WalksOf(const spi::ConvolutionView& view);

// The places of an axis, as [begin, end), that read something by a tap.
struct Range {
  int64_t begin, end;
};
inline Range PlacesOf(const WalkAxis& axis, const WalkTap& tap) {
  const int64_t begin = tap.base >= 0 ? 0 : (-tap.base - 1) / axis.step + 1;
  const int64_t end = tap.base >= axis.extent ? 0 : (axis.extent - 1 - tap.base) / axis.step + 1;
  return {begin, std::max(begin, std::min(end, axis.count))};
}

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_CONVOLUTION_WALK_H_
