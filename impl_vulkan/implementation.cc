#include "impl_vulkan/implementation.h"

#include <unistd.h>

#include <utility>

#include "absl/strings/str_cat.h"
#include "impl_vulkan/device/process.h"
#include "impl_vulkan/planners.h"

namespace impl_vulkan {
namespace {

// What an application enabled, out of the chain it gave to vkCreateDevice.
struct Enabled {
  bool timeline_semaphore = false;
  bool storage_8bit = false;
  bool shader_int8 = false;
};

Enabled EnabledIn(const void* chain) {
  Enabled enabled;
  const auto add = [](VkBool32 feature, bool* found) { *found = *found || feature == VK_TRUE; };
  for (const auto* link = static_cast<const VkBaseInStructure*>(chain); link != nullptr;
       link = link->pNext) {
    if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
      const auto& f = *reinterpret_cast<const VkPhysicalDeviceVulkan12Features*>(link);
      add(f.timelineSemaphore, &enabled.timeline_semaphore);
      add(f.storageBuffer8BitAccess, &enabled.storage_8bit);
      add(f.shaderInt8, &enabled.shader_int8);
    } else if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES) {
      const auto& f = *reinterpret_cast<const VkPhysicalDeviceTimelineSemaphoreFeatures*>(link);
      add(f.timelineSemaphore, &enabled.timeline_semaphore);
    } else if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_8BIT_STORAGE_FEATURES) {
      const auto& f = *reinterpret_cast<const VkPhysicalDevice8BitStorageFeatures*>(link);
      add(f.storageBuffer8BitAccess, &enabled.storage_8bit);
    } else if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES) {
      const auto& f = *reinterpret_cast<const VkPhysicalDeviceShaderFloat16Int8Features*>(link);
      add(f.shaderInt8, &enabled.shader_int8);
    }
  }
  return enabled;
}

absl::Status Invalid(const char* what) {
  return absl::InvalidArgumentError(absl::StrCat("vulkan: make_engine: ", what));
}

}  // namespace

Implementation::Found Implementation::Look() const {
  Found found;
  found.reason = CheckProcess();
  if (!found.reason.ok()) return found;
  absl::StatusOr<std::shared_ptr<Instance>> instance = Instance::Create(preferences_);
  if (!instance.ok()) {
    found.reason = instance.status();
    return found;
  }
  found.instance = *std::move(instance);
  const absl::StatusOr<std::vector<VkPhysicalDevice>> devices = found.instance->Devices();
  if (!devices.ok()) {
    found.reason = devices.status();
    return found;
  }
  std::vector<DeviceSnapshot> snapshots;
  for (VkPhysicalDevice device : *devices) {
    snapshots.push_back(TakeSnapshot(found.instance->vk(), device));
  }
  for (const size_t i : RankDevices(snapshots, preferences_)) {
    found.devices.push_back({(*devices)[i], snapshots[i], nullptr});
  }
  if (!found.devices.empty()) return found;
  found.reason = absl::NotFoundError("vulkan: no device");
  for (const DeviceSnapshot& snapshot : snapshots) {
    const absl::Status why = PlanDevice(snapshot, preferences_).status();
    if (!why.ok()) found.reason = why;
  }
  return found;
}

// A thread that is about to look, or does.
class Implementation::Looker {
 public:
  explicit Looker(std::atomic<int>* count) : count_(*count) { ++count_; }
  ~Looker() { --count_; }
  Looker(const Looker&) = delete;
  Looker& operator=(const Looker&) = delete;

 private:
  std::atomic<int>& count_;
};

Implementation::Found& Implementation::Devices() {
  if (!looked_) {
    // Before the lock, until it is free again: a child that may find it held is told.
    looking_ = getpid();
    const Looker looker(&lookers_);
    std::lock_guard<std::mutex> lock(look_mutex_);
    if (!looked_) found_ = Look();
    looked_ = true;
  }
  return found_;
}

absl::Status Implementation::CheckLook() const {
  if (looked_) return absl::OkStatus();
  const absl::Status process = CheckProcess();
  return process.ok() && lookers_ > 0 ? CheckLooking(looking_) : process;
}

absl::Status Implementation::Reason() {
  const absl::Status look = CheckLook();
  return look.ok() ? Devices().reason : look;
}

size_t Implementation::EngineCount() { return CheckLook().ok() ? Devices().devices.size() : 0; }

