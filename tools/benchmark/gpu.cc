// Measures reorder and shuffle on a Vulkan device, against a buffer-to-buffer copy and against the
// library's own copy shader in the same run, by the device's clock.
//
//   bench_gpu [--mib=N] [--rounds=N] [--filter=TEXT]
//
// --mib: size of the larger tensor of a case; without it 256, and 16 on a software device.
// Columns: GB/s, read and written bytes counted; share of a copy by command and by shader of as
// many bytes; host time of execute() until it returns, the least of many; time to create the
// primitive, with its pipeline when it is the first of its kind.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "oneapi/dnnl/dnnl_vulkan.hpp"
#include "tools/benchmark/cases.h"

namespace bench {
namespace {

namespace interop = dnnl::vulkan_interop;
using dnnl::memory;
using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void Must(VkResult result, const char* what) {
  if (result == VK_SUCCESS) return;
  std::fprintf(stderr, "bench_gpu: %s failed (%d)\n", what, result);
  std::exit(1);
}

// The device under the first GPU engine, for commands of our own on the library's queue.
class Gpu {
 public:
  Gpu() : engine_(dnnl::engine::kind::gpu, 0), stream_(engine_) {
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

  ~Gpu() {
    Of<PFN_vkDeviceWaitIdle>("vkDeviceWaitIdle")(device_);
    Of<PFN_vkDestroyQueryPool>("vkDestroyQueryPool")(device_, queries_, nullptr);
    Of<PFN_vkDestroyCommandPool>("vkDestroyCommandPool")(device_, pool_, nullptr);
  }

  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const dnnl::engine& engine() const { return engine_; }
  const dnnl::stream& stream() const { return stream_; }
  const char* name() const { return properties_.deviceName; }
  bool software() const { return properties_.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU; }

  // Seconds that the device spends on what `work` submits to the stream.
  double Time(const std::function<void()>& work) {
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

  // Seconds of copying `bytes` bytes by command.
  double TimeCopy(const interop::buffer_range& from, const interop::buffer_range& to,
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

 private:
  template <typename Function>
  Function Of(const char* name) const {
    return reinterpret_cast<Function>(get_(instance_, name));
  }

  void Record(VkCommandBuffer commands, const std::function<void()>& what) {
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    Must(Of<PFN_vkBeginCommandBuffer>("vkBeginCommandBuffer")(commands, &begin),
         "vkBeginCommandBuffer");
    what();
    Must(Of<PFN_vkEndCommandBuffer>("vkEndCommandBuffer")(commands), "vkEndCommandBuffer");
  }

  void Stamp(VkCommandBuffer commands, VkPipelineStageFlagBits stage, uint32_t slot) {
    VkMemoryBarrier all{};
    all.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    all.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    all.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    Of<PFN_vkCmdPipelineBarrier>("vkCmdPipelineBarrier")(
        commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
        &all, 0, nullptr, 0, nullptr);
    Of<PFN_vkCmdWriteTimestamp>("vkCmdWriteTimestamp")(commands, stage, queries_, slot);
  }

  void Submit(VkCommandBuffer commands) {
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    Must(Of<PFN_vkQueueSubmit>("vkQueueSubmit")(queue_, 1, &submit, VK_NULL_HANDLE),
         "vkQueueSubmit");
  }

  double Stamped() {
    Must(Of<PFN_vkQueueWaitIdle>("vkQueueWaitIdle")(queue_), "vkQueueWaitIdle");
    uint64_t ticks[2] = {};
    Must(Of<PFN_vkGetQueryPoolResults>("vkGetQueryPoolResults")(
             device_, queries_, 0, 2, sizeof ticks, ticks, sizeof ticks[0],
             VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
         "vkGetQueryPoolResults");
    return static_cast<double>(ticks[1] - ticks[0]) * 1e-9 *
           static_cast<double>(properties_.limits.timestampPeriod);
  }

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

memory::data_type TypeOf(const std::string& type) {
  return type == "f32"    ? memory::data_type::f32
         : type == "bf16" ? memory::data_type::bf16
         : type == "f16"  ? memory::data_type::f16
         : type == "s32"  ? memory::data_type::s32
         : type == "s8"   ? memory::data_type::s8
                          : memory::data_type::u8;
}

memory::desc DescOf(const Tensor& t) { return memory::desc(t.dims, TypeOf(t.type), t.strides); }

// A reorder between two dense layouts of 4-dimensional tensors of about `bytes` bytes.
Case Reorder(const std::string& name, const std::string& from, const std::string& to,
             const std::string& from_order, const std::string& to_order, int64_t channels,
             int64_t width, double bytes) {
  const auto wide = static_cast<double>(std::max(SizeOf(from), SizeOf(to)));
  const auto plane = static_cast<double>(channels * width);
  const auto rows = std::max<int64_t>(1, static_cast<int64_t>(bytes / wide / plane));
  Case c;
  c.group = "reorder";
  c.name = name;
  const Dims dims = {1, channels, rows, width};
  c.src = Dense(from, dims, from_order);
  c.dst = Dense(to, dims, to_order);
  return c;
}

Case Shuffle(const std::string& name, const std::string& type, const std::string& order,
             int64_t channels, int64_t group, double bytes) {
  Case c = Reorder(name, type, type, order, order, channels, 56, bytes);
  c.group = "shuffle";
  c.kind = Kind::kShuffle;
  c.axis = 1;
  c.group_size = group;
  return c;
}

std::vector<Case> Cases(double bytes) {
  std::vector<Case> cases;
  for (const char* type : {"f32", "f16", "s8"}) {
    const std::string t = type;
    cases.push_back(Reorder(t + " nchw to nhwc", t, t, "abcd", "acdb", 64, 56, bytes));
    cases.push_back(Reorder(t + " nhwc to nchw", t, t, "acdb", "abcd", 64, 56, bytes));
    cases.push_back(Reorder(t + " nchw to nhwc, odd", t, t, "abcd", "acdb", 61, 53, bytes));
    cases.push_back(Shuffle(t + " shuffle nchw", t, "abcd", 240, 3, bytes));
    cases.push_back(Shuffle(t + " shuffle nhwc", t, "acdb", 240, 3, bytes));
  }
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"f32", "bf16"}, {"f32", "f16"}, {"f32", "s8"}, {"bf16", "f32"}, {"s8", "f32"}}) {
    cases.push_back(Reorder(from + " to " + to, from, to, "abcd", "abcd", 64, 56, bytes));
  }
  cases.push_back(
      Reorder("f32 nchw to s8 nhwc, scaled", "f32", "s8", "abcd", "acdb", 64, 56, bytes));
  cases.back().scale_mask = 0;
  return cases;
}

struct Made {
  dnnl::primitive primitive;
  std::unordered_map<int, memory> arguments;
  std::string info;
};

Made Make(const Case& c, const dnnl::engine& engine, const memory& src, const memory& dst) {
  Made made;
  if (c.kind == Kind::kShuffle) {
    const dnnl::shuffle_forward::primitive_desc pd(
        dnnl::shuffle_forward::desc(dnnl::prop_kind::forward_inference, DescOf(c.src), c.axis,
                                    static_cast<int>(c.group_size)),
        engine);
    made.info = pd.impl_info_str();
    made.primitive = dnnl::shuffle_forward(pd);
    made.arguments = {{DNNL_ARG_SRC, src}, {DNNL_ARG_DST, dst}};
    return made;
  }
  dnnl::primitive_attr attr;
  if (c.scale_mask == 0) attr.set_output_scales(0, {0.25f});
  const dnnl::reorder::primitive_desc pd(engine, DescOf(c.src), engine, DescOf(c.dst), attr);
  made.info = pd.impl_info_str();
  made.primitive = dnnl::reorder(pd);
  made.arguments = {{DNNL_ARG_FROM, src}, {DNNL_ARG_TO, dst}};
  return made;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A copy of `bytes` bytes that the library does by shader: rows with a gap behind each.
Case ShaderCopy(double bytes) {
  Case c;
  c.src.type = c.dst.type = "f32";
  c.src.dims = c.dst.dims = {std::max<int64_t>(1, static_cast<int64_t>(bytes / 4 / 4096)), 4096};
  c.src.strides = {4096, 1};
  c.dst.strides = {4096 + 64, 1};
  return c;
}

void Measure(const Case& c, int rounds, Gpu* gpu) {
  memory src(DescOf(c.src), gpu->engine()), dst(DescOf(c.dst), gpu->engine());
  const double moved = static_cast<double>(c.src.bytes() + c.dst.bytes());
  const auto start = Clock::now();
  const Made made = Make(c, gpu->engine(), src, dst);
  const double creation = SecondsSince(start);
  const Case shader_case = ShaderCopy(moved / 2);
  memory shader_src(DescOf(shader_case.src), gpu->engine());
  memory shader_dst(DescOf(shader_case.dst), gpu->engine());
  const Made shader = Make(shader_case, gpu->engine(), shader_src, shader_dst);
  const auto copy_bytes = static_cast<VkDeviceSize>(shader_case.src.bytes());

  const auto run = [&](const Made& what) {
    return gpu->Time([&] { what.primitive.execute(gpu->stream(), what.arguments); });
  };
  run(made);
  run(shader);
  std::vector<double> ours, by_shader, by_command;
  double host = 1;
  for (int i = 0; i < rounds; ++i) {
    ours.push_back(run(made));
    by_shader.push_back(run(shader));
    by_command.push_back(gpu->TimeCopy(interop::get_buffer(shader_src),
                                       interop::get_buffer(shader_dst), copy_bytes));
    const auto before = Clock::now();
    made.primitive.execute(gpu->stream(), made.arguments);
    host = std::min(host, SecondsSince(before));
    dnnl::stream(gpu->stream()).wait();
  }
  const double seconds = Median(ours);
  std::printf("%-30s %8.2f %9.0f%% %8.0f%% %8.1f %9.1f  %s\n", c.name.c_str(),
              moved / seconds * 1e-9, 100 * Median(by_command) / seconds,
              100 * Median(by_shader) / seconds, host * 1e6, creation * 1e3, made.info.c_str());
  std::fflush(stdout);
}

int Main(int argc, char** argv) {
  double mib = 0;
  int rounds = 7;
  std::string filter;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string value = argument.substr(std::min(argument.size(), argument.find('=') + 1));
    if (argument.rfind("--mib=", 0) == 0) {
      mib = std::atof(value.c_str());
    } else if (argument.rfind("--rounds=", 0) == 0) {
      rounds = std::max(1, std::atoi(value.c_str()));
    } else if (argument.rfind("--filter=", 0) == 0) {
      filter = value;
    } else {
      std::fprintf(stderr, "usage: bench_gpu [--mib=N] [--rounds=N] [--filter=TEXT]\n");
      return argument == "--help" ? 0 : 2;
    }
  }
  if (dnnl::engine::get_count(dnnl::engine::kind::gpu) == 0) {
    std::fprintf(stderr, "bench: not measured: no gpu engine on this machine\n");
    return 2;
  }
  Gpu gpu;
  if (mib <= 0) mib = gpu.software() ? 16 : 256;
  std::printf("%s, tensors of %g MiB\n", gpu.name(), mib);
  std::printf("%-30s %8s %10s %9s %8s %9s\n", "case", "GB/s", "of a copy", "of shader", "host us",
              "create ms");
  for (const Case& c : Cases(mib * (1 << 20))) {
    if (c.name.find(filter) != std::string::npos) Measure(c, rounds, &gpu);
  }
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  try {
    return bench::Main(argc, argv);
  } catch (const dnnl::error& error) {
    std::fprintf(stderr, "bench_gpu: %s\n", error.what());
    return 1;
  }
}
