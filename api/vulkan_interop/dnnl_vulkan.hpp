// dnnl::vulkan_interop: engines, streams and memories made of Vulkan objects that the application
// has already, and the way back. A header of its own: dnnl.hpp needs no Vulkan SDK.
//
//   dnnl::vulkan_interop::device_info info;
//   info.instance = instance;  info.physical_device = gpu;  info.device = device;
//   info.queue_family = family;  info.queue = queue;
//   info.enabled_features = device_create_info.pNext;
//   dnnl::engine engine = dnnl::vulkan_interop::make_engine(info);
//   dnnl::stream stream = dnnl::vulkan_interop::make_stream(engine, queue);
//   dnnl::memory image = dnnl::vulkan_interop::make_memory(md, engine, {buffer, offset, size,
//   usage});
//
// Such objects and those of the plain API are of the same classes and mix freely on one device.
//
// Ownership. The library destroys nothing that belongs to the application, and what it hands out
// stays its own. Instance and device must outlive the engine and all that was made on it. A buffer
// or semaphore must live until the work submitted with it is done, which may be after the memory
// object is gone.
//
// Threads. VkQueue is externally synchronised: whoever else uses an external queue takes the same
// lock as its queue_guard. Streams of one engine on one queue exclude each other without a guard.
//
// Synchronisation. Work on a stream is ordered by the stream. Between the library and the
// application's own commands on the same queue, the application records barriers as between any two
// submissions, or uses semaphores with execute(). External buffers have exclusive sharing and
// belong to the engine's queue family when work is submitted. A word of 32 bits that holds elements
// of a memory may be rewritten as a whole with its other bytes unchanged: the host must not write
// to such bytes meanwhile.
//
// Source: oneAPI specification 1.1, "dnnl_sycl.hpp", with roles transposed; requirements
// INTEROP-001 to INTEROP-018; a header of its own: INTEROP-002.
#ifndef DNNSPEC_API_VULKAN_INTEROP_DNNL_VULKAN_HPP_
#define DNNSPEC_API_VULKAN_INTEROP_DNNL_VULKAN_HPP_

#include <vulkan/vulkan.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "oneapi/dnnl/dnnl.hpp"

namespace dnnl {
namespace vulkan_interop {

// What is behind a memory object.
enum class memory_kind {
  // Memory that host and device share; the data handle is its host address. Between wait() and the
  // next execution the host reads and writes it directly.
  pointer,
  // A part of a VkBuffer; the data handle is a token that only this library understands. What the
  // plain API allocates on a Vulkan engine is of this kind.
  buffer,
};

// Called around every use of an external queue, by the thread that uses it. Null functions: no
// lock.
struct queue_guard {
  void (*lock)(void* user) = nullptr;
  void (*unlock)(void* user) = nullptr;
  void* user = nullptr;
};

// A device that the application made.
struct device_info {
  // How to find Vulkan's functions; null: through the system's loader.
  PFN_vkGetInstanceProcAddr get_instance_proc_addr = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  // VkApplicationInfo::apiVersion of the instance; at least 1.2.
  uint32_t api_version = VK_API_VERSION_1_2;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  // Of all queues that the engine uses. Must offer compute.
  uint32_t queue_family = 0;
  // For what the library does by itself (map_data, copies between engines) and for streams that
  // name no queue of their own.
  VkQueue queue = VK_NULL_HANDLE;
  queue_guard guard;
  // The pNext chain given to vkCreateDevice: Vulkan cannot be asked what was enabled.
  // timelineSemaphore must be; storageBuffer8BitAccess with shaderInt8 helps.
  const void* enabled_features = nullptr;
};

// Throws invalid_arguments where something above is missing, unimplemented where this build has no
// Vulkan implementation or the device lacks Vulkan 1.2.
engine make_engine(const device_info& info);

// The objects that the engine was made from, or made itself. All of these throw invalid_arguments
// for an engine that is not on Vulkan.
VkInstance get_instance(const engine& aengine);
VkPhysicalDevice get_physical_device(const engine& aengine);
VkDevice get_device(const engine& aengine);
uint32_t get_queue_family(const engine& aengine);

// A stream that submits to `queue`, in order. invalid_arguments for a queue that is known to be of
// another device, and where streams or the engine use it with another guard. A guard is for all of
// them, so it must live as long as the engine.
stream make_stream(const engine& aengine, VkQueue queue, const queue_guard& guard = {});
// invalid_arguments for a stream of an engine that is not on Vulkan.
VkQueue get_queue(const stream& astream);

// Part of a VkBuffer, from `offset` on. `offset` is a multiple of the element size; it need not
// obey minStorageBufferOffsetAlignment. `usage` is that of the buffer: STORAGE_BUFFER is needed,
// and TRANSFER_SRC with TRANSFER_DST helps.
struct buffer_range {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceSize offset = 0;
  VkDeviceSize size = 0;  // from offset on; the 32-bit word of the last element must be inside
  VkBufferUsageFlags usage = 0;
};

// Memory of the kind asked for. `handle` is DNNL_MEMORY_ALLOCATE or DNNL_MEMORY_NONE or, with
// memory_kind::pointer, an address in memory of that kind on this engine.
memory make_memory(const memory::desc& adesc, const engine& aengine, memory_kind kind,
                   void* handle = DNNL_MEMORY_ALLOCATE);
memory make_memory(const memory::desc& adesc, const stream& astream, memory_kind kind,
                   void* handle = DNNL_MEMORY_ALLOCATE);

// Memory in a buffer of the application; nothing is copied.
memory make_memory(const memory::desc& adesc, const engine& aengine, const buffer_range& range);
memory make_memory(const memory::desc& adesc, const stream& astream, const buffer_range& range);

memory_kind get_memory_kind(const memory& amemory);

// Replaces the storage of `amemory` and of all its copies. The stream is only a hint.
void set_buffer(memory& amemory, const buffer_range& range);
void set_buffer(memory& amemory, const buffer_range& range, const stream& astream);

// The storage of a memory of kind `buffer`; invalid_arguments for the other kind, and where there
// is no storage.
buffer_range get_buffer(const memory& amemory);

// A semaphore, and the value to wait for or to set if it is a timeline semaphore.
struct sync_point {
  VkSemaphore semaphore = VK_NULL_HANDLE;
  uint64_t value = 0;
};

// As primitive::execute, but starts after all of `waits`, and raises `signals` when done. Returns
// the point on the stream's own timeline semaphore that is reached when everything submitted so
// far, this primitive included, is done on the device; the semaphore lives as long as the stream. A
// copy to memory of another engine is complete after stream::wait() only; a copy from memory of
// another engine, or with a sum to it, reads it during the call, which then returns when all of
// `waits` were reached: another thread has to see to that.
sync_point execute(const primitive& aprimitive, const stream& astream,
                   const std::unordered_map<int, memory>& args,
                   const std::vector<sync_point>& waits = {},
                   const std::vector<sync_point>& signals = {});

}  // namespace vulkan_interop
}  // namespace dnnl

#endif  // DNNSPEC_API_VULKAN_INTEROP_DNNL_VULKAN_HPP_
