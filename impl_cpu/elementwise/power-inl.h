// s^y in vectors of f32, per target: through f64, so that it is the right f32 but for one case in
// thousands.

#include <cmath>
#include <cstdint>
#include <limits>

#include "hwy/highway.h"
#include "impl_cpu/elementwise/math-inl.h"

#if defined(DNNSPEC_IMPL_CPU_ELEMENTWISE_POWER_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_ELEMENTWISE_POWER_INL_H_
#undef DNNSPEC_IMPL_CPU_ELEMENTWISE_POWER_INL_H_
#else
#define DNNSPEC_IMPL_CPU_ELEMENTWISE_POWER_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

using DD = hn::ScalableTag<double>;
using DU64 = hn::ScalableTag<uint64_t>;
using VD = hn::Vec<DD>;

HWY_INLINE VD Wide(double value) { return hn::Set(DD(), value); }

HWY_INLINE VD WidePolynomial(VD, double c) { return Wide(c); }
template <typename... Cs>
HWY_INLINE VD WidePolynomial(VD x, double c, Cs... cs) {
  return hn::MulAdd(x, WidePolynomial(x, cs...), Wide(c));
}

// The logarithm to base 2 of a positive, normal x, within 2^-37 of itself.
HWY_INLINE VD WideLog2(VD x) {
  const DU64 du;
  const auto bits = hn::BitCast(du, x);
  const auto least = hn::BitCast(du, Wide(0.70710678118654752440));
  // x = m * 2^n with m between the roots of 1/2 and 2.
  const auto above = hn::Sub(bits, least);
  const auto shift = hn::And(above, hn::Set(du, 0xfff0000000000000u));
  const VD m = hn::BitCast(DD(), hn::Sub(bits, shift));
  // The integer n + 2^11 in the lowest bits of 2^52.
  const auto exponent = hn::ShiftRight<52>(hn::Add(above, hn::Set(du, uint64_t{1} << 63)));
  const VD n = hn::Sub(hn::BitCast(DD(), hn::Or(exponent, hn::BitCast(du, Wide(0x1p52)))),
                       Wide(0x1p52 + 2048));
  const VD q = hn::Div(hn::Sub(m, Wide(1)), hn::Add(m, Wide(1)));
  // 2 atanh(q) / ln 2.
  constexpr double kTwoByLn2 = 2.88539008177792681472;
  const VD series =
      WidePolynomial(hn::Mul(q, q), kTwoByLn2, kTwoByLn2 / 3, kTwoByLn2 / 5, kTwoByLn2 / 7,
                     kTwoByLn2 / 9, kTwoByLn2 / 11, kTwoByLn2 / 13, kTwoByLn2 / 15);
  return hn::MulAdd(q, series, n);
}

// 2^y, within 2^-37 of itself, of any y but NaN: of one beyond 1000 what 1000 gives, which times
// any two f32 numbers is beyond what f32 holds.
HWY_INLINE VD WideExp2(VD y) {
  const VD within = hn::Min(hn::Max(y, Wide(-1000)), Wide(1000));
  const VD magic = Wide(0x1.8p52);
  const VD shifted = hn::Add(within, magic);
  const VD f = hn::Mul(hn::Sub(within, hn::Sub(shifted, magic)), Wide(0.69314718055994530942));
  const VD p = WidePolynomial(f, 1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040,
                              1.0 / 40320, 1.0 / 362880);
  const DU64 du;
  const auto n = hn::Add(hn::BitCast(du, shifted), hn::Set(du, 1023));
  return hn::Mul(p, hn::BitCast(DD(), hn::ShiftLeft<52>(n)));
}

// factor * s^y with one rounding; s^y by the rules of C's pow, of a finite y.
class Power {
 public:
  Power(double factor, double y)
      : factor_(factor),
        y_(y),
        kind_(std::fmod(y, 2) == 0   ? Kind::kEven
              : std::fmod(y, 1) == 0 ? Kind::kOdd
                                     : Kind::kNone),
        at_zero_(static_cast<float>(factor * std::pow(0.0, y))),
        at_infinity_(static_cast<float>(factor * std::pow(kInfinity, y))) {}

  HWY_INLINE VF operator()(VF s) const {
    const hn::Half<DF> half;
    const VF x = hn::Abs(s), zero = hn::Zero(DF());
    VF power = hn::Combine(DF(), Of(hn::UpperHalf(half, x)), Of(hn::LowerHalf(half, x)));
    power = hn::IfThenElse(hn::Eq(x, zero), Number(at_zero_), power);
    const auto finite = hn::Lt(x, Number(static_cast<float>(kInfinity)));
    power = hn::IfThenElse(finite, power, Number(at_infinity_));
    if (kind_ == Kind::kOdd) power = hn::Xor(power, hn::And(s, Number(-0.0f)));
    if (kind_ == Kind::kNone) {
      const auto imaginary = hn::And(hn::Lt(s, zero), finite);
      power = hn::IfThenElse(imaginary, Number(std::numeric_limits<float>::quiet_NaN()), power);
    }
    return y_ == 0 ? power : hn::IfThenElse(hn::Eq(s, s), power, s);
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  // What a negative base makes of it.
  enum class Kind { kEven, kOdd, kNone };

  HWY_INLINE hn::Vec<hn::Half<DF>> Of(hn::Vec<hn::Half<DF>> x) const {
    const VD power = WideExp2(hn::Mul(Wide(y_), WideLog2(hn::PromoteTo(DD(), x))));
    return hn::DemoteTo(hn::Half<DF>(), hn::Mul(Wide(factor_), power));
  }

  const double factor_, y_;
  const Kind kind_;
  const float at_zero_, at_infinity_;
};

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
