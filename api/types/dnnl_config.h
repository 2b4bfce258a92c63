// Tells programs for oneDNN 2.x how the library was built, by the macros that they ask for.
#ifndef DNNSPEC_API_TYPES_DNNL_CONFIG_H_
#define DNNSPEC_API_TYPES_DNNL_CONFIG_H_

#include "oneapi/dnnl/types/c_types.h"

// No thread runtime goes through the API: no OpenMP team, TBB arena or thread pool. The bundled CPU
// engine has threads of its own, as many as the process may use. Programs that pick their own loops
// by this macro run them serially.
#define DNNL_CPU_THREADING_RUNTIME DNNL_RUNTIME_SEQ
#define DNNL_CPU_RUNTIME DNNL_RUNTIME_SEQ

// No OpenCL and no SYCL objects go in or out, whatever engines there are (INTEROP-003).
#define DNNL_GPU_RUNTIME DNNL_RUNTIME_NONE

#endif  // DNNSPEC_API_TYPES_DNNL_CONFIG_H_
