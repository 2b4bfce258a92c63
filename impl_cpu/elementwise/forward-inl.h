// Each element-wise function as a vector of f32 from a vector of f32, per target.
//
// A functor is made of alpha and beta once and called for every vector. An element's result
// depends on that element alone.

#include <cmath>

#include "impl_cpu/elementwise/kernel.h"
#include "impl_cpu/elementwise/math-inl.h"
#include "impl_cpu/elementwise/power-inl.h"

#if defined(DNNSPEC_IMPL_CPU_ELEMENTWISE_FORWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_ELEMENTWISE_FORWARD_INL_H_
#undef DNNSPEC_IMPL_CPU_ELEMENTWISE_FORWARD_INL_H_
#else
#define DNNSPEC_IMPL_CPU_ELEMENTWISE_FORWARD_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// ---- One operation or two

// NaN stays; minus infinity gives 0.
struct Rectify {
  explicit Rectify(const Function&) {}
  HWY_INLINE VF operator()(VF s) const {
    const VF zero = hn::Zero(DF());
    return hn::IfThenElse(hn::Le(s, zero), zero, s);
  }
};

struct LeakyRectify {
  explicit LeakyRectify(const Function& f) : alpha(Number(f.alpha)) {}
  HWY_INLINE VF operator()(VF s) const {
    return hn::IfThenElse(hn::Gt(s, hn::Zero(DF())), s, hn::Mul(alpha, s));
  }
  const VF alpha;
};

struct Square {
  explicit Square(const Function&) {}
  HWY_INLINE VF operator()(VF s) const { return hn::Mul(s, s); }
};

struct Magnitude {
  explicit Magnitude(const Function&) {}
  HWY_INLINE VF operator()(VF s) const { return hn::Abs(s); }
};

struct SquareRoot {
  explicit SquareRoot(const Function&) {}
  HWY_INLINE VF operator()(VF s) const { return hn::Sqrt(s); }
};

struct Linear {
  explicit Linear(const Function& f) : alpha(Number(f.alpha)), beta(Number(f.beta)) {}
  HWY_INLINE VF operator()(VF s) const { return hn::Add(hn::Mul(alpha, s), beta); }
  const VF alpha, beta;
};

struct Clamp {
  Clamp(float low, float high) : lo(Number(low)), hi(Number(high)) {}
  HWY_INLINE VF operator()(VF s) const {
    return hn::IfThenElse(hn::Lt(s, lo), lo, hn::IfThenElse(hn::Gt(s, hi), hi, s));
  }
  const VF lo, hi;
};
struct BoundedRectify : Clamp {
  explicit BoundedRectify(const Function& f) : Clamp(0, f.alpha) {}
};
struct Clip : Clamp {
  explicit Clip(const Function& f) : Clamp(f.alpha, f.beta) {}
};

// A zero keeps the sign of what it was rounded from: SSSE3 has no instruction that does it.
struct RoundToEven {
  explicit RoundToEven(const Function&) {}
  HWY_INLINE VF operator()(VF s) const { return hn::CopySign(hn::Round(s), s); }
};

struct HardSwish {
  explicit HardSwish(const Function&) {}
  HWY_INLINE VF operator()(VF s) const {
    const VF three = Number(3);
    const VF between = hn::Div(hn::Mul(s, hn::Add(s, three)), Number(6));
    const VF right = hn::IfThenElse(hn::Ge(s, three), s, between);
    return hn::IfThenZeroElse(hn::Le(s, hn::Neg(three)), right);
  }
};

// ---- Exponentials

struct ExpOf {
  explicit ExpOf(const Function&) {}
  HWY_INLINE VF operator()(VF s) const { return Exp(s); }
};

// (e^2s - 1) / (e^2s + 1) of |s|: nothing cancels, and it is never above 1.
struct TanhOf {
  explicit TanhOf(const Function&) {}
  HWY_INLINE VF operator()(VF s) const {
    const VF e = Expm1(AtMost(hn::Abs(hn::Add(s, s)), Number(19)));
    return hn::CopySign(hn::Div(e, hn::Add(e, Number(2))), s);
  }
};

struct EluOf {
  explicit EluOf(const Function& f) : alpha(Number(f.alpha)) {}
  HWY_INLINE VF operator()(VF s) const {
    const VF zero = hn::Zero(DF());
    return hn::IfThenElse(hn::Gt(s, zero), s, hn::Mul(alpha, Expm1(AtMost(s, zero))));
  }
  const VF alpha;
};

// max(s, 0) + ln(1 + e^-|s|).
struct SoftRectify {
  explicit SoftRectify(const Function&) {}
  HWY_INLINE VF operator()(VF s) const {
    return hn::Add(AtLeast(s, hn::Zero(DF())), Log1p(ExpOfMinusAbs(s)));
  }
};

struct LogSigmoid {
  explicit LogSigmoid(const Function&) {}
  HWY_INLINE VF operator()(VF s) const {
    return hn::Sub(AtMost(s, hn::Zero(DF())), Log1p(ExpOfMinusAbs(s)));
  }
};

