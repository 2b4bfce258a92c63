#include "api/vulkan_interop/testing/native_device.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

namespace native {
namespace {

// Tests go on with nothing after a failure of the application's own calls.
void Must(VkResult result) {
  if (result != VK_SUCCESS) std::abort();
}

}  // namespace

#define VK(function) Get<PFN_##function>(#function)

std::unique_ptr<Device> Device::Open(std::string* why) {
  std::unique_ptr<Device> made(new Device);
  *why = made->Make();
  return why->empty() ? std::move(made) : nullptr;
}

PFN_vkVoidFunction Device::Find(const char* name) const {
  if (device != VK_NULL_HANDLE) {
    const auto of_device =
        reinterpret_cast<PFN_vkGetDeviceProcAddr>(get(instance, "vkGetDeviceProcAddr"));
    if (PFN_vkVoidFunction found = of_device(device, name)) return found;
  }
  return get(instance, name);
}

// Discrete devices first, software ones last; null if none is of Vulkan 1.2.
VkPhysicalDevice Device::Best() const {
  uint32_t count = 0;
  VK(vkEnumeratePhysicalDevices)(instance, &count, nullptr);
  std::vector<VkPhysicalDevice> devices(count);
  VK(vkEnumeratePhysicalDevices)(instance, &count, devices.data());
  devices.resize(count);
  constexpr VkPhysicalDeviceType kOrder[] = {
      VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU,
      VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, VK_PHYSICAL_DEVICE_TYPE_OTHER,
      VK_PHYSICAL_DEVICE_TYPE_CPU};
  for (const VkPhysicalDeviceType type : kOrder) {
    for (const VkPhysicalDevice candidate : devices) {
      VkPhysicalDeviceProperties properties;
      VK(vkGetPhysicalDeviceProperties)(candidate, &properties);
      const bool usable = properties.apiVersion >= VK_API_VERSION_1_2;
      if (usable && properties.deviceType == type) return candidate;
    }
  }
  return VK_NULL_HANDLE;
}

std::string Device::Make() {
  void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return "no Vulkan loader";
  get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  create.pApplicationInfo = &application;
  if (VK(vkCreateInstance)(&create, nullptr, &instance) != VK_SUCCESS) return "no Vulkan driver";
  physical = Best();
  if (physical == VK_NULL_HANDLE) return "no device of Vulkan 1.2";

  uint32_t families = 0;
  VK(vkGetPhysicalDeviceQueueFamilyProperties)(physical, &families, nullptr);
  std::vector<VkQueueFamilyProperties> all(families);
  VK(vkGetPhysicalDeviceQueueFamilyProperties)(physical, &families, all.data());
  while (family < families && !(all[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;
  if (family == families) return "no queue that computes";
  const float priority = 1;
  VkDeviceQueueCreateInfo queues{};
  queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queues.queueFamilyIndex = family;
  queues.queueCount = 1;
  queues.pQueuePriorities = &priority;
  features_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  features_.timelineSemaphore = VK_TRUE;
  VkDeviceCreateInfo open{};
  open.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  open.pNext = &features_;
  open.queueCreateInfoCount = 1;
  open.pQueueCreateInfos = &queues;
  if (VK(vkCreateDevice)(physical, &open, nullptr, &device) != VK_SUCCESS) return "no device";
  VK(vkGetDeviceQueue)(device, family, 0, &queue);
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.queueFamilyIndex = family;
  Must(VK(vkCreateCommandPool)(device, &pool, nullptr, &pool_));
  return "";
}

Device::~Device() {
  if (device == VK_NULL_HANDLE) return;
  WaitIdle();
  VK(vkDestroyCommandPool)(device, pool_, nullptr);
  VK(vkDestroyDevice)(device, nullptr);
  // The instance stays: without it the driver would be unloaded, and what it leaks nameless.
}

dnnl::vulkan_interop::device_info Device::Info() const {
  dnnl::vulkan_interop::device_info info;
  info.get_instance_proc_addr = get;
  info.instance = instance;
  info.physical_device = physical;
  info.device = device;
  info.queue_family = family;
  info.queue = queue;
  info.enabled_features = &features_;
  return info;
}

Buffer Device::MakeBuffer(VkDeviceSize size, VkBufferUsageFlags usage) const {
  Buffer made;
  made.size = size;
  made.usage = usage;
  VkBufferCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  create.size = size;
  create.usage = usage;
  Must(VK(vkCreateBuffer)(device, &create, nullptr, &made.buffer));
  VkMemoryRequirements needs;
  VK(vkGetBufferMemoryRequirements)(device, made.buffer, &needs);
  VkPhysicalDeviceMemoryProperties memory;
  VK(vkGetPhysicalDeviceMemoryProperties)(physical, &memory);
  constexpr VkMemoryPropertyFlags kCoherent =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.allocationSize = needs.size;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    if ((needs.memoryTypeBits >> i & 1) &&
        (memory.memoryTypes[i].propertyFlags & kCoherent) == kCoherent) {
      allocate.memoryTypeIndex = i;
    }
  }
  Must(VK(vkAllocateMemory)(device, &allocate, nullptr, &made.memory));
  Must(VK(vkBindBufferMemory)(device, made.buffer, made.memory, 0));
  void* host = nullptr;
  Must(VK(vkMapMemory)(device, made.memory, 0, VK_WHOLE_SIZE, 0, &host));
  made.host = static_cast<unsigned char*>(host);
  return made;
}

void Device::Free(const Buffer& buffer) const {
  VK(vkDestroyBuffer)(device, buffer.buffer, nullptr);
  VK(vkFreeMemory)(device, buffer.memory, nullptr);
}

VkSemaphore Device::MakeTimeline() const {
  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  create.pNext = &type;
  VkSemaphore made = VK_NULL_HANDLE;
  Must(VK(vkCreateSemaphore)(device, &create, nullptr, &made));
  return made;
}

void Device::Free(VkSemaphore semaphore) const {
  VK(vkDestroySemaphore)(device, semaphore, nullptr);
}

uint64_t Device::ValueOf(VkSemaphore timeline) const {
  uint64_t value = 0;
  Must(VK(vkGetSemaphoreCounterValue)(device, timeline, &value));
  return value;
}

void Device::Signal(VkSemaphore timeline, uint64_t value) const {
  VkSemaphoreSignalInfo signal{};
  signal.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
  signal.semaphore = timeline;
  signal.value = value;
  Must(VK(vkSignalSemaphore)(device, &signal));
}

void Device::Wait(VkSemaphore timeline, uint64_t value) const {
  VkSemaphoreWaitInfo wait{};
  wait.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  wait.semaphoreCount = 1;
  wait.pSemaphores = &timeline;
  wait.pValues = &value;
  Must(VK(vkWaitSemaphores)(device, &wait, UINT64_MAX));
}

void Device::Fill(const Buffer& buffer, uint32_t word, VkSemaphore signal) const {
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool_;
  allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocate.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  Must(VK(vkAllocateCommandBuffers)(device, &allocate, &commands));
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  Must(VK(vkBeginCommandBuffer)(commands, &begin));
  VK(vkCmdFillBuffer)(commands, buffer.buffer, 0, VK_WHOLE_SIZE, word);
  Must(VK(vkEndCommandBuffer)(commands));
  const uint64_t one = 1;
  VkTimelineSemaphoreSubmitInfo values{};
  values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &one;
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.pNext = &values;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  submit.signalSemaphoreCount = 1;
  submit.pSignalSemaphores = &signal;
  Must(VK(vkQueueSubmit)(queue, 1, &submit, VK_NULL_HANDLE));
}

void Device::WaitIdle() const { Must(VK(vkDeviceWaitIdle)(device)); }

#undef VK

}  // namespace native
