#include "impl_vulkan/memory/buffer.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace impl_vulkan {
namespace {

// Two regions may be one place in a buffer of the application.
spi::Place PlaceOf(const Region& region, uint64_t offset) {
  return {reinterpret_cast<const void*>(region.buffer()), region.offset() + offset};
}

}  // namespace

Buffer::Buffer(std::shared_ptr<Context> context, void* handle)
    : spi::Buffer(handle), context_(std::move(context)) {}

Buffer::Buffer(std::shared_ptr<Context> context, void* handle, std::shared_ptr<const Region> region,
               uint64_t offset, uint64_t bytes, bool pointer, CopyFunction copy)
    : spi::Buffer(handle, PlaceOf(*region, offset)),
      context_(std::move(context)),
      binding_{std::move(region), offset},
      bytes_(bytes),
      pointer_(pointer),
      copy_(copy) {}

spi::vulkan::BufferRange Buffer::range() const {
  if (binding_.region == nullptr) return {};
  const Region& region = *binding_.region;
  return {region.buffer(), region.offset() + binding_.offset,
          region.bytes_in_words() - binding_.offset, region.usage()};
}

absl::StatusOr<void*> Buffer::Map() {
  if (binding_.region == nullptr || bytes_ == 0) return handle();
  if (context_->device().forked()) return context_->device().Alive();
  if (mapped_ != nullptr) {
    return absl::InvalidArgumentError("vulkan: the memory is mapped already (MEM-022)");
  }
  const absl::Status done = context_->WaitForAll();
  if (!done.ok()) return done;
  if (binding_.region->host() != nullptr) {
    return mapped_ = binding_.region->host() + binding_.offset;
  }
  absl::StatusOr<std::shared_ptr<const Region>> staging = context_->TakeStaging(bytes_);
  if (!staging.ok()) return staging.status();
  const absl::Status copied = copy_(*context_, binding_, {*staging, 0}, bytes_);
  if (!copied.ok()) return copied;
  staging_ = *std::move(staging);
  return mapped_ = staging_->host();
}

absl::Status Buffer::Unmap(void* mapped) {
  if (binding_.region == nullptr || bytes_ == 0) return absl::OkStatus();
  if (context_->device().forked()) return context_->device().Alive();
  if (mapped == nullptr || mapped != mapped_) {
    return absl::InvalidArgumentError(
        absl::StrCat("vulkan: unmap_data: ", absl::Hex(reinterpret_cast<uintptr_t>(mapped)),
                     " did not come from map_data (MEM-025)"));
  }
  if (staging_ != nullptr) {
    const absl::Status copied = copy_(*context_, {staging_, 0}, binding_, bytes_);
    if (!copied.ok()) return copied;
    context_->KeepStaging(std::exchange(staging_, nullptr));
  }
  mapped_ = nullptr;
  return absl::OkStatus();
}

}  // namespace impl_vulkan
