#include "spec/numeric/arithmetic.h"

#include <cstdint>
#include <cstring>
#include <utility>

#include "spec/numeric/rounding.h"

namespace spec {
namespace {

Parts PartsOf(float value) { return TakeApart(kBinary32, BitsOf(value)); }

float Packed(uint64_t word) { return FloatOf(static_cast<uint32_t>(word)); }

float QuietNan() { return FloatOf(0x7FC00000); }

float Rounded(double value, Direction direction) {
  uint64_t word;
  std::memcpy(&word, &value, sizeof word);
  const Parts parts = TakeApart(kBinary64, word);
  if (parts.kind == Class::kNan) return QuietNan();
  if (parts.kind == Class::kInfinite) return Packed(InfinityOf(kBinary32, parts.negative));
  return Packed(Round(kBinary32, parts.negative, parts.significand, parts.exponent, direction));
}

}  // namespace

float Multiply(float a, float b) {
  const Parts x = PartsOf(a), y = PartsOf(b);
  if (x.kind == Class::kNan || y.kind == Class::kNan) return QuietNan();
  const bool negative = x.negative != y.negative;
  if (x.kind == Class::kInfinite || y.kind == Class::kInfinite) {
    const bool zero = (x.kind == Class::kFinite && x.significand == 0) ||
                      (y.kind == Class::kFinite && y.significand == 0);
    return zero ? QuietNan() : Packed(InfinityOf(kBinary32, negative));
  }
  // Two significands of 24 bits: the product is exact.
  return Packed(Round(kBinary32, negative, x.significand * y.significand, x.exponent + y.exponent));
}

float Add(float a, float b) {
  Parts x = PartsOf(a), y = PartsOf(b);
  if (x.kind == Class::kNan || y.kind == Class::kNan) return QuietNan();
  if (x.kind == Class::kInfinite || y.kind == Class::kInfinite) {
    if (x.kind == y.kind && x.negative != y.negative) return QuietNan();
    return x.kind == Class::kInfinite ? a : b;
  }
  if (x.significand == 0 && y.significand == 0) {
    return Packed(Round(kBinary32, x.negative && y.negative, 0, 0));
  }
  if (x.significand == 0) return b;
  if (y.significand == 0) return a;

  if (x.exponent < y.exponent) {
    std::swap(x, y);
    std::swap(a, b);
  }
  // Further apart, y is below 2^-14 units in the last place of x, which is normal: fl(x + y) = x.
  const int distance = x.exponent - y.exponent;
  if (distance > 38) return a;
  // Both in units of y's last place: 62 bits at most, the sum is exact.
  const uint64_t high = x.significand << distance, low = y.significand;
  if (x.negative == y.negative) return Packed(Round(kBinary32, x.negative, high + low, y.exponent));
  if (high == low) return 0.0f;
  const bool negative = high > low ? x.negative : y.negative;
  return Packed(Round(kBinary32, negative, high > low ? high - low : low - high, y.exponent));
}

float Nearest(double value) { return Rounded(value, Direction::kNearestEven); }
float AtLeast(double value) { return Rounded(value, Direction::kUp); }
float AtMost(double value) { return Rounded(value, Direction::kDown); }

}  // namespace spec
