#include "impl_vulkan/device/ranges.h"

#include <iterator>
#include <utility>

namespace impl_vulkan {

Ranges::Ranges(uint64_t size) : size_(size), free_units_(size), free_{{0, size}} {}

std::optional<uint64_t> Ranges::Take(uint64_t size) {
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    if (range->second < size) continue;
    const uint64_t offset = range->first;
    if (range->second == size) {
      taken_.insert(free_.extract(range));
    } else {
      taken_.emplace(offset, size);
      auto rest = free_.extract(range);
      rest.key() += size;
      rest.mapped() -= size;
      free_.insert(std::move(rest));
    }
    free_units_ -= size;
    return offset;
  }
  return std::nullopt;
}

void Ranges::Give(uint64_t offset) {
  auto range = taken_.extract(offset);
  free_units_ += range.mapped();
  const auto after = free_.find(offset + range.mapped());
  if (after != free_.end()) {
    range.mapped() += after->second;
    free_.erase(after);
  }
  const auto later = free_.lower_bound(offset);
  if (later != free_.begin()) {
    const auto before = std::prev(later);
    if (before->first + before->second == offset) {
      before->second += range.mapped();
      return;
    }
  }
  free_.insert(std::move(range));
}

}  // namespace impl_vulkan
