#include "oneapi/dnnl/dnnl.hpp"

#define DNNSPEC_BENCH_MAKE MakeOurs
#include "tools/benchmark/subject.inc"
