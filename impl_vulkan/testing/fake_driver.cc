#include "impl_vulkan/testing/fake_driver.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "impl_vulkan/device/device_plan.h"
#include "impl_vulkan/device/instance.h"
#include "impl_vulkan/device/snapshot.h"

namespace impl_vulkan {
namespace testing {
namespace fake_driver {
namespace {

int64_t living = 0;
int64_t command_buffers = 0;  // of one pool at a time
int64_t recorded = 0, idle_waits = 0;
uintptr_t last_handle = 0;
VkResult wait = VK_SUCCESS;

template <typename Handle>
Handle MakeHandle() {
  return reinterpret_cast<Handle>(++last_handle);
}

void Never() { std::abort(); }

template <typename Info, typename Made>
VKAPI_ATTR VkResult VKAPI_CALL Create(VkDevice, const Info*, const VkAllocationCallbacks*,
                                      Made* made) {
  ++living;
  *made = MakeHandle<Made>();
  return VK_SUCCESS;
}

template <typename Made>
VKAPI_ATTR void VKAPI_CALL Destroy(VkDevice, Made object, const VkAllocationCallbacks*) {
  if (object != VK_NULL_HANDLE) --living;
}

VKAPI_ATTR VkResult VKAPI_CALL CreatePipelines(VkDevice device, VkPipelineCache, uint32_t,
                                               const VkComputePipelineCreateInfo* info,
                                               const VkAllocationCallbacks* callbacks,
                                               VkPipeline* made) {
  return Create(device, info, callbacks, made);
}

VKAPI_ATTR VkResult VKAPI_CALL AllocateCommands(VkDevice, const VkCommandBufferAllocateInfo*,
                                                VkCommandBuffer* made) {
  ++command_buffers;
  *made = MakeHandle<VkCommandBuffer>();
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL ResetCommands(VkCommandBuffer, VkCommandBufferResetFlags) {
  return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL DestroyPool(VkDevice device, VkCommandPool pool,
                                       const VkAllocationCallbacks* callbacks) {
  if (pool != VK_NULL_HANDLE) command_buffers = 0;
  Destroy(device, pool, callbacks);
}

VKAPI_ATTR VkResult VKAPI_CALL Begin(VkCommandBuffer, const VkCommandBufferBeginInfo*) {
  ++recorded;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL End(VkCommandBuffer) { return VK_SUCCESS; }

VKAPI_ATTR void VKAPI_CALL Barrier(VkCommandBuffer, VkPipelineStageFlags, VkPipelineStageFlags,
                                   VkDependencyFlags, uint32_t, const VkMemoryBarrier*, uint32_t,
                                   const VkBufferMemoryBarrier*, uint32_t,
                                   const VkImageMemoryBarrier*) {}

VKAPI_ATTR VkResult VKAPI_CALL Submit(VkQueue, uint32_t, const VkSubmitInfo*, VkFence) {
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL WaitIdle(VkQueue) {
  ++idle_waits;
  return wait;
}

VKAPI_ATTR VkResult VKAPI_CALL Wait(VkDevice, const VkSemaphoreWaitInfo*, uint64_t) { return wait; }

VKAPI_ATTR VkResult VKAPI_CALL Counter(VkDevice, VkSemaphore, uint64_t* value) {
  *value = 0;
  return wait;
}

struct Entry {
  const char* name;
  PFN_vkVoidFunction function;
};

#define ENTRY(name, function) \
  { #name, reinterpret_cast < PFN_vkVoidFunction>(static_cast <PFN_##name>(function)) }
const Entry kEntries[] = {
    ENTRY(vkAllocateCommandBuffers, AllocateCommands),
    ENTRY(vkBeginCommandBuffer, Begin),
    ENTRY(vkCmdPipelineBarrier, Barrier),
    ENTRY(vkCreateCommandPool, Create),
    ENTRY(vkCreateComputePipelines, CreatePipelines),
    ENTRY(vkCreateDescriptorSetLayout, Create),
    ENTRY(vkCreatePipelineCache, Create),
    ENTRY(vkCreatePipelineLayout, Create),
    ENTRY(vkCreateSemaphore, Create),
    ENTRY(vkCreateShaderModule, Create),
    ENTRY(vkDestroyCommandPool, DestroyPool),
    ENTRY(vkDestroyDescriptorSetLayout, Destroy),
    ENTRY(vkDestroyPipeline, Destroy),
    ENTRY(vkDestroyPipelineCache, Destroy),
    ENTRY(vkDestroyPipelineLayout, Destroy),
    ENTRY(vkDestroySemaphore, Destroy),
    ENTRY(vkDestroyShaderModule, Destroy),
    ENTRY(vkEndCommandBuffer, End),
    ENTRY(vkGetSemaphoreCounterValue, Counter),
    ENTRY(vkQueueSubmit, Submit),
    ENTRY(vkQueueWaitIdle, WaitIdle),
    ENTRY(vkResetCommandBuffer, ResetCommands),
    ENTRY(vkWaitSemaphores, Wait),
};
#undef ENTRY

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL OfDevice(VkDevice, const char* name) {
  for (const Entry& entry : kEntries) {
    if (std::strcmp(entry.name, name) == 0) return entry.function;
  }
  return Never;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL OfInstance(VkInstance instance, const char* name) {
  if (instance == VK_NULL_HANDLE) return nullptr;
  const bool of_device = std::strcmp(name, "vkGetDeviceProcAddr") == 0;
  return of_device ? reinterpret_cast<PFN_vkVoidFunction>(OfDevice) : Never;
}

}  // namespace

std::shared_ptr<Device> Open() {
  DeviceSnapshot snapshot;
  snapshot.properties.apiVersion = VK_API_VERSION_1_2;
  snapshot.properties.limits.maxPerStageDescriptorStorageBuffers = 8;
  snapshot.queue_families = {{VK_QUEUE_COMPUTE_BIT, 1, 0, {1, 1, 1}}};
  snapshot.memory.memoryHeapCount = snapshot.memory.memoryTypeCount = 1;
  snapshot.timeline_semaphore = true;
  ExternalDevice external;
  external.device = MakeHandle<VkDevice>();
  external.queue = MakeHandle<VkQueue>();
  auto instance = Instance::Adopt(OfInstance, MakeHandle<VkInstance>());
  if (!instance.ok()) std::abort();
  auto device = Device::Adopt(*std::move(instance), external, snapshot, *PlanDevice(snapshot, {}));
  if (!device.ok()) std::abort();
  return *std::move(device);
}

int64_t Living() { return living + command_buffers; }

int64_t Recorded() { return recorded; }

int64_t IdleWaits() { return idle_waits; }

void SetWait(VkResult result) { wait = result; }

}  // namespace fake_driver
}  // namespace testing
}  // namespace impl_vulkan
