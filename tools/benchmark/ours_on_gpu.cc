#include "oneapi/dnnl/dnnl.hpp"

#define DNNSPEC_BENCH_ENGINE gpu
#define DNNSPEC_BENCH_MAKE MakeOursOnGpu
#include "tools/benchmark/subject.inc"
