#include "impl_vulkan/device/device_plan.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace impl_vulkan {
namespace {

constexpr uint32_t kUsualInvocations = 256;
constexpr uint64_t kLargestBlock = uint64_t{64} << 20;
// Byte offsets inside a window are 32-bit in shaders, with a bit to spare for sums of them.
constexpr uint64_t kLargestWindow = (uint64_t{1} << 31) - 4096;
constexpr uint64_t kLeastWindow = 1024;
// Keeps regions apart by more than any alignment that a binding can ask for (256 is the largest
// that Vulkan lets a device demand).
constexpr uint64_t kRegionAlignment = 256;

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Of "8,8,128,128,8"; all 0 unless a workgroup can share the work so.
TileShape TileOf(const std::string& text) {
  uint32_t v[5] = {};
  if (std::sscanf(text.c_str(), "%u,%u,%u,%u,%u", &v[0], &v[1], &v[2], &v[3], &v[4]) != 5)
    return {};
  for (const uint32_t value : v) {
    if (value < 4 || value > 256 || (value & (value - 1)) != 0) return {};
  }
  const TileShape shape = {v[0], v[1], v[2], v[3], v[4]};
  if (shape.m > shape.tile_m || shape.n > shape.tile_n) return {};
  const uint32_t invocations = shape.invocations();
  const bool shares = invocations >= std::max({shape.tile_m, shape.tile_n, shape.k}) &&
                      std::min(shape.tile_m, shape.tile_n) * shape.k >= invocations;
  return shares ? shape : TileShape();
}

absl::Status Unusable(const DeviceSnapshot& snapshot, const std::string& why) {
  return absl::NotFoundError(absl::StrCat("vulkan: ", snapshot.properties.deviceName, ": ", why));
}

// A family that computes; one without graphics if there is a choice, since such a queue competes
// with nothing.
std::optional<uint32_t> ComputeFamily(const std::vector<VkQueueFamilyProperties>& families) {
  std::optional<uint32_t> found;
  for (uint32_t i = 0; i < families.size(); ++i) {
    if (families[i].queueCount == 0 || !(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
    const bool graphics = families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT;
    if (!graphics) return i;
    if (!found) found = i;
  }
  return found;
}

bool IsSoftware(const DeviceSnapshot& snapshot) {
  return snapshot.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

bool SharesHostMemory(const DeviceSnapshot& snapshot) {
  return IsSoftware(snapshot) ||
         snapshot.properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
}

// Half a second of what a slow device of its kind does: systems reset a device that is busy with
// one dispatch for some seconds. Nobody watches over a software device.
int64_t TermsOf(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return INT64_MAX;
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return int64_t{1} << 38;
    default:
      return int64_t{1} << 35;
  }
}

int Rank(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    default:
      return 3;
  }
}

}  // namespace

Preferences Preferences::FromEnvironment() {
  Preferences preferences;
  const auto refuse = [&](const char* name, const std::string& value, const char* known) {
    preferences.wrong = absl::StrCat(name, " = ", value, " is no ", known);
  };
  preferences.library = Environment("DNNSPEC_VULKAN_LIBRARY");
  const std::string features = Environment("DNNSPEC_VULKAN_FEATURES");
  preferences.optional_features = features != "none";
  if (!features.empty() && features != "none")
    refuse("DNNSPEC_VULKAN_FEATURES", features, "choice of features: \"none\" is the only one");
  preferences.staging = Environment("DNNSPEC_VULKAN_STAGING") == "1";
  const std::string tile = Environment("DNNSPEC_VULKAN_TILE");
  preferences.tile = TileOf(tile);
  if (!tile.empty() && preferences.tile.m == 0) {
    refuse("DNNSPEC_VULKAN_TILE", tile,
           "tile: five powers of two from 4 to 256 that a workgroup can share, as 8,8,128,128,8");
  }
  const std::string window = Environment("DNNSPEC_VULKAN_WINDOW");
  if (!window.empty() && !absl::SimpleAtoi(window, &preferences.window_bytes))
    refuse("DNNSPEC_VULKAN_WINDOW", window, "number of bytes");
  preferences.cache_folder = Environment("DNNSPEC_VULKAN_CACHE");
  preferences.validate = Environment("DNNSPEC_VULKAN_VALIDATE") == "1";
  return preferences;
}

absl::StatusOr<DevicePlan> PlanDevice(const DeviceSnapshot& snapshot,
                                      const Preferences& preferences) {
  if (!preferences.wrong.empty())
    return absl::InvalidArgumentError(absl::StrCat("vulkan: ", preferences.wrong));
  const VkPhysicalDeviceLimits& limits = snapshot.properties.limits;
  if (snapshot.properties.apiVersion < VK_API_VERSION_1_2) {
    return Unusable(snapshot, "Vulkan 1.2 is needed");
  }
  if (!snapshot.timeline_semaphore) return Unusable(snapshot, "timeline semaphores are needed");
  const std::optional<uint32_t> family = ComputeFamily(snapshot.queue_families);
  if (!family) return Unusable(snapshot, "no queue family computes");

  DevicePlan plan;
  plan.queue_family = *family;
  plan.byte_stores = preferences.optional_features && snapshot.storage_8bit && snapshot.shader_int8;
  plan.hardware_arithmetic = preferences.optional_features && snapshot.rounds_to_nearest &&
                             snapshot.preserves_denormals && snapshot.preserves_special_values;
  // llvmpipe lets the loops of a shader go round 65535 times in all, and then leaves them.
  plan.rounds = IsSoftware(snapshot) ? 60000 : int64_t{1} << 30;
  // A software device's shared memory is memory like all other, and its barriers are expensive.
  plan.stages = preferences.staging || !IsSoftware(snapshot);
  plan.terms = TermsOf(snapshot.properties.deviceType);
  plan.copy_commands = SharesHostMemory(snapshot);
  plan.tile = preferences.tile;
  plan.invocations = std::min({kUsualInvocations, limits.maxComputeWorkGroupInvocations,
                               limits.maxComputeWorkGroupSize[0]});
  plan.shared_bytes = limits.maxComputeSharedMemorySize;
  plan.groups = std::min(limits.maxComputeWorkGroupCount[0], limits.maxComputeWorkGroupCount[1]);
  plan.storage_alignment = std::max<uint64_t>(limits.minStorageBufferOffsetAlignment, 4);
  plan.uniform_alignment = std::max<uint64_t>(limits.minUniformBufferOffsetAlignment, 16);
  plan.window_bytes = std::min<uint64_t>(limits.maxStorageBufferRange, kLargestWindow);
  if (preferences.window_bytes != 0) {
    plan.window_bytes =
        std::min(plan.window_bytes, std::max(preferences.window_bytes, kLeastWindow));
  }
  plan.region_alignment = std::max({kRegionAlignment, plan.storage_alignment,
                                    plan.uniform_alignment, uint64_t{limits.nonCoherentAtomSize}});

  for (uint32_t i = 0; i < snapshot.memory.memoryTypeCount; ++i) {
    plan.largest_heap = std::max(plan.largest_heap, HeapOf(snapshot, i));
  }
  const absl::StatusOr<uint32_t> type = ChooseMemoryType(snapshot, ~0u, Purpose::kTensor);
  if (!type.ok()) return type.status();
  plan.largest_region = HeapOf(snapshot, *type);
  plan.largest_block = std::min(kLargestBlock, plan.largest_region / 8);
  return plan;
}

std::vector<size_t> RankDevices(const std::vector<DeviceSnapshot>& snapshots,
                                const Preferences& preferences) {
  std::vector<size_t> order(snapshots.size());
  std::iota(order.begin(), order.end(), size_t{0});
  order.erase(std::remove_if(order.begin(), order.end(),
                             [&](size_t i) { return !PlanDevice(snapshots[i], preferences).ok(); }),
              order.end());
  const bool hardware =
      std::any_of(order.begin(), order.end(), [&](size_t i) { return !IsSoftware(snapshots[i]); });
  if (hardware) {
    order.erase(std::remove_if(order.begin(), order.end(),
                               [&](size_t i) { return IsSoftware(snapshots[i]); }),
                order.end());
  }
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return Rank(snapshots[a].properties.deviceType) < Rank(snapshots[b].properties.deviceType);
  });
  return order;
}

