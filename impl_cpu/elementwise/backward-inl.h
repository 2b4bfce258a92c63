// The gradient of each element-wise function: diff_src from diff_dst and the source or destination
// of the forward function, all vectors of f32, per target.
//
// A functor is called as gradient(x, dd), x being `s` of the formulas, or `d` in those FromDst.

#include <cmath>

#include "impl_cpu/elementwise/forward-inl.h"
#include "impl_cpu/elementwise/kernel.h"
#include "impl_cpu/elementwise/math-inl.h"
#include "impl_cpu/elementwise/power-inl.h"

#if defined(DNNSPEC_IMPL_CPU_ELEMENTWISE_BACKWARD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_ELEMENTWISE_BACKWARD_INL_H_
#undef DNNSPEC_IMPL_CPU_ELEMENTWISE_BACKWARD_INL_H_
#else
#define DNNSPEC_IMPL_CPU_ELEMENTWISE_BACKWARD_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

// `value`, or NaN where s is.
HWY_INLINE VF UnlessNaN(VF s, VF value) { return hn::IfThenElse(hn::Eq(s, s), value, s); }

// ---- One operation or two

struct RectifyGradient {
  explicit RectifyGradient(const Function& f) : alpha(Number(f.alpha)), leaks(f.alpha != 0) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF below = leaks ? hn::Mul(alpha, dd) : hn::Zero(DF());
    return UnlessNaN(s, hn::IfThenElse(hn::Gt(s, hn::Zero(DF())), dd, below));
  }
  const VF alpha;
  const bool leaks;
};

// Twice a large gradient may overflow where the product with a small source does not.
struct SquareGradient {
  explicit SquareGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const auto large = hn::Gt(hn::Abs(dd), Number(0x1p126f));
    return hn::Mul(hn::IfThenElse(large, dd, hn::Add(dd, dd)),
                   hn::IfThenElse(large, hn::Add(s, s), s));
  }
};

struct MagnitudeGradient {
  explicit MagnitudeGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF zero = hn::Zero(DF());
    const VF below = hn::IfThenElseZero(hn::Lt(s, zero), hn::Neg(dd));
    return UnlessNaN(s, hn::IfThenElse(hn::Gt(s, zero), dd, below));
  }
};

struct SquareRootGradient {
  explicit SquareRootGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF root = hn::Sqrt(s);
    return hn::Div(dd, hn::Add(root, root));
  }
};
// Unlike twice a root, twice a destination may overflow.
struct SquareRootGradientFromDst {
  explicit SquareRootGradientFromDst(const Function&) {}
  HWY_INLINE VF operator()(VF d, VF dd) const {
    const auto large = hn::Gt(hn::Abs(d), Number(0x1p126f));
    return hn::Div(hn::IfThenElse(large, hn::Mul(dd, Number(0.5f)), dd),
                   hn::IfThenElse(large, d, hn::Add(d, d)));
  }
};

// Of linear: whatever s.
struct ScaleGradient {
  explicit ScaleGradient(const Function& f) : alpha(Number(f.alpha)) {}
  HWY_INLINE VF operator()(VF, VF dd) const { return hn::Mul(alpha, dd); }
  const VF alpha;
};

// lo < s <= hi.
struct ClipGradient {
  explicit ClipGradient(const Function& f) : ClipGradient(f.alpha, f.beta) {}
  ClipGradient(float low, float high) : lo(Number(low)), hi(Number(high)) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const auto within = hn::And(hn::Gt(s, lo), hn::Le(s, hi));
    return UnlessNaN(s, hn::IfThenElseZero(within, dd));
  }
  const VF lo, hi;
};
struct BoundedRectifyGradient : ClipGradient {
  explicit BoundedRectifyGradient(const Function& f) : ClipGradient(0, f.alpha) {}
};
// lo < s < hi.
struct OpenClipGradient {
  explicit OpenClipGradient(const Function& f) : lo(Number(f.alpha)), hi(Number(f.beta)) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const auto within = hn::And(hn::Gt(s, lo), hn::Lt(s, hi));
    return UnlessNaN(s, hn::IfThenElseZero(within, dd));
  }
  const VF lo, hi;
};

struct HardSwishGradient {
  explicit HardSwishGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF three = Number(3);
    const VF slope = hn::Mul(hn::Add(hn::Add(s, s), three), Number(1.0f / 6));
    const VF right = hn::IfThenElse(hn::Ge(s, three), dd, hn::Mul(slope, dd));
    return hn::IfThenZeroElse(hn::Le(s, hn::Neg(three)), right);
  }
};

// ---- Exponentials

struct ExpGradientFromDst {
  explicit ExpGradientFromDst(const Function&) {}
  HWY_INLINE VF operator()(VF d, VF dd) const { return hn::Mul(dd, d); }
};
struct ExpGradient {
  explicit ExpGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const { return hn::Mul(dd, Exp(s)); }
};

// 1 - tanh^2 is 4 e^-2s / (1 + e^-2s)^2.
struct TanhGradient {
  explicit TanhGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF z = ExpOfMinusAbs(hn::Add(s, s));
    const VF half = hn::Add(One(), z);
    return hn::Mul(dd, hn::Div(hn::Mul(Number(4), z), hn::Mul(half, half)));
  }
};
struct TanhGradientFromDst {
  explicit TanhGradientFromDst(const Function&) {}
  HWY_INLINE VF operator()(VF d, VF dd) const {
    return hn::Mul(dd, hn::Mul(hn::Sub(One(), d), hn::Add(One(), d)));
  }
};

