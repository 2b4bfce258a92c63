#include "spec/numeric/approx.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <string>

#include "spec/numeric/arithmetic.h"
#include "spec/numeric/compare.h"

namespace spec {
namespace {

constexpr double kRounding = 0x1p-24;    // of one f32 operation, relative
constexpr double kUnderflow = 0x1p-126;  // absolute, where subnormal results are flushed
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// `value` is right but for the roundings of the double arithmetic it was computed with.
double Outwards(double error) { return error * (1 + 0x1p-40); }

Approx OfClass(double value) { return {value, 0}; }

}  // namespace

bool inlined::IsSubnormalF32(double value) {
  return std::abs(value) < FLT_MIN && static_cast<double>(Nearest(value)) == value;
}

Approx inlined::RoundedProduct(Approx a, Approx b, double value) {
  if (!std::isfinite(value)) {
    // An operand is infinite or NaN; a product of finite ones does not overflow a double.
    return OfClass(value);
  }
  if (!std::isfinite(a.error) || !std::isfinite(b.error)) return {value, kInfinity};
  const double carried =
      std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error;
  const double error = carried + kRounding * (std::abs(value) + carried) + kUnderflow;
  if (std::abs(value) + error > FLT_MAX) return {value, kInfinity};
  return {value, Outwards(error)};
}

Approx operator+(Approx a, Approx b) {
  Summation sum;
  sum.Add(a);
  sum.Add(b);
  return sum.Total();
}

Approx Maximum(Approx a, Approx b) {
  if (std::isnan(a.value) || std::isnan(b.value)) return OfClass(kNan);
  if (std::isinf(a.value) || std::isinf(b.value)) return OfClass(std::max(a.value, b.value));
  return {std::max(a.value, b.value), std::max(a.error, b.error)};
}

void Summation::AddInfinityOrNan(double value) {
  (std::isnan(value) ? nan_ : value > 0 ? positive_infinity_ : negative_infinity_) = true;
}

Approx Summation::Total() const {
  if (nan_ || (positive_infinity_ && negative_infinity_)) return OfClass(kNan);
  if (positive_infinity_) return OfClass(kInfinity);
  if (negative_infinity_) return OfClass(-kInfinity);
  if (!std::isfinite(errors_)) return {total_, kInfinity};
  // Every partial sum is a multiple of the quantum and has at most 24 bits.
  if (errors_ == 0 && magnitudes_ <= std::ldexp(0x1p24, quantum_) && magnitudes_ <= FLT_MAX)
    return {total_, 0};
  const double roundings = static_cast<double>(terms_ - 1) * kRounding;
  const double relative = roundings < 0.5 ? roundings / (1 - roundings) : kInfinity;
  const double error = errors_ + relative * (magnitudes_ + errors_) +
                       static_cast<double>(terms_) * (kUnderflow + 0x1p-52 * magnitudes_);
  if (!(magnitudes_ + error <= FLT_MAX)) return {total_, kInfinity};
  return {total_, Outwards(error)};
}

bool Accepts(Type type, Approx result, Bits got, Strictness strictness) {
  if (std::isinf(result.error)) return true;
  if (!std::isfinite(result.value))
    return AcceptableConversions(type, Nearest(result.value), strictness).Holds(type, got);
  double least = result.value - result.error, most = result.value + result.error;
  // Portable: arithmetic may take what is subnormal for 0 (decisions/0003).
  if (strictness == Strictness::kPortable && std::abs(result.value) < FLT_MIN) {
    least = std::min(least, 0.0);
    most = std::max(most, 0.0);
  }
  const float low = AtMost(least), high = AtLeast(most);
  if (Between(type, Convert(type, low), got, Convert(type, high))) return true;
  // Beside nearest even, a narrowing may have readings of its own.
  return AcceptableConversions(type, low, strictness).Holds(type, got) ||
         AcceptableConversions(type, high, strictness).Holds(type, got);
}

std::string ToString(Type type, Approx result, Strictness strictness) {
  if (std::isinf(result.error)) return "any value";
  if (result.error == 0 || !std::isfinite(result.value))
    return ToString(type, AcceptableConversions(type, Nearest(result.value), strictness));
  return ToString(type, Convert(type, AtMost(result.value - result.error))) + " to " +
         ToString(type, Convert(type, AtLeast(result.value + result.error)));
}

}  // namespace spec
