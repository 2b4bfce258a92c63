// Compute pipelines of one device, each made once.
//
// All shaders share one interface:
//   set 0: binding 0 source, 1 destination, 2 scales (storage), 3 parameters (uniform)
//   push constants: kPushBytes bytes
//   specialization constants 0, 1, 2, ...: 32-bit words; number 3 is the size of a workgroup
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_PIPELINES_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_PIPELINES_H_

#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "impl_vulkan/device/device.h"

namespace impl_vulkan {

constexpr uint32_t kPushBytes = 20;

// A SPIR-V module that lives as long as the program; its address is its identity.
struct ShaderCode {
  const char* name;
  const uint32_t* words;
  size_t bytes;
};

using Constants = absl::InlinedVector<uint32_t, 12>;

// Thread-safe. Plans keep the pipelines they use by keeping this.
class Pipelines {
 public:
  // `folder`, if not empty, keeps what the driver compiled from one run to the next.
  static absl::StatusOr<std::shared_ptr<Pipelines>> Create(std::shared_ptr<Device> device,
                                                           const std::string& folder);
  ~Pipelines();

  VkDescriptorSetLayout set_layout() const { return set_layout_; }
  VkPipelineLayout layout() const { return layout_; }

  // The pipeline of `code` with `constants`; made at the first request.
  absl::StatusOr<VkPipeline> Get(const ShaderCode& code, const Constants& constants);

  size_t count() const;

  // The driver's own serialisation of what it compiled.
  absl::StatusOr<std::vector<char>> Blob() const;

 private:
  explicit Pipelines(std::shared_ptr<Device> device);
  absl::Status MakeLayouts();
  absl::Status MakeCache(const std::string& folder);
  absl::StatusOr<VkPipeline> Make(const ShaderCode& code, const Constants& constants) const;
  void SaveCache() const;

  using Key = std::pair<const ShaderCode*, Constants>;

  const std::shared_ptr<Device> device_;
  VkDescriptorSetLayout set_layout_ = VK_NULL_HANDLE;
  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::string cache_file_;  // empty: not kept
  mutable std::mutex mutex_;
  std::map<Key, VkPipeline> pipelines_;
  size_t saved_count_ = 0;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_PIPELINES_H_
