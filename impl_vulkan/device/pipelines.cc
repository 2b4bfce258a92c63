#include "impl_vulkan/device/pipelines.h"

#include <algorithm>
#include <array>
#include <new>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "impl_vulkan/device/cache_file.h"

namespace impl_vulkan {

Pipelines::Pipelines(std::shared_ptr<Device> device) : device_(std::move(device)) {}

absl::StatusOr<std::shared_ptr<Pipelines>> Pipelines::Create(std::shared_ptr<Device> device,
                                                             const std::string& folder) {
  std::shared_ptr<Pipelines> pipelines(new Pipelines(std::move(device)));
  const uint32_t most =
      pipelines->device_->snapshot().properties.limits.maxPerStageDescriptorStorageBuffers;
  absl::Status made;
  for (uint32_t buffers = 1; made.ok() && buffers <= std::min<size_t>(most, kMostBuffers);
       ++buffers) {
    made = pipelines->MakeLayouts(buffers);
  }
  if (made.ok()) made = pipelines->MakeCache(folder);
  if (!made.ok()) return made;
  return pipelines;
}

absl::Status Pipelines::MakeLayouts(uint32_t buffers) {
  std::array<VkDescriptorSetLayoutBinding, kMostBuffers + 1> bindings{};
  for (uint32_t i = 0; i <= buffers; ++i) {
    bindings[i].binding = i;
    bindings[i].descriptorType =
        i == buffers ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  VkDescriptorSetLayoutCreateInfo set{};
  set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set.bindingCount = buffers + 1;
  set.pBindings = bindings.data();
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkResult result =
      device_->vk().vkCreateDescriptorSetLayout(device_->handle(), &set, nullptr, &set_layout);
  if (result != VK_SUCCESS) return device_->Check("vkCreateDescriptorSetLayout", result);
  Layouts& layouts = layouts_[buffers - 1];
  layouts.set = set_layout;

  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                  static_cast<uint32_t>(buffers * sizeof(uint32_t))};
  VkPipelineLayoutCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  create.setLayoutCount = 1;
  create.pSetLayouts = &layouts.set;
  create.pushConstantRangeCount = 1;
  create.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  result = device_->vk().vkCreatePipelineLayout(device_->handle(), &create, nullptr, &layout);
  if (result != VK_SUCCESS) return device_->Check("vkCreatePipelineLayout", result);
  layouts.pipeline = layout;
  return absl::OkStatus();
}

absl::Status Pipelines::MakeCache(const std::string& folder) {
  std::vector<char> blob;
  if (!folder.empty()) {
    const VkPhysicalDeviceProperties& properties = device_->snapshot().properties;
    cache_file_ = CacheFileOf(folder, properties);
    blob = ReadCacheFile(cache_file_);
    if (!IsCacheOf(blob, properties)) blob.clear();
  }
  VkPipelineCacheCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO;
  create.initialDataSize = blob.size();
  create.pInitialData = blob.data();
  VkPipelineCache cache = VK_NULL_HANDLE;
  const VkResult result =
      device_->vk().vkCreatePipelineCache(device_->handle(), &create, nullptr, &cache);
  if (result != VK_SUCCESS) return device_->Check("vkCreatePipelineCache", result);
  cache_ = cache;
  return absl::OkStatus();
}

Pipelines::~Pipelines() {
  if (device_->forked()) return;
  SaveCache();
  const DeviceFunctions& vk = device_->vk();
  for (const auto& [key, pipeline] : pipelines_) {
    vk.vkDestroyPipeline(device_->handle(), pipeline, nullptr);
  }
  vk.vkDestroyPipelineCache(device_->handle(), cache_, nullptr);
  for (const Layouts& layouts : layouts_) {
    vk.vkDestroyPipelineLayout(device_->handle(), layouts.pipeline, nullptr);
    vk.vkDestroyDescriptorSetLayout(device_->handle(), layouts.set, nullptr);
  }
}

absl::StatusOr<VkPipeline> Pipelines::Get(const ShaderCode& code, const Constants& constants) {
  const Key key(&code, constants);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = pipelines_.find(key);
    if (found != pipelines_.end()) return found->second;
  }
  const absl::Status alive = device_->Alive();
  if (!alive.ok()) return alive;
  // Made outside the lock: compilers take up to a third of a second, and the driver's cache is
  // thread-safe.
  const absl::StatusOr<VkPipeline> made = Make(code, constants);
  if (!made.ok()) return made.status();
  // Where another thread was faster, and where there is no memory left to note it.
  absl::Cleanup destroy = [&] {
    device_->vk().vkDestroyPipeline(device_->handle(), *made, nullptr);
  };
  std::lock_guard<std::mutex> lock(mutex_);
  const auto [entry, added] = pipelines_.emplace(key, *made);
  if (!added) return entry->second;
  std::move(destroy).Cancel();
  if (pipelines_.size() >= saved_count_ + std::max<size_t>(1, saved_count_ / 8)) {
    SaveCache();
    saved_count_ = pipelines_.size();
  }
  return entry->second;
}

