#include "conformance/subject/facts.h"

#include <string_view>

#include "oneapi/dnnl/dnnl.hpp"

#if __has_include("oneapi/dnnl/dnnl_vulkan.hpp")
#include <dlfcn.h>

#include "oneapi/dnnl/dnnl_vulkan.hpp"
#endif

#if __has_include("oneapi/dnnl/dnnl_version.h")
#include "oneapi/dnnl/dnnl_version.h"
#endif

// What is called where the subject's header has no such function: it is the worse match.
namespace silent {
struct Nothing {};
template <typename = void>
Nothing get_effective_cpu_isa() {
  return {};
}
}  // namespace silent

namespace conformance {
namespace {

[[maybe_unused]] Isa IsaOf(silent::Nothing) { return IsaOfMachine(); }

// Its values are sets of bits, in every version.
template <typename CpuIsa>
Isa IsaOf(CpuIsa said) {
  const auto has = [said](auto part) {
    return (static_cast<unsigned>(said) & static_cast<unsigned>(part)) ==
           static_cast<unsigned>(part);
  };
  if (has(CpuIsa::avx512_core_bf16)) return Isa::kAvx512CoreBf16;
  if (has(CpuIsa::avx512_core_vnni)) return Isa::kAvx512CoreVnni;
  if (has(CpuIsa::avx512_core)) return Isa::kAvx512Core;
  if (has(CpuIsa::avx2)) return Isa::kAvx2;
  if (has(CpuIsa::avx)) return Isa::kAvx;
  if (has(CpuIsa::sse41)) return Isa::kSse41;
  // "All": the limit, and not what there is.
  return IsaOfMachine();
}

}  // namespace

std::string SubjectVersion() {
#if defined(DNNL_VERSION_HASH) && defined(DNNSPEC_VERSION)
  // Ours carries the version of the API that it follows; its own is the build's.
  if (std::string_view(DNNL_VERSION_HASH) == "dnnspec") return "dnnspec-" DNNSPEC_VERSION;
#endif
#if defined(DNNL_VERSION_MAJOR) && defined(DNNL_VERSION_MINOR) && defined(DNNL_VERSION_PATCH)
  return std::to_string(DNNL_VERSION_MAJOR) + "." + std::to_string(DNNL_VERSION_MINOR) + "." +
         std::to_string(DNNL_VERSION_PATCH);
#else
  return "unknown";
#endif
}

bool SubjectLacks(std::string_view topic) {
#if defined(DNNSPEC_LACKS)
  // Names with a comma behind each.
  for (std::string_view rest = DNNSPEC_LACKS; !rest.empty();) {
    const size_t end = rest.find(',');
    if (rest.substr(0, end) == topic) return true;
    rest.remove_prefix(end + 1);
  }
#endif
  return false;
}

size_t CountEngines(EngineChoice engine) {
  return dnnl::engine::get_count(engine == EngineChoice::kCpu ? dnnl::engine::kind::cpu
                                                              : dnnl::engine::kind::gpu);
}

Isa SubjectIsa() {
  using namespace dnnl;    // NOLINT: either of two functions of one name
  using namespace silent;  // NOLINT
  return IsaOf(get_effective_cpu_isa());
}

std::string SubjectDevice(EngineChoice engine) {
  if (engine == EngineChoice::kCpu) return NameOf(SubjectIsa());
#if __has_include("oneapi/dnnl/dnnl_vulkan.hpp")
  void* const loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (loader == nullptr || CountEngines(engine) == 0) return "";
  const auto read = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(
      dlsym(loader, "vkGetPhysicalDeviceProperties"));
  if (read == nullptr) return "";
  try {
    VkPhysicalDeviceProperties properties;
    const dnnl::engine first(dnnl::engine::kind::gpu, 0);
    read(dnnl::vulkan_interop::get_physical_device(first), &properties);
    return properties.deviceName;
  } catch (const dnnl::error&) {  // an engine of a plug-in
    return "";
  }
#else
  return "";
#endif
}

}  // namespace conformance
