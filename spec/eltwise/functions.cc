#include "spec/eltwise/functions.h"

#include <cmath>
#include <limits>

namespace spec {
namespace {

using Number = long double;

constexpr Number kPi = 3.14159265358979323846264338327950288L;
constexpr Number kNan = std::numeric_limits<Number>::quiet_NaN();

Number Logistic(Number x) {
  if (x >= 0) return 1 / (1 + std::exp(-x));
  const Number e = std::exp(x);
  return e / (1 + e);
}

// a * b where a may be infinite and b then wins.
Number TimesVanishing(Number a, Number b) { return b == 0 ? 0 : a * b; }

// ½(1 + tanh x) = S(2x).
Number TwiceGeluArgument(Number s) {
  return 2 * std::sqrt(2 / kPi) * (s + Number{0.044715L} * s * s * s);
}

Number GeluTanhDerivative(Number s) {
  if (std::isinf(s)) return s > 0 ? 1 : 0;
  const Number x = TwiceGeluArgument(s);
  const Number inner = 2 * std::sqrt(2 / kPi) * (s + Number{0.134145L} * s * s * s);
  return Logistic(x) * (1 + inner * Logistic(-x));
}

Number GeluErfDerivative(Number s) {
  if (std::isinf(s)) return s > 0 ? 1 : 0;
  return std::erfc(-s / std::sqrt(Number{2})) / 2 + s * std::exp(-s * s / 2) / std::sqrt(2 * kPi);
}

Number SwishDerivative(Number alpha, Number s) {
  if (std::isnan(s)) return kNan;
  if (alpha == 0) return Number{0.5L};
  const Number x = alpha * s;
  if (std::isinf(x)) return x > 0 ? 1 : 0;
  return Logistic(x) * (1 + x * Logistic(-x));
}

Number Round(Number s) {
  if (!std::isfinite(s)) return s;
  return s - std::remainder(s, Number{1});  // exact; ties to even whatever the rounding mode
}

Number Clamped(Number s, Number low, Number high) {
  if (std::isnan(s)) return kNan;
  const Number at_least = s > low ? s : low;
  return at_least < high ? at_least : high;
}

// 1 inside, 0 outside.
Number Within(bool inside) { return inside ? 1 : 0; }

}  // namespace

const char* NameOf(EltwiseAlgorithm algorithm) {
  switch (algorithm) {
    case EltwiseAlgorithm::kRelu:
      return "relu";
    case EltwiseAlgorithm::kTanh:
      return "tanh";
    case EltwiseAlgorithm::kElu:
      return "elu";
    case EltwiseAlgorithm::kSquare:
      return "square";
    case EltwiseAlgorithm::kAbs:
      return "abs";
    case EltwiseAlgorithm::kSqrt:
      return "sqrt";
    case EltwiseAlgorithm::kLinear:
      return "linear";
    case EltwiseAlgorithm::kBoundedRelu:
      return "bounded_relu";
    case EltwiseAlgorithm::kSoftRelu:
      return "soft_relu";
    case EltwiseAlgorithm::kLogistic:
      return "logistic";
    case EltwiseAlgorithm::kExp:
      return "exp";
    case EltwiseAlgorithm::kGeluTanh:
      return "gelu_tanh";
    case EltwiseAlgorithm::kSwish:
      return "swish";
    case EltwiseAlgorithm::kLog:
      return "log";
    case EltwiseAlgorithm::kClip:
      return "clip";
    case EltwiseAlgorithm::kPow:
      return "pow";
    case EltwiseAlgorithm::kGeluErf:
      return "gelu_erf";
    case EltwiseAlgorithm::kRound:
      break;
  }
  return "round";
}

bool HasDerivativeByResult(EltwiseAlgorithm algorithm) {
  switch (algorithm) {
    case EltwiseAlgorithm::kRelu:
    case EltwiseAlgorithm::kTanh:
    case EltwiseAlgorithm::kElu:
    case EltwiseAlgorithm::kSqrt:
    case EltwiseAlgorithm::kLogistic:
    case EltwiseAlgorithm::kExp:
      return true;
    default:
      return false;
  }
}

bool HasAlpha(EltwiseAlgorithm algorithm) {
  switch (algorithm) {
    case EltwiseAlgorithm::kRelu:
    case EltwiseAlgorithm::kElu:
    case EltwiseAlgorithm::kBoundedRelu:
    case EltwiseAlgorithm::kSwish:
      return true;
    default:
      return HasBeta(algorithm);
  }
}

bool HasBeta(EltwiseAlgorithm algorithm) {
  return algorithm == EltwiseAlgorithm::kLinear || algorithm == EltwiseAlgorithm::kClip ||
         algorithm == EltwiseAlgorithm::kPow;
}

long double Function(const Eltwise& eltwise, long double s) {
  const Number alpha = eltwise.alpha, beta = eltwise.beta;
  if (std::isnan(s) && (eltwise.algorithm != EltwiseAlgorithm::kPow || beta != 0)) return kNan;
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kRelu:
      return s > 0 ? s : alpha == 0 ? 0 : alpha * s;
    case EltwiseAlgorithm::kTanh:
      return std::tanh(s);
    case EltwiseAlgorithm::kElu:
      return s > 0 ? s : alpha * std::expm1(s);
    case EltwiseAlgorithm::kSquare:
      return s * s;
    case EltwiseAlgorithm::kAbs:
      return std::abs(s);
    case EltwiseAlgorithm::kSqrt:
      return std::sqrt(s);
    case EltwiseAlgorithm::kLinear:
      return alpha * s + beta;
    case EltwiseAlgorithm::kBoundedRelu:
      return Clamped(s, 0, alpha);
    case EltwiseAlgorithm::kSoftRelu:
      return s > 0 ? s + std::log1p(std::exp(-s)) : std::log1p(std::exp(s));
    case EltwiseAlgorithm::kLogistic:
      return Logistic(s);
    case EltwiseAlgorithm::kExp:
      return std::exp(s);
    case EltwiseAlgorithm::kGeluTanh:
      return TimesVanishing(s, Logistic(TwiceGeluArgument(s)));
    case EltwiseAlgorithm::kSwish:
      return alpha == 0 ? s / 2 : TimesVanishing(s, Logistic(alpha * s));
    case EltwiseAlgorithm::kLog:
      return std::log(s);
    case EltwiseAlgorithm::kClip:
      return Clamped(s, alpha, beta);
    case EltwiseAlgorithm::kPow:
      return beta == 0 ? alpha : alpha * std::pow(s, beta);
    case EltwiseAlgorithm::kGeluErf:
      return TimesVanishing(s, std::erfc(-s / std::sqrt(Number{2})) / 2);
    case EltwiseAlgorithm::kRound:
      break;
  }
  return Round(s);
}

