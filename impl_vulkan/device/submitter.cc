#include "impl_vulkan/device/submitter.h"

#include <utility>

namespace impl_vulkan {

absl::StatusOr<std::unique_ptr<Submitter>> Submitter::Create(std::shared_ptr<Device> device,
                                                             std::shared_ptr<Queue> queue) {
  absl::StatusOr<std::shared_ptr<Timeline>> timeline = Timeline::Create(device, queue);
  if (!timeline.ok()) return timeline.status();
  return std::unique_ptr<Submitter>(
      new Submitter(std::move(device), std::move(queue), *std::move(timeline)));
}

Submitter::Submitter(std::shared_ptr<Device> device, std::shared_ptr<Queue> queue,
                     std::shared_ptr<Timeline> timeline)
    : device_(std::move(device)),
      queue_(std::move(queue)),
      timeline_(std::move(timeline)),
      command_buffers_(device_, timeline_) {}

Submitter::~Submitter() { timeline_->Settle(); }

absl::Status Submitter::Submit(const std::shared_ptr<const Program>& program,
                               const Bindings& bindings) {
  const absl::Status alive = device_->Alive();
  if (!alive.ok()) return alive;
  const absl::StatusOr<Recording*> recording = command_buffers_.Get(*program, bindings);
  if (!recording.ok()) return recording.status();
  Keep keep = {program};
  for (const Binding& binding : bindings.buffers) keep.push_back(binding.region);
  const absl::StatusOr<uint64_t> value = timeline_->Submit((*recording)->commands, std::move(keep));
  if (!value.ok()) return value.status();
  (*recording)->submitted = *value;
  return absl::OkStatus();
}

absl::Status Submitter::Synchronise(absl::Span<const SyncPoint> waits,
                                    absl::Span<const SyncPoint> signals) {
  return timeline_->Submit(VK_NULL_HANDLE, {}, waits, signals).status();
}

absl::Status Submitter::Wait() {
  if (device_->forked()) return device_->Alive();
  return timeline_->WaitFor(timeline_->last());
}

}  // namespace impl_vulkan
