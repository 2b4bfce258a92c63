#include "impl_vulkan/device/device_plan.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

namespace impl_vulkan {
namespace {

constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kCoherent =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
constexpr uint64_t kGiB = uint64_t{1} << 30;

void AddMemory(DeviceSnapshot* snapshot, VkMemoryPropertyFlags flags, uint32_t heap) {
  snapshot->memory.memoryTypes[snapshot->memory.memoryTypeCount++] = {flags, heap};
}

// A device with what Vulkan 1.2 guarantees and nothing more.
DeviceSnapshot Least(VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU) {
  DeviceSnapshot snapshot;
  std::strcpy(snapshot.properties.deviceName, "least");
  snapshot.properties.deviceType = type;
  snapshot.properties.apiVersion = VK_API_VERSION_1_2;
  VkPhysicalDeviceLimits& limits = snapshot.properties.limits;
  limits.maxStorageBufferRange = 1u << 27;
  limits.maxComputeSharedMemorySize = 16384;
  limits.maxComputeWorkGroupInvocations = 128;
  limits.maxComputeWorkGroupSize[0] = 128;
  limits.maxComputeWorkGroupCount[0] = 65535;
  limits.maxComputeWorkGroupCount[1] = 65535;
  limits.minStorageBufferOffsetAlignment = 256;
  limits.minUniformBufferOffsetAlignment = 256;
  limits.nonCoherentAtomSize = 256;
  snapshot.queue_families = {{VK_QUEUE_COMPUTE_BIT, 1, 0, {1, 1, 1}}};
  snapshot.memory.memoryHeapCount = 1;
  snapshot.memory.memoryHeaps[0] = {kGiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  AddMemory(&snapshot, kLocal | kCoherent, 0);
  snapshot.timeline_semaphore = true;
  return snapshot;
}

DeviceSnapshot Rich() {
  DeviceSnapshot snapshot = Least();
  snapshot.storage_8bit = snapshot.shader_int8 = true;
  snapshot.rounds_to_nearest = snapshot.preserves_denormals = true;
  snapshot.preserves_special_values = true;
  return snapshot;
}

TEST(PlanDevice, AcceptsTheGuaranteedMinimum) {
  const absl::StatusOr<DevicePlan> plan = PlanDevice(Least(), {});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->queue_family, 0u);
  EXPECT_EQ(plan->invocations, 128u);
  EXPECT_EQ(plan->shared_bytes, 16384u);
  EXPECT_EQ(plan->window_bytes, 1u << 27);
  EXPECT_EQ(plan->storage_alignment, 256u);
  EXPECT_FALSE(plan->byte_stores);
  EXPECT_FALSE(plan->hardware_arithmetic);
}

TEST(PlanDevice, RefusesADeviceOfVulkan11) {
  DeviceSnapshot snapshot = Least();
  snapshot.properties.apiVersion = VK_API_VERSION_1_1;
  EXPECT_EQ(PlanDevice(snapshot, {}).status().code(), absl::StatusCode::kNotFound);
}

TEST(PlanDevice, RefusesADeviceWithoutTimelineSemaphores) {
  DeviceSnapshot snapshot = Least();
  snapshot.timeline_semaphore = false;
  EXPECT_EQ(PlanDevice(snapshot, {}).status().code(), absl::StatusCode::kNotFound);
}

TEST(PlanDevice, RefusesADeviceWithoutACompute) {
  DeviceSnapshot snapshot = Least();
  snapshot.queue_families[0].queueFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_TRANSFER_BIT;
  EXPECT_EQ(PlanDevice(snapshot, {}).status().code(), absl::StatusCode::kNotFound);
}

TEST(PlanDevice, PrefersAQueueFamilyThatOnlyComputes) {
  DeviceSnapshot snapshot = Least();
  snapshot.queue_families = {
      {VK_QUEUE_TRANSFER_BIT, 1, 0, {1, 1, 1}},
      {VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT, 16, 0, {1, 1, 1}},
      {VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 8, 0, {1, 1, 1}},
  };
  EXPECT_EQ(PlanDevice(snapshot, {})->queue_family, 2u);
  snapshot.queue_families.pop_back();
  EXPECT_EQ(PlanDevice(snapshot, {})->queue_family, 1u);
}

TEST(PlanDevice, UsesOptionalFeaturesOnlyWhereTheyAreCompleteAndWanted) {
  EXPECT_TRUE(PlanDevice(Rich(), {})->byte_stores);
  EXPECT_TRUE(PlanDevice(Rich(), {})->hardware_arithmetic);

  DeviceSnapshot half = Rich();
  half.shader_int8 = false;
  half.preserves_denormals = false;
  EXPECT_FALSE(PlanDevice(half, {})->byte_stores);
  EXPECT_FALSE(PlanDevice(half, {})->hardware_arithmetic);

  Preferences plain;
  plain.optional_features = false;
  EXPECT_FALSE(PlanDevice(Rich(), plain)->byte_stores);
  EXPECT_FALSE(PlanDevice(Rich(), plain)->hardware_arithmetic);
}

TEST(PlanDevice, StagesTilesWhereSharedMemoryIsFasterThanMemoryOrWhenTold) {
  EXPECT_TRUE(PlanDevice(Least(), {})->stages);
  const DeviceSnapshot software = Least(VK_PHYSICAL_DEVICE_TYPE_CPU);
  EXPECT_FALSE(PlanDevice(software, {})->stages);
  Preferences staging;
  staging.staging = true;
  EXPECT_TRUE(PlanDevice(software, staging)->stages);
}

TEST(PlanDevice, BoundsTheWorkOfADispatchByWhatTheDeviceIs) {
  const auto terms = [](VkPhysicalDeviceType type) { return PlanDevice(Least(type), {})->terms; };
  EXPECT_LT(terms(VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU),
            terms(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU));
  EXPECT_LT(terms(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU), terms(VK_PHYSICAL_DEVICE_TYPE_CPU));
}

TEST(PlanDevice, TrustsCopyCommandsWhereAllMemoryIsTheHosts) {
  const auto copies = [](VkPhysicalDeviceType type) {
    return PlanDevice(Least(type), {})->copy_commands;
  };
  EXPECT_TRUE(copies(VK_PHYSICAL_DEVICE_TYPE_CPU));
  EXPECT_TRUE(copies(VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU));
  EXPECT_FALSE(copies(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU));
}

TEST(PlanDevice, KeepsWindowsBelowWhat32BitOffsetsReach) {
  DeviceSnapshot snapshot = Least();
  snapshot.properties.limits.maxStorageBufferRange = UINT32_MAX;
  EXPECT_LT(PlanDevice(snapshot, {})->window_bytes, uint64_t{1} << 31);
  Preferences narrow;
  narrow.window_bytes = 2048;
  EXPECT_EQ(PlanDevice(snapshot, narrow)->window_bytes, 2048u);
  narrow.window_bytes = 1;
  EXPECT_EQ(PlanDevice(snapshot, narrow)->window_bytes, 1024u);
}

// The preferences of an environment in which `name` alone is set.
Preferences Where(const char* name, const char* value) {
  for (const char* one : {"FEATURES", "STAGING", "TILE", "WINDOW"})
    unsetenv((std::string("DNNSPEC_VULKAN_") + one).c_str());
  setenv(name, value, /*overwrite=*/1);
  return Preferences::FromEnvironment();
}

TEST(Preferences, AreReadFromTheEnvironment) {
  EXPECT_EQ(Where("DNNSPEC_VULKAN_TILE", "4,8,64,128,16").tile.tile_n, 128u);
  EXPECT_EQ(Where("DNNSPEC_VULKAN_WINDOW", "4096").window_bytes, 4096u);
  EXPECT_FALSE(Where("DNNSPEC_VULKAN_FEATURES", "none").optional_features);
  EXPECT_TRUE(Where("DNNSPEC_VULKAN_TILE", "").wrong.empty());
}

TEST(Preferences, ThatMeanNothingAreRefusedByName) {
  const std::pair<const char*, const char*> all[] = {
      {"DNNSPEC_VULKAN_TILE", "8,8,128,128"}, {"DNNSPEC_VULKAN_TILE", "8,8,128,128,9"},
      {"DNNSPEC_VULKAN_TILE", "large"},       {"DNNSPEC_VULKAN_WINDOW", "4k"},
      {"DNNSPEC_VULKAN_WINDOW", "-1"},        {"DNNSPEC_VULKAN_FEATURES", "all"},
  };
  for (const auto& [name, value] : all) {
    const auto plan = PlanDevice(Rich(), Where(name, value));
    EXPECT_EQ(plan.status().code(), absl::StatusCode::kInvalidArgument) << name << value;
    const std::string told = std::string(name) + " = " + value + " is no ";
    EXPECT_NE(plan.status().message().find(told), std::string::npos) << plan.status();
  }
}

TEST(RankDevices, PutsDiscreteDevicesFirst) {
  const std::vector<DeviceSnapshot> snapshots = {
      Least(VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU),
      Least(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU),
      Least(VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU),
      Least(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU),
  };
  EXPECT_EQ(RankDevices(snapshots, {}), (std::vector<size_t>{1, 3, 0, 2}));
}

TEST(RankDevices, CountsSoftwareDevicesOnlyWhereThereIsNoOther) {
  const DeviceSnapshot software = Least(VK_PHYSICAL_DEVICE_TYPE_CPU);
  EXPECT_EQ(RankDevices({software, software}, {}), (std::vector<size_t>{0, 1}));
  EXPECT_EQ(RankDevices({software, Least()}, {}), (std::vector<size_t>{1}));
}

TEST(RankDevices, LeavesOutWhatCannotBeUsed) {
  DeviceSnapshot old = Least();
  old.properties.apiVersion = VK_API_VERSION_1_0;
  EXPECT_EQ(RankDevices({old}, {}), (std::vector<size_t>{}));
  EXPECT_EQ(RankDevices({}, {}), (std::vector<size_t>{}));
}

// A graphics card: memory of its own, the host's, and a window into its own.
DeviceSnapshot Discrete(uint64_t local = 8 * kGiB) {
  DeviceSnapshot snapshot = Least();
  snapshot.memory = {};
  snapshot.memory.memoryHeapCount = 3;
  snapshot.memory.memoryHeaps[0] = {local, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  snapshot.memory.memoryHeaps[1] = {16 * kGiB, 0};
  snapshot.memory.memoryHeaps[2] = {kGiB / 4, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  AddMemory(&snapshot, 0, 1);
  AddMemory(&snapshot, kCoherent, 1);
  AddMemory(&snapshot, kLocal | kCoherent, 2);
  AddMemory(&snapshot, kLocal, 0);
  AddMemory(&snapshot, kCoherent | kCached, 1);
  return snapshot;
}

TEST(PlanDevice, MeasuresTensorsByTheHeapTheyLieIn) {
  EXPECT_EQ(PlanDevice(Discrete(), {})->largest_region, 8 * kGiB);
  EXPECT_EQ(PlanDevice(Discrete(), {})->largest_heap, 16 * kGiB);
  EXPECT_EQ(PlanDevice(Discrete(kGiB / 4), {})->largest_region, kGiB / 4);
  EXPECT_EQ(PlanDevice(Discrete(kGiB / 4), {})->largest_block, kGiB / 32);
  EXPECT_EQ(PlanDevice(Least(), {})->largest_region, kGiB);
  EXPECT_EQ(PlanDevice(Least(), {})->largest_heap, kGiB);
}

TEST(PlanDevice, RefusesADeviceWithoutMemoryForTensors) {
  DeviceSnapshot snapshot = Least();
  snapshot.memory.memoryTypeCount = 0;
  EXPECT_EQ(PlanDevice(snapshot, {}).status().code(), absl::StatusCode::kNotFound);
}

TEST(ChooseMemoryType, KeepsTensorsOfADiscreteDeviceInItsLargestLocalHeap) {
  const DeviceSnapshot snapshot = Discrete();
  EXPECT_EQ(*ChooseMemoryType(snapshot, ~0u, Purpose::kTensor), 3u);
  EXPECT_EQ(*ChooseMemoryType(snapshot, ~0u, Purpose::kHost), 4u);
  EXPECT_EQ(*ChooseMemoryType(snapshot, ~0u, Purpose::kParameters), 2u);
  EXPECT_EQ(*ChooseMemoryType(snapshot, 0b00111, Purpose::kHost), 1u);
  EXPECT_EQ(*ChooseMemoryType(snapshot, 0b00111, Purpose::kTensor), 2u);
  EXPECT_EQ(*ChooseMemoryType(snapshot, 0b00001, Purpose::kTensor), 0u);
  EXPECT_FALSE(ChooseMemoryType(snapshot, 0b01001, Purpose::kHost).ok());
  EXPECT_FALSE(ChooseMemoryType(snapshot, 0, Purpose::kTensor).ok());
}

TEST(ChooseMemoryType, MapsTensorsWhereHostAndDeviceShareMemory) {
  DeviceSnapshot snapshot = Least(VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU);
  snapshot.memory.memoryTypeCount = 0;
  AddMemory(&snapshot, kLocal, 0);
  AddMemory(&snapshot, kLocal | kCoherent, 0);
  AddMemory(&snapshot, kLocal | kCoherent | kCached, 0);
  EXPECT_EQ(*ChooseMemoryType(snapshot, ~0u, Purpose::kTensor), 2u);
  EXPECT_EQ(*ChooseMemoryType(snapshot, ~0u, Purpose::kHost), 2u);
}

TEST(ChooseMemoryType, NeverTakesProtectedMemory) {
  DeviceSnapshot snapshot = Least();
  snapshot.memory.memoryTypeCount = 0;
  AddMemory(&snapshot, kLocal | VK_MEMORY_PROPERTY_PROTECTED_BIT, 0);
  EXPECT_FALSE(ChooseMemoryType(snapshot, ~0u, Purpose::kTensor).ok());
  AddMemory(&snapshot, kLocal, 0);
  EXPECT_EQ(*ChooseMemoryType(snapshot, ~0u, Purpose::kTensor), 1u);
}

}  // namespace
}  // namespace impl_vulkan
