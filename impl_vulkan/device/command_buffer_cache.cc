#include "impl_vulkan/device/command_buffer_cache.h"

#include <algorithm>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/container/inlined_vector.h"

namespace impl_vulkan {
namespace {

// So many are made before the first is replaced.
constexpr size_t kMost = 512;

constexpr VkPipelineStageFlags kStages =
    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags kReads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;

Recording::Key KeyOf(const Program& program, const Bindings& bindings) {
  Recording::Key key = {program.serial};
  for (const Binding& binding : bindings.buffers) {
    key.push_back(binding.region == nullptr ? 0 : binding.region->serial());
    key.push_back(binding.offset);
  }
  return key;
}

// Where in a VkBuffer the range of `use` starts.
struct Place {
  VkBuffer buffer;
  uint64_t start;  // bytes
};

Place PlaceOf(const Program& program, const Bindings& bindings, const BufferUse& use) {
  if (use.position == kConstants) {
    return {program.constants->buffer(), program.constants->offset() + use.range.offset};
  }
  const Binding& binding = bindings.buffers[static_cast<size_t>(use.position)];
  return {binding.region->buffer(), binding.region->offset() + binding.offset + use.range.offset};
}

// What steps use of a position.
struct Extent {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint64_t begin = 0, end = 0;
  bool written = false;
};

// Whether what is bound at two positions interleaves in one VkBuffer, and one of them is written.
// Their elements share no byte then, and words that hold some of both are changed atomically; but
// steps wait for each other as if they did, for layers know ranges alone.
bool Interleave(const Program& program, const Bindings& bindings) {
  absl::InlinedVector<Extent, 4> extents(bindings.buffers.size());
  for (const Step& step : program.steps) {
    for (const BufferUse& use : step.uses) {
      if (use.position == kConstants) continue;
      Extent& extent = extents[static_cast<size_t>(use.position)];
      const Place place = PlaceOf(program, bindings, use);
      const uint64_t end = place.start + use.range.bytes;
      const bool first = extent.buffer == VK_NULL_HANDLE;
      extent.buffer = place.buffer;
      extent.begin = first ? place.start : std::min(extent.begin, place.start);
      extent.end = first ? end : std::max(extent.end, end);
      extent.written = extent.written || use.access != Access::kRead;
    }
  }
  for (size_t k = 1; k < extents.size(); ++k) {
    for (size_t i = 0; i < k; ++i) {
      const Extent &a = extents[i], &b = extents[k];
      if (a.buffer != VK_NULL_HANDLE && a.buffer == b.buffer && (a.written || b.written) &&
          a.begin < b.end && b.begin < a.end)
        return true;
    }
  }
  return false;
}

void RecordBarrier(const DeviceFunctions& vk, VkCommandBuffer commands,
                   VkPipelineStageFlags later_stages, VkAccessFlags later) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = kWrites;
  barrier.dstAccessMask = later;
  vk.vkCmdPipelineBarrier(commands, kStages, later_stages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace

CommandBufferCache::CommandBufferCache(std::shared_ptr<Device> device,
                                       std::shared_ptr<Timeline> timeline)
    : device_(std::move(device)), timeline_(std::move(timeline)) {}

CommandBufferCache::~CommandBufferCache() {
  if (device_->forked()) return;
  const DeviceFunctions& vk = device_->vk();
  for (const Recording& recording : recordings_) {
    if (recording.sets_pool == VK_NULL_HANDLE) continue;
    vk.vkDestroyDescriptorPool(device_->handle(), recording.sets_pool, nullptr);
  }
  if (pool_ != VK_NULL_HANDLE) vk.vkDestroyCommandPool(device_->handle(), pool_, nullptr);
}

absl::StatusOr<Recording*> CommandBufferCache::Get(const Program& program,
                                                   const Bindings& bindings) {
  const auto [entry, is_new] = by_key_.try_emplace(KeyOf(program, bindings), recordings_.end());
  if (!is_new) {
    recordings_.splice(recordings_.end(), recordings_, entry->second);
    return &*entry->second;
  }
  auto forget = absl::MakeCleanup([this, at = entry] { by_key_.erase(at); });
  const absl::Status room = MakeRoom();
  if (!room.ok()) return room;
  const auto recording = recordings_.begin();
  const absl::Status recorded = Record(program, bindings, &*recording);
  if (!recorded.ok()) return recorded;
  std::move(forget).Cancel();
  recording->key = &entry->first;
  entry->second = recording;
  recordings_.splice(recordings_.end(), recordings_, recording);
  return &*recording;
}

absl::Status CommandBufferCache::MakeRoom() {
  const bool spare = !recordings_.empty() && recordings_.front().key == nullptr;
  if (spare) return absl::OkStatus();
  if (recordings_.size() < kMost) return Add();
  Recording& oldest = recordings_.front();
  const absl::Status done = timeline_->WaitFor(oldest.submitted);
  if (!done.ok()) return done;
  by_key_.erase(by_key_.find(*oldest.key));
  oldest.key = nullptr;
  return absl::OkStatus();
}

absl::Status CommandBufferCache::Add() {
  const DeviceFunctions& vk = device_->vk();
  Recordings added(1);  // before there is a command buffer that could be lost
  if (pool_ == VK_NULL_HANDLE) {
    VkCommandPoolCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    create.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    create.queueFamilyIndex = device_->plan().queue_family;
    VkCommandPool pool = VK_NULL_HANDLE;
    const VkResult result = vk.vkCreateCommandPool(device_->handle(), &create, nullptr, &pool);
    if (result != VK_SUCCESS) return device_->Check("vkCreateCommandPool", result);
    pool_ = pool;
  }
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  const VkResult result =
      vk.vkAllocateCommandBuffers(device_->handle(), &allocate, &added.front().commands);
  if (result != VK_SUCCESS) return device_->Check("vkAllocateCommandBuffers", result);
  recordings_.splice(recordings_.begin(), added);
  return absl::OkStatus();
}

absl::Status CommandBufferCache::AllocateSets(const Program& program, Recording* recording) {
  const DeviceFunctions& vk = device_->vk();
  std::vector<VkDescriptorSetLayout> layouts;
  size_t buffers = 0;
  for (const Step& step : program.steps) {
    if (step.pipeline == VK_NULL_HANDLE) continue;
    layouts.push_back(program.pipelines->set_layout(step.uses.size()));
    buffers += step.uses.size();
  }
  recording->sets.clear();
  if (layouts.size() > recording->sets_capacity || buffers > recording->buffers_capacity) {
    const auto sets = static_cast<uint32_t>(std::max<size_t>(layouts.size(), 4));
    const auto storage = static_cast<uint32_t>(std::max<size_t>(buffers, 12));
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, storage},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, sets}};
    VkDescriptorPoolCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    create.maxSets = sets;
    create.poolSizeCount = 2;
    create.pPoolSizes = sizes;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    const VkResult result = vk.vkCreateDescriptorPool(device_->handle(), &create, nullptr, &pool);
    if (result != VK_SUCCESS) return device_->Check("vkCreateDescriptorPool", result);
    if (recording->sets_pool != VK_NULL_HANDLE) {
      vk.vkDestroyDescriptorPool(device_->handle(), recording->sets_pool, nullptr);
    }
    recording->sets_pool = pool;
    recording->sets_capacity = sets;
    recording->buffers_capacity = storage;
  } else if (recording->sets_pool != VK_NULL_HANDLE) {
    const VkResult result = vk.vkResetDescriptorPool(device_->handle(), recording->sets_pool, 0);
    if (result != VK_SUCCESS) return device_->Check("vkResetDescriptorPool", result);
  }
  if (layouts.empty()) return absl::OkStatus();
  recording->sets.resize(layouts.size());
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = recording->sets_pool;
  allocate.descriptorSetCount = static_cast<uint32_t>(layouts.size());
  allocate.pSetLayouts = layouts.data();
  const VkResult result =
      vk.vkAllocateDescriptorSets(device_->handle(), &allocate, recording->sets.data());
  return device_->Check("vkAllocateDescriptorSets", result);
}

