// An application that computes on a Vulkan device of its own, and lends device and buffers to the
// library for one step: channels-last bytes become planes of floats between 0 and 1.
//
//   upload    the application's command: the picture into its buffer, signals 1
//   reorder   the library: u8 nhwc to f32 nchw, every value divided by 255, waits for 1, signals 2
//   download  the application's command: the planes out of its buffer, waits for 2
//
// The host does not wait until the end: semaphores carry the order, and nothing is copied on the
// way to or from the library. Prints what it used, checks every element, and exits with status 1 if
// one is wrong. Where there is no Vulkan it says so and exits with status 0.
#include <dlfcn.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "oneapi/dnnl/dnnl_vulkan.hpp"

namespace {

namespace interop = dnnl::vulkan_interop;
using dnnl::memory;

constexpr int kChannels = 3, kHeight = 5, kWidth = 7, kElements = kChannels * kHeight * kWidth;
constexpr VkDeviceSize kPictureBytes = kElements, kPlanesBytes = 4 * kElements;

// There is no Vulkan here.
struct Missing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void Must(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + " failed");
}

// The application's own device. Functions are looked up by name: nothing links a Vulkan library.
struct Gpu {
  Gpu() {
    void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw Missing("no Vulkan loader");
    get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_2;
    VkInstanceCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    create.pApplicationInfo = &application;
    if (Of<PFN_vkCreateInstance>("vkCreateInstance")(&create, nullptr, &instance) != VK_SUCCESS) {
      throw Missing("no Vulkan driver");
    }
    uint32_t count = 1;
    Of<PFN_vkEnumeratePhysicalDevices>("vkEnumeratePhysicalDevices")(instance, &count, &physical);
    if (count == 0) throw Missing("no Vulkan device");
    OpenDevice();
  }

  ~Gpu() {
    Of<PFN_vkDeviceWaitIdle>("vkDeviceWaitIdle")(device);
    Of<PFN_vkDestroySemaphore>("vkDestroySemaphore")(device, progress, nullptr);
    Of<PFN_vkDestroyCommandPool>("vkDestroyCommandPool")(device, pool, nullptr);
    Of<PFN_vkDestroyDevice>("vkDestroyDevice")(device, nullptr);
    Of<PFN_vkDestroyInstance>("vkDestroyInstance")(instance, nullptr);
  }

  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  template <typename Function>
  Function Of(const char* name) const {
    return reinterpret_cast<Function>(get(instance, name));
  }

