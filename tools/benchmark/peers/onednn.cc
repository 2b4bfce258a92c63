// The oneDNN whose headers it is compiled against, 2.x or 3.x: a library of another version than
// the one that is linked into the benchmark.

#include <memory>
#include <string>

#include "oneapi/dnnl/dnnl.hpp"
#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/peer.h"
#include "tools/benchmark/subject.h"

#if DNNL_VERSION_MAJOR < 3
#define DNNSPEC_BENCH_MAKE MakePeer
#include "tools/benchmark/subject.inc"
#else
#include "tools/benchmark/peers/onednn3.inc"
#endif

#include "tools/benchmark/onednn_instructions.inc"

namespace bench {

PeerInfo InitializePeer(int, const std::string&) {
  const dnnl::version_t& version = *dnnl::version();
  PeerInfo info;
  info.name = "oneDNN";
  info.version = std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
                 std::to_string(version.patch);
  info.instructions = InstructionsOfOneDnn();
  return info;
}

}  // namespace bench