absl::StatusOr<std::shared_ptr<spi::Engine>> Implementation::MakeEngine(size_t index) {
  const absl::Status look = CheckLook();
  if (!look.ok()) return look;
  if (index >= EngineCount()) {
    return absl::NotFoundError(absl::StrCat("vulkan: no engine ", index, " of ", EngineCount()));
  }
  // Before the lock, which only a process that has entered holds: its children are told.
  const absl::Status process = EnterProcess();
  if (!process.ok()) return process;
  std::lock_guard<std::mutex> lock(mutex_);
  Candidate& candidate = found_.devices[index];
  if (candidate.engine != nullptr && !candidate.engine->context()->device().lost()) {
    return candidate.engine;
  }
  const absl::StatusOr<DevicePlan> plan = PlanDevice(candidate.snapshot, preferences_);
  if (!plan.ok()) return plan.status();
  absl::StatusOr<std::shared_ptr<Device>> device =
      Device::Open(found_.instance, candidate.device, candidate.snapshot, *plan);
  if (!device.ok()) return device.status();
  absl::StatusOr<std::shared_ptr<Context>> context =
      Context::Create(*std::move(device), preferences_);
  if (!context.ok()) return context.status();
  candidate.engine = std::make_shared<Engine>(*std::move(context), AllPlanners());
  return candidate.engine;
}

absl::StatusOr<std::shared_ptr<spi::Engine>> Implementation::MakeEngineFrom(
    const spi::vulkan::DeviceInfo& info) {
  const absl::Status process = CheckProcess();
  if (!process.ok()) return process;
  if (info.instance == VK_NULL_HANDLE) return Invalid("instance is null (INTEROP-004)");
  if (info.physical_device == VK_NULL_HANDLE)
    return Invalid("physical_device is null (INTEROP-004)");
  if (info.device == VK_NULL_HANDLE) return Invalid("device is null (INTEROP-004)");
  if (info.queue == VK_NULL_HANDLE) return Invalid("queue is null (INTEROP-004)");
  if (info.api_version < VK_API_VERSION_1_2) {
    return absl::UnimplementedError("vulkan: make_engine: the instance is below Vulkan 1.2");
  }
  const Enabled enabled = EnabledIn(info.enabled_features);
  if (!enabled.timeline_semaphore) {
    return Invalid("enabled_features lacks timelineSemaphore (INTEROP-004)");
  }
  PFN_vkGetInstanceProcAddr get = info.get_instance_proc_addr;
  if (get == nullptr) {
    const absl::StatusOr<LibraryFunctions> library = OpenLibrary(preferences_.library);
    if (!library.ok()) return library.status();
    get = library->vkGetInstanceProcAddr;
  }
  absl::StatusOr<std::shared_ptr<Instance>> instance = Instance::Adopt(get, info.instance);
  if (!instance.ok()) return instance.status();
  const DeviceSnapshot snapshot = TakeSnapshot((*instance)->vk(), info.physical_device);
  const auto& families = snapshot.queue_families;
  if (info.queue_family >= families.size() ||
      !(families[info.queue_family].queueFlags & VK_QUEUE_COMPUTE_BIT)) {
    return Invalid("queue_family does not compute (INTEROP-004)");
  }
  absl::StatusOr<DevicePlan> plan = PlanDevice(snapshot, preferences_);
  if (!plan.ok()) return absl::UnimplementedError(plan.status().message());
  plan->queue_family = info.queue_family;
  plan->byte_stores = plan->byte_stores && enabled.storage_8bit && enabled.shader_int8;

  ExternalDevice external;
  external.physical_device = info.physical_device;
  external.device = info.device;
  external.queue = info.queue;
  external.guard = {info.guard.lock, info.guard.unlock, info.guard.user};
  absl::StatusOr<std::shared_ptr<Device>> device =
      Device::Adopt(*std::move(instance), external, snapshot, *plan);
  if (!device.ok()) return device.status();
  absl::StatusOr<std::shared_ptr<Context>> context =
      Context::Create(*std::move(device), preferences_);
  if (!context.ok()) return context.status();
  return std::make_shared<Engine>(*std::move(context), AllPlanners());
}

spi::Implementation& GetImplementation() {
  static Implementation* const implementation = new Implementation(Preferences::FromEnvironment());
  return *implementation;
}

}  // namespace impl_vulkan
