// Conversions of single elements, bit for bit as every kernel of this implementation does them.
//
// f16 and bf16 are carried as the uint16_t of their bits, in types of their own so that templates
// can tell them apart. NaN stays a quiet NaN of the same sign with the upper payload bits, and is 0
// as an integer; integers saturate; rounding to f16 and bf16 is half to even, rounding to integers
// and from s32 follows the rounding mode of the calling thread.
#ifndef DNNSPEC_IMPL_CPU_NUMERIC_ELEMENT_H_
#define DNNSPEC_IMPL_CPU_NUMERIC_ELEMENT_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace impl_cpu {

struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

inline uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

inline float FromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// The value as f32: exact but for s32.
inline float Widen(float value) { return value; }
inline float Widen(int32_t value) { return static_cast<float>(value); }
inline float Widen(int8_t value) { return static_cast<float>(value); }
inline float Widen(uint8_t value) { return static_cast<float>(value); }
inline float Widen(BF16 value) { return FromBits(static_cast<uint32_t>(value.bits) << 16); }
inline float Widen(F16 value) {
  const uint32_t sign = static_cast<uint32_t>(value.bits & 0x8000) << 16;
  const uint32_t exponent = (value.bits >> 10) & 0x1f, fraction = value.bits & 0x3ff;
  if (exponent == 0x1f) {
    const uint32_t quiet = fraction == 0 ? 0 : 0x400000;
    return FromBits(sign | 0x7f800000 | quiet | fraction << 13);
  }
  if (exponent != 0) return FromBits(sign | (exponent + 112) << 23 | fraction << 13);
  // fraction * 2^-24: an integer times a power of two, so exact.
  return FromBits(sign | BitsOf(static_cast<float>(static_cast<int32_t>(fraction)) * 0x1p-24f));
}

inline void Narrow(float value, float* to) { *to = value; }
inline void Narrow(float value, BF16* to) {
  const uint32_t bits = BitsOf(value);
  if ((bits & 0x7fffffff) > 0x7f800000) {
    to->bits = static_cast<uint16_t>(bits >> 16 | 0x40);
  } else {
    to->bits = static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
}
inline void Narrow(float value, F16* to) {
  const uint32_t bits = BitsOf(value);
  const uint32_t sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  uint32_t half;
  if (magnitude > 0x7f800000) {
    half = 0x7e00 | (magnitude >> 13 & 0x3ff);
  } else if (magnitude >= 0x477ff000) {  // 65520, half way to the first value out of range
    half = 0x7c00;
  } else if (magnitude >= 0x38800000) {  // 2^-14, the least normal value
    half = (magnitude - 0x38000000 + 0xfff + (magnitude >> 13 & 1)) >> 13;
  } else if (magnitude < 0x33000000) {  // below half of the least subnormal value
    half = 0;
  } else {
    // fraction * 2^-24, rounded: the bits that are shifted out decide.
    const uint32_t shift = 126 - (magnitude >> 23);
    const uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
    const uint32_t rest = fraction & ((1u << shift) - 1), middle = 1u << (shift - 1);
    half = fraction >> shift;
    if (rest > middle || (rest == middle && (half & 1))) ++half;
  }
  to->bits = static_cast<uint16_t>(sign | half);
}
inline void Narrow(float value, int32_t* to) {
  if (value >= 0x1p31f) {
    *to = INT32_MAX;
  } else if (value <= -0x1p31f) {
    *to = INT32_MIN;
  } else {
    *to = std::isnan(value) ? 0 : static_cast<int32_t>(std::lrint(value));
  }
}
inline void Narrow(float value, int8_t* to) {
  *to = static_cast<int8_t>(
      std::isnan(value) ? 0 : std::lrint(std::min(127.0f, std::max(-128.0f, value))));
}
inline void Narrow(float value, uint8_t* to) {
  *to = static_cast<uint8_t>(
      std::isnan(value) ? 0 : std::lrint(std::min(255.0f, std::max(0.0f, value))));
}

// The conversion of a pair of types where nothing is computed: equal types move their bits, pairs
// of integers saturate exactly, all others pass through f32.
template <typename From, typename To>
void Copy(const From& from, To* to) {
  if constexpr (std::is_same_v<From, To>) {
    std::memcpy(to, &from, sizeof(from));
  } else if constexpr (std::is_integral_v<From> && std::is_integral_v<To>) {
    const int64_t lo = std::numeric_limits<To>::min(), hi = std::numeric_limits<To>::max();
    *to = static_cast<To>(std::min(hi, std::max(lo, static_cast<int64_t>(from))));
  } else {
    Narrow(Widen(from), to);
  }
}

}  // namespace impl_cpu

#endif  // DNNSPEC_IMPL_CPU_NUMERIC_ELEMENT_H_
