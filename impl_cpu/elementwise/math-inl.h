// Exponentials, logarithms and the normal distribution in vectors of f32, per target.
//
// Errors are in units of u = 2^-24 times the result, over all finite arguments, results below the
// normal range within their own last place. NaN stays NaN, and infinite arguments give the limits.
// Targets that fuse a multiplication with an addition have the same bits among themselves, and so
// have those that do not; the two sorts differ in last bits. The build turns contraction off, and
// only what says MulAdd is fused.

#include <limits>

#include "hwy/highway.h"
#include "impl_cpu/numeric/lanes-inl.h"

#if defined(DNNSPEC_IMPL_CPU_ELEMENTWISE_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef DNNSPEC_IMPL_CPU_ELEMENTWISE_MATH_INL_H_
#undef DNNSPEC_IMPL_CPU_ELEMENTWISE_MATH_INL_H_
#else
#define DNNSPEC_IMPL_CPU_ELEMENTWISE_MATH_INL_H_
#endif

#if HWY_TARGET != HWY_SCALAR

HWY_BEFORE_NAMESPACE();
namespace impl_cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE VF Number(float value) { return hn::Set(DF(), value); }
HWY_INLINE VF One() { return Number(1); }

// The lesser and the greater of both; NaN where `v` is. On x86 the minimum is its second operand
// when one is NaN.
HWY_INLINE VF AtMost(VF v, VF limit) {
#if DNNSPEC_X86_VECTORS
  return hn::Min(limit, v);
#else
  return hn::IfThenElse(hn::Gt(v, limit), limit, v);
#endif
}
HWY_INLINE VF AtLeast(VF v, VF limit) {
#if DNNSPEC_X86_VECTORS
  return hn::Max(limit, v);
#else
  return hn::IfThenElse(hn::Lt(v, limit), limit, v);
#endif
}

// c0 + c1 x + c2 x^2 + ...
HWY_INLINE VF Polynomial(VF, float c) { return Number(c); }
template <typename... Cs>
HWY_INLINE VF Polynomial(VF x, float c, Cs... cs) {
  return hn::MulAdd(x, Polynomial(x, cs...), Number(c));
}

// What a rounded product has lost: a * b - product, exactly, where nothing overflows.
HWY_INLINE VF ProductError(VF a, VF b, VF product) {
#if HWY_TARGET <= HWY_AVX2 || !HWY_ARCH_X86
  return hn::MulSub(a, b, product);
#else
  // The halves of a large factor would overflow; where the product does not, the other is small.
  const VF large = Number(0x1p100f), up = Number(0x1p20f), down = Number(0x1p-20f);
  const VF of_a = hn::IfThenElse(hn::Gt(hn::Abs(a), large), down, One());
  const VF of_b = hn::IfThenElse(hn::Gt(hn::Abs(b), large), down, One());
  a = hn::Mul(hn::Mul(a, of_a), hn::IfThenElse(hn::Lt(of_b, One()), up, One()));
  b = hn::Mul(hn::Mul(b, of_b), hn::IfThenElse(hn::Lt(of_a, One()), up, One()));
  // Dekker's: halves of 12 bits, whose products are exact.
  const VF splitter = Number(4097);
  const VF a_wide = hn::Mul(splitter, a), b_wide = hn::Mul(splitter, b);
  const VF a1 = hn::Sub(a_wide, hn::Sub(a_wide, a)), b1 = hn::Sub(b_wide, hn::Sub(b_wide, b));
  const VF a2 = hn::Sub(a, a1), b2 = hn::Sub(b, b1);
  const VF rest = hn::Add(hn::Sub(hn::Mul(a1, b1), product), hn::Mul(a1, b2));
  return hn::Add(hn::Add(rest, hn::Mul(a2, b1)), hn::Mul(a2, b2));
#endif
}

// ---- Exponentials