absl::StatusOr<VkPipeline> Pipelines::Make(const ShaderCode& code,
                                           const Constants& constants) const {
  const DeviceFunctions& vk = device_->vk();
  if (layout(code.buffers) == VK_NULL_HANDLE) {
    return absl::UnimplementedError(absl::StrCat("vulkan: the device binds fewer buffers than the ",
                                                 code.buffers, " of ", code.name));
  }
  std::vector<VkSpecializationMapEntry> entries(constants.size());
  for (uint32_t i = 0; i < entries.size(); ++i) {
    entries[i] = {i, static_cast<uint32_t>(i * sizeof(uint32_t)), sizeof(uint32_t)};
  }
  // Nothing is allocated while there is a module.
  VkShaderModuleCreateInfo module_create{};
  module_create.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_create.codeSize = code.bytes;
  module_create.pCode = code.words;
  VkShaderModule module = VK_NULL_HANDLE;
  VkResult result = vk.vkCreateShaderModule(device_->handle(), &module_create, nullptr, &module);
  if (result != VK_SUCCESS) return device_->Check("vkCreateShaderModule", result);

  VkSpecializationInfo specialization{};
  specialization.mapEntryCount = static_cast<uint32_t>(entries.size());
  specialization.pMapEntries = entries.data();
  specialization.dataSize = constants.size() * sizeof(uint32_t);
  specialization.pData = constants.data();
  VkComputePipelineCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  create.stage.module = module;
  create.stage.pName = "main";
  create.stage.pSpecializationInfo = &specialization;
  create.layout = layout(code.buffers);
  VkPipeline pipeline = VK_NULL_HANDLE;
  result = vk.vkCreateComputePipelines(device_->handle(), cache_, 1, &create, nullptr, &pipeline);
  vk.vkDestroyShaderModule(device_->handle(), module, nullptr);
  if (result != VK_SUCCESS) return device_->Check("vkCreateComputePipelines", result);
  return pipeline;
}

size_t Pipelines::count() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return pipelines_.size();
}

absl::StatusOr<std::vector<char>> Pipelines::Blob() const {
  size_t bytes = 0;
  VkResult result =
      device_->vk().vkGetPipelineCacheData(device_->handle(), cache_, &bytes, nullptr);
  std::vector<char> blob(bytes);
  if (result == VK_SUCCESS) {
    result = device_->vk().vkGetPipelineCacheData(device_->handle(), cache_, &bytes, blob.data());
  }
  if (result != VK_SUCCESS) return device_->Check("vkGetPipelineCacheData", result);
  blob.resize(bytes);
  return blob;
}

void Pipelines::SaveCache() const {
  if (cache_file_.empty() || cache_ == VK_NULL_HANDLE) return;
  try {
    const absl::StatusOr<std::vector<char>> blob = Blob();
    if (blob.ok()) ReplaceCacheFile(cache_file_, *blob);
  } catch (const std::bad_alloc&) {
  }
}

}  // namespace impl_vulkan
