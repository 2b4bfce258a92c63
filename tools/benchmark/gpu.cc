// Measures on a Vulkan device, by the device's clock: reorder, shuffle and eltwise against a
// buffer-to-buffer copy and against the library's own copy shader in the same run, inner product
// and convolution by operations a second.
//
//   bench_gpu [--mib=N] [--batch=N] [--rounds=N] [--filter=TEXT] [--list] [--sweep]
//
// --mib: size of the larger tensor of a case; without it 256, and 16 on a software device.
// --batch: images of a convolution; without it 32, and 1 on a software device.
// --sweep: inner products and convolutions only, with each tile in turn that a workgroup may have.
// --list: the names of the cases, nothing is measured.
// Columns: 10^9 bytes or operations a second, bytes read and written counted; share of a copy by
// command and by shader of as many bytes; microseconds of the device; host time of execute() until
// it returns, the least of many; time to create the primitive and to execute it once, with its
// pipeline when it is the first of its kind.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "oneapi/dnnl/dnnl_vulkan.hpp"
#include "tools/benchmark/cases.h"
#include "tools/benchmark/gpu_device.h"
#include "tools/benchmark/subject.h"

namespace bench {
namespace {

namespace interop = dnnl::vulkan_interop;
using Clock = std::chrono::steady_clock;

struct Options {
  double mib = 0;
  int64_t batch = 0;
  int rounds = 7;
  std::string filter;
  bool list = false;
  bool sweep = false;
};

// Of DNNSPEC_VULKAN_TILE.
constexpr const char* kTiles[] = {"8,8,128,128,8", "8,8,128,128,16", "8,8,128,64,8",
                                  "8,8,128,64,16", "8,8,64,128,8",   "8,8,64,64,8",
                                  "8,8,64,64,16",  "4,8,64,128,8",   "4,4,64,64,8",
                                  "4,4,64,64,16",  "4,4,32,32,8"};

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Seconds of work before a case is measured.
constexpr double kWaking = 0.15;

bool Multiplies(const Case& c) {
  return c.kind == Kind::kConvolution || c.kind == Kind::kInnerProduct;
}

// Bytes moved, or operations of a product.
double WorkOf(const Case& c) {
  if (c.kind == Kind::kConvolution) return c.convolution.flops();
  if (c.kind == Kind::kInnerProduct) return c.product.flops();
  return static_cast<double>(c.src.bytes() + c.dst.bytes());
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

// Two buffers and the two ways to copy one to the other.
class Copies {
 public:
  Copies(double bytes, Gpu* gpu)
      : gpu_(gpu),
        bytes_(std::max<VkDeviceSize>(4, static_cast<VkDeviceSize>(bytes) / 4 * 4)),
        from_(DescOf(bytes_), gpu->engine()),
        to_(DescOf(bytes_), gpu->engine()),
        shader_(MakeOursOnGpu(ShaderCopy(bytes), DNNL_MEMORY_ALLOCATE, DNNL_MEMORY_ALLOCATE)) {}

  double ByCommand() {
    return gpu_->TimeCopy(interop::get_buffer(from_), interop::get_buffer(to_), bytes_);
  }
  double ByShader() {
    return gpu_->Time([this] { shader_->Run(); });
  }

 private:
  static dnnl::memory::desc DescOf(VkDeviceSize bytes) {
    return {
        {static_cast<int64_t>(bytes)}, dnnl::memory::data_type::u8, dnnl::memory::format_tag::a};
  }

  Gpu* const gpu_;
  const VkDeviceSize bytes_;
  const dnnl::memory from_, to_;
  const std::unique_ptr<Runnable> shader_;
};

void Measure(const Case& c, const Options& options, Gpu* gpu) {
  const std::string name = c.group + "/" + c.name;
  const auto start = Clock::now();
  const std::unique_ptr<Runnable> made =
      MakeOursOnGpu(c, DNNL_MEMORY_ALLOCATE, DNNL_MEMORY_ALLOCATE);
  gpu->Finish();
  const double creation = SecondsSince(start);
  if (made == nullptr) {
    std::printf("%-52s refused\n", name.c_str());
    return;
  }
  const double work = WorkOf(c);
  std::unique_ptr<Copies> copies;
  if (!Multiplies(c)) copies = std::make_unique<Copies>(work / 2, gpu);
  const auto run = [&] { return gpu->Time([&] { made->Run(); }); };
  // A device that had nothing to do while the pipeline was made needs time to raise its clock.
  const auto woken = Clock::now();
  do run();
  while (!gpu->software() && SecondsSince(woken) < kWaking);
  std::vector<double> ours, by_shader, by_command;
  double host = 1;
  for (int i = 0; i < options.rounds; ++i) {
    ours.push_back(run());
    if (copies != nullptr) {
      by_shader.push_back(copies->ByShader());
      by_command.push_back(copies->ByCommand());
    }
    const auto before = Clock::now();
    made->Run();
    host = std::min(host, SecondsSince(before));
    gpu->Finish();
  }
  const double seconds = Median(ours);
  std::printf("%-52s %9.1f ", name.c_str(), work / seconds * 1e-9);
  if (copies != nullptr) {
    std::printf("%9.0f%% %8.0f%% ", 100 * Median(by_command) / seconds,
                100 * Median(by_shader) / seconds);
  } else {
    std::printf("%10s %9s ", "", "");
  }
  std::printf("%10.1f %8.1f %9.1f  %s\n", seconds * 1e6, host * 1e6, creation * 1e3,
              made->Info().c_str());
  std::fflush(stdout);
}

// False: wrong usage.
bool Parse(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::string value = argument.substr(std::min(argument.size(), argument.find('=') + 1));
    const auto is = [&](const char* flag) { return argument.rfind(flag, 0) == 0; };
    if (is("--mib=")) {
      options->mib = std::atof(value.c_str());
    } else if (is("--batch=")) {
      options->batch = std::max(1, std::atoi(value.c_str()));
    } else if (is("--rounds=")) {
      options->rounds = std::max(1, std::atoi(value.c_str()));
    } else if (is("--filter=")) {
      options->filter = value;
    } else if (argument == "--list") {
      options->list = true;
    } else if (argument == "--sweep") {
      options->sweep = true;
    } else {
      std::fprintf(stderr,
                   "usage: bench_gpu [--mib=N] [--batch=N] [--rounds=N] [--filter=TEXT] [--list] "
                   "[--sweep]\n");
      return false;
    }
  }
  return true;
}

void ForEach(const std::vector<Case>& cases, const Options& options,
             const std::function<void(const Case&)>& what) {
  for (const Case& c : cases) {
    if (options.sweep && !Multiplies(c)) continue;
    if ((c.group + "/" + c.name).find(options.filter) != std::string::npos) what(c);
  }
}

int MeasureAll(Options options) {
  if (dnnl::engine::get_count(dnnl::engine::kind::gpu) == 0) {
    std::fprintf(stderr, "bench: not measured: no gpu engine on this machine\n");
    return 2;
  }
  Gpu gpu;
  if (options.mib <= 0) options.mib = gpu.software() ? 16 : 256;
  if (options.batch <= 0) options.batch = gpu.software() ? 1 : 32;
  std::printf("%s, tensors of %g MiB, %d images\n", gpu.name(), options.mib,
              static_cast<int>(options.batch));
  std::printf("%-52s %9s %10s %9s %10s %8s %9s\n", "case", "10^9/s", "of a copy", "of shader", "us",
              "host us", "first ms");
  ForEach(GpuCases(options.mib * (1 << 20), options.batch), options,
          [&](const Case& c) { Measure(c, options, &gpu); });
  return 0;
}

// Each tile in a process of its own, as a device's plan is made once.
int Sweep(const Options& options) {
  for (const char* tile : kTiles) {
    std::printf("tile %s\n", tile);
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      setenv("DNNSPEC_VULKAN_TILE", tile, 1);
      const int status = MeasureAll(options);
      std::fflush(stdout);
      _exit(status);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 1;
    if (WEXITSTATUS(status) != 0) return WEXITSTATUS(status);
  }
  return 0;
}

int Main(int argc, char** argv) {
  Options options;
  if (!Parse(argc, argv, &options)) return argc == 2 && std::string(argv[1]) == "--help" ? 0 : 2;
  if (options.list) {
    ForEach(GpuCases(1 << 28, 32), options,
            [](const Case& c) { std::printf("%s/%s\n", c.group.c_str(), c.name.c_str()); });
    return 0;
  }
  return options.sweep ? Sweep(options) : MeasureAll(options);
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
