#include <algorithm>
#include <cfloat>
#include <cmath>

#include "spec/eltwise/evaluation.h"
#include "spec/eltwise/oracle.h"
#include "spec/numeric/arithmetic.h"

namespace spec {
namespace {

// A factor within `error` of `value`, times `dd`.
struct Factor {
  Number value = 0;
  Number error = 0;
  Number last = 1;        // what the last step of it multiplies (LastFactorOf)
  bool exact = false;     // as f32 has it: one rounding of the product is all
  bool any_sign = false;  // infinite, of either sign
  bool finite = false;    // only too large even for the wide arithmetic
};

bool IsExactDerivative(EltwiseAlgorithm algorithm) {
  return algorithm == EltwiseAlgorithm::kRelu || algorithm == EltwiseAlgorithm::kAbs ||
         algorithm == EltwiseAlgorithm::kLinear || algorithm == EltwiseAlgorithm::kBoundedRelu ||
         algorithm == EltwiseAlgorithm::kClip;
}

void AddInfinities(bool positive, bool negative, EltwiseResult* result) {
  if (positive) AddValue(kInfinity, result);
  if (negative) AddValue(-kInfinity, result);
}

// `dd` is infinite or NaN.
void AddSpecialProduct(const Factor& factor, float dd, const EltwiseLimits& limits,
                       EltwiseResult* result) {
  const Number error = factor.exact ? 0 : factor.error + factor.last * UnderflowOf(limits);
  const Number low = factor.value - error, high = factor.value + error;
  const bool vanishes = low <= 0 && high >= 0;
  if (std::isnan(dd) || vanishes) result->nan = true;
  if (vanishes) AddValue(0, result);
  if (std::isnan(dd)) return;
  AddInfinities((high > 0) == (dd > 0) && high != 0, (high > 0) != (dd > 0) && high != 0, result);
  if (low < 0 && high > 0) AddInfinities(true, true, result);
}

EltwiseResult Product(const Factor& factor, float dd, const EltwiseLimits& limits) {
  EltwiseResult result;
  if (std::isnan(factor.value)) {
    result.nan = true;
    return result;
  }
  if (std::isinf(factor.value)) {
    const bool positive = (factor.value > 0) == (dd > 0);
    if (dd == 0 || std::isnan(dd)) {
      result.nan = true;
      if (dd == 0 && factor.finite) AddValue(0, &result);
    } else {
      AddInfinities(positive || factor.any_sign, !positive || factor.any_sign, &result);
    }
    return result;
  }
  if (!std::isfinite(dd)) {
    AddSpecialProduct(factor, dd, limits, &result);
    return result;
  }
  const Number product = factor.value * dd;
  if (factor.exact || (factor.value == 0 && factor.error == 0)) {
    if (IsZeroOrPowerOfTwo(static_cast<float>(factor.value)))
      AddProduct(product, limits, &result);
    else
      AddRounded(static_cast<double>(product), limits, &result);
    return result;
  }
  const Number error = factor.error + factor.last * UnderflowOf(limits),
               size = std::abs(factor.value) + error;
  AddAround(product,
            (error + 2 * UnitOf(limits) * size) * std::abs(Number{dd}) + UnderflowOf(limits),
            &result);
  // On the way the factor may be infinite.
  if (size > FLT_MAX && dd == 0) result.nan = true;
  if (size > FLT_MAX && dd != 0)
    AddInfinities((factor.value > 0) == (dd > 0), (factor.value > 0) != (dd > 0), &result);
  return result;
}

Factor FactorOf(const Eltwise& eltwise, float s, const EltwiseLimits& limits) {
  Factor factor;
  factor.value = Derivative(eltwise, s);
  const Number unit = UnitOf(limits), size = std::abs(factor.value);
  // Further out than 128 an f32 logistic is 0 or 1, and what it multiplies vanishes.
  const auto sloping = [&](Number x) {
    return limits.tight ? 8 * unit * std::min(Number{128}, AtLeastOne(x))
                        : 32 * unit * AtLeastOne(x);
  };
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kTanh:
    case EltwiseAlgorithm::kLogistic:
      factor.error = (limits.tight ? 4 : 16) * unit;
      break;
    case EltwiseAlgorithm::kGeluTanh:
    case EltwiseAlgorithm::kGeluErf:
      factor.error = sloping(s);
      break;
    case EltwiseAlgorithm::kSwish:
      factor.error = sloping(Number{eltwise.alpha} * s);
      break;
    default:
      factor.exact = IsExactDerivative(eltwise.algorithm) ||
                     (eltwise.algorithm == EltwiseAlgorithm::kElu && s > 0);
      if (!factor.exact)
        factor.error = (limits.tight ? 8 : ExponentialUnits(eltwise, s, limits)) * unit * size;
  }
  factor.last = LastFactorOf(eltwise, s, true);
  if (std::isinf(factor.value)) {
    factor.any_sign = !limits.tight || eltwise.algorithm == EltwiseAlgorithm::kSqrt;
    factor.finite = std::isfinite(s) && s != 0;
  }
  if (std::isinf(s) || std::isinf(factor.value)) factor.error = 0;
  return factor;
}

Factor FactorByResult(const Eltwise& eltwise, float d, const EltwiseLimits& limits) {
  Factor factor;
  factor.value = DerivativeByResult(eltwise, d);
  const Number size = std::abs(factor.value), given = std::abs(Number{d});
  Number terms = size;
  if (eltwise.algorithm == EltwiseAlgorithm::kTanh) terms = 1 + given * given;
  if (eltwise.algorithm == EltwiseAlgorithm::kLogistic) terms = given + given * given;
  if (eltwise.algorithm == EltwiseAlgorithm::kElu) terms = given + std::abs(eltwise.alpha);
  factor.exact = eltwise.algorithm == EltwiseAlgorithm::kRelu ||
                 (eltwise.algorithm == EltwiseAlgorithm::kElu && d > 0);
  factor.error = factor.exact || std::isinf(terms) ? 0 : 4 * UnitOf(limits) * terms;
  factor.any_sign = true;
  return factor;
}

// Of a source of NaN, of any algorithm whose derivative depends on it.
EltwiseResult BackwardOfNan(const Eltwise& eltwise, float dd, const EltwiseLimits& limits) {
  EltwiseResult result;
  const bool compares =
      IsExactDerivative(eltwise.algorithm) || eltwise.algorithm == EltwiseAlgorithm::kElu;
  if (compares && limits.readings == Strictness::kPortable) AddValue(dd, &result);
  if (eltwise.algorithm == EltwiseAlgorithm::kRelu) {
    Include(Product({eltwise.alpha, 0, 1, true, false}, dd, limits), &result);
  } else if (IsExactDerivative(eltwise.algorithm)) {
    AddValue(0, &result);
  }
  // The same factor for all numbers, which 0·NaN and NaN^0 are part of.
  const bool halves = eltwise.algorithm == EltwiseAlgorithm::kSwish && eltwise.alpha == 0;
  const bool scales = eltwise.algorithm == EltwiseAlgorithm::kPow && eltwise.beta == 1;
  if (halves || scales) {
    Factor factor;
    factor.value = halves ? Number{0.5f} : Number{eltwise.alpha};
    factor.exact = true;
    Include(Product(factor, dd, limits), &result);
  }
  result.nan = true;
  return result;
}

// What portable accepts besides where the derivative as printed is NaN or overflows.
bool MayBeNan(const Eltwise& eltwise, float s) {
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kGeluTanh:
      return std::abs(s) >= 0x1p40f;
    case EltwiseAlgorithm::kGeluErf:
      return std::abs(s) >= 0x1p63f;
    case EltwiseAlgorithm::kSwish:
      return std::isinf(s) || std::isinf(eltwise.alpha * s);
    case EltwiseAlgorithm::kPow:
    case EltwiseAlgorithm::kTanh:
    case EltwiseAlgorithm::kLogistic:
      return std::isinf(s);
    default:
      return false;
  }
}

