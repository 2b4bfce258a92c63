// The oneDNN that is installed, linked beside ours.

#include "oneapi/dnnl/dnnl.hpp"

#define DNNSPEC_BENCH_MAKE MakeStock
#include "tools/benchmark/subject.inc"

namespace bench {

std::string StockInstructions() {
  const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  const auto has = [isa](dnnl::cpu_isa wanted) {
    return (isa & static_cast<unsigned>(wanted)) == static_cast<unsigned>(wanted);
  };
  return has(dnnl::cpu_isa::avx512_core) ? "AVX512" : has(dnnl::cpu_isa::avx2) ? "AVX2" : "SSE4";
}

}  // namespace bench
