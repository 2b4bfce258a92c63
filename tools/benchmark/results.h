// Holds what a run of the table gave, and sums it up.
#ifndef DNNSPEC_TOOLS_BENCHMARK_RESULTS_H_
#define DNNSPEC_TOOLS_BENCHMARK_RESULTS_H_

#include <string>
#include <vector>

#include "tools/benchmark/cases.h"
#include "tools/benchmark/measure.h"

namespace bench {

struct Row {
  std::string group, name;
  Result result;
};
using Rows = std::vector<Row>;

// Over the cases of a table that ran.
struct Summary {
  int cases = 0;            // with a copy to compare with
  double median_share = 0;  // of the copy limit
  double least_share = 0;   // the same, of the worst case
  std::string least_share_case;
  int compared = 0;          // with stock oneDNN
  double geomean_ratio = 0;  // time of stock oneDNN / time of ours
  double least_ratio = 0;
  std::string least_ratio_case;
};
Summary Summarize(const Rows& rows);

// The summary in one line.
std::string ToString(const Summary& summary);

// What a list of cases aims at. 0: at nothing.
struct Aim {
  // Times as fast as stock, times as fast as ours in f32 by direct sums, the time itself.
  enum class Of { kStock, kDirect, kSeconds };
  const char* list;
  const char* cases;  // a regular expression that is found in "group/name"
  Of of;
  double geomean, worst;  // at least, or at most where it is of seconds
};

// The lists of inner products and convolutions.
const std::vector<Aim>& Aims();

// A list of which some cases ran and have what is asked for.
struct Outcome {
  Aim aim;
  int cases = 0;
  double geomean = 0, worst = 0;
  std::string worst_case;
};
std::vector<Outcome> AgainstAims(const Rows& rows);

// A table with a line for each; empty if there is none.
std::string ToString(const std::vector<Outcome>& outcomes);

// A class of cases beside the best peer of each: the fastest of the other libraries that have an
// operator for it, stock oneDNN among them.
struct PeerOutcome {
  std::string name;
  double median_share = 0;  // of the copy limit; 0 for none
  int compared = 0;         // cases that a peer runs
  int behind = 0;           // of these, below 0.97 of the best peer
  double geomean = 0;       // time of the best peer / time of ours
  double least = 0;
  std::string least_case, least_peer;
};
// Classes of which some case ran, and all of them together.
std::vector<PeerOutcome> AgainstPeers(const Rows& rows);

// A table with a line for each; empty if no peer ran anything.
std::string ToString(const std::vector<PeerOutcome>& outcomes);

// A line for each peer whose result was not that of ours, or which ended; empty if there is none.
std::string NotCompared(const Rows& rows);

// A picture: for each case the share of the copy limit that ours and stock oneDNN reach, group by
// group. SVG; `title` is plain text.
std::string PlotSvg(const std::string& title, const Rows& rows);

}  // namespace bench

#endif  // DNNSPEC_TOOLS_BENCHMARK_RESULTS_H_