// Portable: the powers may be multiplied in any order with the rest, and s^(β-1) may be computed as
// s^β/s: what is infinite, or 0, on the way makes the product so.
void AddPowersOnTheWay(const Eltwise& eltwise, float s, float dd, EltwiseResult* result) {
  if (eltwise.algorithm != EltwiseAlgorithm::kPow || eltwise.beta == 0 || s == 0) return;
  const Number power = std::pow(Number{s}, Number{eltwise.beta});
  if (std::isnan(power)) return;
  const bool positive = (eltwise.alpha * eltwise.beta > 0) == ((power > 0) == (s > 0));
  const Number alpha = std::abs(Number{eltwise.alpha}), factor = alpha * std::abs(eltwise.beta);
  const Number largest = std::max({Number{1}, alpha, factor, factor * std::abs(dd)});
  // s^(β-1) within the budget of a power.
  const Number reduced = std::abs(power / s) * (1 + 0x1p-20L);
  if (std::abs(power) * largest > FLT_MAX || reduced > FLT_MAX) {
    AddValue(positive == (dd > 0) ? kInfinity : -kInfinity, result);
    if (dd == 0) result->nan = true;
  }
  if (std::abs(power) >= 2 * kSmallestNormal) return;
  EltwiseResult lost;
  AddValue(0, &lost);
  AddValue(Nearest(static_cast<double>(2 * Derivative(eltwise, s) * dd)), &lost);
  Include(lost, result);
}

