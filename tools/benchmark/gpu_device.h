// The device under the first GPU engine: what it is called, and its clock.
#ifndef DNNSPEC_TOOLS_BENCHMARK_GPU_DEVICE_H_
#define DNNSPEC_TOOLS_BENCHMARK_GPU_DEVICE_H_

#include <functional>

#include "oneapi/dnnl/dnnl_vulkan.hpp"

namespace bench {

// Submits commands of its own on the queue of the library.
class Gpu {
 public:
  Gpu();
  ~Gpu();

  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const dnnl::engine& engine() const { return engine_; }
  const char* name() const { return properties_.deviceName; }
  bool software() const { return properties_.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }

  // Seconds that the device spends on what `work` submits.
  double Time(const std::function<void()>& work);

  // Seconds of copying `bytes` bytes by command.
  double TimeCopy(const dnnl::vulkan_interop::buffer_range& from,
                  const dnnl::vulkan_interop::buffer_range& to, VkDeviceSize bytes);

  // Waits until the device has done all that was submitted.
  void Finish();

 private:
  template <typename Function>
  Function Of(const char* name) const {
    return reinterpret_cast<Function>(get_(instance_, name));
  }
  void Record(VkCommandBuffer commands, const std::function<void()>& what);
  void Stamp(VkCommandBuffer commands, VkPipelineStageFlagBits stage, uint32_t slot);
  void Submit(VkCommandBuffer commands);
  double Stamped();

  dnnl::engine engine_;
  dnnl::stream stream_;
  PFN_vkGetInstanceProcAddr get_ = nullptr;
  VkInstance instance_ = VK_NULL_HANDLE;
  VkDevice device_ = VK_NULL_HANDLE;
  VkQueue queue_ = VK_NULL_HANDLE;
  VkPhysicalDeviceProperties properties_{};
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkQueryPool queries_ = VK_NULL_HANDLE;
  VkCommandBuffer begin_ = VK_NULL_HANDLE, end_ = VK_NULL_HANDLE;
};

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_GPU_DEVICE_H_
