#include "impl_vulkan/device/context.h"

#include <algorithm>
#include <utility>

#include "impl_vulkan/device/probe.h"

namespace impl_vulkan {

namespace {

constexpr uint64_t kKeptStaging = uint64_t{64} << 20;

// Queues whose devices are known, since Vulkan cannot be asked. Never destroyed.
struct KnownQueues {
  std::mutex mutex;
  std::map<VkQueue, VkDevice> devices;
};

KnownQueues& Known() {
  static KnownQueues* const known = new KnownQueues;
  return *known;
}

bool IsKnownElsewhere(VkQueue queue, VkDevice device) {
  std::lock_guard<std::mutex> lock(Known().mutex);
  const auto found = Known().devices.find(queue);
  return found != Known().devices.end() && found->second != device;
}

}  // namespace

absl::StatusOr<std::shared_ptr<Context>> Context::Create(std::shared_ptr<Device> device,
                                                         const Preferences& preferences) {
  std::shared_ptr<Context> context(new Context(std::move(device)));
  context->memory_ = std::make_shared<MemoryPool>(context->device_);
  absl::StatusOr<std::shared_ptr<Pipelines>> pipelines =
      Pipelines::Create(context->device_, preferences.cache_folder);
  if (!pipelines.ok()) return pipelines.status();
  context->pipelines_ = *std::move(pipelines);
  absl::StatusOr<std::unique_ptr<Submitter>> service = context->MakeSubmitter();
  if (!service.ok()) return service.status();
  context->service_ = *std::move(service);
  std::lock_guard<std::mutex> lock(Known().mutex);
  Known().devices[context->device_->queue()->handle()] = context->device_->handle();
  return context;
}

Context::~Context() {
  if (device_->forked()) return;
  std::lock_guard<std::mutex> lock(Known().mutex);
  Known().devices.erase(device_->queue()->handle());
}

absl::StatusOr<std::shared_ptr<const Region>> Context::Allocate(uint64_t bytes, Purpose purpose) {
  const absl::Status alive = device_->Alive();
  if (!alive.ok()) return alive;
  absl::StatusOr<std::shared_ptr<const Region>> region = memory_->Allocate(bytes, purpose);
  if (region.ok() || !absl::IsResourceExhausted(region.status())) return region;
  for (const std::shared_ptr<Timeline>& timeline : Timelines()) timeline->Retire();
  {
    std::lock_guard<std::mutex> lock(staging_mutex_);
    staging_ = nullptr;
  }
  return memory_->Allocate(bytes, purpose);
}

absl::StatusOr<std::shared_ptr<const Region>> Context::TakeStaging(uint64_t bytes) {
  {
    std::lock_guard<std::mutex> lock(staging_mutex_);
    if (staging_ != nullptr && staging_->bytes() >= bytes) return std::exchange(staging_, nullptr);
  }
  return Allocate(bytes, Purpose::kHost);
}

void Context::KeepStaging(std::shared_ptr<const Region> region) {
  if (region->bytes() > kKeptStaging) return;
  std::lock_guard<std::mutex> lock(staging_mutex_);
  if (staging_ == nullptr || staging_->bytes() < region->bytes()) staging_ = std::move(region);
}

absl::StatusOr<std::unique_ptr<Submitter>> Context::MakeSubmitter() {
  return MakeSubmitter(device_->queue());
}

absl::StatusOr<std::unique_ptr<Submitter>> Context::MakeSubmitter(VkQueue handle,
                                                                  const QueueGuard& guard) {
  const absl::Status alive = device_->Alive();
  if (!alive.ok()) return alive;
  std::shared_ptr<Queue> queue;
  if (handle == device_->queue()->handle()) {
    queue = device_->queue();
  } else if (device_->owned() || IsKnownElsewhere(handle, device_->handle())) {
    // A device of our own has one queue.
    return absl::InvalidArgumentError("vulkan: the queue is of another device (INTEROP-008)");
  } else {
    // One Queue for each VkQueue, so that its streams exclude each other even without a guard.
    std::lock_guard<std::mutex> lock(timelines_mutex_);
    queue = external_queues_[handle].lock();
    if (queue == nullptr) {
      queue = std::make_shared<Queue>(handle, guard);
      external_queues_[handle] = queue;
    }
  }
  const absl::Status adopted = queue->Adopt(guard);
  if (!adopted.ok()) return adopted;
  return MakeSubmitter(std::move(queue));
}

absl::StatusOr<std::unique_ptr<Submitter>> Context::MakeSubmitter(std::shared_ptr<Queue> queue) {
  const absl::Status alive = device_->Alive();
  if (!alive.ok()) return alive;
  absl::StatusOr<std::unique_ptr<Submitter>> submitter =
      Submitter::Create(device_, std::move(queue));
  if (!submitter.ok()) return submitter;
  std::lock_guard<std::mutex> lock(timelines_mutex_);
  timelines_.erase(
      std::remove_if(timelines_.begin(), timelines_.end(),
                     [](const std::weak_ptr<Timeline>& timeline) { return timeline.expired(); }),
      timelines_.end());
  timelines_.push_back((*submitter)->timeline());
  return submitter;
}

std::vector<std::shared_ptr<Timeline>> Context::Timelines() {
  std::vector<std::shared_ptr<Timeline>> timelines;
  std::lock_guard<std::mutex> lock(timelines_mutex_);
  for (const std::weak_ptr<Timeline>& weak : timelines_) {
    if (std::shared_ptr<Timeline> timeline = weak.lock()) timelines.push_back(std::move(timeline));
  }
  return timelines;
}

absl::Status Context::WaitForAll() {
  if (device_->forked()) return device_->Alive();
  for (const std::shared_ptr<Timeline>& timeline : Timelines()) {
    const absl::Status done = timeline->WaitFor(timeline->last());
    if (!done.ok()) return done;
  }
  return device_->Alive();
}

absl::Status Context::Serve(const std::shared_ptr<const Program>& program,
                            const Bindings& bindings) {
  if (device_->forked()) return device_->Alive();
  std::lock_guard<std::mutex> lock(service_mutex_);
  const absl::Status submitted = service_->Submit(program, bindings);
  if (!submitted.ok()) return submitted;
  return service_->Wait();
}

Tier Context::TierFor(Work work) {
  const DevicePlan& plan = device_->plan();
  if (!plan.byte_stores) return Tier::kBaseline;
  if (work == Work::kMove) return Tier::kInt8;
  std::lock_guard<std::mutex> lock(probes_mutex_);
  const auto proved = [this](absl::StatusOr<bool> (*ask)(Context&), std::optional<bool>* answer) {
    if (!*answer) {
      const absl::StatusOr<bool> asked = ask(*this);
      if (asked.ok()) *answer = *asked;
    }
    return answer->value_or(false);
  };
  if (!proved(ConvertsExactly, &fast_conversions_)) return Tier::kBaseline;
  if (work != Work::kCompute || !plan.hardware_arithmetic) return Tier::kInt8;
  return proved(ComputesExactly, &hardware_arithmetic_) ? Tier::kFloatControls : Tier::kInt8;
}

}  // namespace impl_vulkan
