#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <regex>
#include <string>
#include <vector>

#include "tools/benchmark/measure.h"
#include "tools/benchmark/results.h"

namespace bench {
namespace {

constexpr double kBehind = 0.97;

struct Class {
  const char* name;
  const char* cases;  // a regular expression that is found in "group/name"
};

constexpr Class kClasses[] = {
    {"tiny calls", "^tiny/"},
    {"f32 permutations", "^permute f32"},
    {"2-byte permutations", "^permute 2 bytes/"},
    {"1-byte permutations", "^permute 1 byte/"},
    {"three channels", "^three channels/"},
    {"2-D", "^transpose 2-D/"},
    {"weights", "weights/"},
    {"same layout with gaps", "^strided/"},
    {"copies, dense", "^same layout.* copy"},
    {"conversions, dense", "^same layout.* convert"},
    {"scales, dense", "^same layout.* scale"},
    {"sum, same layout", "^same layout.* sum"},
    {"conversions, permuted", "^permute and convert[^/]*/(?!.* per )"},
    {"scales per channel, permuted", "^permute and convert.* per "},
    {"zero points", "^zero points"},
    {"every pair of types", "^every pair of types/"},
    {"sum, permuted", "^sum and permute/"},
    {"shuffle", "^shuffle"},
    {"all of these", "^(?!create/)"},
};

PeerOutcome OutcomeOf(const Class& of, const Rows& rows) {
  PeerOutcome outcome;
  outcome.name = of.name;
  const std::regex cases(of.cases);
  std::vector<double> shares;
  double logarithms = 0;
  for (const Row& row : rows) {
    const std::string name = row.group + "/" + row.name;
    if (!std::regex_search(name, cases)) continue;
    if (row.result.copy_share > 0) shares.push_back(row.result.copy_share);
    const PeerResult* const best = row.result.best_peer();
    if (best == nullptr) continue;
    logarithms += std::log(best->ratio);
    outcome.behind += best->ratio < kBehind;
    if (outcome.compared++ > 0 && best->ratio >= outcome.least) continue;
    outcome.least = best->ratio;
    outcome.least_case = name;
    outcome.least_peer = best->name;
  }
  if (!shares.empty()) {
    const auto middle = shares.begin() + static_cast<ptrdiff_t>(shares.size() / 2);
    std::nth_element(shares.begin(), middle, shares.end());
    outcome.median_share = *middle;
  }
  if (outcome.compared > 0) outcome.geomean = std::exp(logarithms / outcome.compared);
  return outcome;
}

}  // namespace

std::vector<PeerOutcome> AgainstPeers(const Rows& rows) {
  std::vector<PeerOutcome> outcomes;
  for (const Class& of : kClasses) {
    const PeerOutcome outcome = OutcomeOf(of, rows);
    if (outcome.compared > 0) outcomes.push_back(outcome);
  }
  return outcomes;
}

std::string ToString(const std::vector<PeerOutcome>& outcomes) {
  if (outcomes.empty()) return "";
  char line[512];
  std::snprintf(line, sizeof(line), "%-29s %6s %6s %7s %8s %6s\n", "class", "copy%", "cases",
                "behind", "geomean", "least");
  std::string table = line;
  for (const PeerOutcome& o : outcomes) {
    std::snprintf(line, sizeof(line), "%-29s %6.0f %6d %7d %8.2f %6.2f  %s, %s\n", o.name.c_str(),
                  100 * o.median_share, o.compared, o.behind, o.geomean, o.least,
                  o.least_case.c_str(), o.least_peer.c_str());
    table += line;
  }
  return table;
}

std::string NotCompared(const Rows& rows) {
  std::string text;
  for (const Row& row : rows) {
    for (const PeerResult& peer : row.result.peers) {
      if (peer.difference.empty()) continue;
      text += "not compared: " + peer.name + ", " + row.group + "/" + row.name + ": " +
              peer.difference + "\n";
    }
  }
  return text;
}

}  // namespace bench
