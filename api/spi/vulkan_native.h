// Declares what an implementation on Vulkan offers besides spi: ways from native objects and back
// to them.
//
// api finds these by dynamic_cast, so an implementation that offers none says nothing, and no layer
// names another. Handles belong to the side that made them: nobody here destroys what the other
// side made.
#ifndef DNNSPEC_API_SPI_VULKAN_NATIVE_H_
#define DNNSPEC_API_SPI_VULKAN_NATIVE_H_

#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "api/spi/implementation.h"

namespace spi {
namespace vulkan {

// Fields as in dnnl::vulkan_interop, where they are explained.
struct QueueGuard {
  void (*lock)(void* user) = nullptr;
  void (*unlock)(void* user) = nullptr;
  void* user = nullptr;
};

struct DeviceInfo {
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  uint32_t api_version = 0;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  uint32_t queue_family = 0;
  VkQueue queue = VK_NULL_HANDLE;
  QueueGuard guard;
  const void* enabled_features = nullptr;
};

// `size` bytes of a VkBuffer from `offset` on.
struct BufferRange {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t offset = 0;
  uint64_t size = 0;
  VkBufferUsageFlags usage = 0;
};

struct SyncPoint {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
};

class NativeImplementation {
 public:
  virtual ~NativeImplementation() = default;

  // kInvalidArgument where the description of the device cannot be true or lacks what is needed.
  virtual absl::StatusOr<std::shared_ptr<Engine>> MakeEngineFrom(const DeviceInfo& info) = 0;
};

class NativeEngine {
 public:
  virtual ~NativeEngine() = default;

  virtual VkInstance instance() const = 0;
  virtual VkPhysicalDevice physical_device() const = 0;
  virtual VkDevice device() const = 0;
  virtual uint32_t queue_family() const = 0;

  // kInvalidArgument for a queue that is known to be of another device or has another guard.
  virtual absl::StatusOr<std::unique_ptr<Stream>> MakeStreamOn(VkQueue queue,
                                                               const QueueGuard& guard) = 0;

  // As Engine::Allocate, but the host sees the memory and its address is the handle.
  virtual absl::StatusOr<std::shared_ptr<Buffer>> AllocateVisible(size_t bytes) = 0;

  // The first `bytes` of `range`, for elements of `element_bytes`. kInvalidArgument where the range
  // is too short, misaligned or of a buffer that shaders may not use.
  virtual absl::StatusOr<std::shared_ptr<Buffer>> WrapRange(const BufferRange& range, size_t bytes,
                                                            size_t element_bytes) = 0;
};

class NativeStream {
 public:
  virtual ~NativeStream() = default;

  virtual VkQueue queue() const = 0;

  // What is submitted next waits for `waits`; `signals` are raised after what was submitted before.
  virtual absl::Status Synchronise(absl::Span<const SyncPoint> waits,
                                   absl::Span<const SyncPoint> signals) = 0;

  // Reached when everything submitted so far is done on the device.
  virtual SyncPoint last() const = 0;
};

class NativeBuffer {
 public:
  virtual ~NativeBuffer() = default;

  // The handle is a host address.
  virtual bool is_pointer() const = 0;

  virtual BufferRange range() const = 0;
};

}  // namespace vulkan
}  // namespace spi

#endif  // DNNSPEC_API_SPI_VULKAN_NATIVE_H_
