#include "impl_vulkan/implementation.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace impl_vulkan {

void Implementation::Look() {
  absl::StatusOr<std::shared_ptr<Instance>> instance = Instance::Create(preferences_);
  if (!instance.ok()) {
    reason_ = instance.status();
    return;
  }
  instance_ = *std::move(instance);
  const absl::StatusOr<std::vector<VkPhysicalDevice>> devices = instance_->Devices();
  if (!devices.ok()) {
    reason_ = devices.status();
    return;
  }
  std::vector<DeviceSnapshot> snapshots;
  for (VkPhysicalDevice device : *devices) {
    snapshots.push_back(TakeSnapshot(instance_->vk(), device));
  }
  for (const size_t i : RankDevices(snapshots, preferences_)) {
    devices_.push_back({(*devices)[i], snapshots[i], nullptr});
  }
  if (!devices_.empty()) return;
  reason_ = absl::NotFoundError("vulkan: no device");
  for (const DeviceSnapshot& snapshot : snapshots) {
    const absl::Status why = PlanDevice(snapshot, preferences_).status();
    if (!why.ok()) reason_ = why;
  }
}

absl::Status Implementation::Reason() {
  std::call_once(looked_, [this] { Look(); });
  return reason_;
}

size_t Implementation::EngineCount() { return Reason().ok() ? devices_.size() : 0; }

absl::StatusOr<std::shared_ptr<spi::Engine>> Implementation::MakeEngine(size_t index) {
  if (index >= EngineCount()) {
    return absl::NotFoundError(absl::StrCat("vulkan: no engine ", index, " of ", EngineCount()));
  }
  std::lock_guard<std::mutex> lock(mutex_);
  Candidate& candidate = devices_[index];
  if (candidate.engine != nullptr && !candidate.engine->context()->device().lost()) {
    return candidate.engine;
  }
  const absl::StatusOr<DevicePlan> plan = PlanDevice(candidate.snapshot, preferences_);
  if (!plan.ok()) return plan.status();
  absl::StatusOr<std::shared_ptr<Device>> device =
      Device::Open(instance_, candidate.device, candidate.snapshot, *plan);
  if (!device.ok()) return device.status();
  absl::StatusOr<std::shared_ptr<Context>> context =
      Context::Create(*std::move(device), preferences_);
  if (!context.ok()) return context.status();
  candidate.engine = std::make_shared<Engine>(*std::move(context));
  return candidate.engine;
}

spi::Implementation& GetImplementation() {
  static Implementation* const implementation = new Implementation(Preferences::FromEnvironment());
  return *implementation;
}

}  // namespace impl_vulkan