// e^x = (1 + rest) * 2^exponent with |rest| below 0.42.
struct Exponential {
  VF rest;
  VI exponent;
};

// Of x + low, where |x| is below 2^15 and `low` small beside x.
HWY_INLINE Exponential SplitExp(VF x, VF low) {
  // Adding it rounds to an integer, which then stands in the lowest bits.
  const VF magic = Number(0x1.8p23f);
  const VF shifted = hn::MulAdd(x, Number(0x1.715476p0f), magic);
  const VF n = hn::Sub(shifted, magic);
  // ln 2 in two parts, the first so short that its product is exact.
  VF r = hn::NegMulAdd(n, Number(0x1.63p-1f), x);
  r = hn::Add(hn::NegMulAdd(n, Number(-0x1.bd0106p-13f), r), low);
  const VF q = Polynomial(r, 0.5f, 0x1.5554a8p-3f, 0x1.555538p-5f, 0x1.122e02p-7f, 0x1.6cd3bp-10f);
  return {hn::MulAdd(hn::Mul(r, r), q, r),
          hn::Sub(hn::BitCast(DI(), shifted), hn::BitCast(DI(), magic))};
}
HWY_INLINE Exponential SplitExp(VF x) { return SplitExp(x, hn::Zero(DF())); }

// 2^n, -126 <= n <= 127.
HWY_INLINE VF PowerOfTwo(VI n) {
  return hn::BitCast(DF(), hn::ShiftLeft<23>(hn::Add(n, hn::Set(DI(), 127))));
}

// A power of two as the product of two. What is multiplied by `first` is 0.5 to 4 and loses
// nothing; with `second` it is rounded, and only where the result is below the normal range.
struct Scaling {
  VF first, second;
};
// 2^n, -250 <= n <= 127.
HWY_INLINE Scaling ScalingOf(VI n) {
  const VI near = hn::Max(n, hn::Set(DI(), -125));
  return {PowerOfTwo(near), PowerOfTwo(hn::Sub(n, near))};
}

// Within 1.5 u.
HWY_INLINE VF Exp(VF x) {
  const Exponential e = SplitExp(AtMost(AtLeast(x, Number(-104)), Number(89)));
  const Scaling scaling = ScalingOf(hn::Sub(e.exponent, hn::Set(DI(), 1)));
  const VF twice = hn::MulAdd(e.rest, Number(2), Number(2));
  return hn::Mul(hn::Mul(twice, scaling.first), scaling.second);
}

// e^x - 1 of x <= 88, within 2 u. Where x is below -18 it is -1.
HWY_INLINE VF Expm1(VF x) {
  const Exponential e = SplitExp(AtLeast(x, Number(-18)));
  const VF power = PowerOfTwo(e.exponent);
  return hn::MulAdd(power, e.rest, hn::Sub(power, One()));
}

// e^-x as a factor.
class Decay {
 public:
  // Of x + low, 0 <= x <= 172.
  HWY_INLINE Decay(VF x, VF low) : Decay(SplitExp(hn::Neg(x), hn::Neg(low))) {}
  HWY_INLINE explicit Decay(VF x) : Decay(SplitExp(hn::Neg(x))) {}

  // v e^-x is Near(v) * far(), where far() is 1 unless e^-x is close to the least normal number:
  // what else the product is multiplied with comes between, so that it rounds as all numbers do.
  HWY_INLINE VF Near(VF v) const { return hn::Mul(hn::MulAdd(v, rest_, v), scaling_.first); }
  HWY_INLINE VF far() const { return scaling_.second; }
  HWY_INLINE VF value() const { return hn::Mul(Near(One()), far()); }

 private:
  HWY_INLINE explicit Decay(Exponential e) : rest_(e.rest), scaling_(ScalingOf(e.exponent)) {}

  const VF rest_;
  const Scaling scaling_;
};

// e^-|x|, within 1.5 u.
HWY_INLINE VF ExpOfMinusAbs(VF x) { return Exp(hn::Neg(hn::Abs(x))); }