struct LogisticOf {
  explicit LogisticOf(const Function&) {}
  HWY_INLINE VF operator()(VF s) const {
    const VF z = ExpOfMinusAbs(s);
    return hn::Div(hn::IfThenElse(hn::Lt(s, hn::Zero(DF())), z, One()), hn::Add(One(), z));
  }
};

struct LogOf {
  explicit LogOf(const Function&) {}
  HWY_INLINE VF operator()(VF s) const { return Log(s); }
};

// ---- s times something between 0 and 1

// s / (1 + e^-(x + low)), and 0 where the divisor is infinite, whatever s. kExact: low is 0.
template <bool kExact>
HWY_INLINE VF TimesLogistic(VF s, VF x, VF low) {
  const VF limit = Number(170), magnitude = hn::Abs(x);
  const auto negative = hn::Lt(x, hn::Zero(DF()));
  if (!kExact) {
    low = hn::Mul(low, hn::CopySign(One(), x));
    low = hn::IfThenElseZero(hn::Lt(magnitude, limit), low);
  }
  const VF near = AtMost(magnitude, limit);
  const Decay decay = kExact ? Decay(near) : Decay(near, low);
  const VF over = hn::IfThenElse(negative, decay.Near(s), s);
  const VF product = hn::Mul(hn::Div(over, hn::Add(One(), decay.value())),
                             hn::IfThenElse(negative, decay.far(), One()));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Neg(limit)), product);
}

// Swish of an alpha of 0.
struct HalfOf {
  explicit HalfOf(const Function&) {}
  HWY_INLINE VF operator()(VF s) const { return hn::Mul(Number(0.5f), s); }
};

// Of an alpha that is not 0.
struct Swish {
  explicit Swish(const Function& f) : alpha(Number(f.alpha)) {}
  HWY_INLINE VF operator()(VF s) const {
    const VF x = hn::Mul(alpha, s);
    return TimesLogistic<false>(s, x, ProductError(alpha, s, x));
  }
  const VF alpha;
};

// Of an alpha whose products are exact: a power of two, or its negative.
struct ExactSwish {
  explicit ExactSwish(const Function& f) : alpha(Number(f.alpha)) {}
  HWY_INLINE VF operator()(VF s) const {
    return TimesLogistic<true>(s, hn::Mul(alpha, s), hn::Zero(DF()));
  }
  const VF alpha;
};

// The argument of the logistic function that 0.5 (1 + tanh(...)) is, of |s| <= 15.
HWY_INLINE VF TwiceGeluArgument(VF s) {
  // k = 2 sqrt(2 / pi) and 0.044715 k.
  return hn::Mul(s, hn::MulAdd(hn::Mul(s, s), Number(0.0713548163f), Number(1.5957691216f)));
}

// max(s, 0) - |s| / (1 + e^2g), g(|s|) as printed.
struct GeluTanh {
  explicit GeluTanh(const Function&) {}
  HWY_INLINE VF operator()(VF s) const {
    const VF t = AtMost(hn::Abs(s), Number(12));
    const Decay decay(TwiceGeluArgument(t));
    const VF share = hn::Div(decay.Near(t), hn::Add(One(), decay.value()));
    return hn::Sub(AtLeast(s, hn::Zero(DF())), hn::Mul(share, decay.far()));
  }
};

// max(s, 0) - |s| Phi(-|s|).
struct GeluErf {
  explicit GeluErf(const Function&) {}
  HWY_INLINE VF operator()(VF s) const {
    const VF t = AtMost(hn::Abs(s), Number(15));
    const Decay bell = BellOf(t);
    const VF share = hn::Mul(bell.Near(t), MillsRatio(t));
    return hn::Sub(AtLeast(s, hn::Zero(DF())), hn::Mul(share, bell.far()));
  }
};

// tanh(ln(1 + e^s)) is (w^2 + 2w) / (w^2 + 2w + 2) with w = e^s; for s > 0 both are divided by w^2.
struct Mish {
  explicit Mish(const Function&) {}
  HWY_INLINE VF operator()(VF s) const {
    const auto negative = hn::Lt(s, hn::Zero(DF()));
    const VF two = Number(2), t = AtLeast(s, Number(-120));
    const Decay decay(AtMost(hn::Abs(t), Number(120)));
    const VF z = decay.value(), sum = hn::Add(z, two);
    const VF above = hn::MulAdd(two, z, One());
    const VF over =
        hn::Mul(hn::IfThenElse(negative, decay.Near(t), t), hn::IfThenElse(negative, sum, above));
    const VF under = hn::MulAdd(z, hn::IfThenElse(negative, sum, hn::Add(z, z)),
                                hn::IfThenElse(negative, two, above));
    return hn::Mul(hn::Div(over, under), hn::IfThenElse(negative, decay.far(), One()));
  }
};

// ---- Powers

// Of a finite beta.
struct PowerOf : Power {
  explicit PowerOf(const Function& f)
      : Power(static_cast<double>(f.alpha), static_cast<double>(f.beta)) {}
};

struct Constant {
  explicit Constant(const Function& f) : alpha(Number(f.alpha)) {}
  HWY_INLINE VF operator()(VF) const { return alpha; }
  const VF alpha;
};

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
