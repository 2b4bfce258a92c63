// A Vulkan device as an engine.
#ifndef DNNSPEC_IMPL_VULKAN_MODEL_ENGINE_H_
#define DNNSPEC_IMPL_VULKAN_MODEL_ENGINE_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "api/spi/implementation.h"
#include "api/spi/vulkan_native.h"
#include "impl_vulkan/device/context.h"
#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/memory/handles.h"
#include "impl_vulkan/model/planners.h"

namespace impl_vulkan {

class Engine final : public spi::Engine, public spi::vulkan::NativeEngine {
 public:
  Engine(std::shared_ptr<Context> context, const Planners& planners)
      : context_(std::move(context)), planners_(planners) {}

  const std::shared_ptr<Context>& context() const { return context_; }

  absl::StatusOr<std::unique_ptr<spi::Stream>> MakeStream(unsigned flags) override;
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Allocate(size_t bytes) override;

  // `handle`: what get_data_handle gave for a memory of this device that still exists. Anything
  // else, an address of the host's included, is kInvalidArgument.
  absl::StatusOr<std::shared_ptr<spi::Buffer>> Wrap(void* handle, size_t bytes) override;

  absl::StatusOr<spi::Planned> MakePlan(const spi::Request& request) override;

  // Directly between this device and a host, or another device of this implementation.
  absl::StatusOr<spi::Planned> MakeTransferPlan(const spi::Request& request, spi::Engine& src,
                                                spi::Engine& dst) override;

  VkInstance instance() const override;
  VkPhysicalDevice physical_device() const override;
  VkDevice device() const override;
  uint32_t queue_family() const override;
  absl::StatusOr<std::unique_ptr<spi::Stream>> MakeStreamOn(
      VkQueue queue, const spi::vulkan::QueueGuard& guard) override;
  absl::StatusOr<std::shared_ptr<spi::Buffer>> AllocateVisible(size_t bytes) override;
  absl::StatusOr<std::shared_ptr<spi::Buffer>> WrapRange(const spi::vulkan::BufferRange& range,
                                                         size_t bytes,
                                                         size_t element_bytes) override;

 private:
  absl::StatusOr<std::shared_ptr<spi::Buffer>> AllocateFor(size_t bytes, Purpose purpose);

  const std::shared_ptr<Context> context_;
  const Planners planners_;
  Handles handles_;
};

}  // namespace impl_vulkan

#endif  // DNNSPEC_IMPL_VULKAN_MODEL_ENGINE_H_
