#include "conformance/harness/subject.h"

#include <string_view>

#include "oneapi/dnnl/dnnl.hpp"

#if __has_include("oneapi/dnnl/dnnl_version.h")
#include "oneapi/dnnl/dnnl_version.h"
#endif

namespace conformance {

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

size_t CountEngines(EngineChoice engine) {
  return dnnl::engine::get_count(engine == EngineChoice::kCpu ? dnnl::engine::kind::cpu
                                                              : dnnl::engine::kind::gpu);
}

}  // namespace conformance
