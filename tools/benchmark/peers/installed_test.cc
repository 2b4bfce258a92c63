// Every peer that is installed computes what ours does, in each case that it takes. Not how fast.

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/measure.h"
#include "tools/benchmark/peers/process.h"

namespace bench {
namespace {

TEST(Peers, ComputeWhatOursComputes) {
  Peers peers;
  for (const char* name : {"onednn3", "openblas", "opencv", "xnnpack"})
    std::printf("%s: %s\n", name, peers.Add(std::string("tools/benchmark/peers/") + name).c_str());
  if (peers.all().empty()) GTEST_SKIP() << "none is installed";
  const Effort effort = {1, 1e-9, false, &peers};
  std::map<std::string, int> compared;
  for (const Case& c : AllCases()) {
    if (c.kind != Kind::kReorder && c.kind != Kind::kShuffle) continue;
    if (c.src.bytes() + c.dst.bytes() > (4 << 20)) continue;
    for (const PeerResult& peer : Measure(c, effort).peers) {
      EXPECT_EQ(peer.difference, "") << peer.name << ": " << c.group << "/" << c.name;
      ++compared[peer.name];
    }
  }
  EXPECT_EQ(compared.size(), peers.all().size());
  for (const auto& [name, count] : compared) std::printf("%s: %d cases\n", name.c_str(), count);
}

}  // namespace
}  // namespace bench
