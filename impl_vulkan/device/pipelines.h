// Compute pipelines of one device, each made once.
//
// The interface of a shader with n buffers, 1 to kMostBuffers:
//   set 0: bindings 0 to n - 1 its buffers (storage), binding n its parameters (uniform)
//   push constants, 32-bit words: for each buffer how many elements the range that it uses starts
//     behind the start of the binding, which must be aligned
//   specialization constants 0, 1, 2, ...: 32-bit words; number 3 is the size of a workgroup
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_PIPELINES_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_PIPELINES_H_

#include <vulkan/vulkan.h>

#include <array>
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

constexpr size_t kMostBuffers = 8;

// A SPIR-V module that lives as long as the program; its address is its identity.
struct ShaderCode {
  const char* name;
  const uint32_t* words;
  size_t bytes;
  size_t buffers;
};

using Constants = absl::InlinedVector<uint32_t, 12>;

// Thread-safe. Plans keep the pipelines they use by keeping this.
class Pipelines {
 public:
  // `folder`, if not empty, keeps what the driver compiled from one run to the next.
  static absl::StatusOr<std::shared_ptr<Pipelines>> Create(std::shared_ptr<Device> device,
                                                           const std::string& folder);
  ~Pipelines();

  // Of shaders with so many buffers.
  VkDescriptorSetLayout set_layout(size_t buffers) const { return layouts_[buffers - 1].set; }
  VkPipelineLayout layout(size_t buffers) const { return layouts_[buffers - 1].pipeline; }

  // The pipeline of `code` with `constants`; made at the first request. kUnimplemented where the
  // device binds fewer buffers than the shader has (Vulkan promises 4).
  absl::StatusOr<VkPipeline> Get(const ShaderCode& code, const Constants& constants);

  size_t count() const;

  // The driver's own serialisation of what it compiled.
  absl::StatusOr<std::vector<char>> Blob() const;

 private:
  explicit Pipelines(std::shared_ptr<Device> device);
  absl::Status MakeLayouts(uint32_t buffers);
  absl::Status MakeCache(const std::string& folder);
  absl::StatusOr<VkPipeline> Make(const ShaderCode& code, const Constants& constants) const;
  void SaveCache() const;

  struct Layouts {
    VkDescriptorSetLayout set = VK_NULL_HANDLE;
    VkPipelineLayout pipeline = VK_NULL_HANDLE;
  };
  using Key = std::pair<const ShaderCode*, Constants>;

  const std::shared_ptr<Device> device_;
  std::array<Layouts, kMostBuffers> layouts_;  // null beyond what the device binds
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  std::string cache_file_;  // empty: not kept
  mutable std::mutex mutex_;
  std::map<Key, VkPipeline> pipelines_;
  size_t saved_count_ = 0;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_PIPELINES_H_