// ---- Logarithms

// (ln(1 + f) - f) / f^2 of |f| <= 1/3.
HWY_INLINE VF Log1pQuotient(VF f) {
  return Polynomial(f, -0.5f, 0x1.555556p-2f, -0x1.ffff02p-3f, 0x1.99985ep-3f, -0x1.559bbp-3f,
                    0x1.24d7b2p-3f, -0x1.f336f8p-4f, 0x1.bb4602p-4f, -0x1.07d85ap-3f,
                    0x1.e05044p-4f);
}

// ln(1 + z) of 0 <= z <= 1, within 2 u.
HWY_INLINE VF Log1p(VF z) {
  // 1 + z, or half of it, lies within a third of 1.
  const auto far = hn::Gt(z, Number(0x1.555554p-2f));
  const VF half = Number(0.5f);
  const VF f = hn::IfThenElse(far, hn::Sub(hn::Mul(half, z), half), z);
  const VF log = hn::MulAdd(hn::Mul(f, f), Log1pQuotient(f), f);
  return hn::Add(log, hn::IfThenElseZero(far, Number(0x1.62e43p-1f)));
}

// Within 2.5 u; NaN below 0, minus infinity at 0.
HWY_INLINE VF Log(VF x) {
  const auto small = hn::Lt(x, Number(0x1p-126f));
  const VF normal = hn::IfThenElse(small, hn::Mul(x, Number(0x1p24f)), x);
  // normal = m * 2^n, 2/3 <= m < 4/3.
  const VI bits = hn::BitCast(DI(), normal);
  const VI above = hn::Sub(bits, hn::Set(DI(), 0x3f2aaaab));
  const VI n = hn::ShiftRight<23>(above);
  const VF m = hn::BitCast(DF(), hn::Sub(bits, hn::ShiftLeft<23>(n)));
  const VF e = hn::Sub(hn::ConvertTo(DF(), n), hn::IfThenElseZero(small, Number(24)));
  const VF f = hn::Sub(m, One());
  // ln 2 in two parts, as above.
  const VF low = hn::MulAdd(hn::Mul(f, f), Log1pQuotient(f), hn::Mul(e, Number(-0x1.bd0106p-13f)));
  VF log = hn::MulAdd(e, Number(0x1.63p-1f), hn::Add(f, low));
  const float infinity = std::numeric_limits<float>::infinity();
  // Infinity, and NaN, which compares with nothing.
  log = hn::IfThenElse(hn::Lt(x, Number(infinity)), log, x);
  log = hn::IfThenElse(hn::Eq(x, hn::Zero(DF())), Number(-infinity), log);
  return hn::IfThenElse(hn::Lt(x, hn::Zero(DF())), Number(std::numeric_limits<float>::quiet_NaN()),
                        log);
}

// ---- The normal distribution

// The share of the standard normal distribution that lies below -t, over e^(-t^2 / 2), for
// 0 <= t <= 15, within 4 u.
HWY_INLINE VF MillsRatio(VF t) {
  const VF y = hn::Div(One(), hn::MulAdd(t, Number(0.3125f), One()));
  return hn::Mul(
      y, Polynomial(y, 0.124665484f, 0.124747962f, 0.111903563f, 0.0899942145f, 0.0558247045f,
                    -0.00308553153f, 0.0749666467f, -0.151609346f, 0.091659911f, -0.0190676171f));
}

// e^(-t^2 / 2) of 0 <= t <= 15.
HWY_INLINE Decay BellOf(VF t) {
  const VF half = hn::Mul(t, Number(0.5f));
  const VF square = hn::Mul(half, t);
  return Decay(square, ProductError(half, t, square));
}

}  // namespace HWY_NAMESPACE
}  // namespace impl_cpu
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET != HWY_SCALAR
#endif  // per-target include guard
