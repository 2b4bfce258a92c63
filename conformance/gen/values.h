// Makes what tensors are filled with (GEN-DATA): bit patterns from a kind, a seed and the index.
#ifndef DNNSPEC_CONFORMANCE_GEN_VALUES_H_
#define DNNSPEC_CONFORMANCE_GEN_VALUES_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "conformance/case/random.h"
#include "spec/numeric/convert.h"

namespace conformance {

enum class ValueKind {
  // Integers that both types hold exactly, all different as long as there are enough of them: every
  // element tells where it came from. Beyond that pseudo-random.
  kIndex,
  // Uniform bit patterns, NaNs included; all different for 32-bit types.
  kBits,
  // GEN-DATA: small integers, ties of the target type, boundary values, subnormals, zeros,
  // infinities, NaNs, uniform bit patterns.
  kMixed,
  // kMixed without infinities and NaNs, magnitudes below 2^96, and below 2^20 where the target is
  // an
  // integer type: products with scales stay finite, and inside 32 bits.
  kFinite,
};

const char* NameOf(ValueKind kind);  // "index", "bits", "mixed", "finite"
std::optional<ValueKind> ParseValueKind(std::string_view name);

// `count` elements of `type` that are going to be converted to `target`.
std::vector<spec::Bits> Values(ValueKind kind, spec::Type type, spec::Type target, uint64_t seed,
                               int64_t count);

// `value` as an element of `type`.
spec::Bits BitsOf(spec::Type type, float value);

// The other type of as many bits.
spec::Type TypeOfTheSameSize(spec::Type type);

// The f32 word of `value`, and the opposite.
uint32_t WordOf(float value);
float FloatOf(uint32_t word);

}  // namespace conformance

#endif  // DNNSPEC_CONFORMANCE_GEN_VALUES_H_
