#include "conformance/gen/values.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace conformance {
namespace {

using spec::Bits;
using spec::Type;

constexpr const char* kKindNames[] = {"index", "bits", "mixed", "finite"};

// The integers that a type holds exactly, all of them in an interval.
struct Interval {
  int64_t low, high;
};
Interval ExactIntegers(Type type) {
  switch (type) {
    case Type::kF16:
      return {-2048, 2048};
    case Type::kBF16:
      return {-256, 256};
    case Type::kF32:
      return {-(1 << 24), 1 << 24};
    case Type::kS32:
      return {-(1 << 24), 1 << 24};
    case Type::kS8:
      return {-128, 127};
    case Type::kU8:
      return {0, 255};
  }
  return {0, 0};
}

Bits LowBits(Type type, uint64_t bits) {
  return static_cast<Bits>(bits & (0xffffffffu >> (32 - 8 * spec::BytesOf(type))));
}

Bits FromInteger(Type type, int64_t value) {
  return spec::IsFloat(type) ? BitsOf(type, static_cast<float>(value))
                             : LowBits(type, static_cast<uint64_t>(value));
}

// Bits of the fraction of a float type.
int FractionBits(Type type) { return type == Type::kF16 ? 10 : type == Type::kBF16 ? 7 : 23; }
Bits InfinityOf(Type type) {
  return type == Type::kF16 ? 0x7c00 : type == Type::kBF16 ? 0x7f80 : 0x7f800000;
}
Bits SignOf(Type type) { return 1u << (8 * spec::BytesOf(type) - 1); }

// A float of moderate size, exactly half-way between two neighbours of `target`, if `type` has one;
// for integer targets, half-way between two integers.
Bits TieOfFloat(Random& random, Type type, Type target) {
  if (!spec::IsFloat(target) || FractionBits(type) <= FractionBits(target)) {
    const int64_t bound = type == Type::kBF16 ? 60 : random.Chance(80) ? 300 : 1000;
    return BitsOf(type, static_cast<float>(random.Between(-bound, bound)) + 0.5f);
  }
  // Keep the fraction of the target, then a one and zeros below it.
  const int dropped = FractionBits(type) - FractionBits(target);
  const float value = std::ldexp(1.0f + static_cast<float>(random.Between(0, 127)) / 128,
                                 static_cast<int>(random.Between(-12, 12)));
  const Bits base = BitsOf(type, random.Chance(50) ? value : -value);
  return (base & ~((1u << dropped) - 1)) | (1u << (dropped - 1));
}

Bits TieOfInteger(Random& random, Type target) {
  const int kept = spec::IsFloat(target) ? FractionBits(target) + 1 : 8;
  const int dropped = static_cast<int>(random.Between(1, 31 - kept));
  const int64_t top = random.Between(int64_t{1} << (kept - 1), (int64_t{1} << kept) - 1);
  int64_t value = (top << dropped) + (int64_t{1} << (dropped - 1));
  // One more or less than the tie tells double rounding and truncation apart.
  if (random.Chance(30)) value += random.Pick({-1, 1});
  return static_cast<Bits>(random.Chance(50) ? value : -value);
}

Bits BoundaryOf(Random& random, Type type) {
  static constexpr float kFloats[] = {
      127,        127.5f,     127.49999f,    128,          -128,          -128.5f,    -129,
      255,        255.5f,     255.49998f,    256,          0.5f,          -0.5f,      0.49999997f,
      8388608,    -8388608,   8388607.5f,    16777216,     16777218,      65504,      65519.996f,
      65520,      -65520,     2147483520.0f, 2147483648.f, -2147483648.f, 4e9f,       -4e9f,
      6.1035e-5f, 5.9604e-8f, 2.9802e-8f,    2.9803e-8f,   1e-7f,         0.33333334f};
  static constexpr uint32_t kWords[] = {0x7f7f7fff, 0x7f7f8000, 0x7f7fffff, 0xff7f8000,
                                        0x00800000, 0x3f808000, 0x3f818000, 0x3f808001};
  static constexpr int64_t kIntegers[] = {
      127,        128,        -128,       -129,     255,       256,        -1,
      0,          16777216,   16777217,   16777219, -16777217, 2147483647, -2147483648,
      2147483520, 2147483521, 1077936129, 33554431, 65504,     65520};
  if (!spec::IsFloat(type)) {
    const int64_t value = random.Pick(kIntegers);
    if (type == Type::kS32) return static_cast<Bits>(value);
    return LowBits(type, static_cast<uint64_t>(random.Pick({0, 1, 127, 128, 129, 254, 255})));
  }
  return BitsOf(type, random.Chance(80) ? random.Pick(kFloats) : FloatOf(random.Pick(kWords)));
}

Bits SubnormalOf(Random& random, Type type) {
  const Bits fraction = (1u << FractionBits(type)) - 1;
  Bits bits = random.Chance(50) ? static_cast<Bits>(random.Between(1, 7))
                                : static_cast<Bits>(random.Between(1, fraction));
  // Normal numbers that become subnormal in f16.
  if (type != Type::kF16 && random.Chance(40)) {
    const float value = std::ldexp(static_cast<float>(random.Between(1, 4095)), -30);
    bits = BitsOf(type, value);
  }
  return random.Chance(50) ? bits : bits | SignOf(type);
}

Bits NanOf(Random& random, Type type) {
  const Bits quiet = 1u << (FractionBits(type) - 1);
  const Bits payload = static_cast<Bits>(random.Between(1, quiet - 1));
  const Bits fraction = random.Pick({quiet, payload, quiet | payload});
  return InfinityOf(type) | fraction | (random.Chance(50) ? SignOf(type) : 0);
}

Bits AnyBits(Random& random, Type type) { return LowBits(type, random.Bits()); }

Bits MixedFloat(Random& random, Type type, Type target) {
  const int64_t dice = random.Between(1, 100);
  if (dice <= 40) return BitsOf(type, static_cast<float>(random.Between(-40, 140)));
  if (dice <= 60) return TieOfFloat(random, type, target);
  if (dice <= 75) return BoundaryOf(random, type);
  if (dice <= 85) return SubnormalOf(random, type);
  if (dice <= 90) return random.Chance(50) ? 0 : SignOf(type);
  if (dice <= 93) return InfinityOf(type) | (random.Chance(50) ? SignOf(type) : 0);
  if (dice <= 96) return NanOf(random, type);
  return AnyBits(random, type);
}

Bits MixedInteger(Random& random, Type type, Type target) {
  const int64_t dice = random.Between(1, 100);
  if (dice <= 40) return FromInteger(type, random.Between(type == Type::kU8 ? 0 : -100, 120));
  if (dice <= 60 && type == Type::kS32) return TieOfInteger(random, target);
  if (dice <= 80) return BoundaryOf(random, type);
  return AnyBits(random, type);
}

// Replaces what is not finite or too large for a product with a scale.
Bits Tame(Type type, Type target, Bits bits) {
  const float bound = spec::IsFloat(target) ? 0x1p96f : 0x1p20f;
  return std::fabs(spec::Widen(type, bits)) < bound ? bits : BitsOf(type, 3);
}

}  // namespace

