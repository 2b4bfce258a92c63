#include "impl_cpu/elementwise/testing/reference.h"

#include <cmath>
#include <limits>

namespace impl_cpu {
namespace {

using spi::Algorithm;
using Real = long double;

constexpr Real kRootOfTwoByPi = 0.797884560802865355879892119868763737L;
constexpr Real kRootOfHalf = 0.707106781186547524400844362104849039L;

Real Logistic(Real x) { return 1 / (1 + std::exp(-x)); }

Real SoftRelu(Real x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

// Where a factor is 0, so is the product.
Real Times(Real s, Real factor) { return factor == 0 ? 0 : s * factor; }

Real GeluArgument(Real s) { return 2 * kRootOfTwoByPi * s * (1 + 0.044715L * s * s); }

// tanh(ln(1 + e^s)) = (w^2 + 2w) / (w^2 + 2w + 2), w = e^s.
Real MishFactor(Real s) {
  if (s > 40) return 1;
  const Real w = std::exp(s);
  return w * (w + 2) / (w * (w + 2) + 2);
}

Real HardSwish(Real s) { return s <= -3 ? 0 : s >= 3 ? s : s * (s + 3) / 6; }

// S(x) (1 + c S(-x)), where c is infinite only if a factor is 0.
Real GatedSlope(Real x, Real c) { return Logistic(x) + Times(c, Logistic(x) * Logistic(-x)); }

Real MishSlope(Real s) {
  const Real t = MishFactor(s), cosh = std::cosh(SoftRelu(s));
  return t + Times(s, Logistic(s) / (cosh * cosh));
}

Real GeluErfSlope(Real s) {
  return std::erfc(-s * kRootOfHalf) / 2 + Times(s, std::exp(-s * s / 2) * kRootOfTwoByPi / 2);
}

Real GeluTanhSlope(Real s) {
  const Real t = s > 100 ? 100 : s < -100 ? -100 : s;
  return GatedSlope(GeluArgument(t), 2 * kRootOfTwoByPi * t * (1 + 0.134145L * t * t));
}

Real Clamp(Real s, Real lo, Real hi) { return s < lo ? lo : s > hi ? hi : s; }

}  // namespace

Real ExactForward(const Function& f, float value) {
  const Real s = value, alpha = f.alpha, beta = f.beta;
  switch (f.algorithm) {
    case Algorithm::kEltwiseRelu:
      return s > 0 ? s : alpha == 0 && s <= 0 ? 0 : alpha * s;
    case Algorithm::kEltwiseTanh:
      return std::tanh(s);
    case Algorithm::kEltwiseElu:
      return s > 0 ? s : alpha * std::expm1(s);
    case Algorithm::kEltwiseSquare:
      return s * s;
    case Algorithm::kEltwiseAbs:
      return std::fabs(s);
    case Algorithm::kEltwiseSqrt:
      return std::sqrt(s);
    case Algorithm::kEltwiseLinear:
      return f.alpha * value + f.beta;
    case Algorithm::kEltwiseBoundedRelu:
      return Clamp(s, 0, alpha);
    case Algorithm::kEltwiseSoftRelu:
      return SoftRelu(s);
    case Algorithm::kEltwiseLogistic:
      return Logistic(s);
    case Algorithm::kEltwiseExp:
      return std::exp(s);
    case Algorithm::kEltwiseGeluTanh:
      return Times(s, Logistic(GeluArgument(s)));
    case Algorithm::kEltwiseSwish:
      return Times(s, alpha == 0 && !std::isnan(s) ? 0.5L : Logistic(alpha * s));
    case Algorithm::kEltwiseLog:
      return std::log(s);
    case Algorithm::kEltwiseClip:
    case Algorithm::kEltwiseClipV2:
      return Clamp(s, alpha, beta);
    case Algorithm::kEltwisePow:
      return beta == 0 ? alpha : alpha * std::pow(s, beta);
    case Algorithm::kEltwiseGeluErf:
      return Times(s, std::erfc(-s * kRootOfHalf) / 2);
    case Algorithm::kEltwiseRound:
      return std::nearbyint(s);
    case Algorithm::kEltwiseLogsigmoid:
      return -SoftRelu(-s);
    case Algorithm::kEltwiseMish:
      return Times(s, MishFactor(s));
    case Algorithm::kEltwiseHardswish:
      return HardSwish(s);
    default:
      return 0;
  }
}

Real ExactSlope(const Function& f, float value) {
  const Real s = value, alpha = f.alpha, beta = f.beta;
  if (std::isnan(value) && f.algorithm != Algorithm::kEltwiseLinear &&
      !(f.algorithm == Algorithm::kEltwisePow && (beta == 0 || beta == 1)) &&
      !(f.algorithm == Algorithm::kEltwiseSwish && alpha == 0))
    return s;
  switch (f.algorithm) {
    case Algorithm::kEltwiseRelu:
      return s > 0 ? 1 : alpha;
    case Algorithm::kEltwiseTanh: {
      const Real cosh = std::cosh(s);
      return 1 / (cosh * cosh);
    }
    case Algorithm::kEltwiseElu:
      return s > 0 ? 1 : alpha * std::exp(s);
    case Algorithm::kEltwiseSquare:
      return 2 * s;
    case Algorithm::kEltwiseAbs:
      return s > 0 ? 1 : s < 0 ? -1 : 0;
    case Algorithm::kEltwiseSqrt:
      return 1 / (2 * std::sqrt(s));
    case Algorithm::kEltwiseLinear:
      return alpha;
    case Algorithm::kEltwiseBoundedRelu:
      return s > 0 && s <= alpha;
    case Algorithm::kEltwiseSoftRelu:
      return Logistic(s);
    case Algorithm::kEltwiseLogistic:
      return Logistic(s) * Logistic(-s);
    case Algorithm::kEltwiseExp:
      return std::exp(s);
    case Algorithm::kEltwiseGeluTanh:
      return GeluTanhSlope(s);
    case Algorithm::kEltwiseSwish:
      return alpha == 0 ? 0.5L : GatedSlope(alpha * s, alpha * s);
    case Algorithm::kEltwiseLog:
      return 1 / s;
    case Algorithm::kEltwiseClip:
      return s > alpha && s <= beta;
    case Algorithm::kEltwiseClipV2:
      return s > alpha && s < beta;
    case Algorithm::kEltwisePow:
      return beta == 0 ? 0 : alpha * beta * std::pow(s, beta - 1);
    case Algorithm::kEltwiseGeluErf:
      return GeluErfSlope(s);
    case Algorithm::kEltwiseLogsigmoid:
      return Logistic(-s);
    case Algorithm::kEltwiseMish:
      return MishSlope(s);
    case Algorithm::kEltwiseHardswish:
      return s <= -3 ? 0 : s >= 3 ? 1 : (2 * s + 3) / 6;
    default:
      return 0;
  }
}

Real ExactSlopeFromDst(const Function& f, float value) {
  const Real d = value, alpha = f.alpha;
  switch (f.algorithm) {
    case Algorithm::kEltwiseRelu:
      return std::isnan(d) ? d : d > 0 ? 1 : alpha;
    case Algorithm::kEltwiseTanh:
      return (1 - d) * (1 + d);
    case Algorithm::kEltwiseElu:
      return d > 0 ? 1 : d + alpha;
    case Algorithm::kEltwiseSqrt:
      return 1 / (2 * d);
    case Algorithm::kEltwiseLogistic:
      return d * (1 - d);
    case Algorithm::kEltwiseExp:
      return d;
    default:
      return 0;
  }
}

}  // namespace impl_cpu
