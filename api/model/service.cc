#include "oneapi/dnnl/model/service.hpp"

#include "api/spi/implementation.h"
#include "api/spi/types.h"
#include "oneapi/dnnl/dnnl_config.h"
#include "oneapi/dnnl/dnnl_version.h"

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

status set_default_fpmath_mode(fpmath_mode mode) {
  switch (mode) {
    case fpmath_mode::strict:
      return status::success;
    case fpmath_mode::bf16:
    case fpmath_mode::f16:
    case fpmath_mode::any:
      return status::unimplemented;
  }
  return status::invalid_arguments;
}

status set_max_cpu_isa(cpu_isa isa) {
  switch (isa) {
    case cpu_isa::all:
      return status::success;
    case cpu_isa::sse41:
    case cpu_isa::avx:
    case cpu_isa::avx2:
    case cpu_isa::avx512_mic:
    case cpu_isa::avx512_mic_4ops:
    case cpu_isa::avx512_core:
    case cpu_isa::avx512_core_vnni:
    case cpu_isa::avx512_core_bf16:
    case cpu_isa::avx512_core_amx:
    case cpu_isa::avx2_vnni: {
      // Sets of bits.
      const int most = static_cast<int>(isa), used = static_cast<int>(get_effective_cpu_isa());
      return used != 0 && (most & used) == used ? status::success : status::unimplemented;
    }
  }
  return status::invalid_arguments;
}

cpu_isa get_effective_cpu_isa() try {
  for (const spi::Implementation* implementation : spi::Implementations())
    if (implementation->kind() == spi::EngineKind::kCpu)
      return static_cast<cpu_isa>(implementation->isa());
  return cpu_isa::all;
} catch (...) {  // no memory for the implementations
  return cpu_isa::all;
}

status set_cpu_isa_hints(cpu_isa_hints hints) {
  switch (hints) {
    case cpu_isa_hints::no_hints:
      return status::success;
    case cpu_isa_hints::prefer_ymm:
      return status::unimplemented;
  }
  return status::invalid_arguments;
}

}  // namespace dnnl
