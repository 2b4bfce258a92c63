// Library-wide settings and questions. Settings that concern parts this library does not have (a
// code generator, its dumps) answer `unimplemented` and change nothing.
//
// Source: oneDNN 2.6.3, "dnnl.hpp", "Service functions".
#ifndef DNNSPEC_API_MODEL_SERVICE_HPP_
#define DNNSPEC_API_MODEL_SERVICE_HPP_

#include <string>

#include "oneapi/dnnl/engine/error.hpp"
#include "oneapi/dnnl/model/c_functions.h"
#include "oneapi/dnnl/types/abi.h"
#include "oneapi/dnnl/types/c_types.h"
#include "oneapi/dnnl/types/enums.hpp"

namespace dnnl {

using version_t = dnnl_version_t;

// The version of the oneDNN API that this library follows; `hash` is "dnnspec". Lives forever.
DNNSPEC_ABI inline const version_t* version() { return dnnl_version(); }

// 0 is what there is: no call turns printing on (ERR-020). 1 and 2 are unimplemented, all else is
// invalid. DNNSPEC_VERBOSE=1 in the environment prints a line to stderr for each plan of the CPU
// that is made, and none where an earlier one is taken again.
DNNSPEC_ABI status set_verbose(int level);

// The fpmath mode of new attributes: always strict. Another default is unimplemented, and what is
// no mode is invalid.
DNNSPEC_ABI inline fpmath_mode get_default_fpmath_mode() { return fpmath_mode::strict; }
DNNSPEC_ABI status set_default_fpmath_mode(fpmath_mode mode);

// How many requests the library keeps with what became of them, 256 at first: a primitive
// descriptor of an equal one, and its primitive, are made in less time, and nothing else tells
// (PRIM-049). 0 keeps none. Only of the bundled CPU engine. Throws on a negative capacity. From any
// thread.
DNNSPEC_ABI int get_primitive_cache_capacity();
DNNSPEC_ABI void set_primitive_cache_capacity(int capacity);

DNNSPEC_ABI inline status set_jit_dump(int) { return status::unimplemented; }
DNNSPEC_ABI inline status set_jit_profiling_flags(unsigned) { return status::unimplemented; }
DNNSPEC_ABI inline status set_jit_profiling_jitdumpdir(const std::string&) {
  return status::unimplemented;
}

// Limits on instruction sets, which this library chooses by itself, below DNNSPEC_MAX_ISA of the
// environment.
enum class cpu_isa {
  all = dnnl_cpu_isa_all,
  sse41 = dnnl_cpu_isa_sse41,
  avx = dnnl_cpu_isa_avx,
  avx2 = dnnl_cpu_isa_avx2,
  avx512_mic = dnnl_cpu_isa_avx512_mic,
  avx512_mic_4ops = dnnl_cpu_isa_avx512_mic_4ops,
  avx512_core = dnnl_cpu_isa_avx512_core,
  avx512_core_vnni = dnnl_cpu_isa_avx512_core_vnni,
  avx512_core_bf16 = dnnl_cpu_isa_avx512_core_bf16,
  avx512_core_amx = dnnl_cpu_isa_avx512_core_amx,
  avx2_vnni = dnnl_cpu_isa_avx2_vnni,
};
enum class cpu_isa_hints {
  no_hints = dnnl_cpu_isa_no_hints,
  prefer_ymm = dnnl_cpu_isa_prefer_ymm,
};

// `all`, and what contains the one in use, limit nothing and succeed; a lower one is unimplemented,
// and what is none is invalid.
DNNSPEC_ABI status set_max_cpu_isa(cpu_isa isa);
// What the kernels of engine 0 of kind `cpu` use; `all` where that does not say. Never throws.
DNNSPEC_ABI cpu_isa get_effective_cpu_isa();
// `no_hints` is what there is; the other one is unimplemented, and what is none is invalid.
DNNSPEC_ABI status set_cpu_isa_hints(cpu_isa_hints hints);
DNNSPEC_ABI inline cpu_isa_hints get_cpu_isa_hints() { return cpu_isa_hints::no_hints; }

}  // namespace dnnl

#endif  // DNNSPEC_API_MODEL_SERVICE_HPP_
