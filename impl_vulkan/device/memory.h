// Device memory in regions: parts of large blocks, so that thousands of small tensors cost few
// allocations of the driver.
//
// A block is one VkDeviceMemory with one VkBuffer over all of it. Sizes and offsets are bytes.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_MEMORY_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_MEMORY_H_

#include <vulkan/vulkan.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "impl_vulkan/device/device.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/ranges.h"

namespace impl_vulkan {

// A range of a VkBuffer. Immutable. Work in flight keeps the regions it uses.
class Region {
 public:
  virtual ~Region() = default;

  VkBuffer buffer() const { return buffer_; }
  uint64_t offset() const { return offset_; }  // in the VkBuffer
  uint64_t bytes() const { return bytes_; }
  // The same up to the end of the last 32-bit word, where all of that belongs to the region.
  virtual uint64_t bytes_in_words() const { return bytes_; }
  // Host address of the first byte, coherent and mapped for good; null where the host cannot see.
  char* host() const { return host_; }
  VkBufferUsageFlags usage() const { return usage_; }  // of the VkBuffer
  // Whether copy commands may read and write it; shaders always may.
  bool transfers() const { return (usage_ & kTransfers) == kTransfers; }
  // Never the same for two regions of one process, so that a cache may outlive what it names.
  uint64_t serial() const { return serial_; }

 protected:
  Region(VkBuffer buffer, uint64_t offset, uint64_t bytes, char* host, VkBufferUsageFlags usage);

 private:
  static constexpr VkBufferUsageFlags kTransfers =
      VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

  const VkBuffer buffer_;
  const uint64_t offset_;
  const uint64_t bytes_;
  char* const host_;
  const VkBufferUsageFlags usage_;
  const uint64_t serial_;
};

// A range of a buffer that the application owns and keeps until submitted work is done.
class ExternalRegion final : public Region {
 public:
  ExternalRegion(VkBuffer buffer, uint64_t offset, uint64_t bytes, VkBufferUsageFlags usage)
      : Region(buffer, offset, bytes, nullptr, usage) {}
};

// Where regions come from. Thread-safe. Regions keep their pool.
class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  explicit MemoryPool(std::shared_ptr<Device> device);
  ~MemoryPool();

  // A region of at least `bytes` > 0 bytes, with unspecified contents, aligned for any use. The
  // whole of each 32-bit word that holds one of the bytes belongs to the region.
  // kResourceExhausted when the device has no more; nothing has changed then.
  absl::StatusOr<std::shared_ptr<const Region>> Allocate(uint64_t bytes, Purpose purpose);

  // For tests and reports.
  struct Usage {
    uint64_t blocks = 0;          // allocations of the driver
    uint64_t reserved_bytes = 0;  // in those
    uint64_t used_bytes = 0;      // of those, in regions
  };
  Usage usage() const;

 private:
  struct Block;
  class BlockRange;
  class BlockRegion;

  absl::StatusOr<BlockRange> Take(uint64_t bytes, Purpose purpose);
  absl::StatusOr<std::unique_ptr<Block>> MakeBlock(uint64_t bytes, Purpose purpose);
  absl::Status FillBlock(Block* block, Purpose purpose);
  absl::StatusOr<uint32_t> AllocateMemory(const VkMemoryRequirements& needs, Purpose purpose,
                                          VkDeviceMemory* memory);
  void FreeBlock(Block* block);
  void FreeUnused();
  void Give(Block* block, uint64_t offset);

  const std::shared_ptr<Device> device_;
  mutable std::mutex mutex_;
  std::array<std::vector<std::unique_ptr<Block>>, kPurposes> blocks_;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_MEMORY_H_
