#include "impl_cpu/threads/limit.h"

#include <climits>

#include "absl/strings/numbers.h"

namespace impl_cpu {

int ParseThreadLimit(const char* text) {
  int limit = 0;
  return text != nullptr && absl::SimpleAtoi(text, &limit) && limit > 0 ? limit : INT_MAX;
}

}  // namespace impl_cpu
