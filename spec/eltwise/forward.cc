#include <algorithm>
#include <cfloat>
#include <cmath>

#include "spec/eltwise/evaluation.h"
#include "spec/eltwise/oracle.h"
#include "spec/numeric/arithmetic.h"

namespace spec {
namespace {

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

}  // namespace spec
