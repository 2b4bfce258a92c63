// Keeps all that is measured to an instruction set, and asks everybody whether it has taken effect.
#ifndef DNNSPEC_TOOLS_BENCHMARK_INSTRUCTIONS_H_
#define DNNSPEC_TOOLS_BENCHMARK_INSTRUCTIONS_H_

#include <map>
#include <string>
#include <vector>

#include "tools/benchmark/peers/process.h"

namespace bench {

// The variables, of every library that has one, that keep it to `cap`: SSE4, AVX2 or AVX512. Empty
// if it is none of these. Libraries read them when they are loaded.
std::map<std::string, std::string> VariablesOf(const std::string& cap);

struct InUse {
  std::string library, instructions;  // "unknown": it does not tell
};

// Ours, stock oneDNN where it is, and the peers.
std::vector<InUse> InstructionsInUse(const Peers& peers);

// In one line, who uses what.
std::string ToString(const std::vector<InUse>& all);

// The first that uses better instructions than `cap`, in words; empty if nobody says so.
std::string Beyond(const std::string& cap, const std::vector<InUse>& all);

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_INSTRUCTIONS_H_
