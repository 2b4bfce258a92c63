#include "impl_cpu/strided/non_temporal.h"

#include <cstdlib>

#include "absl/strings/numbers.h"

namespace impl_cpu {

int64_t NonTemporalBytes() {
  static const int64_t bytes = [] {
    int64_t value = 0;
    const char* const text = std::getenv("DNNSPEC_STREAM_BYTES");
    return text != nullptr && absl::SimpleAtoi(text, &value) && value > 0 ? value : 16 << 20;
  }();
  return bytes;
}

}  // namespace impl_cpu
