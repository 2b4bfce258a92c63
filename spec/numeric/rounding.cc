#include "spec/numeric/rounding.h"

#include <algorithm>
#include <cstring>

namespace spec {
namespace {

uint64_t SignOf(Format format, bool negative) {
  return static_cast<uint64_t>(negative) << (format.exponent_bits + format.fraction_bits);
}

// The exponent of the smallest normal number: -126 for binary32.
int SmallestExponent(Format format) { return 2 - (1 << (format.exponent_bits - 1)); }

// The position of the highest set bit of a value that is not 0.
int TopBit(uint64_t value) { return 63 - __builtin_clzll(value); }

}  // namespace

Parts TakeApart(Format format, uint64_t word) {
  const uint64_t one = uint64_t{1} << format.fraction_bits;
  const uint64_t fraction = word & (one - 1);
  const int all_ones = (1 << format.exponent_bits) - 1;
  const int biased = static_cast<int>(word >> format.fraction_bits) & all_ones;
  const bool negative = (word >> (format.exponent_bits + format.fraction_bits)) & 1;
  if (biased == all_ones) {
    return {fraction == 0 ? Class::kInfinite : Class::kNan, negative, fraction, 0};
  }
  const int lowest = SmallestExponent(format) - format.fraction_bits;
  if (biased == 0) return {Class::kFinite, negative, fraction, lowest};
  return {Class::kFinite, negative, one + fraction, lowest + biased - 1};
}

uint64_t ShiftToNearestEven(uint64_t significand, int shift) {
  if (shift == 0) return significand;
  if (shift > 64) return 0;
  const uint64_t kept = shift == 64 ? 0 : significand >> shift;
  const uint64_t half = uint64_t{1} << (shift - 1);
  const uint64_t rest = significand & (half - 1 + half);
  const bool up = rest > half || (rest == half && kept % 2 == 1);
  return kept + up;
}

uint64_t Round(Format format, bool negative, uint64_t significand, int exponent,
               Direction direction) {
  const uint64_t sign = SignOf(format, negative);
  if (significand == 0) return sign;

  // The result is a whole number of units 2^unit: the unit of the value's binade, but never finer
  // than the smallest subnormal number.
  const int binade = exponent + TopBit(significand);
  const int unit = std::max(binade, SmallestExponent(format)) - format.fraction_bits;
  const int shift = unit - exponent;
  uint64_t units = 0;
  if (shift <= 0) {
    units = significand << -shift;
  } else if (direction == Direction::kNearestEven) {
    units = ShiftToNearestEven(significand, shift);
  } else {
    const uint64_t kept = shift >= 64 ? 0 : significand >> shift;
    const bool exact = shift < 64 && kept << shift == significand;
    const bool outwards = (direction == Direction::kUp) != negative;
    units = kept + (!exact && outwards);
  }

  // Below 2^fraction_bits units it is subnormal: biased exponent 0. A carry out of the fraction
  // counts the exponent up by itself.
  const uint64_t one = uint64_t{1} << format.fraction_bits;
  if (units < one) return sign + units;
  const int biased = unit + format.fraction_bits - SmallestExponent(format) + 1;
  const int all_ones = (1 << format.exponent_bits) - 1;
  const bool inwards =
      direction != Direction::kNearestEven && (direction == Direction::kUp) == negative;
  if (biased < all_ones) {
    const uint64_t word = (static_cast<uint64_t>(biased) << format.fraction_bits) + (units - one);
    if (word < InfinityOf(format, false)) return sign + word;
  }
  return inwards ? LargestOf(format, negative) : InfinityOf(format, negative);
}

uint64_t InfinityOf(Format format, bool negative) {
  const uint64_t all_ones = (uint64_t{1} << format.exponent_bits) - 1;
  return SignOf(format, negative) + (all_ones << format.fraction_bits);
}

uint64_t LargestOf(Format format, bool negative) { return InfinityOf(format, negative) - 1; }

uint32_t BitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float FloatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

double Exact(float value) {
  const uint32_t bits = BitsOf(value);
  const uint32_t magnitude = bits & 0x7FFFFFFF;
  if (magnitude >= 0x00800000) return static_cast<double>(value);
  // Subnormal: a cast would give 0 where the processor takes subnormals for zeros.
  const double exact = static_cast<double>(magnitude) * 0x1p-149;
  return magnitude == bits ? exact : -exact;
}

}  // namespace spec
