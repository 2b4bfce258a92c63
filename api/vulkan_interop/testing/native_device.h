// A Vulkan device as an application has one: for tests of what it can lend.
#ifndef DNNSPEC_API_VULKAN_INTEROP_TESTING_NATIVE_DEVICE_H_
#define DNNSPEC_API_VULKAN_INTEROP_TESTING_NATIVE_DEVICE_H_

#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "oneapi/dnnl/dnnl_vulkan.hpp"

namespace native {

// A buffer in memory that the host sees, mapped and coherent.
struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkBufferUsageFlags usage = 0;
  VkDeviceSize size = 0;
  unsigned char* host = nullptr;

  dnnl::vulkan_interop::buffer_range From(VkDeviceSize offset) const {
    return {buffer, offset, size - offset, usage};
  }
};

class Device {
 public:
  // The best device of Vulkan 1.2; null, and why, where there is none.
  static std::unique_ptr<Device> Open(std::string* why);
  ~Device();

  // The function `name`, of the device if it is one of a device's.
  template <typename Function>
  Function Get(const char* name) const {
    return reinterpret_cast<Function>(Find(name));
  }

  // Everything that make_engine wants to know.
  dnnl::vulkan_interop::device_info Info() const;

  Buffer MakeBuffer(VkDeviceSize size, VkBufferUsageFlags usage) const;
  void Free(const Buffer& buffer) const;
  VkSemaphore MakeTimeline() const;
  void Free(VkSemaphore semaphore) const;
  uint64_t ValueOf(VkSemaphore timeline) const;
  void Signal(VkSemaphore timeline, uint64_t value) const;
  void Wait(VkSemaphore timeline, uint64_t value) const;

  // Fills `buffer` with `word` by a command of the application's own on the queue, and raises
  // `signal` to 1 behind it.
  void Fill(const Buffer& buffer, uint32_t word, VkSemaphore signal) const;
  void WaitIdle() const;

  PFN_vkGetInstanceProcAddr get = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  uint32_t family = 0;
  VkQueue queue = VK_NULL_HANDLE;

 private:
  Device() = default;
  PFN_vkVoidFunction Find(const char* name) const;
  VkPhysicalDevice Best() const;
  std::string Make();

  mutable VkPhysicalDeviceVulkan12Features features_{};
  VkCommandPool pool_ = VK_NULL_HANDLE;
};

}  // namespace native

#endif  // DNNSPEC_API_VULKAN_INTEROP_TESTING_NATIVE_DEVICE_H_
