#include "spec/eltwise/evaluation.h"

#include "spec/numeric/arithmetic.h"

namespace spec {
namespace {

// Results whose every evaluation lies between these two.
void AddBetween(Number low, Number high, EltwiseResult* result) {
  result->Add(Nearest(static_cast<double>(low)), Nearest(static_cast<double>(high)));
}

}  // namespace

Number UnitOf(const EltwiseLimits& limits) { return limits.half ? 0x1p-11L : 0x1p-24L; }
Number UnderflowOf(const EltwiseLimits& limits) {
  return limits.half ? 0x1p-13L : limits.tight ? 0x1p-149L : 2 * kSmallestNormal;
}

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

bool IsZeroOrPowerOfTwo(float x) {
  int exponent;
  return x == 0 || (std::isfinite(x) && std::abs(std::frexp(x, &exponent)) == 0.5f);
}

void AddAround(Number value, Number error, EltwiseResult* result) {
  error += std::abs(value) * 0x1p-48L;  // of the wide arithmetic itself
  AddBetween(value - error, value + error, result);
}

void AddRounded(double value, const EltwiseLimits& limits, EltwiseResult* result) {
  const float nearest = Nearest(value);
  if (limits.half) return AddAround(value, UnitOf(limits) * std::abs(value), result);
  if (limits.tight) return result->Add(nearest, nearest);
  result->Add(std::nextafter(nearest, -kInfinity), std::nextafter(nearest, kInfinity));
}

void AddValue(float value, EltwiseResult* result) { result->Add(value, value); }

void AddProduct(Number value, const EltwiseLimits& limits, EltwiseResult* result) {
  const float nearest = Nearest(static_cast<double>(value));
  const bool flushed = !limits.tight && std::abs(value) < kSmallestNormal;
  result->Add(flushed ? std::min(nearest, 0.0f) : nearest,
              flushed ? std::max(nearest, 0.0f) : nearest);
}

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

void Flush(EltwiseResult* result) {
  for (int k = 0; k < result->count; ++k) {
    auto& [low, high] = result->ranges[k];
    if (low > 0 && low < FLT_MIN) low = 0;
    if (high < 0 && high > -FLT_MIN) high = 0;
  }
}

}  // namespace spec
