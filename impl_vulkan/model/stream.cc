#include "impl_vulkan/model/stream.h"

#include <algorithm>
#include <new>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "impl_vulkan/device/timeline.h"

namespace impl_vulkan {
namespace {

absl::InlinedVector<SyncPoint, 4> PointsOf(absl::Span<const spi::vulkan::SyncPoint> points) {
  absl::InlinedVector<SyncPoint, 4> converted;
  for (const spi::vulkan::SyncPoint& point : points) {
    converted.push_back({point.semaphore, point.value});
  }
  return converted;
}

constexpr uint64_t kLeastStaging = 4096;
// Staging that a stream keeps for later.
constexpr uint64_t kKeptStaging = uint64_t{64} << 20;

}  // namespace

Stream::Stream(std::shared_ptr<Context> context, std::unique_ptr<Submitter> submitter)
    : context_(std::move(context)), submitter_(std::move(submitter)) {}

Stream::~Stream() {
  // Nobody hears of a failure here, nor that there was no memory for what it would have said.
  try {
    Wait().IgnoreError();
  } catch (const std::bad_alloc&) {
  }
}

absl::Status Stream::Submit(const std::shared_ptr<const Program>& program,
                            const Bindings& bindings) {
  return submitter_->Submit(program, bindings);
}

void Stream::Defer(std::function<absl::Status()> task) { deferred_.push_back(std::move(task)); }

absl::Status Stream::Wait() {
  absl::Status status = submitter_->Wait();
  const std::vector<std::function<absl::Status()>> tasks = std::exchange(deferred_, {});
  for (const auto& task : tasks) {
    if (!status.ok()) break;
    status = task();
  }
  return status;
}

VkQueue Stream::queue() const { return submitter_->queue().handle(); }

absl::Status Stream::Synchronise(absl::Span<const spi::vulkan::SyncPoint> waits,
                                 absl::Span<const spi::vulkan::SyncPoint> signals) {
  return submitter_->Synchronise(PointsOf(waits), PointsOf(signals));
}

spi::vulkan::SyncPoint Stream::last() const {
  return {submitter_->timeline()->semaphore(), submitter_->timeline()->last()};
}

absl::StatusOr<std::shared_ptr<const Region>> Stream::Scratch(uint64_t bytes) {
  if (scratch_ != nullptr && scratch_->bytes() >= bytes) return scratch_;
  absl::StatusOr<std::shared_ptr<const Region>> region =
      context_->Allocate(bytes, Purpose::kTensor);
  if (region.ok()) scratch_ = *region;
  return region;
}

absl::StatusOr<std::shared_ptr<const Region>> Stream::TakeStaging(uint64_t bytes) {
  submitter_->timeline()->Retire();
  const auto is_free = [](const std::shared_ptr<const Region>& region) {
    return region.use_count() == 1;
  };
  for (const std::shared_ptr<const Region>& region : staging_) {
    if (is_free(region) && region->bytes() >= bytes) return region;
  }
  uint64_t kept = 0;
  for (const std::shared_ptr<const Region>& region : staging_) kept += region->bytes();
  if (kept > kKeptStaging) {
    staging_.erase(std::remove_if(staging_.begin(), staging_.end(), is_free), staging_.end());
  }
  // Powers of two, so that one region serves many sizes.
  uint64_t size = kLeastStaging;
  while (size < bytes) size *= 2;
  absl::StatusOr<std::shared_ptr<const Region>> region = context_->Allocate(size, Purpose::kHost);
  if (region.ok()) staging_.push_back(*region);
  return region;
}

}  // namespace impl_vulkan
