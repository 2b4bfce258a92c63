// A peer for tests: moves elements one by one. FAKE_PEER tells how it misbehaves: "wrong" writes
// one bit otherwise, "dies" ends in the middle of a case, "AVX512" says that it uses that.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/loops.h"
#include "tools/benchmark/peers/peer.h"
#include "tools/benchmark/subject.h"

namespace bench {
namespace {

std::string Misbehaviour() {
  const char* const value = std::getenv("FAKE_PEER");
  return value == nullptr ? "" : value;
}

class Moves : public Runnable {
 public:
  Moves(const Case& c, void* src, void* dst)
      : loops_(LoopsOf(c)),
        size_(SizeOf(c.src.type)),
        src_(static_cast<uint8_t*>(src)),
        dst_(static_cast<uint8_t*>(dst)) {}

  void Run() override {
    if (Misbehaviour() == "dies") _exit(1);
    ForEach(loops_, loops_.size(), [this](int64_t src, int64_t dst) {
      std::memcpy(dst_ + dst * size_, src_ + src * size_, static_cast<size_t>(size_));
    });
    if (Misbehaviour() == "wrong") dst_[0] ^= 1;
  }
  std::string Info() override { return "memcpy"; }

 private:
  const Loops loops_;
  const int64_t size_;
  uint8_t *const src_, *const dst_;
};

}  // namespace

PeerInfo InitializePeer(int, const std::string&) {
  PeerInfo info;
  info.name = "fake";
  info.version = "1";
  if (Misbehaviour() == "AVX512") info.instructions = "AVX512";
  return info;
}

std::unique_ptr<Runnable> MakePeer(const Case& c, void* src, void* dst) {
  if (c.src.type != c.dst.type || c.scale_mask >= 0 || c.sum) return nullptr;
  return std::make_unique<Moves>(c, src, dst);
}

}  // namespace bench
