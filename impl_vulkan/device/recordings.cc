#include "impl_vulkan/device/recordings.h"

#include <algorithm>
#include <utility>

namespace impl_vulkan {
namespace {

// So many are made before the first is replaced, and so many at most: then Get waits for one.
constexpr size_t kFew = 8;
constexpr size_t kMost = 64;

std::array<uint64_t, 8> KeyOf(const Program& program, const Bindings& bindings) {
  std::array<uint64_t, 8> key{program.serial};
  size_t i = 1;
  for (const Binding* binding : {&bindings.source, &bindings.destination, &bindings.scales}) {
    key[i++] = binding->region == nullptr ? 0 : binding->region->serial();
    key[i++] = binding->offset;
  }
  key[i] = bindings.zeros.key();
  return key;
}

uint64_t Start(const Binding& binding, const Window& window) {
  return binding.region->offset() + binding.offset + window.offset;
}

// Where a binding of `window` starts, and how many bytes later the window itself does.
VkDescriptorBufferInfo Bind(const Binding& binding, const Window& window, uint64_t alignment,
                            uint64_t* lead) {
  const uint64_t start = Start(binding, window);
  const uint64_t base = start / alignment * alignment;
  *lead = start - base;
  // Whole words: a shader reads and writes nothing smaller.
  return {binding.region->buffer(), base, (*lead + window.bytes + 3) / 4 * 4};
}

}  // namespace

Recordings::Recordings(std::shared_ptr<Device> device, std::shared_ptr<Timeline> timeline)
    : device_(std::move(device)), timeline_(std::move(timeline)) {}

Recordings::~Recordings() {
  if (device_->forked()) return;
  for (const auto& recording : recordings_) Destroy(recording.get());
}

absl::StatusOr<Recording*> Recordings::Get(const Program& program, const Bindings& bindings) {
  ++calls_;
  const std::array<uint64_t, 8> key = KeyOf(program, bindings);
  for (const auto& recording : recordings_) {
    if (recording->key != key) continue;
    recording->used = calls_;
    return recording.get();
  }
  const absl::StatusOr<Recording*> recording = Free();
  if (!recording.ok()) return recording;
  (*recording)->key = {};
  const absl::Status recorded = Record(program, bindings, *recording);
  if (!recorded.ok()) return recorded;
  (*recording)->key = key;
  (*recording)->used = calls_;
  return recording;
}

absl::StatusOr<Recording*> Recordings::Free() {
  if (recordings_.size() < kFew) return Add();
  Recording* const oldest =
      std::min_element(recordings_.begin(), recordings_.end(), [](const auto& a, const auto& b) {
        return a->used < b->used;
      })->get();
  if (timeline_->Done(oldest->submitted)) return oldest;
  if (recordings_.size() < kMost) return Add();
  const absl::Status done = timeline_->WaitFor(oldest->submitted);
  if (!done.ok()) return done;
  return oldest;
}

absl::StatusOr<Recording*> Recordings::Add() {
  const DeviceFunctions& vk = device_->vk();
  auto recording = std::make_unique<Recording>();
  recordings_.reserve(recordings_.size() + 1);  // before there is a pool that could be lost
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = device_->plan().queue_family;
  VkResult result =
      vk.vkCreateCommandPool(device_->handle(), &pool, nullptr, &recording->commands_pool);
  if (result != VK_SUCCESS) return device_->Check("vkCreateCommandPool", result);
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = recording->commands_pool;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  result = vk.vkAllocateCommandBuffers(device_->handle(), &allocate, &recording->commands);
  if (result != VK_SUCCESS) {
    Destroy(recording.get());
    return device_->Check("vkAllocateCommandBuffers", result);
  }
  recordings_.push_back(std::move(recording));
  return recordings_.back().get();
}

void Recordings::Destroy(Recording* recording) {
  const DeviceFunctions& vk = device_->vk();
  if (recording->sets_pool != VK_NULL_HANDLE) {
    vk.vkDestroyDescriptorPool(device_->handle(), recording->sets_pool, nullptr);
  }
  vk.vkDestroyCommandPool(device_->handle(), recording->commands_pool, nullptr);
}

absl::Status Recordings::AllocateSets(const Program& program, Recording* recording) {
  const DeviceFunctions& vk = device_->vk();
  const size_t wanted = static_cast<size_t>(
      std::count_if(program.steps.begin(), program.steps.end(),
                    [](const Step& step) { return step.pipeline != VK_NULL_HANDLE; }));
  recording->sets.clear();
  if (wanted > recording->sets_capacity) {
    const auto capacity = static_cast<uint32_t>(std::max<size_t>(wanted, 4));
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3 * capacity},
                                          {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, capacity}};
    VkDescriptorPoolCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    create.maxSets = capacity;
    create.poolSizeCount = 2;
    create.pPoolSizes = sizes;
    VkDescriptorPool pool = VK_NULL_HANDLE;
    const VkResult result = vk.vkCreateDescriptorPool(device_->handle(), &create, nullptr, &pool);
    if (result != VK_SUCCESS) return device_->Check("vkCreateDescriptorPool", result);
    if (recording->sets_pool != VK_NULL_HANDLE) {
      vk.vkDestroyDescriptorPool(device_->handle(), recording->sets_pool, nullptr);
    }
    recording->sets_pool = pool;
    recording->sets_capacity = capacity;
  } else if (recording->sets_pool != VK_NULL_HANDLE) {
    const VkResult result = vk.vkResetDescriptorPool(device_->handle(), recording->sets_pool, 0);
    if (result != VK_SUCCESS) return device_->Check("vkResetDescriptorPool", result);
  }
  if (wanted == 0) return absl::OkStatus();
  const std::vector<VkDescriptorSetLayout> layouts(wanted, program.pipelines->set_layout());
  recording->sets.resize(wanted);
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = recording->sets_pool;
  allocate.descriptorSetCount = static_cast<uint32_t>(wanted);
  allocate.pSetLayouts = layouts.data();
  const VkResult result =
      vk.vkAllocateDescriptorSets(device_->handle(), &allocate, recording->sets.data());
  return device_->Check("vkAllocateDescriptorSets", result);
}