  void OpenDevice() {
    uint32_t count = 0;
    const auto families_of = Of<PFN_vkGetPhysicalDeviceQueueFamilyProperties>(
        "vkGetPhysicalDeviceQueueFamilyProperties");
    families_of(physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    families_of(physical, &count, families.data());
    while (family < count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;
    if (family == count) throw Missing("no queue that computes");

    const float priority = 1;
    VkDeviceQueueCreateInfo queues{};
    queues.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queues.queueFamilyIndex = family;
    queues.queueCount = 1;
    queues.pQueuePriorities = &priority;
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
    features.timelineSemaphore = VK_TRUE;  // the one feature that the library needs
    VkDeviceCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    create.pNext = &features;
    create.queueCreateInfoCount = 1;
    create.pQueueCreateInfos = &queues;
    if (Of<PFN_vkCreateDevice>("vkCreateDevice")(physical, &create, nullptr, &device) !=
        VK_SUCCESS) {
      throw Missing("no device with timeline semaphores");
    }
    Of<PFN_vkGetDeviceQueue>("vkGetDeviceQueue")(device, family, 0, &queue);

    VkCommandPoolCreateInfo commands{};
    commands.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    commands.queueFamilyIndex = family;
    Must(Of<PFN_vkCreateCommandPool>("vkCreateCommandPool")(device, &commands, nullptr, &pool),
         "vkCreateCommandPool");
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo semaphore{};
    semaphore.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    semaphore.pNext = &type;
    Must(Of<PFN_vkCreateSemaphore>("vkCreateSemaphore")(device, &semaphore, nullptr, &progress),
         "vkCreateSemaphore");
  }

  // What the library is told about the device.
  interop::device_info Info() const {
    interop::device_info info;
    info.get_instance_proc_addr = get;
    info.instance = instance;
    info.physical_device = physical;
    info.device = device;
    info.queue_family = family;
    info.queue = queue;
    info.enabled_features = &features;
    return info;
  }

  // A copy of `bytes` bytes on the queue, after `progress` has reached `wait`; it raises `progress`
  // to `signal`.
  void Copy(VkBuffer from, VkBuffer to, VkDeviceSize bytes, uint64_t wait, uint64_t signal) const {
    VkCommandBufferAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    allocate.commandPool = pool;
    allocate.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    allocate.commandBufferCount = 1;
    VkCommandBuffer commands = VK_NULL_HANDLE;
    Must(Of<PFN_vkAllocateCommandBuffers>("vkAllocateCommandBuffers")(device, &allocate, &commands),
         "vkAllocateCommandBuffers");
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    Must(Of<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands, &begin),
         "vkBeginCommandBuffer");
    const VkBufferCopy region{0, 0, bytes};
    Of<PFN_vkCmdCopyBuffer>("vkCmdCopyBuffer")(commands, from, to, 1, &region);
    // The host reads what was copied once the semaphore says so.
    VkMemoryBarrier visible{};
    visible.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    visible.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    visible.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    Of<PFN_vkCmdPipelineBarrier>("vkCmdPipelineBarrier")(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &visible,
                                                         0, nullptr, 0, nullptr);
    Must(Of<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands), "vkEndCommandBuffer");

    VkTimelineSemaphoreSubmitInfo values{};
    values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
    values.waitSemaphoreValueCount = values.signalSemaphoreValueCount = 1;
    values.pWaitSemaphoreValues = &wait;
    values.pSignalSemaphoreValues = &signal;
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.pNext = &values;
    submit.waitSemaphoreCount = submit.signalSemaphoreCount = submit.commandBufferCount = 1;
    submit.pWaitSemaphores = submit.pSignalSemaphores = &progress;
    submit.pWaitDstStageMask = &stage;
    submit.pCommandBuffers = &commands;
    Must(Of<PFN_vkQueueSubmit>("vkQueueSubmit")(queue, 1, &submit, VK_NULL_HANDLE),
         "vkQueueSubmit");
  }

  void WaitFor(uint64_t value) const {
    VkSemaphoreWaitInfo wait{};
    wait.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    wait.semaphoreCount = 1;
    wait.pSemaphores = &progress;
    wait.pValues = &value;
    Must(Of<PFN_vkWaitSemaphores>("vkWaitSemaphores")(device, &wait, 10'000'000'000),
         "vkWaitSemaphores");
  }

  PFN_vkGetInstanceProcAddr get = nullptr;
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkPhysicalDeviceVulkan12Features features{};
  VkDevice device = VK_NULL_HANDLE;
  uint32_t family = 0;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkSemaphore progress = VK_NULL_HANDLE;
};

// A buffer with memory of its own, which the host sees.
class Buffer {
 public:
  Buffer(const Gpu& gpu, VkDeviceSize bytes) : gpu_(gpu), bytes_((bytes + 3) / 4 * 4) {
    VkBufferCreateInfo create{};
    create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    create.size = bytes_;
    create.usage = kUsage;
    Must(gpu.Of<PFN_vkCreateBuffer>("vkCreateBuffer")(gpu.device, &create, nullptr, &handle_),
         "vkCreateBuffer");
    VkMemoryRequirements needs;
    gpu.Of<PFN_vkGetBufferMemoryRequirements>("vkGetBufferMemoryRequirements")(gpu.device, handle_,
                                                                               &needs);
    VkPhysicalDeviceMemoryProperties memory;
    gpu.Of<PFN_vkGetPhysicalDeviceMemoryProperties>("vkGetPhysicalDeviceMemoryProperties")(
        gpu.physical, &memory);
    constexpr VkMemoryPropertyFlags kSeen =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryAllocateInfo allocate{};
    allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocate.allocationSize = needs.size;
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
      if ((needs.memoryTypeBits >> i & 1) &&
          (memory.memoryTypes[i].propertyFlags & kSeen) == kSeen) {
        allocate.memoryTypeIndex = i;
      }
    }
    Must(gpu.Of<PFN_vkAllocateMemory>("vkAllocateMemory")(gpu.device, &allocate, nullptr, &memory_),
         "vkAllocateMemory");
    Must(gpu.Of<PFN_vkBindBufferMemory>("vkBindBufferMemory")(gpu.device, handle_, memory_, 0),
         "vkBindBufferMemory");
    Must(gpu.Of<PFN_vkMapMemory>("vkMapMemory")(gpu.device, memory_, 0, VK_WHOLE_SIZE, 0, &host_),
         "vkMapMemory");
  }

