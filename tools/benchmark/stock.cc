#include "oneapi/dnnl/dnnl.hpp"

#define DNNSPEC_BENCH_MAKE MakeStock
#include "tools/benchmark/subject.inc"