absl::Status Recordings::Record(const Program& program, const Bindings& bindings,
                                Recording* recording) {
  const DeviceFunctions& vk = device_->vk();
  VkResult result = vk.vkResetCommandPool(device_->handle(), recording->commands_pool, 0);
  if (result != VK_SUCCESS) return device_->Check("vkResetCommandPool", result);
  const absl::Status allocated = AllocateSets(program, recording);
  if (!allocated.ok()) return allocated;

  const VkCommandBuffer commands = recording->commands;
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
  result = vk.vkBeginCommandBuffer(commands, &begin);
  if (result != VK_SUCCESS) return device_->Check("vkBeginCommandBuffer", result);

  constexpr VkPipelineStageFlags kStages =
      VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
  constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  constexpr VkAccessFlags kReads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = kWrites;
  barrier.dstAccessMask = kReads | kWrites;
  vk.vkCmdPipelineBarrier(commands, kStages, kStages, 0, 1, &barrier, 0, nullptr, 0, nullptr);

  size_t dispatches = 0;
  for (const Step& step : program.steps) {
    if (step.pipeline != VK_NULL_HANDLE) {
      RecordDispatch(program, step, bindings, commands, recording->sets[dispatches++]);
      continue;
    }
    const VkBufferCopy copy{Start(bindings.source, step.source),
                            Start(bindings.destination, step.destination), step.source.bytes};
    vk.vkCmdCopyBuffer(commands, bindings.source.region->buffer(),
                       bindings.destination.region->buffer(), 1, &copy);
  }

  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  vk.vkCmdPipelineBarrier(commands, kStages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr,
                          0, nullptr);
  result = vk.vkEndCommandBuffer(commands);
  return device_->Check("vkEndCommandBuffer", result);
}

void Recordings::RecordDispatch(const Program& program, const Step& step, const Bindings& bindings,
                                VkCommandBuffer commands, VkDescriptorSet set) const {
  const DeviceFunctions& vk = device_->vk();
  const uint64_t alignment = device_->plan().storage_alignment;
  // A shader that reads no scales still declares them: any readable window will do.
  const bool scaled = bindings.scales.region != nullptr && !step.zeros;
  const Binding source = step.zeros ? Binding(program.parameters, program.zeros) : bindings.source;
  uint64_t source_lead = 0, destination_lead = 0, scales_lead = 0;
  const VkDescriptorBufferInfo buffers[] = {
      Bind(source, step.source, alignment, &source_lead),
      Bind(bindings.destination, step.destination, alignment, &destination_lead),
      Bind(scaled ? bindings.scales : source, scaled ? step.scales : step.source, alignment,
           &scales_lead),
      {program.parameters->buffer(), program.parameters->offset() + step.parameters,
       program.parameter_bytes},
  };
  VkWriteDescriptorSet writes[4] = {};
  for (uint32_t i = 0; i < 4; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
    writes[i].descriptorType =
        i == 3 ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[i].pBufferInfo = &buffers[i];
  }
  vk.vkUpdateDescriptorSets(device_->handle(), 4, writes, 0, nullptr);

  const uint32_t push[kPushBytes / 4] = {
      static_cast<uint32_t>(source_lead / step.source_element),
      static_cast<uint32_t>(destination_lead / step.destination_element),
      scaled ? static_cast<uint32_t>(scales_lead / sizeof(float)) : 0, bindings.zeros.source,
      bindings.zeros.destination};
  vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, step.pipeline);
  vk.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, program.pipelines->layout(),
                             0, 1, &set, 0, nullptr);
  vk.vkCmdPushConstants(commands, program.pipelines->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0,
                        kPushBytes, push);
  vk.vkCmdDispatch(commands, step.groups_x, step.groups_y, 1);
}

}  // namespace impl_vulkan
