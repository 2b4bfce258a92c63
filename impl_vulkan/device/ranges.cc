#include "impl_vulkan/device/ranges.h"

#include <iterator>

namespace impl_vulkan {

Ranges::Ranges(uint64_t size) : size_(size), free_units_(size), free_{{0, size}} {}

std::optional<uint64_t> Ranges::Take(uint64_t size) {
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    if (range->second < size) continue;
    const uint64_t offset = range->first;
    const uint64_t rest = range->second - size;
    free_.erase(range);
    if (rest != 0) free_.emplace(offset + size, rest);
    free_units_ -= size;
    return offset;
  }
  return std::nullopt;
}

void Ranges::Give(uint64_t offset, uint64_t size) {
  free_units_ += size;
  auto after = free_.lower_bound(offset);
  if (after != free_.end() && after->first == offset + size) {
    size += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == offset) {
      before->second += size;
      return;
    }
  }
  free_.emplace(offset, size);
}

}  // namespace impl_vulkan
