// The loops that are left of a reorder or a shuffle when those that continue one another are one.
#ifndef DNNSPEC_TOOLS_BENCHMARK_PEERS_LOOPS_H_
#define DNNSPEC_TOOLS_BENCHMARK_PEERS_LOOPS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "tools/benchmark/cases.h"

namespace bench {

struct Loop {
  int64_t count, src, dst;  // strides in elements
};
using Loops = std::vector<Loop>;

// In the order of the destination, outermost first; none that goes round once. One element is one
// loop of it.
Loops LoopsOf(const Case& c);

// Calls `body` with the offsets of source and destination, in elements, for every turn of the first
// `outer` loops.
void ForEach(const Loops& loops, size_t outer,
             const std::function<void(int64_t src, int64_t dst)>& body);

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_PEERS_LOOPS_H_
