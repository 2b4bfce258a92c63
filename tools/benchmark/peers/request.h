// What the benchmark and the program of a peer say to each other, line by line, over one socket.
//
// The program begins: "peer NAME VERSION INSTRUCTIONS", the last one of SSE4, AVX2, AVX512 and
// unknown, or "absent REASON". Then it answers
//
//   case SRC DST BYTES ...   offsets of the operands in a file of so many bytes that both map, and
//                            a case as ToText writes it: "ready INFO", or "cannot REASON"
//   run COUNT                executes the case so often: the seconds that took
//
// until the socket is closed.
#ifndef DNNSPEC_TOOLS_BENCHMARK_PEERS_REQUEST_H_
#define DNNSPEC_TOOLS_BENCHMARK_PEERS_REQUEST_H_

#include <string>

#include "tools/benchmark/cases.h"

namespace bench {

// File descriptors that the program is started with.
constexpr int kPeerSocket = 3;
constexpr int kPeerMemory = 4;

// Of a reorder or a shuffle, what there is to compute: no group and no name.
std::string ToText(const Case& c);

// What ToText wrote; false if `text` is nothing of that kind.
bool FromText(const std::string& text, Case* c);

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_PEERS_REQUEST_H_