template <class FactorAt>
EltwiseResult Backward(float s, float dd, const EltwiseLimits& limits, FactorAt factor_at) {
  EltwiseResult result = AtPlacesOf(s, limits, [&](float place) {
    const Factor factor = factor_at(place);
    EltwiseResult product = Product(factor, dd, limits);
    if (limits.tight || !IsSubnormal(dd)) return product;
    Include(Product(factor, 0, limits), &product);
    // Of several steps, the first may have rounded it: (dd / 2) / d.
    if (!factor.exact) Include(Product(factor, std::copysign(FLT_MIN, dd), limits), &product);
    return product;
  });
  if (!limits.tight) Flush(&result);
  result.readings = limits.readings;
  return result;
}

}  // namespace

EltwiseResult EltwiseBackward(const Eltwise& eltwise, float s, float dd,
                              const EltwiseLimits& limits) {
  const bool constant = eltwise.algorithm == EltwiseAlgorithm::kLinear ||
                        (eltwise.algorithm == EltwiseAlgorithm::kPow && eltwise.beta == 0);
  EltwiseResult result;
  if (std::isnan(s) && !constant) {
    result = BackwardOfNan(eltwise, dd, limits);
    result.readings = limits.readings;
    return result;
  }
  result = Backward(s, dd, limits, [&](float place) { return FactorOf(eltwise, place, limits); });
  if (limits.readings == Strictness::kPortable && MayBeNan(eltwise, s)) result.nan = true;
  if (!limits.tight) AddPowersOnTheWay(eltwise, s, dd, &result);
  if (!limits.tight && eltwise.algorithm == EltwiseAlgorithm::kSquare &&
      std::abs(dd) > FLT_MAX / 2) {
    AddValue(std::signbit(s) == std::signbit(dd) ? kInfinity : -kInfinity, &result);  // (2dd)·s
    result.nan |= s == 0;
  }
  return result;
}

EltwiseResult EltwiseBackwardByResult(const Eltwise& eltwise, float d, float dd,
                                      const EltwiseLimits& limits) {
  if (std::isnan(d)) {
    EltwiseResult result = BackwardOfNan(eltwise, dd, limits);
    result.readings = limits.readings;
    return result;
  }
  return Backward(d, dd, limits,
                  [&](float place) { return FactorByResult(eltwise, place, limits); });
}

bool IsExactBackward(const Eltwise& eltwise) {
  return IsExactDerivative(eltwise.algorithm) &&
         (!HasAlpha(eltwise.algorithm) || IsZeroOrPowerOfTwo(eltwise.alpha) ||
          eltwise.algorithm == EltwiseAlgorithm::kBoundedRelu ||
          eltwise.algorithm == EltwiseAlgorithm::kClip);
}

}  // namespace spec
