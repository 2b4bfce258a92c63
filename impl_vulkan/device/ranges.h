// Keeps track of which parts of a block are free: first fit over a list of free ranges that never
// touch.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_RANGES_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_RANGES_H_

#include <cstdint>
#include <map>
#include <optional>

namespace impl_vulkan {

// Offsets and sizes in whatever unit the caller uses throughout. Not thread-safe.
class Ranges {
 public:
  explicit Ranges(uint64_t size);

  // The offset of `size` > 0 units that nobody has; nullopt if no free range is that long. Where it
  // throws std::bad_alloc, nothing has changed.
  std::optional<uint64_t> Take(uint64_t size);

  // Gives back what Take returned. Allocates nothing: destructors call it.
  void Give(uint64_t offset);

  bool untouched() const { return free_units_ == size_; }
  uint64_t free_units() const { return free_units_; }

 private:
  const uint64_t size_;
  uint64_t free_units_;
  std::map<uint64_t, uint64_t> free_, taken_;  // offset -> size; nodes go from one to the other
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_RANGES_H_
