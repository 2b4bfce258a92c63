#include "conformance/cli/nearest.h"

#include <algorithm>
#include <cstddef>

namespace conformance {
namespace {

// The number of letters that must be added, removed, replaced or exchanged with their neighbours.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<size_t> last, row(b.size() + 1), next(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + other});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], last[j - 2] + 1);
    }
    last = row;
    row = next;
  }
  return row[b.size()];
}

}  // namespace

std::string Nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr size_t kFar = 3;
  // "--x" and "--" are near to everything.
  if (word.size() < 2 + kFar) return "";
  const std::string* nearest = nullptr;
  size_t best = kFar;
  for (const std::string& one : known) {
    const bool begins = one.compare(0, word.size(), word) == 0;
    const size_t distance =
        begins ? std::min<size_t>(2, one.size() - word.size()) : Distance(word, one);
    if (distance >= best) continue;
    best = distance;
    nearest = &one;
  }
  return nearest == nullptr ? "" : *nearest;
}

std::string UnknownFlag(std::string_view flag, const std::vector<std::string>& known) {
  const std::string meant = Nearest(flag, known);
  return "unknown flag '" + std::string(flag) + "' (" +
         (meant.empty() ? "" : "did you mean " + meant + "? ") + "--help lists the flags)";
}

}  // namespace conformance
