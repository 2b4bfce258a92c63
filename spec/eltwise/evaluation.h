// What one evaluation in f32, or f16, of a function may give: what forward and backward share.
#ifndef DNNSPEC_SPEC_ELTWISE_EVALUATION_H_
#define DNNSPEC_SPEC_ELTWISE_EVALUATION_H_

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "spec/eltwise/functions.h"
#include "spec/eltwise/oracle.h"

namespace spec {

using Number = long double;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Number kSmallestNormal = 0x1p-126L;

// The error of one rounding, relative, and of one that underflows.
Number UnitOf(const EltwiseLimits& limits);
Number UnderflowOf(const EltwiseLimits& limits);

inline Number AtLeastOne(Number x) { return std::max(Number{1}, std::abs(x)); }
inline bool IsSubnormal(float x) { return x != 0 && std::abs(x) < FLT_MIN; }
bool IsZeroOrPowerOfTwo(float x);

// What the last step of the function multiplies, and with it what underflowed before.
Number LastFactorOf(const Eltwise& eltwise, Number s, bool derivative);

// Relative, of functions made of e^x, in units: portable, x may have been rounded on the way.
Number ExponentialUnits(const Eltwise& eltwise, Number s, const EltwiseLimits& limits);

void AddValue(float value, EltwiseResult* result);
void AddAround(Number value, Number error, EltwiseResult* result);
// One rounding of `value`, which a double holds, or whose double rounds to the same float.
void AddRounded(double value, const EltwiseLimits& limits, EltwiseResult* result);
// A product that is rounded once, and portable may be flushed before: 2^-126 less half a unit is it
// after.
void AddProduct(Number value, const EltwiseLimits& limits, EltwiseResult* result);

// All that lies between the results of several evaluations, where all are one range or NaN.
void Include(const EltwiseResult& more, EltwiseResult* hull);

// Results that are subnormal may be 0 (portable).
void Flush(EltwiseResult* result);

// `evaluate` at x, and portable also where a subnormal x may end.
template <class Evaluate>
EltwiseResult AtPlacesOf(float x, const EltwiseLimits& limits, Evaluate evaluate) {
  EltwiseResult result = evaluate(x);
  if (limits.tight || !IsSubnormal(x)) return result;
  for (const float place : {std::copysign(0.0f, x), std::copysign(FLT_MIN, x)})
    Include(evaluate(place), &result);
  return result;
}

}  // namespace spec

#endif  // DNNSPEC_SPEC_ELTWISE_EVALUATION_H_
