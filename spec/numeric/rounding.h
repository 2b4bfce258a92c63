// Binary floating-point words taken apart and put together, in integers only.
//
// Every value the oracles round goes through Round(): nothing depends on the caller's rounding
// mode, flush flags, or on what the compiler does with float expressions.
#ifndef DNNSPEC_SPEC_NUMERIC_ROUNDING_H_
#define DNNSPEC_SPEC_NUMERIC_ROUNDING_H_

#include <cstdint>

namespace spec {

// A binary interchange format: one sign bit, then exponent_bits, then fraction_bits.
struct Format {
  int exponent_bits;
  int fraction_bits;
};
constexpr Format kBinary16 = {5, 10};
constexpr Format kBFloat16 = {8, 7};
constexpr Format kBinary32 = {8, 23};
constexpr Format kBinary64 = {11, 52};

enum class Class { kFinite, kInfinite, kNan };

// (-1)^negative * significand * 2^exponent if finite.
struct Parts {
  Class kind;
  bool negative;
  uint64_t significand;  // < 2^53
  int exponent;
};
Parts TakeApart(Format format, uint64_t word);

enum class Direction { kNearestEven, kDown, kUp };  // kDown: towards minus infinity

// significand / 2^shift as an integer, nearest, ties to even; any shift >= 0.
uint64_t ShiftToNearestEven(uint64_t significand, int shift);

// The word of (-1)^negative * significand * 2^exponent, rounded; infinity beyond the largest finite
// value unless the direction points inwards. A zero keeps its sign.
uint64_t Round(Format format, bool negative, uint64_t significand, int exponent,
               Direction direction = Direction::kNearestEven);

uint64_t InfinityOf(Format format, bool negative);
uint64_t LargestOf(Format format, bool negative);  // the largest finite magnitude

// Bit casts.
uint32_t BitsOf(float value);
float FloatOf(uint32_t bits);

// The value as a double: exact, for subnormals too.
double Exact(float value);

}  // namespace spec

#endif  // DNNSPEC_SPEC_NUMERIC_ROUNDING_H_