uint64_t HeapOf(const DeviceSnapshot& snapshot, uint32_t type) {
  return snapshot.memory.memoryHeaps[snapshot.memory.memoryTypes[type].heapIndex].size;
}

absl::StatusOr<uint32_t> ChooseMemoryType(const DeviceSnapshot& snapshot, uint32_t type_bits,
                                          Purpose purpose) {
  constexpr VkMemoryPropertyFlags kCoherent =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  // Memory that only some accesses may use, or that is made when first touched.
  constexpr VkMemoryPropertyFlags kNever = VK_MEMORY_PROPERTY_PROTECTED_BIT |
                                           VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
                                           VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
  std::optional<uint32_t> best;
  int best_score = -1;
  uint64_t best_heap = 0;
  for (uint32_t i = 0; i < snapshot.memory.memoryTypeCount; ++i) {
    const VkMemoryType& type = snapshot.memory.memoryTypes[i];
    if (!(type_bits >> i & 1) || (type.propertyFlags & kNever)) continue;
    const bool coherent = (type.propertyFlags & kCoherent) == kCoherent;
    const bool local = type.propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const bool cached = type.propertyFlags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    int score = 0;
    if (purpose != Purpose::kTensor && !coherent) continue;
    if (purpose == Purpose::kHost) {
      score = (cached ? 2 : 0) + (local == SharesHostMemory(snapshot) ? 1 : 0);
    } else if (purpose == Purpose::kParameters) {
      score = local ? 1 : 0;
    } else {
      // On a discrete device the mappable part of its memory is often a small heap of its own.
      score = (local ? 4 : 0) + (coherent == SharesHostMemory(snapshot) ? 2 : 0) +
              (cached && SharesHostMemory(snapshot) ? 1 : 0);
    }
    const uint64_t heap = HeapOf(snapshot, i);
    if (score > best_score || (score == best_score && heap > best_heap)) {
      best = i;
      best_score = score;
      best_heap = heap;
    }
  }
  if (!best) return Unusable(snapshot, "no memory type serves");
  return *best;
}

}  // namespace impl_vulkan