absl::Status CommandBufferCache::Record(const Program& program, const Bindings& bindings,
                                        Recording* recording) {
  const DeviceFunctions& vk = device_->vk();
  VkResult result = vk.vkResetCommandBuffer(recording->commands, 0);
  if (result != VK_SUCCESS) return device_->Check("vkResetCommandBuffer", result);
  const absl::Status allocated = AllocateSets(program, recording);
  if (!allocated.ok()) return allocated;

  const VkCommandBuffer commands = recording->commands;
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  result = vk.vkBeginCommandBuffer(commands, &begin);
  if (result != VK_SUCCESS) return device_->Check("vkBeginCommandBuffer", result);

  RecordBarrier(vk, commands, kStages, kReads | kWrites);
  const bool interleave = program.steps.size() > 1 && Interleave(program, bindings);
  size_t dispatches = 0;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    if (program.barriers[i] || (interleave && i > 0))
      RecordBarrier(vk, commands, kStages, kReads | kWrites);
    if (step.pipeline != VK_NULL_HANDLE) {
      RecordDispatch(program, step, bindings, commands, recording->sets[dispatches++]);
      continue;
    }
    const Place source = PlaceOf(program, bindings, step.uses[0]);
    const Place destination = PlaceOf(program, bindings, step.uses[1]);
    const VkBufferCopy copy{source.start, destination.start, step.uses[0].range.bytes};
    vk.vkCmdCopyBuffer(commands, source.buffer, destination.buffer, 1, &copy);
  }
  RecordBarrier(vk, commands, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
  result = vk.vkEndCommandBuffer(commands);
  return device_->Check("vkEndCommandBuffer", result);
}

