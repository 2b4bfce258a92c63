#include "spec/numeric/convert.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "spec/numeric/rounding.h"

namespace spec {
namespace {

Format FormatOf(Type type) {
  switch (type) {
    case Type::kF16:
      return kBinary16;
    case Type::kBF16:
      return kBFloat16;
    default:
      return kBinary32;
  }
}

Bits SignBitOf(Type type) { return Bits{1} << (8 * BytesOf(type) - 1); }

// The quiet bit: the first of the fraction.
Bits QuietBitOf(Format format) { return Bits{1} << (format.fraction_bits - 1); }

struct Bounds {
  int64_t low, high;
};
Bounds BoundsOf(Type integer) {
  switch (integer) {
    case Type::kS8:
      return {-128, 127};
    case Type::kU8:
      return {0, 255};
    default:
      return {INT32_MIN, INT32_MAX};
  }
}

int64_t IntegerOf(Type integer, Bits bits) {
  switch (integer) {
    case Type::kS8:
      return static_cast<int8_t>(bits);
    case Type::kU8:
      return static_cast<uint8_t>(bits);
    default:
      return static_cast<int32_t>(bits);
  }
}

Bits Saturated(Type integer, int64_t value) {
  const Bounds bounds = BoundsOf(integer);
  const auto clamped = static_cast<uint64_t>(std::clamp(value, bounds.low, bounds.high));
  return static_cast<Bits>(clamped) & (SignBitOf(integer) | (SignBitOf(integer) - 1));
}

uint64_t MagnitudeOf(int64_t value) { return static_cast<uint64_t>(value < 0 ? -value : value); }

// The sign and fraction of a NaN of format `from`, moved to format `to`.
Bits MovedNan(Format from, Format to, const Parts& nan) {
  const int distance = to.fraction_bits - from.fraction_bits;
  const uint64_t fraction =
      distance >= 0 ? nan.significand << distance : nan.significand >> -distance;
  return static_cast<Bits>(InfinityOf(to, nan.negative) | fraction);
}

// The smallest normal number of format `to`, as an f32.
Bits SmallestNormalOf(Format to) {
  const int bias = (1 << (to.exponent_bits - 1)) - 1;
  return static_cast<Bits>(Round(kBinary32, false, 1, 1 - bias));
}

// The largest f32 below 2^31, where some implementations saturate (DT-019).
constexpr Bits kBelowTwoTo31 = 2147483520;

}  // namespace

const char* NameOf(Type type) {
  switch (type) {
    case Type::kF16:
      return "f16";
    case Type::kBF16:
      return "bf16";
    case Type::kF32:
      return "f32";
    case Type::kS32:
      return "s32";
    case Type::kS8:
      return "s8";
    case Type::kU8:
      return "u8";
  }
  return "";
}

int BytesOf(Type type) {
  switch (type) {
    case Type::kF16:
    case Type::kBF16:
      return 2;
    case Type::kF32:
    case Type::kS32:
      return 4;
    case Type::kS8:
    case Type::kU8:
      return 1;
  }
  return 0;
}

bool IsFloat(Type type) { return type == Type::kF16 || type == Type::kBF16 || type == Type::kF32; }

float Widen(Type from, Bits bits) {
  if (from == Type::kF32) return FloatOf(bits);
  if (!IsFloat(from)) {
    const int64_t value = IntegerOf(from, bits);
    return FloatOf(static_cast<Bits>(Round(kBinary32, value < 0, MagnitudeOf(value), 0)));
  }
  const Parts parts = TakeApart(FormatOf(from), bits);
  switch (parts.kind) {
    case Class::kNan:
      return FloatOf(MovedNan(FormatOf(from), kBinary32, parts));
    case Class::kInfinite:
      return FloatOf(static_cast<Bits>(InfinityOf(kBinary32, parts.negative)));
    case Class::kFinite:
      break;
  }
  return FloatOf(
      static_cast<Bits>(Round(kBinary32, parts.negative, parts.significand, parts.exponent)));
}

Bits Convert(Type to, float value) {
  if (to == Type::kF32) {
    return IsNan(to, BitsOf(value)) ? BitsOf(value) | QuietBitOf(kBinary32) : BitsOf(value);
  }
  const Parts parts = TakeApart(kBinary32, BitsOf(value));
  if (IsFloat(to)) {
    const Format format = FormatOf(to);
    switch (parts.kind) {
      case Class::kNan:
        return MovedNan(kBinary32, format, parts) | QuietBitOf(format);
      case Class::kInfinite:
        return static_cast<Bits>(InfinityOf(format, parts.negative));
      case Class::kFinite:
        break;
    }
    return static_cast<Bits>(Round(format, parts.negative, parts.significand, parts.exponent));
  }
  if (parts.kind == Class::kNan) return 0;
  // Beyond 2^40 it saturates anyway.
  constexpr int64_t kFar = int64_t{1} << 40;
  int64_t magnitude = kFar;
  if (parts.kind == Class::kFinite && parts.exponent <= 16) {
    magnitude = static_cast<int64_t>(parts.exponent >= 0
                                         ? parts.significand << parts.exponent
                                         : ShiftToNearestEven(parts.significand, -parts.exponent));
  }
  return Saturated(to, parts.negative ? -magnitude : magnitude);
}

Bits Copy(Type from, Type to, Bits bits) {
  if (from == to) return bits;
  if (!IsFloat(from) && !IsFloat(to)) return Saturated(to, IntegerOf(from, bits));
  return Convert(to, Widen(from, bits));
}

void Acceptable::Add(Bits value) {
  if (std::find(values, values + count, value) == values + count) values[count++] = value;
}

bool Acceptable::Holds(Type type, Bits got) const {
  return any_value || std::find(values, values + count, got) != values + count ||
         (any_nan && IsNan(type, got));
}

Acceptable AcceptableConversions(Type to, float value, Strictness strictness) {
  Acceptable set;
  const Bits exact = Convert(to, value);
  set.Add(exact);
  set.any_nan = IsNan(to, exact);
  if (strictness == Strictness::kProject) return set;

  const bool nan = IsNan(Type::kF32, BitsOf(value));
  if (!IsFloat(to)) {
    if (nan) set.any_value = true;
    //
    if (to == Type::kS32 && exact == INT32_MAX) set.Add(kBelowTwoTo31);
    return set;
  }
  if (to == Type::kF32 || nan) return set;
  const bool negative = (exact & SignBitOf(to)) != 0;
  if (IsInfinite(to, exact)) set.Add(static_cast<Bits>(LargestOf(FormatOf(to), negative)));
  // flushed, before or after rounding, which may make a normal number of it.
  const Bits magnitude = BitsOf(value) & (SignBitOf(Type::kF32) - 1);
  const bool tiny = magnitude < SmallestNormalOf(FormatOf(to));
  if (tiny) set.Add(exact & SignBitOf(to));
  if (to == Type::kF16 && tiny) set.Add(0);  // DT-015
  return set;
}

Acceptable AcceptableCopies(Type from, Type to, Bits source, Strictness strictness) {
  Acceptable set;
  const bool portable = strictness == Strictness::kPortable;
  if (from == to || (!IsFloat(from) && !IsFloat(to))) {
    set.Add(Copy(from, to, source));
    set.any_nan = portable && IsNan(from, source);
  } else {
    set = AcceptableConversions(to, Widen(from, source), strictness);
  }
  if (!portable) return set;
  if (from == Type::kF16 && IsFloat(to) && IsZero(from, source)) set.Add(0);  // DT-015
  if (from == Type::kS32 && to == Type::kBF16) {                              // rounded once
    const int64_t value = IntegerOf(from, source);
    set.Add(static_cast<Bits>(Round(kBFloat16, value < 0, MagnitudeOf(value), 0)));
  }
  return set;
}

bool AcceptsCopy(Type from, Type to, Bits source, Bits got, Strictness strictness) {
  return got == Copy(from, to, source) ||
         AcceptableCopies(from, to, source, strictness).Holds(to, got);
}

bool IsNan(Type type, Bits bits) {
  return IsFloat(type) && (bits & (SignBitOf(type) - 1)) > InfinityOf(FormatOf(type), false);
}

bool IsInfinite(Type type, Bits bits) {
  return IsFloat(type) && (bits & (SignBitOf(type) - 1)) == InfinityOf(FormatOf(type), false);
}

bool IsZero(Type type, Bits bits) {
  return IsFloat(type) ? (bits & (SignBitOf(type) - 1)) == 0 : bits == 0;
}

bool IsSubnormal(Type type, Bits bits) {
  if (!IsFloat(type)) return false;
  const Bits magnitude = bits & (SignBitOf(type) - 1);
  return magnitude != 0 && magnitude >> FormatOf(type).fraction_bits == 0;
}

std::string ToString(Type type, Bits bits) {
  char text[64];
  if (!IsFloat(type)) {
    std::snprintf(text, sizeof text, "%" PRId64 " (0x%0*x)", IntegerOf(type, bits),
                  2 * BytesOf(type), bits);
  } else {
    // The fewest digits that tell any two values of the type apart.
    const int digits = type == Type::kF32 ? 9 : type == Type::kF16 ? 5 : 4;
    std::snprintf(text, sizeof text, "%.*g (0x%0*x)", digits, Exact(Widen(type, bits)),
                  2 * BytesOf(type), bits);
  }
  return text;
}

std::string ToString(Type type, const Acceptable& acceptable) {
  if (acceptable.any_value) return "any value";
  std::string text;
  for (int i = 0; i < acceptable.count; ++i) {
    if (acceptable.any_nan && IsNan(type, acceptable.values[i])) continue;
    text += (text.empty() ? "" : " or ") + ToString(type, acceptable.values[i]);
  }
  if (acceptable.any_nan) text += std::string(text.empty() ? "" : " or ") + "any nan";
  return text;
}

}  // namespace spec
