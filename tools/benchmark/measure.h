// One case measured: ours, the yardstick, stock oneDNN and other libraries in turn, in many short
// rounds. The yardstick is a plain copy of what is moved, or multiply-adds in registers.
#ifndef DNNSPEC_TOOLS_BENCHMARK_MEASURE_H_
#define DNNSPEC_TOOLS_BENCHMARK_MEASURE_H_

#include <string>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/peers/process.h"

namespace bench {

// What another library made of the case.
struct PeerResult {
  std::string name;
  double ratio = 0;        // time of the peer / time of ours; 0 where it is not compared
  std::string difference;  // why it is not: where its result is not that of ours, or that it ended
};

struct Result {
  bool ran = false;       // ours did not refuse
  double seconds = 0;     // of one call: the lower quartile over the rounds
  double bytes = 0;       // read and written; 0 for creations
  double copy_share = 0;  // time of the best copy / time of ours; 0 for none
  double flops = 0;       // of inner products and convolutions
  double peak_share = 0;  // of the multiply-adds of one thread; 0 for none, and with more threads
  double stock_ratio =
      0;  // time of stock oneDNN / time of ours; 0 where it is not there or refuses
  // Of inner products and convolutions of other types and of the algorithm auto, time of ours by
  // direct sums in f32 / time of ours; else 0.
  double direct_ratio = 0;
  double spread = 0;  // the median of the rounds / the quartile
  std::string info, stock_info;
  std::vector<PeerResult> peers;  // those that have an operator for the case, and stock oneDNN
  const PeerResult* best_peer() const;  // the fastest; null if none was compared
};

// A spread beyond which something else on the machine took part.
constexpr double kDisturbed = 1.25;

struct Effort {
  int rounds = 21;
  double seconds_per_sample = 0.0005;
  bool stock = true;
  Peers* peers = nullptr;  // null for none
};

// With one thread, processor time is measured: other programs on the machine disturb it less.
Result Measure(const Case& c, const Effort& effort);

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_MEASURE_H_
