// The file that keeps what a driver compiled from one run to the next.
//
// Most drivers put machine code into it, so the folder must be one that nobody else may write to. A
// file that is not what this user's own process would have left there is not read, and a cache that
// cannot be read or written is only a slower start.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_CACHE_FILE_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_CACHE_FILE_H_

#include <vulkan/vulkan.h>

#include <string>
#include <vector>

namespace impl_vulkan {

// One file for each device and driver: what a driver compiled means nothing to another.
std::string CacheFileOf(const std::string& folder, const VkPhysicalDeviceProperties& properties);

// What the file holds; empty unless it is a regular file, no link, of this user, that not everybody
// may write to. Waits for nobody: whatever else lies under the name is left alone.
std::vector<char> ReadCacheFile(const std::string& path);

// Whether `contents` begin as Vulkan says that a pipeline cache of this device does. A driver has
// to see that by itself; this one need not be asked.
bool IsCacheOf(const std::vector<char>& contents, const VkPhysicalDeviceProperties& properties);

// Written aside and renamed, under a name of its own: others may be reading the file, or writing it
// too. Its mode is what the umask leaves.
void ReplaceCacheFile(const std::string& path, const std::vector<char>& contents);

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_CACHE_FILE_H_
