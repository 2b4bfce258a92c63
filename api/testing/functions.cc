#include "api/testing/functions.h"

#include <cmath>
#include <limits>
#include <optional>

#include "spec/eltwise/functions.h"
#include "spec/numeric/arithmetic.h"

namespace spi {
namespace {

using Real = long double;
using spec::EltwiseAlgorithm;

constexpr spec::EltwiseLimits kLimits = {spec::Strictness::kProject, /*tight=*/true};

Real Logistic(Real s) { return spec::Function({EltwiseAlgorithm::kLogistic}, s); }
Real SoftRelu(Real s) { return spec::Function({EltwiseAlgorithm::kSoftRelu}, s); }

// A factor of 0 is stronger than an infinite s.
Real Times(Real s, Real factor) { return factor == 0 ? 0 : s * factor; }

// tanh(ln(1 + e^s)) = w(w + 2) / (w(w + 2) + 2), where w = e^s.
Real MishFactor(Real s) {
  if (s > 40) return 1;
  const Real w = std::exp(s);
  return w * (w + 2) / (w * (w + 2) + 2);
}

Real MishDerivative(Real s) {
  const Real cosh = std::cosh(SoftRelu(s));
  return MishFactor(s) + Times(s, Logistic(s) / (cosh * cosh));
}

// What the oracle calls `algorithm`, which may be one that UsesDst; nothing for the four.
std::optional<spec::Eltwise> SpecifiedBackward(Algorithm algorithm, float alpha, float beta) {
  const auto of = [&](EltwiseAlgorithm specified) { return spec::Eltwise{specified, alpha, beta}; };
  switch (PlainOf(algorithm)) {
    case Algorithm::kEltwiseRelu:
      return of(EltwiseAlgorithm::kRelu);
    case Algorithm::kEltwiseTanh:
      return of(EltwiseAlgorithm::kTanh);
    case Algorithm::kEltwiseElu:
      return of(EltwiseAlgorithm::kElu);
    case Algorithm::kEltwiseSquare:
      return of(EltwiseAlgorithm::kSquare);
    case Algorithm::kEltwiseAbs:
      return of(EltwiseAlgorithm::kAbs);
    case Algorithm::kEltwiseSqrt:
      return of(EltwiseAlgorithm::kSqrt);
    case Algorithm::kEltwiseLinear:
      return of(EltwiseAlgorithm::kLinear);
    case Algorithm::kEltwiseBoundedRelu:
      return of(EltwiseAlgorithm::kBoundedRelu);
    case Algorithm::kEltwiseSoftRelu:
      return of(EltwiseAlgorithm::kSoftRelu);
    case Algorithm::kEltwiseLogistic:
      return of(EltwiseAlgorithm::kLogistic);
    case Algorithm::kEltwiseExp:
      return of(EltwiseAlgorithm::kExp);
    case Algorithm::kEltwiseGeluTanh:
      return of(EltwiseAlgorithm::kGeluTanh);
    case Algorithm::kEltwiseSwish:
      return of(EltwiseAlgorithm::kSwish);
    case Algorithm::kEltwiseLog:
      return of(EltwiseAlgorithm::kLog);
    case Algorithm::kEltwiseClip:
      return of(EltwiseAlgorithm::kClip);
    case Algorithm::kEltwisePow:
      return of(EltwiseAlgorithm::kPow);
    case Algorithm::kEltwiseGeluErf:
      return of(EltwiseAlgorithm::kGeluErf);
    case Algorithm::kEltwiseRound:
      return of(EltwiseAlgorithm::kRound);
    default:
      return std::nullopt;
  }
}

// Forward clip_v2 is clip.
std::optional<spec::Eltwise> SpecifiedForward(Algorithm algorithm, float alpha, float beta) {
  const bool clips = PlainOf(algorithm) == Algorithm::kEltwiseClipV2;
  return SpecifiedBackward(clips ? Algorithm::kEltwiseClip : algorithm, alpha, beta);
}

// The one number that the oracle allows first; else nothing.
std::optional<float> OnlyOf(const std::optional<spec::EltwiseResult>& allowed) {
  if (!allowed || (allowed->count == 0 && !allowed->nan)) return std::nullopt;
  if (allowed->count == 0) return std::numeric_limits<float>::quiet_NaN();
  const auto [low, high] = allowed->ranges[0];
  return low == high ? std::optional(low) : std::nullopt;
}

float Nearest(Real value) { return spec::Nearest(static_cast<double>(value)); }

}  // namespace

Real FunctionAt(Algorithm algorithm, float alpha, float beta, Real s) {
  if (const auto specified = SpecifiedForward(algorithm, alpha, beta))
    return spec::Function(*specified, s);
  switch (algorithm) {
    case Algorithm::kEltwiseLogsigmoid:
      return -SoftRelu(-s);
    case Algorithm::kEltwiseMish:
      return Times(s, MishFactor(s));
    case Algorithm::kEltwiseHardswish:
      return s <= -3 ? 0 : s >= 3 ? s : s * (s + 3) / 6;
    default:
      return std::nanl("");
  }
}

Real DerivativeAt(Algorithm algorithm, float alpha, float beta, Real s) {
  if (const auto specified = SpecifiedBackward(algorithm, alpha, beta))
    return spec::Derivative(*specified, s);
  switch (PlainOf(algorithm)) {
    case Algorithm::kEltwiseClipV2:
      return s > alpha && s < beta ? 1 : 0;
    case Algorithm::kEltwiseLogsigmoid:
      return Logistic(-s);
    case Algorithm::kEltwiseMish:
      return MishDerivative(s);
    case Algorithm::kEltwiseHardswish:
      return s <= -3 ? 0 : s >= 3 ? 1 : (2 * s + 3) / 6;
    default:
      return std::nanl("");
  }
}

Real DerivativeByResultAt(Algorithm algorithm, float alpha, float beta, Real d) {
  if (const auto specified = SpecifiedBackward(algorithm, alpha, beta))
    return spec::DerivativeByResult(*specified, d);
  return DerivativeAt(algorithm, alpha, beta, d);  // clip_v2: within the bounds both ways
}

FunctionResult ForwardAt(Algorithm algorithm, float alpha, float beta, float s) {
  std::optional<spec::EltwiseResult> allowed;
  if (const auto specified = SpecifiedForward(algorithm, alpha, beta))
    allowed = spec::EltwiseForward(*specified, s, kLimits);
  const auto only = OnlyOf(allowed);
  const float nearest = only ? *only : Nearest(FunctionAt(algorithm, alpha, beta, s));
  return {allowed, nearest, only.has_value()};
}

FunctionResult BackwardAt(Algorithm algorithm, float alpha, float beta, float data,
                          float diff_dst) {
  const bool by_result = UsesDst(algorithm);
  std::optional<spec::EltwiseResult> allowed;
  if (const auto specified = SpecifiedBackward(algorithm, alpha, beta))
    allowed = by_result ? spec::EltwiseBackwardByResult(*specified, data, diff_dst, kLimits)
                        : spec::EltwiseBackward(*specified, data, diff_dst, kLimits);
  const auto only = OnlyOf(allowed);
  const auto derivative = by_result ? DerivativeByResultAt : DerivativeAt;
  const float nearest = only ? *only : Nearest(derivative(algorithm, alpha, beta, data) * diff_dst);
  return {allowed, nearest, only.has_value()};
}

}  // namespace spi
