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

#include <cstdint>
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
Approx Exactly(double value);

Approx operator*(Approx a, Approx b);
Approx operator+(Approx a, Approx b);  // a Summation of two
Approx Maximum(Approx a, Approx b);    // NaN if either is

// A sum of any number of terms. The bound holds for every order of summation and every tree, with
// products fused or not: (n - 1) u / (1 - (n - 1) u) times the sum of magnitudes, u = 2^-24.
class Summation {
 public:
  void Add(Approx term);
  Approx Total() const;  // 0 of no terms

 private:
  int64_t terms_ = 0;
  double total_ = 0, magnitudes_ = 0, errors_ = 0;
  int quantum_ = 1 << 20;  // every term so far is a multiple of 2^quantum_
  bool nan_ = false, positive_infinity_ = false, negative_infinity_ = false;
};

// True if `got` may come of converting an evaluation of `result` to `type`.
bool Accepts(Type type, Approx result, Bits got, Strictness strictness);

// "2.5 (0x40200000)", "1.4999 to 1.5001", "any value".
std::string ToString(Type type, Approx result, Strictness strictness);

}  // namespace spec

#endif  // DNNSPEC_SPEC_NUMERIC_APPROX_H_
