#include "conformance/case/numbered_lines.h"

#include <algorithm>
#include <cstddef>

namespace conformance {

std::vector<NumberedLine> LinesOf(std::string_view text, Comments comments) {
  constexpr std::string_view kBlanks = " \t\r";
  std::vector<NumberedLine> lines;
  for (int number = 1; !text.empty(); ++number) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (comments == Comments::kAnywhere) line = line.substr(0, line.find('#'));
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos || line[first] == '#') continue;
    lines.push_back({number, line.substr(first, line.find_last_not_of(kBlanks) - first + 1)});
  }
  return lines;
}

}  // namespace conformance
