// In the place of a peer whose library is not installed.

#include <memory>
#include <string>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/peer.h"
#include "tools/benchmark/subject.h"

namespace bench {

PeerInfo InitializePeer(int, const std::string&) {
  PeerInfo info;
  info.absent = DNNSPEC_PEER_ABSENT;
  return info;
}

std::unique_ptr<Runnable> MakePeer(const Case&, void*, void*) { return nullptr; }

}  // namespace bench
