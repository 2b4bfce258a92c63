// The oneDNN that is installed, linked beside ours.

#include "oneapi/dnnl/dnnl.hpp"

#define DNNSPEC_BENCH_MAKE MakeStock
#include "tools/benchmark/onednn_instructions.inc"
#include "tools/benchmark/subject.inc"

namespace bench {

std::string StockInstructions() { return InstructionsOfOneDnn(); }

}  // namespace bench
