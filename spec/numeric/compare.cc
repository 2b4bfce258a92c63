#include "spec/numeric/compare.h"

#include <cstdint>

#include "spec/numeric/rounding.h"

namespace spec {
namespace {

// An integer that orders the values of a type: for floats, sign and magnitude of the word.
int64_t RankOf(Type type, Bits bits) {
  switch (type) {
    case Type::kS32:
      return static_cast<int32_t>(bits);
    case Type::kS8:
      return static_cast<int8_t>(bits);
    case Type::kU8:
      return static_cast<uint8_t>(bits);
    default:
      break;
  }
  const Bits sign = Bits{1} << (8 * BytesOf(type) - 1);
  const int64_t magnitude = bits & (sign - 1);
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

bool IsBelowSmallestNormalF32(Type type, Bits bits) {
  const Bits magnitude = BitsOf(Widen(type, bits)) & 0x7FFFFFFF;
  return magnitude < 0x00800000;
}

}  // namespace

bool SameValue(Type type, Bits x, Bits y) { return x == y || (IsNan(type, x) && IsNan(type, y)); }

bool SameUnlessFlushed(Type type, Bits x, Bits y) {
  return SameValue(type, x, y) ||
         (IsBelowSmallestNormalF32(type, x) && IsBelowSmallestNormalF32(type, y));
}

bool Between(Type type, Bits low, Bits x, Bits high) {
  if (IsNan(type, low) || IsNan(type, x) || IsNan(type, high)) return false;
  return RankOf(type, low) <= RankOf(type, x) && RankOf(type, x) <= RankOf(type, high);
}

}  // namespace spec
