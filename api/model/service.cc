#include "oneapi/dnnl/model/service.hpp"

#include <atomic>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "api/engine/throw.h"
#include "oneapi/dnnl/dnnl_config.h"
#include "oneapi/dnnl/dnnl_version.h"

namespace {

// oneDNN's: to a program that asks, 0 says that reuse was switched off.
std::atomic<int> cache_capacity{1024};

}  // namespace

extern "C" {

const dnnl_version_t* dnnl_version(void) {
  static const dnnl_version_t version = {DNNL_VERSION_MAJOR, DNNL_VERSION_MINOR, DNNL_VERSION_PATCH,
                                         DNNL_VERSION_HASH,  DNNL_CPU_RUNTIME,   DNNL_GPU_RUNTIME};
  return &version;
}

}  // extern "C"

namespace dnnl {

status set_verbose(int level) {
  if (level < 0 || level > 2) return status::invalid_arguments;
  return level == 0 ? status::success : status::unimplemented;
}

int get_primitive_cache_capacity() { return cache_capacity.load(); }

void set_primitive_cache_capacity(int capacity) try {
  if (capacity < 0)
    api::Throw(absl::InvalidArgumentError(absl::StrCat(
        "set_primitive_cache_capacity: capacity = ", capacity, " is negative (PRIM-049)")));
  cache_capacity = capacity;
} catch (...) {
  api::RethrowAsDnnlError();
}

}  // namespace dnnl