struct EluGradient {
  explicit EluGradient(const Function& f) : alpha(Number(f.alpha)) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF zero = hn::Zero(DF());
    const VF below = hn::Mul(dd, hn::Mul(alpha, Exp(AtMost(s, zero))));
    return hn::IfThenElse(hn::Gt(s, zero), dd, below);
  }
  const VF alpha;
};
struct EluGradientFromDst {
  explicit EluGradientFromDst(const Function& f) : alpha(Number(f.alpha)) {}
  HWY_INLINE VF operator()(VF d, VF dd) const {
    return hn::IfThenElse(hn::Gt(d, hn::Zero(DF())), dd, hn::Mul(dd, hn::Add(d, alpha)));
  }
  const VF alpha;
};

// Of soft_relu.
struct LogisticTimes {
  explicit LogisticTimes(const Function& f) : logistic(f) {}
  HWY_INLINE VF operator()(VF s, VF dd) const { return hn::Mul(dd, logistic(s)); }
  const LogisticOf logistic;
};
struct LogSigmoidGradient : LogisticTimes {
  using LogisticTimes::LogisticTimes;
  HWY_INLINE VF operator()(VF s, VF dd) const { return LogisticTimes::operator()(hn::Neg(s), dd); }
};

struct LogisticGradient {
  explicit LogisticGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF z = ExpOfMinusAbs(s);
    const VF whole = hn::Add(One(), z);
    return hn::Mul(dd, hn::Div(z, hn::Mul(whole, whole)));
  }
};
struct LogisticGradientFromDst {
  explicit LogisticGradientFromDst(const Function&) {}
  HWY_INLINE VF operator()(VF d, VF dd) const { return hn::Mul(dd, hn::Mul(d, hn::Sub(One(), d))); }
};

struct LogGradient {
  explicit LogGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const { return hn::Div(dd, s); }
};

// ---- s times something between 0 and 1

// S(x) (1 + c (1 - S(x))) of |x| <= 120, S being the logistic function.
HWY_INLINE VF GatedSlope(VF x, VF c) {
  const VF z = ExpOfMinusAbs(x);
  const VF above = hn::Div(One(), hn::Add(One(), z)), below = hn::Mul(z, above);
  const auto negative = hn::Lt(x, hn::Zero(DF()));
  const VF share = hn::IfThenElse(negative, below, above);
  const VF rest = hn::IfThenElse(negative, above, below);
  return hn::Mul(share, hn::MulAdd(c, rest, One()));
}

// Of swish with an alpha of 0.
struct HalfGradient {
  explicit HalfGradient(const Function&) {}
  HWY_INLINE VF operator()(VF, VF dd) const { return hn::Mul(Number(0.5f), dd); }
};

// Of an alpha that is not 0.
struct SwishGradient {
  explicit SwishGradient(const Function& f) : alpha(Number(f.alpha)) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF x = AtLeast(AtMost(hn::Mul(alpha, s), Number(120)), Number(-120));
    return hn::Mul(dd, GatedSlope(x, x));
  }
  const VF alpha;
};

struct GeluTanhGradient {
  explicit GeluTanhGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF t = AtLeast(AtMost(s, Number(12)), Number(-12));
    const VF k = Number(1.5957691216f);  // 2 sqrt(2 / pi)
    const VF slope = hn::MulAdd(hn::Mul(t, t), Number(0.134145f), One());
    return hn::Mul(dd, GatedSlope(TwiceGeluArgument(t), hn::Mul(hn::Mul(k, t), slope)));
  }
};

// Phi(s) + s phi(s): below 0 it is h = Phi(-t) - t phi(t) with t = |s|, above it is 1 - h.
struct GeluErfGradient {
  explicit GeluErfGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const VF t = AtMost(hn::Abs(s), Number(15));
    const VF inverse_root = Number(0.3989422804f);  // 1 / sqrt(2 pi)
    const VF h = hn::Mul(hn::NegMulAdd(inverse_root, t, MillsRatio(t)), BellOf(t).value());
    return hn::Mul(dd, hn::IfThenElse(hn::Lt(s, hn::Zero(DF())), h, hn::Sub(One(), h)));
  }
};

// tanh(ln(1 + e^s)) and its slope times s, over the same denominator as forward.
struct MishGradient {
  explicit MishGradient(const Function&) {}
  HWY_INLINE VF operator()(VF s, VF dd) const {
    const auto negative = hn::Lt(s, hn::Zero(DF()));
    const VF two = Number(2), t = AtLeast(AtMost(s, Number(120)), Number(-120));
    const VF z = ExpOfMinusAbs(t);
    const VF sum = hn::Add(z, two);
    const VF over = hn::IfThenElse(negative, hn::Mul(z, sum), hn::MulAdd(two, z, One()));
    const VF under = hn::Add(over, hn::IfThenElse(negative, two, hn::Mul(two, hn::Mul(z, z))));
    // 4 z (1 + z) for s < 0, z times that above.
    const VF slope = hn::Mul(hn::Mul(Number(4), z), hn::Add(One(), z));
    const VF risen = hn::IfThenElse(negative, slope, hn::Mul(slope, z));
    const VF factor = hn::Div(hn::Add(over, hn::Div(hn::Mul(t, risen), under)), under);
    return hn::Mul(dd, factor);
  }
};

// ---- Powers

// Of a finite beta that is not 0.
struct PowerGradient {
  explicit PowerGradient(const Function& f)
      : slope(static_cast<double>(f.alpha) * static_cast<double>(f.beta),
              static_cast<double>(f.beta) - 1) {}
  HWY_INLINE VF operator()(VF s, VF dd) const { return hn::Mul(dd, slope(s)); }
  const Power slope;
};

// Of what is constant.
struct NoGradient {
  explicit NoGradient(const Function&) {}
  HWY_INLINE VF operator()(VF, VF) const { return hn::Zero(DF()); }
};

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
