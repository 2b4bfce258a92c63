#include "examples/plugin-eigen/eltwise.h"

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "examples/plugin-cpu/operations.h"
#include "examples/plugin-cpu/plugin.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-eigen/matrices.h"

namespace plugin {
namespace {

constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
constexpr double kCubic = 0.044715;

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

// x * factor, where a factor of 0 wins over an infinity.
double Faded(double x, double factor) { return factor == 0 ? 0 : x * factor; }

double Clamp(double s, double low, double high) {
  return std::isnan(s) ? s : std::fmin(std::fmax(s, low), high);
}

// The argument of the logistic function that gelu_tanh is s times of.
double GeluArgument(double s) { return 2 * kSqrtTwoOverPi * (s + kCubic * s * s * s); }

double Forward(int32_t algorithm, double alpha, double beta, double s) {
  switch (algorithm) {
    case kRelu:
    case kReluByDst:
      return s > 0 ? s : Faded(s, std::isnan(s) ? 1 : alpha);
    case kTanh:
    case kTanhByDst:
      return std::tanh(s);
    case kElu:
    case kEluByDst:
      return s > 0 ? s : alpha * std::expm1(s);
    case kSquare:
      return s * s;
    case kAbs:
      return std::fabs(s);
    case kSqrt:
    case kSqrtByDst:
      return std::sqrt(s);
    case kLinear:
      // The product is rounded as f32 does it.
      return static_cast<float>(alpha * s) + beta;
    case kBoundedRelu:
      return Clamp(s, 0, alpha);
    case kSoftRelu:
      return std::isnan(s) ? s : std::fmax(s, 0) + std::log1p(std::exp(-std::fabs(s)));
    case kLogistic:
    case kLogisticByDst:
      return Logistic(s);
    case kExp:
    case kExpByDst:
      return std::exp(s);
    case kGeluTanh:
      return Faded(s, Logistic(GeluArgument(s)));
    case kSwish:
      return Faded(s, alpha == 0 ? 0.5 : Logistic(alpha * s));
    case kLog:
      return std::log(s);
    case kClip:
      return Clamp(s, alpha, beta);
    case kPow:
      return beta == 0 ? alpha : alpha * std::pow(s, beta);
    case kGeluErf:
      return Faded(s, std::erfc(-s * kSqrtHalf) / 2);
    default:
      return std::nearbyint(s);
  }
}

double SwishDerivative(double alpha, double s) {
  const double x = alpha == 0 ? 0 : alpha * s, f = Logistic(x);
  return f + Faded(x, f * Logistic(-x));
}

double GeluTanhDerivative(double s) {
  const double x = GeluArgument(s), f = Logistic(x);
  return f + Faded(2 * kSqrtTwoOverPi * (s + 3 * kCubic * s * s * s), f * Logistic(-x));
}

double GeluErfDerivative(double s) {
  return std::erfc(-s * kSqrtHalf) / 2 +
         Faded(s, std::exp(-s * s / 2) * kSqrtTwoOverPi * kSqrtHalf * kSqrtHalf);
}

double Within(bool inside) { return inside ? 1 : 0; }

// At `s`, which is the destination for the last six.
double Derivative(int32_t algorithm, double alpha, double beta, double s) {
  switch (algorithm) {
    case kRelu:
    case kReluByDst:
      return s > 0 ? 1 : alpha;
    case kTanh:
      return 4 * Logistic(2 * s) * Logistic(-2 * s);
    case kElu:
      return s > 0 ? 1 : alpha * std::exp(s);
    case kSquare:
      return 2 * s;
    case kAbs:
      return s > 0 ? 1 : s < 0 ? -1 : 0;
    case kSqrt:
      return 0.5 / std::sqrt(s);
    case kLinear:
      return alpha;
    case kBoundedRelu:
      return Within(s > 0 && s <= alpha);
    case kSoftRelu:
      return Logistic(s);
    case kLogistic:
      return Logistic(s) * Logistic(-s);
    case kExp:
    case kExpByDst:
      return algorithm == kExp ? std::exp(s) : s;
    case kGeluTanh:
      return GeluTanhDerivative(s);
    case kSwish:
      return SwishDerivative(alpha, s);
    case kLog:
      return 1 / s;
    case kClip:
      return Within(s > alpha && s <= beta);
    case kPow:
      return beta == 0 ? 0 : alpha * beta * std::pow(s, beta - 1);
    case kGeluErf:
      return GeluErfDerivative(s);
    case kTanhByDst:
      return (1 - s) * (1 + s);
    case kEluByDst:
      return s > 0 ? 1 : s + alpha;
    case kSqrtByDst:
      return 0.5 / s;
    default:
      return s * (1 - s);  // kLogisticByDst
  }
}

struct Eltwise : dnnspec_plan, EltwiseOperation {
  void Execute(const dnnspec_argument* arguments) const override {
    if (IsEmpty(data)) return;
    const float* const from = DataOf<float>(arguments[data_at], data);
    float* const to = DataOf<float>(arguments[result_at], result);
    if (forward) {
      ForMatrices<float>(from, data.axes, to, result.axes, [&](const auto& s, auto d) {
        d = s.unaryExpr(
            [&](float x) { return static_cast<float>(Forward(algorithm, alpha, beta, x)); });
      });
      return;
    }
    // Three tensors: the derivative is made dense, as the gradient may lie elsewhere than the data.
    Matrix<float> by(1, Elements(data.axes));
    const std::vector<Axis> dense = Dense(data.axes);
    ForMatrices<float>(DataOf<float>(arguments[diff_dst_at], diff_dst), diff_dst.axes, by.data(),
                       dense, [](const auto& gradient, auto d) { d = gradient; });
    ForMatrices<float>(from, data.axes, by.data(), dense, [&](const auto& s, auto d) {
      d = s.binaryExpr(d, [&](float x, float gradient) {
        return static_cast<float>(gradient * Derivative(algorithm, alpha, beta, x));
      });
    });
    Copy<float>(by.data(), dense, to, result.axes);
  }
};

}  // namespace

dnnspec_status PlanEltwise(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<Eltwise>();
  const dnnspec_status status = ReadEltwise(operation, chosen, plan.get());
  if (status == DNNSPEC_OK) *out = std::move(plan);
  return status;
}

}  // namespace plugin
