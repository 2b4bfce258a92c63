#include "impl_cpu/strided/non_temporal.h"

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "api/spi/types.h"
#include "impl_cpu/isa/isa.h"

namespace impl_cpu {

namespace {

// What DNNSPEC_STREAM_BYTES says, or 0.
int64_t AskedBytes() {
  int64_t value = 0;
  const char* const text = std::getenv("DNNSPEC_STREAM_BYTES");
  return text != nullptr && absl::SimpleAtoi(text, &value) && value > 0 ? value : 0;
}

}  // namespace

int64_t NonTemporalBytes() {
  static const int64_t bytes = [] {
    const int64_t asked = AskedBytes();
    return asked > 0 ? asked : 16 << 20;
  }();
  return bytes;
}

int64_t NonTemporalTransposeBytes() {
  static const int64_t bytes = [] {
    const bool whole_lines = IsaInUse() >= spi::CpuIsa::kAvx512Core;
    return AskedBytes() > 0 || whole_lines ? NonTemporalBytes() : 64 << 20;
  }();
  return bytes;
}

}  // namespace impl_cpu
