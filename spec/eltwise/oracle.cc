#include "spec/eltwise/oracle.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "spec/numeric/arithmetic.h"

namespace spec {
namespace {

using Number = long double;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr Number kSmallestNormal = 0x1p-126L;

// The error of one rounding, relative, and of one that underflows.
Number UnitOf(const EltwiseLimits& limits) { return limits.half ? 0x1p-11L : 0x1p-24L; }
Number UnderflowOf(const EltwiseLimits& limits) {
  return limits.half ? 0x1p-13L : limits.tight ? 0x1p-149L : 2 * kSmallestNormal;
}

Number AtLeastOne(Number x) { return std::max(Number{1}, std::abs(x)); }

// What the last step of the function multiplies, and with it what underflowed before.
Number LastFactorOf(const Eltwise& eltwise, Number s, bool derivative) {
  if (std::isinf(s)) return 1;
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kElu:
      return AtLeastOne(eltwise.alpha);
    case EltwiseAlgorithm::kPow:
      return AtLeastOne(Number{eltwise.alpha} * (derivative ? eltwise.beta : 1));
    case EltwiseAlgorithm::kSwish:
    case EltwiseAlgorithm::kGeluTanh:
    case EltwiseAlgorithm::kGeluErf:
      return AtLeastOne(s);
    default:
      return 1;
  }
}

// Relative, of functions made of e^x, in units: portable, x may have been rounded on the way.
Number ExponentialUnits(const Eltwise& eltwise, Number s, const EltwiseLimits& limits) {
  if (limits.tight) return 4;
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kElu:
    case EltwiseAlgorithm::kSoftRelu:
    case EltwiseAlgorithm::kLogistic:
    case EltwiseAlgorithm::kExp:
      return 16 + 2 * std::abs(s);
    case EltwiseAlgorithm::kSwish:
      return 16 + 2 * std::abs(eltwise.alpha * s);
    default:
      return 16;
  }
}

bool IsSubnormal(float x) { return x != 0 && std::abs(x) < FLT_MIN; }

bool IsZeroOrPowerOfTwo(float x) {
  int exponent;
  return x == 0 || (std::isfinite(x) && std::abs(std::frexp(x, &exponent)) == 0.5f);
}

// Results whose every evaluation lies between these two.
void AddBetween(Number low, Number high, EltwiseResult* result) {
  result->Add(Nearest(static_cast<double>(low)), Nearest(static_cast<double>(high)));
}

void AddAround(Number value, Number error, EltwiseResult* result) {
  error += std::abs(value) * 0x1p-48L;  // of the wide arithmetic itself
  AddBetween(value - error, value + error, result);
}

// One rounding of `value`, which a double holds, or whose double rounds to the same float.
void AddRounded(double value, const EltwiseLimits& limits, EltwiseResult* result) {
  const float nearest = Nearest(value);
  if (limits.half) return AddAround(value, UnitOf(limits) * std::abs(value), result);
  if (limits.tight) return result->Add(nearest, nearest);
  result->Add(std::nextafter(nearest, -kInfinity), std::nextafter(nearest, kInfinity));
}

void AddValue(float value, EltwiseResult* result) { result->Add(value, value); }

// A product that is rounded once, and portable may be flushed before: 2^-126 less half a unit is it
// after.
void AddProduct(Number value, const EltwiseLimits& limits, EltwiseResult* result) {
  const float nearest = Nearest(static_cast<double>(value));
  const bool flushed = !limits.tight && std::abs(value) < kSmallestNormal;
  result->Add(flushed ? std::min(nearest, 0.0f) : nearest,
              flushed ? std::max(nearest, 0.0f) : nearest);
}

void AddLinear(const Eltwise& eltwise, float s, Number value, const EltwiseLimits& limits,
               EltwiseResult* result) {
  const Number product = Number{eltwise.alpha} * s;
  if (limits.tight) {
    AddValue(Add(Multiply(eltwise.alpha, s), eltwise.beta), result);
    AddValue(std::fma(eltwise.alpha, s, eltwise.beta), result);
    return;
  }
  const Number unit = UnitOf(limits);
  AddAround(value, unit * std::abs(product) + 3 * unit * std::abs(value) + UnderflowOf(limits),
            result);
  if (std::abs(product) > FLT_MAX) AddValue(product > 0 ? kInfinity : -kInfinity, result);
}

