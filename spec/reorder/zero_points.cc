#include "spec/reorder/zero_points.h"

#include <algorithm>
#include <cmath>

#include "spec/numeric/arithmetic.h"
#include "spec/numeric/compare.h"
#include "spec/numeric/rounding.h"
#include "spec/reorder/region.h"

namespace spec {
namespace {

constexpr double kSmallestNormal = 0x1p-126;  // of f32
constexpr double kSafe = 0x1p127;             // terms beyond it are judged by class only

Bits Magnitude(float value) { return BitsOf(value) & 0x7FFFFFFF; }
bool IsFinite(float value) { return Magnitude(value) < 0x7F800000; }
bool IsNanF32(float value) { return Magnitude(value) > 0x7F800000; }

float Rounded(int32_t zero) { return Widen(Type::kS32, static_cast<Bits>(zero)); }
bool ReadsOld(const ReorderElement& e) { return e.sum && Magnitude(e.beta) != 0; }
float Alpha(const ReorderElement& e) { return e.scaled ? e.alpha : 1.0f; }
float Source(const ReorderElement& e) { return Widen(e.from, e.source); }
float Old(const ReorderElement& e) { return Widen(e.old_type, e.old); }

// The three terms of one evaluation, as real numbers.
struct Terms {
  double shifted;     // source - zero point
  double x, y, zero;  // alpha * shifted, beta * old, zero point

  double value() const { return x + y + zero; }
  double pair() const {
    return std::max({std::fabs(x + y), std::fabs(x + zero), std::fabs(y + zero)});
  }
  // All that any order of the operations computes is an f32 already.
  bool exact() const {
    for (const double it : {shifted, x, y, zero, x + y, x + zero, y + zero, value()})
      if (std::fabs(it) >= kSafe || Exact(Nearest(it)) != it ||
          (it != 0 && std::fabs(it) < kSmallestNormal))
        return false;
    return true;
  }
};

// With the f32 of the integers that take part (`exactly` 0), or with some of them as they are: bit
// 0 the source, bit 1 its zero point, bit 2 the destination's.
Terms TermsOf(const ReorderElement& e, int exactly) {
  double source = Exact(Source(e));
  if ((exactly & 1) != 0 && e.from == Type::kS32) source = static_cast<int32_t>(e.source);
  const auto zero = [&](const std::optional<int32_t>& given, int bit) {
    if (!given) return 0.0;
    return (exactly & bit) != 0 ? static_cast<double>(*given) : Exact(Rounded(*given));
  };
  Terms terms;
  terms.shifted = source - zero(e.src_zero, 2);
  terms.x = Exact(Alpha(e)) * terms.shifted;
  terms.y = ReadsOld(e) ? Exact(e.beta) * Exact(Old(e)) : 0;
  terms.zero = zero(e.dst_zero, 4);
  return terms;
}

// What is lost where subnormal operands and products are taken for 0.
double Flushed(const ReorderElement& e, const Terms& terms) {
  const auto product = [](float factor, float value, double result) {
    const bool operands =
        IsSubnormal(Type::kF32, BitsOf(factor)) || IsSubnormal(Type::kF32, BitsOf(value));
    return operands || std::fabs(result) < kSmallestNormal ? std::fabs(result) : 0;
  };
  const double source = IsSubnormal(Type::kF32, BitsOf(Source(e)))
                            ? std::fabs(Exact(Alpha(e)) * Exact(Source(e)))
                            : 0;
  return source + product(Alpha(e), Nearest(terms.shifted), terms.x) +
         (ReadsOld(e) ? product(e.beta, Old(e), terms.y) : 0);
}

Region RegionOf(const ReorderElement& e, const Terms& terms) {
  const double value = terms.value();
  if (terms.exact()) return RegionAround(value, 0);
  const double roundings =
      2 * std::fabs(terms.x) + std::fabs(terms.y) + terms.pair() + std::fabs(value);
  return RegionAround(value, 1.0001 * 0x1p-24 * roundings + 0x1p-148 + Flushed(e, terms));
}

// Nothing but a scale of 1, a sum that reads nothing and zero points of 0.
bool IsNeutral(const ReorderElement& e) {
  return e.src_zero.value_or(0) == 0 && e.dst_zero.value_or(0) == 0 && !ReadsOld(e) &&
         BitsOf(Alpha(e)) == BitsOf(1.0f);
}

bool AreFinite(const ReorderElement& e) {
  return IsFinite(Source(e)) && IsFinite(Alpha(e)) && (!ReadsOld(e) || IsFinite(Old(e)));
}

// `got` is infinite, or finite, as the separate operations make it.
bool IsOfTheClass(const ReorderElement& e, float intermediate, Bits got) {
  if (!IsFloat(e.to))
    return AcceptableConversions(e.to, intermediate, Strictness::kPortable).Holds(e.to, got);
  const Bits expected = Convert(e.to, intermediate);
  if (IsInfinite(e.to, expected)) return got == expected;
  return !IsNan(e.to, expected) && !IsNan(e.to, got) && !IsInfinite(e.to, got);
}

}  // namespace

float WithZeroPoints(const ReorderElement& e) {
  float value = Source(e);
  if (e.src_zero) value = Add(value, -Rounded(*e.src_zero));
  if (e.scaled) value = Multiply(e.alpha, value);
  if (ReadsOld(e)) value = Add(value, Multiply(e.beta, Old(e)));
  if (e.dst_zero) value = Add(value, Rounded(*e.dst_zero));
  return value;
}

bool AcceptsWithZeroPoints(const ReorderElement& e, Bits got) {
  if (IsNeutral(e) && AcceptsCopy(e.from, e.to, e.source, got, Strictness::kPortable)) return true;
  const float intermediate = WithZeroPoints(e);
  // reading the old value although beta is 0.
  const bool read_for_nothing = e.sum && !ReadsOld(e) && !IsFinite(Old(e));
  if (IsNanF32(intermediate) || read_for_nothing) {
    if (!IsFloat(e.to) || IsNan(e.to, got)) return true;
    if (IsNanF32(intermediate)) return false;
  }
  if (!AreFinite(e)) return Holds({intermediate, intermediate}, e.to, got);
  const Terms terms = TermsOf(e, 0);
  if (std::max({std::fabs(terms.x), std::fabs(terms.y), terms.pair()}) >= kSafe)
    return IsOfTheClass(e, intermediate, got);
  for (int exactly = 0; exactly < 8; ++exactly) {
    if (Holds(RegionOf(e, TermsOf(e, exactly)), e.to, got)) return true;
  }
  return false;
}

std::string TextWithZeroPoints(const ReorderElement& e) {
  const float intermediate = WithZeroPoints(e);
  if (IsNanF32(intermediate)) return IsFloat(e.to) ? "any nan" : "any value";
  const Region region =
      AreFinite(e) ? RegionOf(e, TermsOf(e, 0)) : Region{intermediate, intermediate};
  const Bits low = Convert(e.to, region.low), high = Convert(e.to, region.high);
  return low == high
             ? ToString(e.to, AcceptableConversions(e.to, region.low, Strictness::kPortable))
             : ToString(e.to, low) + " to " + ToString(e.to, high);
}

}  // namespace spec
