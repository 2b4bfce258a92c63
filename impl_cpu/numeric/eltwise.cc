#include "impl_cpu/numeric/eltwise.h"

#include <cmath>

namespace impl_cpu {
namespace {

using spi::Algorithm;

// ln(1 + e^s) without overflow.
double SoftRelu(double s) { return s > 0 ? s + std::log1p(std::exp(-s)) : std::log1p(std::exp(s)); }

double Logistic(double s) { return 1 / (1 + std::exp(-s)); }

// s * factor, where a factor of 0 is stronger than an infinite s: the limit.
double Gated(double s, double factor) { return factor == 0 ? 0 : s * factor; }

double GeluTanh(double s) {
  constexpr double kRootOfTwoByPi = 0.79788456080286535588;
  return Gated(s, 0.5 * (1 + std::tanh(kRootOfTwoByPi * s * (1 + 0.044715 * s * s))));
}

double GeluErf(double s) {
  constexpr double kRootOfHalf = 0.70710678118654752440;
  return Gated(s, 0.5 * std::erfc(-s * kRootOfHalf));
}

// alpha 0: the factor is one half for every s, infinite ones too.
double Swish(double s, double alpha) { return Gated(s, alpha == 0 ? 0.5 : Logistic(alpha * s)); }

double HardSwish(double s) {
  if (s <= -3) return 0;
  return s >= 3 ? s : s * (s + 3) / 6;
}

float Clamp(float s, float lo, float hi) { return s < lo ? lo : s > hi ? hi : s; }

float Relu(float s, float alpha) {
  if (s > 0 || std::isnan(s)) return s;
  return alpha == 0 ? 0 : alpha * s;
}

// What is more than one operation.
double Transcendental(const spi::EltwiseOp& op, double s) {
  switch (op.algorithm) {
    case Algorithm::kEltwiseTanh:
      return std::tanh(s);
    case Algorithm::kEltwiseElu:
      return s > 0 ? s : static_cast<double>(op.alpha) * std::expm1(s);
    case Algorithm::kEltwiseSoftRelu:
      return SoftRelu(s);
    case Algorithm::kEltwiseLogistic:
      return Logistic(s);
    case Algorithm::kEltwiseExp:
      return std::exp(s);
    case Algorithm::kEltwiseGeluTanh:
      return GeluTanh(s);
    case Algorithm::kEltwiseSwish:
      return Swish(s, static_cast<double>(op.alpha));
    case Algorithm::kEltwiseLog:
      return std::log(s);
    case Algorithm::kEltwiseGeluErf:
      return GeluErf(s);
    case Algorithm::kEltwiseLogsigmoid:
      return -SoftRelu(-s);
    case Algorithm::kEltwiseMish:
      return Gated(s, std::tanh(SoftRelu(s)));
    case Algorithm::kEltwiseHardswish:
      return HardSwish(s);
    default:
      return s;
  }
}

}  // namespace

float Eltwise(const spi::EltwiseOp& op, float s) {
  switch (op.algorithm) {
    case Algorithm::kEltwiseRelu:
      return Relu(s, op.alpha);
    case Algorithm::kEltwiseSquare:
      return s * s;
    case Algorithm::kEltwiseAbs:
      return std::fabs(s);
    case Algorithm::kEltwiseSqrt:
      return std::sqrt(s);
    case Algorithm::kEltwiseLinear:
      return op.alpha * s + op.beta;
    case Algorithm::kEltwiseBoundedRelu:
      return Clamp(s, 0, op.alpha);
    case Algorithm::kEltwiseClip:
    case Algorithm::kEltwiseClipV2:
      return Clamp(s, op.alpha, op.beta);
    case Algorithm::kEltwisePow:
      return op.alpha *
             static_cast<float>(std::pow(static_cast<double>(s), static_cast<double>(op.beta)));
    case Algorithm::kEltwiseRound:
      return std::nearbyint(s);
    default:
      return static_cast<float>(Transcendental(op, static_cast<double>(s)));
  }
}

}  // namespace impl_cpu