void CommandBufferCache::RecordDispatch(const Program& program, const Step& step,
                                        const Bindings& bindings, VkCommandBuffer commands,
                                        VkDescriptorSet set) const {
  const DeviceFunctions& vk = device_->vk();
  const uint64_t alignment = device_->plan().storage_alignment;
  const auto count = static_cast<uint32_t>(step.uses.size());
  VkDescriptorBufferInfo infos[kMostBuffers + 1];
  VkWriteDescriptorSet writes[kMostBuffers + 1] = {};
  uint32_t push[kMostBuffers];
  for (uint32_t i = 0; i < count; ++i) {
    const BufferUse& use = step.uses[i];
    const Place place = PlaceOf(program, bindings, use);
    const uint64_t lead = place.start % alignment;
    // Whole words: a shader reads and writes nothing smaller.
    infos[i] = {place.buffer, place.start - lead, (lead + use.range.bytes + 3) / 4 * 4};
    push[i] = static_cast<uint32_t>(lead / use.element_bytes);
  }
  uint32_t written = count;
  if (program.parameter_bytes != 0) {
    infos[written++] = {program.constants->buffer(), program.constants->offset() + step.parameters,
                        program.parameter_bytes};
  }
  for (uint32_t i = 0; i < written; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType =
        i == count ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[i].pBufferInfo = &infos[i];
  }
  vk.vkUpdateDescriptorSets(device_->handle(), written, writes, 0, nullptr);

  const VkPipelineLayout layout = program.pipelines->layout(count);
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, step.pipeline);
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0,
                             nullptr);
  vk.vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                        static_cast<uint32_t>(count * sizeof(uint32_t)), push);
  vk.vkCmdDispatch(commands, step.groups[0], step.groups[1], step.groups[2]);
}

}  // namespace impl_vulkan