// The farthest that an evaluation of `value` = f(s) may be from it.
Number ErrorOf(const Eltwise& eltwise, float s, Number value, const EltwiseLimits& limits) {
  const Number unit = UnitOf(limits), size = std::abs(value);
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kElu:
      return limits.tight ? 4 * unit * size : 8 * unit * AtLeastOne(eltwise.alpha);
    case EltwiseAlgorithm::kLog:
    case EltwiseAlgorithm::kSoftRelu:
      return limits.tight ? 4 * unit * size : 256 * unit * AtLeastOne(value);
    case EltwiseAlgorithm::kGeluTanh:
    case EltwiseAlgorithm::kGeluErf:
      return limits.tight ? 4 * unit * std::abs(s) : 32 * unit * AtLeastOne(s);
    default:
      return ExponentialUnits(eltwise, s, limits) * unit * size;
  }
}

// At `s` as it is, where `value` = f(s) is finite.
void AddFinite(const Eltwise& eltwise, float s, Number value, const EltwiseLimits& limits,
               EltwiseResult* result) {
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kRelu:
      if (s > 0 || IsZeroOrPowerOfTwo(eltwise.alpha)) return AddProduct(value, limits, result);
      return AddRounded(static_cast<double>(value), limits, result);
    case EltwiseAlgorithm::kSquare:
      return AddRounded(static_cast<double>(value), limits, result);
    case EltwiseAlgorithm::kSqrt:
      // Rounded to double first: 53 >= 2 * 24 + 2 bits, so that twice is as good as once.
      return AddRounded(std::sqrt(double{s}), limits, result);
    case EltwiseAlgorithm::kAbs:
    case EltwiseAlgorithm::kBoundedRelu:
    case EltwiseAlgorithm::kClip:
    case EltwiseAlgorithm::kRound:
      return AddValue(Nearest(static_cast<double>(value)), result);
    case EltwiseAlgorithm::kLinear:
      return AddLinear(eltwise, s, value, limits, result);
    default:
      break;
  }
  if (eltwise.algorithm == EltwiseAlgorithm::kElu && s > 0) return AddValue(s, result);
  if (std::isinf(s)) return AddValue(Nearest(static_cast<double>(value)), result);  // a limit
  AddAround(
      value,
      ErrorOf(eltwise, s, value, limits) + LastFactorOf(eltwise, s, false) * UnderflowOf(limits),
      result);
  if (eltwise.algorithm != EltwiseAlgorithm::kPow || eltwise.beta == 0) return;
  const Number power = std::pow(Number{s}, Number{eltwise.beta});
  if (std::abs(power) <= FLT_MAX) return;
  if (eltwise.alpha == 0) {
    result->nan = true;
  } else {
    AddValue((power > 0) == (eltwise.alpha > 0) ? kInfinity : -kInfinity, result);
  }
}

EltwiseResult ForwardAt(const Eltwise& eltwise, float s, const EltwiseLimits& limits) {
  EltwiseResult result;
  const Number value = Function(eltwise, s);
  if (std::isnan(value)) {
    result.nan = true;
  } else if (std::isinf(value)) {
    AddValue(static_cast<float>(value), &result);
  } else {
    AddFinite(eltwise, s, value, limits, &result);
  }
  return result;
}