const char* NameOf(ValueKind kind) { return kKindNames[static_cast<int>(kind)]; }

std::optional<ValueKind> ParseValueKind(std::string_view name) {
  for (ValueKind kind :
       {ValueKind::kIndex, ValueKind::kBits, ValueKind::kMixed, ValueKind::kFinite})
    if (name == NameOf(kind)) return kind;
  return std::nullopt;
}

std::vector<Bits> Values(ValueKind kind, Type type, Type target, uint64_t seed, int64_t count) {
  std::vector<Bits> values(count);
  Random random(Mix(seed));
  switch (kind) {
    case ValueKind::kIndex: {
      const Interval a = ExactIntegers(type), b = ExactIntegers(target);
      const int64_t low = std::max(a.low, b.low), span = std::min(a.high, b.high) - low + 1;
      // A prime that divides no span: the first `span` values are a permutation.
      constexpr int64_t kStep = 1000003;
      const int64_t start = random.Between(0, span - 1);
      const int64_t step = kStep % span;
      int64_t place = start;  // (start + k * kStep) % span
      for (int64_t k = 0; k < count; ++k) {
        values[k] = FromInteger(type, low + (k < span ? place : random.Between(0, span - 1)));
        place += step;
        if (place >= span) place -= span;
      }
      return values;
    }
    case ValueKind::kBits: {
      // Odd times k, with the bits mixed by a bijection of 32 bits: all different.
      const auto salt = static_cast<uint32_t>(random.Bits());
      for (int64_t k = 0; k < count; ++k) {
        uint32_t word = static_cast<uint32_t>(k) * 0x9e3779b1u + salt;
        word = (word ^ (word >> 16)) * 0x85ebca6bu;
        word = (word ^ (word >> 13)) * 0xc2b2ae35u;
        values[k] = LowBits(type, word ^ (word >> 16));
      }
      return values;
    }
    case ValueKind::kMixed:
    case ValueKind::kFinite:
      for (Bits& bits : values) {
        bits = spec::IsFloat(type) ? MixedFloat(random, type, target)
                                   : MixedInteger(random, type, target);
        if (kind == ValueKind::kFinite) bits = Tame(type, target, bits);
      }
      return values;
  }
  return values;
}

Bits BitsOf(Type type, float value) {
  return type == Type::kF32 ? WordOf(value) : spec::Convert(type, value);
}

spec::Type TypeOfTheSameSize(spec::Type type) {
  using spec::Type;
  switch (type) {
    case Type::kF32:
      return Type::kS32;
    case Type::kS32:
      return Type::kF32;
    case Type::kBF16:
      return Type::kF16;
    case Type::kF16:
      return Type::kBF16;
    case Type::kS8:
      return Type::kU8;
    case Type::kU8:
      break;
  }
  return Type::kS8;
}

uint32_t WordOf(float value) {
  uint32_t word;
  std::memcpy(&word, &value, sizeof(word));
  return word;
}

float FloatOf(uint32_t word) {
  float value;
  std::memcpy(&value, &word, sizeof(value));
  return value;
}

}  // namespace conformance