long double Derivative(const Eltwise& eltwise, long double s) {
  const Number alpha = eltwise.alpha, beta = eltwise.beta;
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kRelu:
      return s > 0 ? 1 : alpha;
    case EltwiseAlgorithm::kTanh:
      return 4 * Logistic(2 * s) * Logistic(-2 * s);
    case EltwiseAlgorithm::kElu:
      return s > 0 ? 1 : alpha * std::exp(s);
    case EltwiseAlgorithm::kSquare:
      return 2 * s;
    case EltwiseAlgorithm::kAbs:
      return s > 0 ? 1 : s < 0 ? -1 : 0;
    case EltwiseAlgorithm::kSqrt:
      return 1 / (2 * std::sqrt(s));
    case EltwiseAlgorithm::kLinear:
      return alpha;
    case EltwiseAlgorithm::kBoundedRelu:
      return Within(0 < s && s <= alpha);
    case EltwiseAlgorithm::kSoftRelu:
      return Logistic(s);
    case EltwiseAlgorithm::kLogistic:
      return Logistic(s) * Logistic(-s);
    case EltwiseAlgorithm::kExp:
      return std::exp(s);
    case EltwiseAlgorithm::kGeluTanh:
      return GeluTanhDerivative(s);
    case EltwiseAlgorithm::kSwish:
      return SwishDerivative(alpha, s);
    case EltwiseAlgorithm::kLog:
      return 1 / s;
    case EltwiseAlgorithm::kClip:
      return Within(alpha < s && s <= beta);
    case EltwiseAlgorithm::kPow:
      return beta == 0 ? 0 : alpha * beta * std::pow(s, beta - 1);
    case EltwiseAlgorithm::kGeluErf:
      return GeluErfDerivative(s);
    case EltwiseAlgorithm::kRound:
      break;
  }
  return kNan;
}

long double DerivativeByResult(const Eltwise& eltwise, long double d) {
  switch (eltwise.algorithm) {
    case EltwiseAlgorithm::kRelu:
      return d > 0 ? 1 : Number{eltwise.alpha};
    case EltwiseAlgorithm::kTanh:
      return (1 - d) * (1 + d);
    case EltwiseAlgorithm::kElu:
      return d > 0 ? 1 : d + eltwise.alpha;
    case EltwiseAlgorithm::kSqrt:
      return 1 / (2 * d);
    case EltwiseAlgorithm::kLogistic:
      return d * (1 - d);
    case EltwiseAlgorithm::kExp:
      return d;
    default:
      return kNan;
  }
}

}  // namespace spec
