// What the program of a peer consists of beside serve.cc: a library of others that reorders or
// shuffles, behind three functions.
#ifndef DNNSPEC_TOOLS_BENCHMARK_PEERS_PEER_H_
#define DNNSPEC_TOOLS_BENCHMARK_PEERS_PEER_H_

#include <memory>
#include <string>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/subject.h"

namespace bench {

struct PeerInfo {
  std::string name, version;  // without spaces
  // The best instruction set that the library uses, asked of itself: SSE4, AVX2 or AVX512; unknown
  // where it does not tell.
  std::string instructions = "unknown";
  std::string absent;  // why there is no library, if there is none
};

// Called first, once: initializes the library for `threads` threads, with no better instructions
// than `cap` (as above; empty: any) where environment variables of its own do not say that.
PeerInfo InitializePeer(int threads, const std::string& cap);

// Operators of the library, set up, that together compute `c`; null if it has none for it. Every
// call of Run computes all of it.
std::unique_ptr<Runnable> MakePeer(const Case& c, void* src, void* dst);

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_PEERS_PEER_H_
