#include "impl_cpu/eltwise/plain.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "api/spi/attributes.h"
#include "impl_cpu/numeric/eltwise.h"

namespace impl_cpu {
namespace {

using spi::Algorithm;

constexpr double kRootOfTwoByPi = 0.79788456080286535588;
constexpr double kRootOfHalf = 0.70710678118654752440;

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

// S(x) (1 + c (1 - S(x))), S being the logistic function.
double GatedSlope(double x, double c) { return Logistic(x) * (1 + c * Logistic(-x)); }

// Beyond these every factor below is 0 or 1 to the last place, and nothing overflows.
double Within(double s, double limit) { return std::min(std::max(s, -limit), limit); }

double GeluTanhSlope(double s) {
  const double t = Within(s, 30);
  return GatedSlope(2 * kRootOfTwoByPi * t * (1 + 0.044715 * t * t),
                    2 * kRootOfTwoByPi * t * (1 + 0.134145 * t * t));
}

double GeluErfSlope(double s) {
  const double t = Within(s, 30);
  return 0.5 * (std::erfc(-t * kRootOfHalf) + t * kRootOfTwoByPi * std::exp(-0.5 * t * t));
}

double SwishSlope(double s, double alpha) {
  if (alpha == 0) return 0.5;
  const double x = Within(alpha * s, 700);
  return GatedSlope(x, x);
}

// tanh(g) and its slope with g = ln(1 + e^s); 1 - tanh^2 is 4 w (w + 2) / ... with w = e^s, so that
// nothing cancels.
double MishSlope(double s) {
  const double t = Within(s, 300), w = std::exp(t);
  const double over = w * (w + 2), under = over + 2;
  return over / under + 4 * t * w * (1 + w) / (under * under);
}

double HardSwishSlope(double s) {
  if (s <= -3) return 0;
  return s >= 3 ? 1 : (2 * s + 3) / 6;
}

double SlopeOfExponential(const Function& f, double s) {
  switch (f.algorithm) {
    case Algorithm::kEltwiseTanh:
      return 4 * Logistic(2 * s) * Logistic(-2 * s);
    case Algorithm::kEltwiseElu:
      return s > 0 ? 1 : static_cast<double>(f.alpha) * std::exp(s);
    case Algorithm::kEltwiseSoftRelu:
      return Logistic(s);
    case Algorithm::kEltwiseLogistic:
      return Logistic(s) * Logistic(-s);
    case Algorithm::kEltwiseExp:
      return std::exp(s);
    case Algorithm::kEltwiseGeluTanh:
      return GeluTanhSlope(s);
    case Algorithm::kEltwiseSwish:
      return SwishSlope(s, static_cast<double>(f.alpha));
    case Algorithm::kEltwiseGeluErf:
      return GeluErfSlope(s);
    case Algorithm::kEltwiseLogsigmoid:
      return Logistic(-s);
    case Algorithm::kEltwiseMish:
      return MishSlope(s);
    default:
      return 0;
  }
}

double Slope(const Function& f, double s) {
  const double alpha = static_cast<double>(f.alpha), beta = static_cast<double>(f.beta);
  switch (f.algorithm) {
    case Algorithm::kEltwiseRelu:
      return s > 0 ? 1 : alpha;
    case Algorithm::kEltwiseSquare:
      return 2 * s;
    case Algorithm::kEltwiseAbs:
      return s > 0 ? 1 : s < 0 ? -1 : 0;
    case Algorithm::kEltwiseSqrt:
      return 1 / (2 * std::sqrt(s));
    case Algorithm::kEltwiseLinear:
      return alpha;
    case Algorithm::kEltwiseBoundedRelu:
      return s > 0 && s <= alpha ? 1 : 0;
    case Algorithm::kEltwiseClip:
      return s > alpha && s <= beta ? 1 : 0;
    case Algorithm::kEltwiseClipV2:
      return s > alpha && s < beta ? 1 : 0;
    case Algorithm::kEltwiseLog:
      return 1 / s;
    case Algorithm::kEltwisePow:
      return beta == 0 ? 0 : alpha * beta * std::pow(s, beta - 1);
    case Algorithm::kEltwiseHardswish:
      return HardSwishSlope(s);
    default:
      return SlopeOfExponential(f, s);
  }
}

double SlopeFromDst(const Function& f, double d) {
  switch (f.algorithm) {
    case Algorithm::kEltwiseTanh:
      return (1 - d) * (1 + d);
    case Algorithm::kEltwiseElu:
      return d > 0 ? 1 : d + static_cast<double>(f.alpha);
    case Algorithm::kEltwiseSqrt:
      return 1 / (2 * d);
    case Algorithm::kEltwiseLogistic:
      return d * (1 - d);
    case Algorithm::kEltwiseExp:
      return d;
    default:
      return Slope(f, d);  // it asks only where the source lies, and there the destination does too
  }
}

// Whether the slope does not depend on where it is taken: at NaN neither.
bool IsStraight(const Function& f) {
  return f.algorithm == Algorithm::kEltwiseLinear ||
         (f.algorithm == Algorithm::kEltwiseSwish && f.alpha == 0) ||
         (f.algorithm == Algorithm::kEltwisePow && (f.beta == 0 || f.beta == 1));
}

void Forward(const Function& f, const EltwiseRows& rows, const float* src, float* dst) {
  const spi::EltwiseOp op = {f.algorithm, 1, f.alpha, f.beta};
  for (int64_t r = 0; r < rows.rows; ++r)
    for (int64_t c = 0; c < rows.cols; ++c)
      dst[r * rows.dst_row + c] = Eltwise(op, src[r * rows.src_row + c]);
}

template <double (*kSlope)(const Function&, double)>
void Backward(const Function& f, const EltwiseRows& rows, const float* data, const float* diff_dst,
              float* diff_src) {
  const bool straight = IsStraight(f);
  for (int64_t r = 0; r < rows.rows; ++r)
    for (int64_t c = 0; c < rows.cols; ++c) {
      const double x = static_cast<double>(data[r * rows.src_row + c]);
      const double slope = std::isnan(x) && !straight ? x : kSlope(f, x);
      const double dd = static_cast<double>(diff_dst[r * rows.dst_row + c]);
      diff_src[r * rows.dst_row + c] = slope == 0 ? 0 : static_cast<float>(dd * slope);
    }
}

}  // namespace

ForwardKernel PlainForwardKernel() { return Forward; }

BackwardKernel PlainBackwardKernel(bool from_dst) {
  return from_dst ? Backward<SlopeFromDst> : Backward<Slope>;
}

}  // namespace impl_cpu
