#include "oneapi/dnnl/c_api/service.h"

#include <string>

#include "api/model/c_guard.h"
#include "oneapi/dnnl/model/service.hpp"

using api::StatusOf;

namespace {

dnnl_status_t ToC(dnnl::status status) { return static_cast<dnnl_status_t>(status); }

}  // namespace

extern "C" {

dnnl_status_t dnnl_get_primitive_cache_capacity(int* capacity) {
  return StatusOf([&] { *capacity = dnnl::get_primitive_cache_capacity(); }, capacity);
}

dnnl_status_t dnnl_set_primitive_cache_capacity(int capacity) {
  return StatusOf([&] { dnnl::set_primitive_cache_capacity(capacity); });
}

dnnl_status_t dnnl_get_default_fpmath_mode(dnnl_fpmath_mode_t* mode) {
  return StatusOf([&] { *mode = convert_to_c(dnnl::get_default_fpmath_mode()); }, mode);
}

dnnl_status_t dnnl_set_default_fpmath_mode(dnnl_fpmath_mode_t mode) {
  return ToC(dnnl::set_default_fpmath_mode(static_cast<dnnl::fpmath_mode>(mode)));
}

dnnl_status_t dnnl_set_verbose(int level) { return ToC(dnnl::set_verbose(level)); }

dnnl_status_t dnnl_set_jit_dump(int enable) { return ToC(dnnl::set_jit_dump(enable)); }

dnnl_status_t dnnl_set_jit_profiling_flags(unsigned flags) {
  return ToC(dnnl::set_jit_profiling_flags(flags));
}

dnnl_status_t dnnl_set_jit_profiling_jitdumpdir(const char*) { return dnnl_unimplemented; }

dnnl_status_t dnnl_set_max_cpu_isa(dnnl_cpu_isa_t isa) {
  return ToC(dnnl::set_max_cpu_isa(static_cast<dnnl::cpu_isa>(isa)));
}

dnnl_cpu_isa_t dnnl_get_effective_cpu_isa(void) {
  return static_cast<dnnl_cpu_isa_t>(dnnl::get_effective_cpu_isa());
}

dnnl_status_t dnnl_set_cpu_isa_hints(dnnl_cpu_isa_hints_t isa_hints) {
  return ToC(dnnl::set_cpu_isa_hints(static_cast<dnnl::cpu_isa_hints>(isa_hints)));
}

dnnl_cpu_isa_hints_t dnnl_get_cpu_isa_hints(void) {
  return static_cast<dnnl_cpu_isa_hints_t>(dnnl::get_cpu_isa_hints());
}

}  // extern "C"
