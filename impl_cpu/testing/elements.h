// Comparison of results.
#ifndef DNNSPEC_IMPL_CPU_TESTING_ELEMENTS_H_
#define DNNSPEC_IMPL_CPU_TESTING_ELEMENTS_H_

#include <cstdint>
#include <cstring>

#include "api/spi/types.h"
#include "api/testing/interpreter.h"

namespace impl_cpu {

// Bits of NaN may differ where something was computed.
inline bool SameElements(spi::DataType type, bool computed, const spi::Bytes& a,
                         const spi::Bytes& b) {
  if (a == b) return true;
  if (!computed) return false;
  const size_t bytes = static_cast<size_t>(spi::SizeOf(type));
  for (size_t i = 0; i < a.size(); i += bytes) {
    uint32_t x = 0, y = 0;
    std::memcpy(&x, &a[i], bytes);
    std::memcpy(&y, &b[i], bytes);
    const auto nan = [type](uint32_t bits) {
      return type == spi::DataType::kF32    ? (bits & 0x7fffffff) > 0x7f800000
             : type == spi::DataType::kBF16 ? (bits & 0x7fff) > 0x7f80
             : type == spi::DataType::kF16  ? (bits & 0x7fff) > 0x7c00
                                            : false;
    };
    if (x != y && !(nan(x) && nan(y))) return false;
  }
  return true;
}

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_TESTING_ELEMENTS_H_
