#include "examples/plugin-opencv/eltwise.h"

#include <memory>
#include <opencv2/core.hpp>
#include <utility>

#include "examples/plugin-cpu/operations.h"
#include "examples/plugin-cpu/plugin.h"
#include "examples/plugin-cpu/tensors.h"
#include "examples/plugin-opencv/matrices.h"

namespace plugin {
namespace {

cv::Mat Scaled(const cv::Mat& s, double scale) {
  cv::Mat d;
  s.convertTo(d, CV_32F, scale);
  return d;
}

// convertTo has a shift, too, but leaves it out where it is small.
cv::Mat Linear(const cv::Mat& s, double scale, double shift) {
  cv::Mat d;
  cv::add(Scaled(s, scale), shift, d);
  return d;
}

// In f64: in f32 OpenCV's exp is an infinity before it has to be.
cv::Mat Exp(const cv::Mat& s) {
  cv::Mat d;
  s.convertTo(d, CV_64F);
  cv::exp(d, d);
  d.convertTo(d, CV_32F);
  return d;
}

cv::Mat Sqrt(const cv::Mat& s) {
  cv::Mat d;
  cv::sqrt(s, d);
  return d;
}

cv::Mat Clamped(const cv::Mat& s, double low, double high) {
  return cv::min(cv::Mat(cv::max(s, low)), high);
}

cv::Mat Logistic(const cv::Mat& s) { return 1 / (1 + Exp(-s)); }

// A difference of exponentials, but for small numbers, of which it would leave little.
cv::Mat Tanh(const cv::Mat& s) {
  cv::Mat wide, d = s - s.mul(s).mul(s, 1.0 / 3);
  Clamped(s, -20, 20).convertTo(wide, CV_64F, 2);
  cv::exp(wide, wide);
  wide = (wide - 1) / (wide + 1);
  wide.convertTo(wide, CV_32F);
  wide.copyTo(d, cv::abs(s) > 0x1p-10);
  return d;
}

cv::Mat SoftRelu(const cv::Mat& s) {
  cv::Mat d;
  cv::log(1 + Exp(-cv::abs(s)), d);
  return d + cv::max(s, 0);
}

// Numbers that have no fraction stay: convertTo knows those that an int32_t holds.
cv::Mat Rounded(const cv::Mat& s) {
  cv::Mat d = s.clone(), whole;
  s.convertTo(whole, CV_32S);
  whole.convertTo(whole, CV_32F);
  whole.copyTo(d, cv::abs(s) < 0x1p23);
  return d;
}

cv::Mat SwishDerivative(const cv::Mat& x) { return Logistic(x).mul(1 + x.mul(Logistic(-x))); }

// `a` where `chosen` is not 0, otherwise `b`.
cv::Mat Select(const cv::Mat& chosen, const cv::Mat& a, cv::Mat b) {
  a.copyTo(b, chosen);
  return b;
}

cv::Mat Zeros(const cv::Mat& like) { return cv::Mat::zeros(like.size(), CV_32F); }

// Empty where OpenCV has no function for it.
cv::Mat Forward(const EltwiseOperation& op, const cv::Mat& s) {
  switch (op.algorithm) {
    case kRelu:
    case kReluByDst:
      return Select(s > 0, s, Scaled(s, op.alpha));
    case kTanh:
    case kTanhByDst:
      return Tanh(s);
    case kElu:
    case kEluByDst:
      return Select(s > 0, s, Linear(Scaled(Exp(s), op.alpha), 1, -op.alpha));
    case kSquare:
      return s.mul(s);
    case kAbs:
      return cv::abs(s);
    case kSqrt:
    case kSqrtByDst:
      return Sqrt(s);
    case kLinear:
      return Linear(s, op.alpha, op.beta);
    case kBoundedRelu:
      return Clamped(s, 0, op.alpha);
    case kClip:
      return Clamped(s, op.alpha, op.beta);
    case kSoftRelu:
      return SoftRelu(s);
    case kLogistic:
    case kLogisticByDst:
      return Logistic(s);
    case kExp:
    case kExpByDst:
      return Exp(s);
    case kSwish:
      return s.mul(Logistic(Scaled(s, op.alpha)));
    case kRound:
      return Rounded(s);
    default:
      return {};
  }
}

// The same; `g` is the gradient of the destination, and `s` what the derivative is taken at.
cv::Mat Backward(const EltwiseOperation& op, const cv::Mat& s, const cv::Mat& g) {
  switch (op.algorithm) {
    case kRelu:
    case kReluByDst:
      return Select(s > 0, g, Scaled(g, op.alpha));
    case kElu:
      return Select(s > 0, g, g.mul(Scaled(Exp(s), op.alpha)));
    case kEluByDst:
      return Select(s > 0, g, g.mul(Linear(s, 1, op.alpha)));
    case kTanh:
      return g.mul(4 * Logistic(2 * s).mul(Logistic(-2 * s)));
    case kTanhByDst:
      return g.mul(1 - s.mul(s));
    case kSquare:
      return g.mul(s, 2);
    case kAbs:
      return Select(s < 0, -g, Select(s > 0, g, Zeros(g)));
    case kSqrt:
      return g / (2 * Sqrt(s));
    case kSqrtByDst:
      return g / (2 * s);
    case kLinear:
      return Scaled(g, op.alpha);
    case kBoundedRelu:
      return Select((s > 0) & (s <= op.alpha), g, Zeros(g));
    case kClip:
      return Select((s > op.alpha) & (s <= op.beta), g, Zeros(g));
    case kSoftRelu:
      return g.mul(Logistic(s));
    case kLogistic:
      return g.mul(Logistic(s).mul(Logistic(-s)));
    case kLogisticByDst:
      return g.mul(s.mul(1 - s));
    case kSwish:
      return g.mul(SwishDerivative(Scaled(s, op.alpha)));
    case kExp:
      return g.mul(Exp(s));
    case kExpByDst:
      return g.mul(s);
    default:
      return {};
  }
}

struct Eltwise : dnnspec_plan, EltwiseOperation {
  void Execute(const dnnspec_argument* arguments) const override {
    if (IsEmpty(data)) return;
    const cv::Mat s = Gather(data, arguments[data_at]);
    const cv::Mat d =
        forward ? Forward(*this, s) : Backward(*this, s, Gather(diff_dst, arguments[diff_dst_at]));
    Scatter(d, result, arguments[result_at]);
  }

  bool IsTranslated() const {
    const cv::Mat one = cv::Mat::ones(1, 1, CV_32F);
    return !(forward ? Forward(*this, one) : Backward(*this, one, one)).empty();
  }
};

}  // namespace

dnnspec_status PlanEltwise(const dnnspec_operation& operation, const dnnspec_layout* chosen,
                           std::unique_ptr<dnnspec_plan>* out) {
  auto plan = std::make_unique<Eltwise>();
  const dnnspec_status status = ReadEltwise(operation, chosen, plan.get());
  if (status != DNNSPEC_OK) return status;
  if (!HasMatrix(plan->data) || !plan->IsTranslated())
    return Unimplemented("OpenCV has no function for it");
  *out = std::move(plan);
  return DNNSPEC_OK;
}

}  // namespace plugin
