#include "impl_vulkan/device/steps.h"

#include <algorithm>
#include <cstddef>

namespace impl_vulkan {
namespace {

bool Overlap(const ByteRange& a, const ByteRange& b) {
  return std::max(a.offset, b.offset) < std::min(a.offset + a.bytes, b.offset + b.bytes);
}

int MemoryOf(int position, absl::Span<const InPlacePair> in_place) {
  for (const auto& [written, read] : in_place) {
    if (position == read) return written;
  }
  return position;
}

bool Conflict(const Step& a, const Step& b, absl::Span<const InPlacePair> in_place) {
  return std::any_of(a.uses.begin(), a.uses.end(), [&](const BufferUse& x) {
    return std::any_of(b.uses.begin(), b.uses.end(), [&](const BufferUse& y) {
      return (x.access != Access::kRead || y.access != Access::kRead) &&
             MemoryOf(x.position, in_place) == MemoryOf(y.position, in_place) &&
             Overlap(x.range, y.range);
    });
  });
}

}  // namespace

std::vector<bool> PlanBarriers(absl::Span<const Step> steps,
                               absl::Span<const InPlacePair> in_place) {
  std::vector<bool> barriers(steps.size());
  size_t since = 0, pass = 0;  // the first steps after the last barrier, and of this pass
  for (size_t k = 0; k < steps.size(); ++k) {
    if (steps[k].pass != steps[pass].pass) pass = k;
    for (size_t earlier = since; earlier < pass && !barriers[k]; ++earlier) {
      barriers[k] = Conflict(steps[earlier], steps[k], in_place);
    }
    if (barriers[k]) since = k;
  }
  return barriers;
}

}  // namespace impl_vulkan
