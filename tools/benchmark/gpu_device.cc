#include "tools/benchmark/gpu_device.h"

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace bench {
namespace {

namespace interop = dnnl::vulkan_interop;

void Must(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "bench_gpu: %s failed (%d)\n", what, result);
  std::exit(1);
}

}  // namespace

Gpu::Gpu() : engine_(dnnl::engine::kind::gpu, 0), stream_(engine_) {
  void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  get_ = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  instance_ = interop::get_instance(engine_);
  device_ = interop::get_device(engine_);
  queue_ = interop::get_queue(stream_);
  Of<PFN_vkGetPhysicalDeviceProperties>("vkGetPhysicalDeviceProperties")(
      interop::get_physical_device(engine_), &properties_);
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = interop::get_queue_family(engine_);
  Must(Of<PFN_vkCreateCommandPool>("vkCreateCommandPool")(device_, &pool, nullptr, &pool_),
       "vkCreateCommandPool");
  VkQueryPoolCreateInfo queries{};
  queries.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  queries.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries.queryCount = 2;
  Must(Of<PFN_vkCreateQueryPool>("vkCreateQueryPool")(device_, &queries, nullptr, &queries_),
       "vkCreateQueryPool");
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = pool_;
  allocate.commandBufferCount = 2;
  VkCommandBuffer commands[2];
  Must(Of<PFN_vkAllocateCommandBuffers>("vkAllocateCommandBuffers")(device_, &allocate, commands),
       "vkAllocateCommandBuffers");
  begin_ = commands[0];
  end_ = commands[1];
}

Gpu::~Gpu() {
  Of<PFN_vkDeviceWaitIdle>("vkDeviceWaitIdle")(device_);
  Of<PFN_vkDestroyQueryPool>("vkDestroyQueryPool")(device_, queries_, nullptr);
  Of<PFN_vkDestroyCommandPool>("vkDestroyCommandPool")(device_, pool_, nullptr);
}

double Gpu::Time(const std::function<void()>& work) {
  Record(begin_, [&] {
    Of<PFN_vkCmdResetQueryPool>("vkCmdResetQueryPool")(begin_, queries_, 0, 2);
    Stamp(begin_, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
  });
  Record(end_, [&] { Stamp(end_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 1); });
  Submit(begin_);
  work();
  Submit(end_);
  return Stamped();
}

double Gpu::TimeCopy(const interop::buffer_range& from, const interop::buffer_range& to,
                     VkDeviceSize bytes) {
  const VkBufferCopy region{from.offset, to.offset, bytes};
  Record(begin_, [&] {
    Of<PFN_vkCmdResetQueryPool>("vkCmdResetQueryPool")(begin_, queries_, 0, 2);
    Stamp(begin_, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
    Of<PFN_vkCmdCopyBuffer>("vkCmdCopyBuffer")(begin_, from.buffer, to.buffer, 1, &region);
    Stamp(begin_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 1);
  });
  Submit(begin_);
  return Stamped();
}

void Gpu::Finish() {
  Must(Of<PFN_vkDeviceWaitIdle>("vkDeviceWaitIdle")(device_), "vkDeviceWaitIdle");
}

void Gpu::Record(VkCommandBuffer commands, const std::function<void()>& what) {
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  Must(Of<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands, &begin),
       "vkBeginCommandBuffer");
  what();
  Must(Of<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands), "vkEndCommandBuffer");
}

void Gpu::Stamp(VkCommandBuffer commands, VkPipelineStageFlagBits stage, uint32_t slot) {
  VkMemoryBarrier all{};
  all.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  all.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  all.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  Of<PFN_vkCmdPipelineBarrier>("vkCmdPipelineBarrier")(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                                                       &all, 0, nullptr, 0, nullptr);
  Of<PFN_vkCmdWriteTimestamp>("vkCmdWriteTimestamp")(commands, stage, queries_, slot);
}

void Gpu::Submit(VkCommandBuffer commands) {
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  Must(Of<PFN_vkQueueSubmit>("vkQueueSubmit")(queue_, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
}

double Gpu::Stamped() {
  Must(Of<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(queue_), "vkQueueWaitIdle");
  uint64_t ticks[2] = {};
  Must(Of<PFN_vkGetQueryPoolResults>("vkGetQueryPoolResults")(
           device_, queries_, 0, 2, sizeof ticks, ticks, sizeof ticks[0],
           VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
       "vkGetQueryPoolResults");
  return static_cast<double>(ticks[1] - ticks[0]) * 1e-9 *
         static_cast<double>(properties_.limits.timestampPeriod);
}

}  // namespace bench
