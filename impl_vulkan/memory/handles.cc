#include "impl_vulkan/memory/handles.h"

#include <iterator>

namespace impl_vulkan {

void* Handles::Add(const std::shared_ptr<const Region>& region, bool pointer) {
  const void* const address = pointer ? static_cast<const void*>(region->host()) : region.get();
  const auto first = reinterpret_cast<uintptr_t>(address);
  std::lock_guard<std::mutex> lock(mutex_);
  if (entries_.size() >= sweep_at_) {
    for (auto entry = entries_.begin(); entry != entries_.end();) {
      entry = entry->second.region.expired() ? entries_.erase(entry) : std::next(entry);
    }
    sweep_at_ = 2 * entries_.size() + 64;
  }
  // An address may come back after its region is gone.
  entries_[first] = {first + (pointer ? static_cast<uintptr_t>(region->bytes()) : 1), region,
                     pointer};
  return const_cast<void*>(address);
}

std::optional<Handles::Place> Handles::Find(const void* handle) {
  const auto address = reinterpret_cast<uintptr_t>(handle);
  std::lock_guard<std::mutex> lock(mutex_);
  auto entry = entries_.upper_bound(address);
  while (entry != entries_.begin()) {
    --entry;
    // Entries do not overlap, except with those of regions that are gone.
    Place place{entry->second.region.lock(), address - entry->first, entry->second.pointer};
    if (place.region == nullptr) continue;
    if (address >= entry->second.end) return std::nullopt;
    return place;
  }
  return std::nullopt;
}

}  // namespace impl_vulkan