// What portable accepts besides at NaN and infinities: the last column of the table of ORC-ELT.
void AddPortableReadings(const Eltwise& eltwise, float s, EltwiseResult* result) {
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kRelu:
      if (eltwise.alpha != 0) return;
      if (std::isnan(s)) AddValue(0, result);
      if (s == -kInfinity) result->nan = true;
      return;
    case EltwiseAlgorithm::kBoundedRelu:
    case EltwiseAlgorithm::kClip:
      if (!std::isnan(s)) return;
      AddValue(eltwise.algorithm == EltwiseAlgorithm::kClip ? eltwise.beta : 0, result);
      AddValue(eltwise.alpha, result);
      return;
    case EltwiseAlgorithm::kGeluTanh:
    case EltwiseAlgorithm::kGeluErf:
      if (s == -kInfinity) result->nan = true;
      return;
    case EltwiseAlgorithm::kSwish:
      if (std::isinf(s) && eltwise.alpha * s != kInfinity) result->nan = true;
      return;
    case EltwiseAlgorithm::kPow:
      // A root of what is below 0.
      if (s == -kInfinity && std::trunc(eltwise.beta) != eltwise.beta) result->nan = true;
      return;
    default:
      return;
  }
}

// All that lies between the results of several evaluations, where all are one range or NaN.
void Include(const EltwiseResult& more, EltwiseResult* hull) {
  hull->nan = hull->nan || more.nan;
  for (int k = 0; k < more.count; ++k) {
    if (hull->count == 0) {
      hull->Add(more.ranges[k].low, more.ranges[k].high);
      continue;
    }
    hull->ranges[0].low = std::min(hull->ranges[0].low, more.ranges[k].low);
    hull->ranges[0].high = std::max(hull->ranges[0].high, more.ranges[k].high);
  }
}

// Results that are subnormal may be 0 (portable).
void Flush(EltwiseResult* result) {
  for (int k = 0; k < result->count; ++k) {
    auto& [low, high] = result->ranges[k];
    if (low > 0 && low < FLT_MIN) low = 0;
    if (high < 0 && high > -FLT_MIN) high = 0;
  }
}

// `evaluate` at x, and portable also where a subnormal x may end.
template <class Evaluate>
EltwiseResult AtPlacesOf(float x, const EltwiseLimits& limits, Evaluate evaluate) {
  EltwiseResult result = evaluate(x);
  if (limits.tight || !IsSubnormal(x)) return result;
  for (const float place : {std::copysign(0.0f, x), std::copysign(FLT_MIN, x)})
    Include(evaluate(place), &result);
  return result;
}

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

// Where it gives the element itself, without arithmetic.
bool IsIdentityAt(const Eltwise& eltwise, Number x) {
  return Function(eltwise, x) == x && eltwise.algorithm != EltwiseAlgorithm::kPow &&
         eltwise.algorithm != EltwiseAlgorithm::kSwish;
}

}  // namespace

EltwiseResult EltwiseForward(const Eltwise& eltwise, float s, const EltwiseLimits& limits) {
  EltwiseResult result =
      AtPlacesOf(s, limits, [&](float place) { return ForwardAt(eltwise, place, limits); });
  if (limits.readings == Strictness::kPortable) AddPortableReadings(eltwise, s, &result);
  if (!limits.tight) Flush(&result);
  result.readings = limits.readings;
  return result;
}

EltwiseResult EltwiseForward(const Eltwise& eltwise, Type type, Bits source,
                             const EltwiseLimits& limits) {
  EltwiseLimits wider = limits;
  wider.half = type == Type::kF16 && !limits.tight;
  EltwiseResult result = EltwiseForward(eltwise, Widen(type, source), wider);
  if (type == Type::kS32 && limits.readings == Strictness::kPortable &&
      IsIdentityAt(eltwise, static_cast<int32_t>(source)))
    result.integer = source;
  return result;
}

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

bool IsExactForward(const Eltwise& eltwise) {
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kRelu:
      return IsZeroOrPowerOfTwo(eltwise.alpha);
    case EltwiseAlgorithm::kAbs:
    case EltwiseAlgorithm::kBoundedRelu:
    case EltwiseAlgorithm::kClip:
    case EltwiseAlgorithm::kRound:
      return true;
    default:
      return false;
  }
}

bool IsExactBackward(const Eltwise& eltwise) {
  return IsExactDerivative(eltwise.algorithm) &&
         (!HasAlpha(eltwise.algorithm) || IsZeroOrPowerOfTwo(eltwise.alpha) ||
          eltwise.algorithm == EltwiseAlgorithm::kBoundedRelu ||
          eltwise.algorithm == EltwiseAlgorithm::kClip);
}

}  // namespace spec
