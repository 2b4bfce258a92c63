#include "tools/benchmark/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/copy.h"
#include "tools/benchmark/peak.h"
#include "tools/benchmark/peers/process.h"
#include "tools/benchmark/subject.h"

namespace bench {
namespace {

double Now() {
  timespec now;
  clock_gettime(ThreadCount() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Disturbances only ever make something slower: the quartile is steadier than the median, and
// unlike the minimum it does not depend on luck.
double Quantile(std::vector<double> values, double part) {
  const auto at =
      values.begin() + static_cast<ptrdiff_t>(part * static_cast<double>(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// Makes so many calls, and tells the seconds that they took.
using Calls = std::function<double(int64_t)>;

template <typename Call>
Calls Timed(Call call) {
  return [call](int64_t calls) {
    const double start = Now();
    for (int64_t i = 0; i < calls; ++i) call();
    return Now() - start;
  };
}

// Something that is called many times to a sample.
class Contestant {
 public:
  Contestant(Calls run, double seconds_per_sample) : run_(std::move(run)) {
    run_(1);
    const double once = run_(1);
    calls_ = std::max<int64_t>(1, static_cast<int64_t>(seconds_per_sample / std::max(once, 1e-9)));
    // The first estimate of something short is mostly the clock.
    if (calls_ > 100)
      calls_ = std::max<int64_t>(100, static_cast<int64_t>(seconds_per_sample / Sample()));
    samples_.clear();
  }

  // Seconds of one call.
  double Sample() {
    samples_.push_back(run_(calls_) / static_cast<double>(calls_));
    return samples_.back();
  }

  // Untimed calls, to find caches, branches and helpers as they are in the middle of a sample:
  // helpers that slept need some milliseconds of work to be there again.
  void Warm() {
    double spent = run_(calls_ > 2 ? 3 : 2);
    while (ThreadCount() > 1 && spent < 5e-3) spent += run_(calls_);
  }

  double seconds() const { return Quantile(samples_, 0.25); }
  double spread() const { return Quantile(samples_, 0.5) / seconds(); }

 private:
  Calls run_;
  int64_t calls_;
  std::vector<double> samples_;
};

using Storage = std::unique_ptr<uint8_t, std::function<void(uint8_t*)>>;

// Whole pages, of the memory that peers share if there are any.
Storage Allocate(size_t bytes, Peers* peers) {
  if (peers != nullptr)
    return Storage(peers->Map(bytes), [bytes](uint8_t* p) { Peers::Unmap(p, bytes); });
  void* p = nullptr;
  if (posix_memalign(&p, 4096, bytes) != 0) std::abort();
  return Storage(static_cast<uint8_t*>(p), [](uint8_t* memory) { std::free(memory); });
}

// Ordinary numbers in every type, those of f32 multiples of `step`.
void Fill(const std::string& type, float step, uint8_t* data, int64_t bytes) {
  constexpr int kPeriod = 201;
  const int64_t size = SizeOf(type);
  for (int64_t i = 0; i < kPeriod && i * size < bytes; ++i) {
    const int value = static_cast<int>(i * 7919 % kPeriod) - 100;
    if (type == "f32") {
      const float f = static_cast<float>(value) * step;
      std::memcpy(data + i * 4, &f, 4);
    } else if (type == "s32") {
      std::memcpy(data + i * 4, &value, 4);
    } else if (type == "bf16" || type == "f16") {
      const uint16_t bits = static_cast<uint16_t>(0x3c00 + (value & 0x7f));
      std::memcpy(data + i * 2, &bits, 2);
    } else {
      data[i] = static_cast<uint8_t>(value);
    }
  }
  for (int64_t done = kPeriod * size; done < bytes; done *= 2)
    std::memcpy(data + done, data, static_cast<size_t>(std::min(done, bytes - done)));
}

// Source and destination lie one behind the other, and the copies go from the first half of that to
// the second: all contestants find in the caches what the others left of the same memory.
struct Operands {
  Operands(const Case& c, Peers* peers) {
    const int64_t src_bytes = (c.src.span_bytes() + 4095) / 4096 * 4096;
    copied = (c.src.bytes() + c.dst.bytes()) / 2;
    // Elements that lie on one another make it too short for a copy of as many bytes as they count.
    const int64_t all_bytes = std::max(src_bytes + c.dst.span_bytes(), 2 * copied + 64);
    bytes = static_cast<size_t>(all_bytes) + 4096;
    memory = Allocate(bytes, peers);
    src = memory.get();
    dst = src + src_bytes;
    copy_dst = src + all_bytes / 2 / 64 * 64;
    std::memset(src, 1, static_cast<size_t>(all_bytes));
    // To 3, where functions bend, or to 125.
    step = c.kind == Kind::kEltwise ? 0.03f : 1.25f;
    Fill(c.src.type, step, src, c.src.span_bytes());
    FillDestination(c);
  }

  void FillDestination(const Case& c) const { Fill(c.dst.type, step, dst, c.dst.span_bytes()); }

  Storage memory;
  size_t bytes;  // of the memory
  float step;
  uint8_t *src, *dst, *copy_dst;
  int64_t copied;  // bytes, from src to copy_dst
};

// Plain copies of as many bytes, of every kind that makes sense.
std::vector<Contestant> Copies(const Operands& operands, const Effort& effort) {
  const int64_t bytes = operands.copied;
  const uint8_t* const src = operands.src;
  uint8_t* const dst = operands.copy_dst;
  std::vector<Contestant> copies;
  for (int threads : {1, ThreadCount()}) {
    if (threads == 1 && ThreadCount() > 1 && bytes > (1 << 20)) continue;
    if (threads > 1 && bytes < (64 << 10)) continue;
    for (CopyKind kind : kCopyKinds) {
      if (kind == CopyKind::kStream && bytes < (4 << 20)) continue;
      copies.emplace_back(Timed([kind, threads, bytes, src, dst] {
                            Copy(kind, threads, src, dst, static_cast<size_t>(bytes));
                          }),
                          effort.seconds_per_sample);
    }
    if (ThreadCount() == 1) break;
  }
  return copies;
}

// Whether it is an inner product or a convolution, and not what DirectInF32 makes of one.
bool HasDirectInF32(const Case& c) {
  if (c.kind == Kind::kInnerProduct) return c.product.src != "f32";
  return c.kind == Kind::kConvolution && (c.convolution.src != "f32" || c.convolution.chooses);
}

// The same with all its operands in f32, convolutions by direct sums.
Case DirectInF32(Case c) {
  c.product.src = c.product.weights = c.product.dst = "f32";
  Convolution& convolution = c.convolution;
  convolution.src = convolution.weights = convolution.bias = convolution.dst = "f32";
  convolution.chooses = false;
  return c;
}

// So that what slows the machine slows all of them. Where another library is slow, a few rounds
// tell.
void TakeTurns(const Effort& effort, Contestant* ours, std::vector<Contestant>* yardsticks,
               std::vector<Contestant>* others) {
  std::vector<double> spent(others->size());
  for (int round = 0; round < effort.rounds; ++round) {
    ours->Warm();
    ours->Sample();
    for (Contestant& yardstick : *yardsticks) {
      yardstick.Warm();
      yardstick.Sample();
    }
    for (size_t i = 0; i < others->size(); ++i) {
      if (round > 2 && spent[i] > 0.3) continue;
      // Not this thread's time: peers run in processes of their own.
      const auto start = std::chrono::steady_clock::now();
      (*others)[i].Warm();
      (*others)[i].Sample();
      spent[i] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      // Its helpers spin for a while after their work (300,000 turns, some ten milliseconds), on
      // processors that are the others' turn to use.
      if (ThreadCount() > 1) std::this_thread::sleep_for(std::chrono::milliseconds(25));
    }
  }
}

// Ours computes the case once, and then every peer that can; those with the same result are to be
// contestants, in the order in which they are added to `results` without a difference.
std::vector<Contestant> PeersOf(const Case& c, const Effort& effort, const Operands& operands,
                                Runnable* ours, std::vector<PeerResult>* results) {
  std::vector<Contestant> contestants;
  if (effort.peers == nullptr || (c.kind != Kind::kReorder && c.kind != Kind::kShuffle))
    return contestants;
  operands.FillDestination(c);
  ours->Run();
  const std::vector<uint8_t> expected(operands.dst, operands.dst + c.dst.span_bytes());
  const auto src = static_cast<size_t>(operands.src - operands.memory.get());
  const auto dst = static_cast<size_t>(operands.dst - operands.memory.get());
  for (const auto& peer : effort.peers->all()) {
    if (!peer->Begin(c, src, dst, operands.bytes)) continue;
    operands.FillDestination(c);
    peer->Run(1);
    PeerResult result{peer->name() + " " + peer->version(), 0, ""};
    result.difference =
        peer->ended() ? "it has ended" : Difference(c, expected.data(), operands.dst);
    if (result.difference.empty())
      contestants.emplace_back([p = peer.get()](int64_t calls) { return p->Run(calls); },
                               effort.seconds_per_sample);
    results->push_back(result);
  }
  return contestants;
}

}  // namespace

Result Measure(const Case& c, const Effort& effort) {
  Result result;
  const Operands operands(c, effort.peers);
  uint8_t* const src = operands.src;
  uint8_t* const dst = operands.dst;
  const auto ours = MakeOurs(c, src, dst);
  if (ours == nullptr) return result;
  result.ran = true;
  result.info = ours->Info();
  Contestant our_contestant(Timed([p = ours.get()] { p->Run(); }), effort.seconds_per_sample);

  std::vector<Contestant> yardsticks;
  double peak = 0;  // operations of a call of the yardstick
  if (c.kind == Kind::kReorder || c.kind == Kind::kShuffle || c.kind == Kind::kEltwise) {
    result.bytes = static_cast<double>(c.src.bytes() + c.dst.bytes());
    yardsticks = Copies(operands, effort);
  } else if (c.kind == Kind::kInnerProduct || c.kind == Kind::kConvolution) {
    result.flops = c.kind == Kind::kInnerProduct ? c.product.flops() : c.convolution.flops();
    if (ThreadCount() == 1)
      yardsticks.emplace_back(Timed([&peak] { peak = MultiplyAdd(); }),
                              effort.seconds_per_sample / 4);
  }

  std::unique_ptr<Runnable> direct;
  if (HasDirectInF32(c)) direct = MakeOurs(DirectInF32(c), src, dst);
  if (direct != nullptr)
    yardsticks.emplace_back(Timed([p = direct.get()] { p->Run(); }), effort.seconds_per_sample);

  std::vector<PeerResult> peers;
  std::vector<Contestant> others = PeersOf(c, effort, operands, ours.get(), &peers);
  std::unique_ptr<Runnable> stock;
  if (effort.stock) stock = MakeStock(c, src, dst);
  if (stock != nullptr) {
    result.stock_info = stock->Info();
    others.emplace_back(Timed([p = stock.get()] { p->Run(); }), effort.seconds_per_sample);
  }

  TakeTurns(effort, &our_contestant, &yardsticks, &others);

  result.seconds = our_contestant.seconds();
  result.spread = our_contestant.spread();
  if (direct != nullptr) {
    result.direct_ratio = yardsticks.back().seconds() / result.seconds;
    yardsticks.pop_back();
  }
  for (const Contestant& yardstick : yardsticks) {
    const double share = yardstick.seconds() / result.seconds;
    if (result.flops > 0) {
      result.peak_share = share * result.flops / peak;
      continue;
    }
    if (result.copy_share == 0 || share < result.copy_share) result.copy_share = share;
  }
  if (stock != nullptr) {
    result.stock_ratio = others.back().seconds() / result.seconds;
    peers.push_back({"stock oneDNN", 0, ""});
  }
  auto next = others.begin();
  for (PeerResult& peer : peers) {
    if (!peer.difference.empty()) continue;
    peer.ratio = next++->seconds() / result.seconds;
    if (!std::isfinite(peer.ratio)) peer = {peer.name, 0, "it has ended"};
  }
  result.peers = std::move(peers);
  return result;
}

const PeerResult* Result::best_peer() const {
  const PeerResult* best = nullptr;
  for (const PeerResult& peer : peers)
    if (peer.ratio > 0 && (best == nullptr || peer.ratio < best->ratio)) best = &peer;
  return best;
}

}  // namespace bench
