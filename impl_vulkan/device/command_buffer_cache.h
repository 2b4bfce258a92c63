// Caches the command buffers of one stream. A program that runs again over the same memory is
// submitted again as it was recorded. There is room for what a large model executes in turn; beyond
// that, others replace what was least recently used.
#ifndef DNNSPEC_IMPL_VULKAN_DEVICE_COMMAND_BUFFER_CACHE_H_
#define DNNSPEC_IMPL_VULKAN_DEVICE_COMMAND_BUFFER_CACHE_H_

#include <vulkan/vulkan.h>

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "impl_vulkan/device/device.h"
#include "impl_vulkan/device/program.h"
#include "impl_vulkan/device/timeline.h"

namespace impl_vulkan {

// One command buffer with the descriptors it uses.
struct Recording {
  VkCommandBuffer commands = VK_NULL_HANDLE;
  VkDescriptorPool sets_pool = VK_NULL_HANDLE;
  size_t sets_capacity = 0, buffers_capacity = 0;  // of the pool
  std::vector<VkDescriptorSet> sets;

  // The program's serial number, the region and the offset of each buffer.
  using Key = absl::InlinedVector<uint64_t, 13>;
  const Key* key = nullptr;  // of CommandBufferCache; null if nothing is recorded
  uint64_t submitted = 0;    // value of the last submission
};

// Used by one thread at a time.
class CommandBufferCache {
 public:
  // `timeline` is where all that comes out of Get is submitted.
  CommandBufferCache(std::shared_ptr<Device> device, std::shared_ptr<Timeline> timeline);

  // Everything submitted is done by now.
  ~CommandBufferCache();

  // The commands of `program` over `bindings`, to be submitted before the next call. The caller
  // notes the submission's value in Recording::submitted.
  //
  // They begin with a barrier against all that was submitted before and end with one towards the
  // host. Between them stand the program's own.
  absl::StatusOr<Recording*> Get(const Program& program, const Bindings& bindings);

 private:
  using Recordings = std::list<Recording>;

  // Makes the first of recordings_ one that may be recorded anew.
  absl::Status MakeRoom();
  absl::Status Add();
  absl::Status Record(const Program& program, const Bindings& bindings, Recording* recording);
  absl::Status AllocateSets(const Program& program, Recording* recording);
  void RecordDispatch(const Program& program, const Step& step, const Bindings& bindings,
                      VkCommandBuffer commands, VkDescriptorSet set) const;
  const std::shared_ptr<Device> device_;
  const std::shared_ptr<Timeline> timeline_;
  VkCommandPool pool_ = VK_NULL_HANDLE;  // made for the first command buffer
  Recordings recordings_;                // least recently used first
  std::map<Recording::Key, Recordings::iterator> by_key_;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_DEVICE_COMMAND_BUFFER_CACHE_H_
