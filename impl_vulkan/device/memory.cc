#include "impl_vulkan/device/memory.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "impl_vulkan/device/failure.h"

namespace impl_vulkan {
namespace {

// The first block of a kind; each further one is twice as large, up to DevicePlan::largest_block.
constexpr uint64_t kFirstBlock = uint64_t{1} << 20;

std::atomic<uint64_t> next_serial{1};

// The caller knows how much it asked for, and says so.
absl::Status ExceedsHeap(uint64_t heap) {
  return absl::ResourceExhaustedError(
      absl::StrCat("vulkan: that is more than the heap of ", heap, " bytes"));
}

constexpr VkBufferUsageFlags kUsage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

}  // namespace

Region::Region(VkBuffer buffer, uint64_t offset, uint64_t bytes, char* host,
               VkBufferUsageFlags usage)
    : buffer_(buffer),
      offset_(offset),
      bytes_(bytes),
      host_(host),
      usage_(usage),
      serial_(next_serial.fetch_add(1, std::memory_order_relaxed)) {}

struct MemoryPool::Block {
  Block(Purpose p, uint64_t size) : purpose(p), bytes(size), ranges(size) {}

  const Purpose purpose;
  const uint64_t bytes;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  VkBuffer buffer = VK_NULL_HANDLE;
  char* host = nullptr;
  Ranges ranges;
};

// A part of a block, given back to its pool by the destructor, which locks the pool.
class MemoryPool::BlockRange {
 public:
  BlockRange(std::shared_ptr<MemoryPool> pool, Block* block, uint64_t offset)
      : pool_(std::move(pool)), block_(block), offset_(offset) {}
  BlockRange(BlockRange&&) = default;
  ~BlockRange() {
    if (pool_ != nullptr) pool_->Give(block_, offset_);
  }

  VkBuffer buffer() const { return block_->buffer; }
  uint64_t offset() const { return offset_; }
  char* host() const { return block_->host == nullptr ? nullptr : block_->host + offset_; }

 private:
  std::shared_ptr<MemoryPool> pool_;  // null once moved from
  Block* block_;
  uint64_t offset_;
};

class MemoryPool::BlockRegion final : public Region {
 public:
  BlockRegion(BlockRange range, uint64_t bytes)
      : Region(range.buffer(), range.offset(), bytes, range.host(), kUsage),
        range_(std::move(range)) {}

  uint64_t bytes_in_words() const override { return (bytes() + 3) / 4 * 4; }

