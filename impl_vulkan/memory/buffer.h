// The storage behind a dnnl::memory on a Vulkan engine.
#ifndef DNNSPEC_IMPL_VULKAN_MEMORY_BUFFER_H_
#define DNNSPEC_IMPL_VULKAN_MEMORY_BUFFER_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/vulkan_native.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/memory.h"
#include "impl_vulkan/device/program.h"

namespace impl_vulkan {

// Copies bytes on a device, by commands or by a shader, and returns when it is done.
using CopyFunction = absl::Status (*)(Context& context, const Binding& from, const Binding& to,
                                      uint64_t bytes);

// Several buffers may share a region: a handle given to a second memory makes one.
class Buffer final : public spi::Buffer, public spi::vulkan::NativeBuffer {
 public:
  // A buffer without storage; `handle` is whatever the caller said.
  Buffer(std::shared_ptr<Context> context, void* handle);

  // `bytes` from `offset` of `region`. `pointer`: the handle is a host address. `copy` is what Map
  // and Unmap use where the host does not see the region.
  Buffer(std::shared_ptr<Context> context, void* handle, std::shared_ptr<const Region> region,
         uint64_t offset, uint64_t bytes, bool pointer, CopyFunction copy);

  const std::shared_ptr<Context>& context() const { return context_; }
  // Without a region if there is no storage.
  const Binding& binding() const { return binding_; }

  bool is_pointer() const override { return pointer_; }
  spi::vulkan::BufferRange range() const override;

  // Direct where the host sees the memory, else through a copy. Unmap takes only what Map gave, and
  // Map must be undone before the next: otherwise kInvalidArgument.
  absl::StatusOr<void*> Map() override;
  absl::Status Unmap(void* mapped) override;

 private:
  const std::shared_ptr<Context> context_;
  const Binding binding_;
  const uint64_t bytes_ = 0;
  const bool pointer_ = false;
  const CopyFunction copy_ = nullptr;

  void* mapped_ = nullptr;
  std::shared_ptr<const Region> staging_;  // while mapped, where the host does not see the region
};

// The place of the tensor at `position`, which is one of this implementation's.
inline const Binding& BindingOf(spi::Buffers buffers, size_t position) {
  return static_cast<Buffer*>(buffers[position])->binding();
}

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_MEMORY_BUFFER_H_
