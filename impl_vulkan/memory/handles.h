// Finds the memory that a handle stands for.
//
// Memory that the host cannot see has no address, so dnnl::memory::get_data_handle() gives a token:
// the address of the Region, which nobody but this library reads. Memory made as host-visible
// (vulkan_interop::memory_kind::pointer) gives the host address of its data, and any address inside
// it is a handle as well. A handle means something as long as some memory object or unfinished work
// uses the memory.
#ifndef DNNSPEC_IMPL_VULKAN_MEMORY_HANDLES_H_
#define DNNSPEC_IMPL_VULKAN_MEMORY_HANDLES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "impl_vulkan/device/memory.h"

namespace impl_vulkan {

// Thread-safe.
class Handles {
 public:
  // The handle of the first byte of `region`. `pointer`: region->host() rather than a token.
  void* Add(const std::shared_ptr<const Region>& region, bool pointer);

  struct Place {
    std::shared_ptr<const Region> region;
    uint64_t offset = 0;   // bytes
    bool pointer = false;  // as it was added
  };
  // What `handle` stands for; nullopt if it is not of this device.
  std::optional<Place> Find(const void* handle);

 private:
  struct Entry {
    uintptr_t end = 0;
    std::weak_ptr<const Region> region;
    bool pointer = false;
  };

  std::mutex mutex_;
  std::map<uintptr_t, Entry> entries_;  // by first address
  size_t sweep_at_ = 64;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_MEMORY_HANDLES_H_
