// Quotients and sizes, rounded up.
#ifndef DNNSPEC_IMPL_CPU_PRODUCT_ROUNDING_H_
#define DNNSPEC_IMPL_CPU_PRODUCT_ROUNDING_H_

#include <cstddef>
#include <cstdint>

namespace impl_cpu {

// A cache line, in bytes.
constexpr size_t kCacheLine = 64;

// Of b > 0.
constexpr int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

template <typename T>
constexpr T RoundUp(T value, T to) {
  return (value + to - 1) / to * to;
}

// The first line that begins at `at` or behind it.
inline std::byte* NextLine(std::byte* at) {
  const auto address = reinterpret_cast<uintptr_t>(at);
  return at + (RoundUp<uintptr_t>(address, kCacheLine) - address);
}

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_PRODUCT_ROUNDING_H_