 private:
  const BlockRange range_;
};

MemoryPool::MemoryPool(std::shared_ptr<Device> device) : device_(std::move(device)) {}

MemoryPool::~MemoryPool() {
  if (!device_->forked()) FreeUnused();
}

absl::StatusOr<std::shared_ptr<const Region>> MemoryPool::Allocate(uint64_t bytes,
                                                                   Purpose purpose) {
  const DevicePlan& plan = device_->plan();
  const uint64_t most = purpose == Purpose::kTensor ? plan.largest_region : plan.largest_heap;
  if (bytes > most) return ExceedsHeap(most);
  const uint64_t reserved =
      (bytes + plan.region_alignment - 1) / plan.region_alignment * plan.region_alignment;
  // Where there is no host memory for the region, its range goes back, which locks: Take has ended.
  absl::StatusOr<BlockRange> range = Take(reserved, purpose);
  if (!range.ok()) return range.status();
  return std::make_shared<const BlockRegion>(*std::move(range), bytes);
}

// A range of `bytes`, which are a multiple of the regions' alignment.
absl::StatusOr<MemoryPool::BlockRange> MemoryPool::Take(uint64_t bytes, Purpose purpose) {
  const DevicePlan& plan = device_->plan();
  std::lock_guard<std::mutex> lock(mutex_);
  auto& blocks = blocks_[static_cast<size_t>(purpose)];
  for (const std::unique_ptr<Block>& block : blocks) {
    const std::optional<uint64_t> offset = block->ranges.Take(bytes);
    if (offset) return BlockRange(shared_from_this(), block.get(), *offset);
  }

  // A block of its own for a region that would fill most of a shared one.
  uint64_t size = bytes;
  if (2 * bytes <= plan.largest_block) {
    size = std::max(kFirstBlock, 2 * bytes);
    for (const std::unique_ptr<Block>& block : blocks) size = std::max(size, 2 * block->bytes);
    size = std::max(std::min(size, plan.largest_block), bytes);
  }
  blocks.reserve(blocks.size() + 1);  // before there is a block that could be lost
  absl::StatusOr<std::unique_ptr<Block>> block = MakeBlock(size, purpose);
  if (!block.ok() && !device_->lost()) {
    FreeUnused();
    block = MakeBlock(bytes, purpose);
  }
  if (!block.ok()) return block.status();
  Block* const made = block->get();
  blocks.push_back(*std::move(block));
  return BlockRange(shared_from_this(), made, *made->ranges.Take(bytes));
}

MemoryPool::Usage MemoryPool::usage() const {
  std::lock_guard<std::mutex> lock(mutex_);
  Usage usage;
  for (const auto& blocks : blocks_) {
    for (const std::unique_ptr<Block>& block : blocks) {
      ++usage.blocks;
      usage.reserved_bytes += block->bytes;
      usage.used_bytes += block->bytes - block->ranges.free_units();
    }
  }
  return usage;
}

absl::StatusOr<std::unique_ptr<MemoryPool::Block>> MemoryPool::MakeBlock(uint64_t bytes,
                                                                         Purpose purpose) {
  uint64_t count = 0;
  for (const auto& blocks : blocks_) count += blocks.size();
  if (count >= device_->snapshot().properties.limits.maxMemoryAllocationCount) {
    return absl::ResourceExhaustedError(
        absl::StrCat("vulkan: the device allows ", count, " allocations, all in use"));
  }
  auto block = std::make_unique<Block>(purpose, bytes);
  // Also when there is no memory left for the words that say what failed.
  absl::Cleanup free = [this, &block] { FreeBlock(block.get()); };
  const absl::Status filled = FillBlock(block.get(), purpose);
  if (!filled.ok()) return filled;
  std::move(free).Cancel();
  return block;
}

absl::Status MemoryPool::FillBlock(Block* block, Purpose purpose) {
  const DeviceFunctions& vk = device_->vk();
  const VkDevice device = device_->handle();
  VkBufferCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  create.size = block->bytes;
  create.usage = kUsage;
  VkResult result = vk.vkCreateBuffer(device, &create, nullptr, &block->buffer);
  if (result != VK_SUCCESS) {
    block->buffer = VK_NULL_HANDLE;
    return device_->Check("vkCreateBuffer", result);
  }
  VkMemoryRequirements needs{};
  vk.vkGetBufferMemoryRequirements(device, block->buffer, &needs);
  const absl::StatusOr<uint32_t> type = AllocateMemory(needs, purpose, &block->memory);
  if (!type.ok()) return type.status();
  result = vk.vkBindBufferMemory(device, block->buffer, block->memory, 0);
  if (result != VK_SUCCESS) return device_->Check("vkBindBufferMemory", result);

  constexpr VkMemoryPropertyFlags kCoherent =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags flags = device_->snapshot().memory.memoryTypes[*type].propertyFlags;
  if ((flags & kCoherent) != kCoherent) return absl::OkStatus();
  void* host = nullptr;
  result = vk.vkMapMemory(device, block->memory, 0, VK_WHOLE_SIZE, 0, &host);
  if (result != VK_SUCCESS) return device_->Check("vkMapMemory", result);
  block->host = static_cast<char*>(host);
  return absl::OkStatus();
}

// The type of `*memory`, which is null where there is none. What the host uses may lie in any
// coherent memory: the best of it is often a small window into the device's own.
absl::StatusOr<uint32_t> MemoryPool::AllocateMemory(const VkMemoryRequirements& needs,
                                                    Purpose purpose, VkDeviceMemory* memory) {
  const DeviceSnapshot& snapshot = device_->snapshot();
  absl::Status refused;
  for (uint32_t types = needs.memoryTypeBits;;) {
    const absl::StatusOr<uint32_t> type = ChooseMemoryType(snapshot, types, purpose);
    if (!type.ok()) return refused.ok() ? type.status() : refused;
    if (needs.size > HeapOf(snapshot, *type)) {
      refused = ExceedsHeap(HeapOf(snapshot, *type));
    } else {
      VkMemoryAllocateInfo allocate{};
      allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
      allocate.allocationSize = needs.size;
      allocate.memoryTypeIndex = *type;
      const VkResult result =
          device_->vk().vkAllocateMemory(device_->handle(), &allocate, nullptr, memory);
      if (result == VK_SUCCESS) return type;
      *memory = VK_NULL_HANDLE;
      refused = device_->Check("vkAllocateMemory", result);
      if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY) return refused;
    }
    if (purpose == Purpose::kTensor) return refused;
    types &= ~(1u << *type);
  }
}

void MemoryPool::FreeBlock(Block* block) {
  const DeviceFunctions& vk = device_->vk();
  if (block->buffer != VK_NULL_HANDLE) {
    vk.vkDestroyBuffer(device_->handle(), block->buffer, nullptr);
  }
  if (block->memory != VK_NULL_HANDLE) vk.vkFreeMemory(device_->handle(), block->memory, nullptr);
}

void MemoryPool::FreeUnused() {
  for (auto& blocks : blocks_) {
    const auto unused = std::stable_partition(
        blocks.begin(), blocks.end(),
        [](const std::unique_ptr<Block>& b) { return !b->ranges.untouched(); });
    for (auto block = unused; block != blocks.end(); ++block) FreeBlock(block->get());
    blocks.erase(unused, blocks.end());
  }
}

void MemoryPool::Give(Block* block, uint64_t offset) {
  if (device_->forked()) return;
  std::lock_guard<std::mutex> lock(mutex_);
  block->ranges.Give(offset);
  if (!block->ranges.untouched()) return;
  // One unused block of a shareable size stays, so that a tensor made and dropped in a loop costs
  // nothing.
  auto& blocks = blocks_[static_cast<size_t>(block->purpose)];
  const bool spare = std::any_of(blocks.begin(), blocks.end(), [&](const auto& other) {
    return other.get() != block && other->ranges.untouched();
  });
  if (!spare && block->bytes <= device_->plan().largest_block) return;
  const auto found = std::find_if(blocks.begin(), blocks.end(),
                                  [&](const auto& other) { return other.get() == block; });
  FreeBlock(block);
  blocks.erase(found);
}

}  // namespace impl_vulkan
