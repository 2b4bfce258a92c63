#include "conformance/report/numbers.h"

#include <cstddef>

namespace conformance {

std::string Grouped(int64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3 && text[at - 4] != '-';) text.insert(at -= 3, ",");
  return text;
}

}  // namespace conformance
