#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/benchmark/results.h"

namespace bench {

Summary Summarize(const Rows& rows) {
  Summary summary;
  std::vector<double> shares;
  double logarithms = 0;
  for (const Row& row : rows) {
    const std::string name = row.group + "/" + row.name;
    const double share = row.result.copy_share, ratio = row.result.stock_ratio;
    if (share > 0) {
      shares.push_back(share);
      if (summary.cases++ == 0 || share < summary.least_share) {
        summary.least_share = share;
        summary.least_share_case = name;
      }
    }
    if (ratio > 0) {
      logarithms += std::log(ratio);
      if (summary.compared++ == 0 || ratio < summary.least_ratio) {
        summary.least_ratio = ratio;
        summary.least_ratio_case = name;
      }
    }
  }
  if (!shares.empty()) {
    const auto middle = shares.begin() + static_cast<ptrdiff_t>(shares.size() / 2);
    std::nth_element(shares.begin(), middle, shares.end());
    summary.median_share = *middle;
  }
  if (summary.compared > 0) summary.geomean_ratio = std::exp(logarithms / summary.compared);
  return summary;
}

std::string ToString(const Summary& s) {
  char text[512];
  std::string line;
  if (s.cases > 0) {
    std::snprintf(text, sizeof(text), "%d cases: median %.0f %% of the copy, least %.0f %% (%s)",
                  s.cases, 100 * s.median_share, 100 * s.least_share, s.least_share_case.c_str());
    line += text;
  }
  if (s.compared > 0) {
    std::snprintf(text, sizeof(text),
                  "%s%d against stock oneDNN: geometric mean %.2f times as fast, least %.2f (%s)",
                  line.empty() ? "" : "; ", s.compared, s.geomean_ratio, s.least_ratio,
                  s.least_ratio_case.c_str());
    line += text;
  }
  return line.empty() ? "nothing was measured" : line;
}

}  // namespace bench
