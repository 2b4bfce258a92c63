// ORC-CVT: the conversions between data types, bit for bit.
//
// An element is its bits in the low end of a uint32_t (Bits). Everything is integer arithmetic,
// independent of the caller's floating-point environment.
#ifndef DNNSPEC_SPEC_NUMERIC_CONVERT_H_
#define DNNSPEC_SPEC_NUMERIC_CONVERT_H_

#include <cstdint>
#include <string>

namespace spec {

enum class Type { kF16, kBF16, kF32, kS32, kS8, kU8 };
constexpr Type kTypes[] = {Type::kF16, Type::kBF16, Type::kF32, Type::kS32, Type::kS8, Type::kU8};

const char* NameOf(Type type);  // "f16", ...
int BytesOf(Type type);
bool IsFloat(Type type);

using Bits = uint32_t;

// What a verdict on one element may accept besides the exact value.
enum class Strictness {
  kPortable,  // all that the documents allow
  kProject,   // exactly the value that decisions/0002-readings.md pins
};

// The value as f32, exact except s32 (nearest even). NaN keeps sign and top payload bits.
float Widen(Type from, Bits bits);

// f32 to `to`: nearest even, integers saturate, NaN to an integer is 0, NaN to a float is a quiet
// NaN of the same sign.
Bits Convert(Type to, float value);

// A copy without attributes: same type moves the bits, integer pairs saturate exactly without a
// detour through f32, all others go through f32.
Bits Copy(Type from, Type to, Bits bits);

// The results that are right, a few values or all of a kind.
struct Acceptable {
  Bits values[4];
  int count = 0;
  bool any_nan = false;    // any NaN of the type, besides
  bool any_value = false;  // whatever the type can hold

  void Add(Bits value);
  // True for bit patterns in the set.
  bool Holds(Type type, Bits got) const;
};

// What may come of narrowing `value` to `to`, and of a copy without attributes.
Acceptable AcceptableConversions(Type to, float value, Strictness strictness);
Acceptable AcceptableCopies(Type from, Type to, Bits source, Strictness strictness);

// True when `got` is an acceptable result of a copy without attributes of `source`.
bool AcceptsCopy(Type from, Type to, Bits source, Bits got, Strictness strictness);

bool IsNan(Type type, Bits bits);
bool IsInfinite(Type type, Bits bits);
bool IsZero(Type type, Bits bits);  // either sign
bool IsSubnormal(Type type, Bits bits);

// "1.5 (0x3fc0)".
std::string ToString(Type type, Bits bits);
// "2147483647 (0x7fffffff) or 2147483520 (0x7fffff80)", "any nan", "any value".
std::string ToString(Type type, const Acceptable& acceptable);

}  // namespace spec

#endif  // DNNSPEC_SPEC_NUMERIC_CONVERT_H_
