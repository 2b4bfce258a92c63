// ORC-BOUND: what f32 arithmetic may give for a formula, whatever the order of its sums.
//
//   Summation sum;
//   for (...) sum.Add(Exactly(src) * Exactly(weight));
//   Accepts(Type::kF32, sum.Total() + Exactly(bias), got, strictness)
//
// A formula is written once, over Approx instead of double; the bound that a result must keep falls
// out of it. Each operation adds the error of one f32 rounding to nearest even; where the operation
// is exact in f32 (integers and dyadic numbers, as long as they fit 24 bits) it adds nothing, and
// the result must then be exactly the value.
#ifndef DNNSPEC_SPEC_NUMERIC_APPROX_H_
#define DNNSPEC_SPEC_NUMERIC_APPROX_H_

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "spec/numeric/convert.h"

namespace spec {

// Any evaluation lies within `error` of `value`. A `value` that is infinite or NaN has error 0:
// every evaluation gives that class. An infinite `error`: partial sums may overflow, whatever comes
// is right.
struct Approx {
  double value = 0;
  double error = 0;
};

// A number that is given, as f32 or narrower, or an integer of at most 53 bits.
inline Approx Exactly(double value) { return {value, 0}; }

// True if f32 has `value`.
inline bool IsF32(double value);
// The largest e for which `value`, finite and not zero, is a multiple of 2^e.
inline int QuantumOf(double value);

inline Approx operator*(Approx a, Approx b);
Approx operator+(Approx a, Approx b);  // a Summation of two
Approx Maximum(Approx a, Approx b);    // NaN if either is

// A sum of any number of terms. The bound holds for every order of summation and every tree, with
// products fused or not: (n - 1) u / (1 - (n - 1) u) times the sum of magnitudes, u = 2^-24.
class Summation {
 public:
  void Add(Approx term);
  Approx Total() const;  // 0 of no terms

 private:
  void AddInfinityOrNan(double value);

  int64_t terms_ = 0;
  double total_ = 0, magnitudes_ = 0, errors_ = 0;
  int quantum_ = 1 << 20;  // every term so far is a multiple of 2^quantum_
  bool nan_ = false, positive_infinity_ = false, negative_infinity_ = false;
};

// True if `got` may come of converting an evaluation of `result` to `type`.
bool Accepts(Type type, Approx result, Bits got, Strictness strictness);

// "2.5 (0x40200000)", "1.4999 to 1.5001", "any value".
std::string ToString(Type type, Approx result, Strictness strictness);

// Most of a run's time goes into sums of products, so what these do is inline.
namespace inlined {

inline uint64_t WordOf(double value) {
  uint64_t word;
  std::memcpy(&word, &value, sizeof word);
  return word;
}

constexpr int kFractionBits = DBL_MANT_DIG - 1, kSpareBits = DBL_MANT_DIG - FLT_MANT_DIG;
constexpr int kLeastExponent = DBL_MIN_EXP - DBL_MANT_DIG;  // of a unit of the least numbers

bool IsSubnormalF32(double value);
// `value` is a * b, and not known to be exact.
Approx RoundedProduct(Approx a, Approx b, double value);

}  // namespace inlined

inline bool IsF32(double value) {
  constexpr uint64_t kSpare = (uint64_t{1} << inlined::kSpareBits) - 1;
  if ((inlined::WordOf(value) & kSpare) != 0) return false;
  const double magnitude = std::abs(value);
  return value == 0 || (magnitude >= FLT_MIN && magnitude <= FLT_MAX) ||
         inlined::IsSubnormalF32(value);
}

inline int QuantumOf(double value) {
  constexpr uint64_t kOne = uint64_t{1} << inlined::kFractionBits;
  const uint64_t word = inlined::WordOf(std::abs(value));
  const auto exponent = static_cast<int>(word >> inlined::kFractionBits);
  const uint64_t significand = word % kOne + (exponent > 0 ? kOne : 0);
  return inlined::kLeastExponent + std::max(exponent, 1) - 1 + __builtin_ctzll(significand);
}

inline Approx operator*(Approx a, Approx b) {
  const double value = a.value * b.value;
  if (a.error == 0 && b.error == 0 && IsF32(value)) return {value, 0};
  return inlined::RoundedProduct(a, b, value);
}

inline void Summation::Add(Approx term) {
  ++terms_;
  if (!std::isfinite(term.value)) return AddInfinityOrNan(term.value);
  total_ += term.value;
  magnitudes_ += std::abs(term.value);
  errors_ += term.error;
  if (term.value != 0) quantum_ = std::min(quantum_, QuantumOf(term.value));
}

}  // namespace spec

#endif  // DNNSPEC_SPEC_NUMERIC_APPROX_H_
