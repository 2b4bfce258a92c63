#include "impl_vulkan/model/engine.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "impl_vulkan/memory/buffer.h"
#include "impl_vulkan/model/stream.h"

namespace impl_vulkan {
absl::StatusOr<std::unique_ptr<spi::Stream>> Engine::MakeStream(unsigned) {
  absl::StatusOr<std::unique_ptr<Submitter>> submitter = context_->MakeSubmitter();
  if (!submitter.ok()) return submitter.status();
  return std::make_unique<Stream>(context_, *std::move(submitter));
}

absl::StatusOr<std::shared_ptr<spi::Buffer>> Engine::AllocateFor(size_t bytes, Purpose purpose) {
  absl::StatusOr<std::shared_ptr<const Region>> region = context_->Allocate(bytes, purpose);
  if (!region.ok()) return region.status();
  const bool pointer = purpose == Purpose::kHost;
  void* const handle = handles_.Add(*region, pointer);
  return std::make_shared<Buffer>(context_, handle, *std::move(region), 0, bytes, pointer,
                                  planners_.copy);
}

absl::StatusOr<std::shared_ptr<spi::Buffer>> Engine::Allocate(size_t bytes) {
  return AllocateFor(bytes, Purpose::kTensor);
}

absl::StatusOr<std::shared_ptr<spi::Buffer>> Engine::Wrap(void* handle, size_t bytes) {
  if (handle == nullptr || bytes == 0) return std::make_shared<Buffer>(context_, handle);
  if (context_->device().forked()) return context_->device().Alive();
  const std::optional<Handles::Place> place = handles_.Find(handle);
  if (!place) {
    return absl::InvalidArgumentError(
        absl::StrCat("vulkan: handle ", absl::Hex(reinterpret_cast<uintptr_t>(handle)),
                     " is not of this engine: it takes what get_data_handle gave, or a VkBuffer by "
                     "dnnl::vulkan_interop (MEM-005)"));
  }
  if (bytes > place->region->bytes() - place->offset) {
    return absl::InvalidArgumentError(absl::StrCat("vulkan: the memory behind the handle has ",
                                                   place->region->bytes() - place->offset,
                                                   " bytes, ", bytes, " are needed (MEM-029)"));
  }
  return std::make_shared<Buffer>(context_, handle, place->region, place->offset, bytes,
                                  place->pointer, planners_.copy);
}

namespace {

absl::Status NothingIsOpaque() {
  return absl::UnimplementedError("vulkan: no layout of this engine is opaque");
}

}  // namespace

PlanResult Engine::MakePlan(const spi::Request& request) {
  if (context_->device().forked()) return context_->device().Alive();
  if (spi::HasOpaqueLayout(request.operation)) return NothingIsOpaque();
  return planners_.topics[request.operation.params.index()](context_, request);
}

PlanResult Engine::MakeTransferPlan(const spi::Request& request, spi::Engine& src,
                                    spi::Engine& dst) {
  if (context_->device().forked()) return context_->device().Alive();
  if (request.candidate > 0) return absl::UnimplementedError("vulkan: no further implementation");
  if (spi::HasOpaqueLayout(request.operation)) return NothingIsOpaque();
  const auto context_of = [](spi::Engine& engine) {
    auto* const ours = dynamic_cast<Engine*>(&engine);
    return ours == nullptr ? nullptr : ours->context();
  };
  return planners_.transfer(context_of(src), context_of(dst), request);
}

VkInstance Engine::instance() const { return context_->device().instance().handle(); }

VkPhysicalDevice Engine::physical_device() const { return context_->device().physical(); }

VkDevice Engine::device() const { return context_->device().handle(); }

uint32_t Engine::queue_family() const { return context_->device().plan().queue_family; }

absl::StatusOr<std::unique_ptr<spi::Stream>> Engine::MakeStreamOn(
    VkQueue queue, const spi::vulkan::QueueGuard& guard) {
  if (queue == VK_NULL_HANDLE) {
    return absl::InvalidArgumentError("vulkan: make_stream: the queue is null (INTEROP-007)");
  }
  absl::StatusOr<std::unique_ptr<Submitter>> submitter =
      context_->MakeSubmitter(queue, {guard.lock, guard.unlock, guard.user});
  if (!submitter.ok()) return submitter.status();
  return std::make_unique<Stream>(context_, *std::move(submitter));
}

absl::StatusOr<std::shared_ptr<spi::Buffer>> Engine::AllocateVisible(size_t bytes) {
  return AllocateFor(bytes, Purpose::kHost);
}

absl::StatusOr<std::shared_ptr<spi::Buffer>> Engine::WrapRange(
    const spi::vulkan::BufferRange& range, size_t bytes, size_t element_bytes) {
  const auto invalid = [](const auto&... text) {
    return absl::InvalidArgumentError(absl::StrCat("vulkan: buffer ", text...));
  };
  if (context_->device().forked()) return context_->device().Alive();
  if (range.buffer == VK_NULL_HANDLE) return invalid("is null (INTEROP-010)");
  if (!(range.usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)) {
    return invalid("usage = ", range.usage, " lacks VK_BUFFER_USAGE_STORAGE_BUFFER_BIT");
  }
  if (range.offset % element_bytes != 0) {
    return invalid("offset = ", range.offset, " is not a multiple of the element size ",
                   element_bytes, " (MEM-028)");
  }
  // Shaders read and write whole words.
  const uint64_t end = (range.offset + bytes + 3) / 4 * 4;
  if (end - range.offset > range.size) {
    return invalid("size = ", range.size, " is below the ", end - range.offset,
                   " bytes up to the end of the last word (INTEROP-014)");
  }
  auto region =
      std::make_shared<const ExternalRegion>(range.buffer, range.offset, range.size, range.usage);
  void* const handle = handles_.Add(region, false);
  return std::make_shared<Buffer>(context_, handle, std::move(region), 0, bytes, false,
                                  planners_.copy);
}

}  // namespace impl_vulkan