  ~Buffer() {
    gpu_.Of<PFN_vkDestroyBuffer>("vkDestroyBuffer")(gpu_.device, handle_, nullptr);
    gpu_.Of<PFN_vkFreeMemory>("vkFreeMemory")(gpu_.device, memory_, nullptr);
  }

  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  VkBuffer handle() const { return handle_; }
  void* host() const { return host_; }
  interop::buffer_range range() const { return {handle_, 0, bytes_, kUsage}; }

 private:
  static constexpr VkBufferUsageFlags kUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                               VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                               VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  const Gpu& gpu_;
  const VkDeviceSize bytes_;
  VkBuffer handle_ = VK_NULL_HANDLE;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
  void* host_ = nullptr;
};

// The planes of `picture`.
std::vector<float> Planes(const std::vector<uint8_t>& picture) {
  const Gpu gpu;
  const Buffer upload(gpu, kPictureBytes), pixels(gpu, kPictureBytes);
  const Buffer planes(gpu, kPlanesBytes), download(gpu, kPlanesBytes);
  std::memcpy(upload.host(), picture.data(), picture.size());

  // Engine and stream are made of what there is, and destroy nothing of it.
  const dnnl::engine engine = interop::make_engine(gpu.Info());
  const dnnl::stream stream = interop::make_stream(engine, gpu.queue);
  const memory::dims dims = {1, kChannels, kHeight, kWidth};
  const memory src = interop::make_memory({dims, memory::data_type::u8, memory::format_tag::nhwc},
                                          engine, pixels.range());
  const memory dst = interop::make_memory({dims, memory::data_type::f32, memory::format_tag::nchw},
                                          engine, planes.range());
  dnnl::primitive_attr attr;
  attr.set_output_scales(0, {1.0f / 255});
  const dnnl::reorder reorder(src, dst, attr);

  gpu.Copy(upload.handle(), pixels.handle(), kPictureBytes, 0, 1);
  interop::execute(reorder, stream, {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}}, {{gpu.progress, 1}},
                   {{gpu.progress, 2}});
  gpu.Copy(planes.handle(), download.handle(), kPlanesBytes, 2, 3);
  gpu.WaitFor(3);

  std::vector<float> result(kElements);
  std::memcpy(result.data(), download.host(), kPlanesBytes);
  return result;
}

}  // namespace

int main() {
  std::vector<uint8_t> picture;
  for (int i = 0; i < kElements; ++i) picture.push_back(static_cast<uint8_t>(37 * i));
  std::vector<float> planes;
  try {
    planes = Planes(picture);
  } catch (const Missing& missing) {
    std::cout << "lend_buffers: skipped: " << missing.what() << "\n";
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "lend_buffers: " << error.what() << "\n";
    return 1;
  }

  int wrong = 0;
  for (int pixel = 0; pixel < kHeight * kWidth; ++pixel) {
    for (int channel = 0; channel < kChannels; ++channel) {
      const float expected = static_cast<float>(picture[pixel * kChannels + channel]) / 255;
      const float got = planes[channel * kHeight * kWidth + pixel];
      if (std::fabs(got - expected) > 1e-6f) ++wrong;
    }
  }
  std::cout << wrong << " of " << kElements << " elements are wrong\n";
  return wrong == 0 ? 0 : 1;
}
