// Functions that are no pieces of polynomials, to the last place of f32, and their derivatives: a
// result is rounded once. NaN stays NaN, and infinities give the limits of the formulas (ELT-050,
// A-74).
//
// Drivers inline each call before they know which function is wanted, and only then drop what is not:
// whatever several functions are made of is called once for all of them.
//
// Numbers are bits of f32. multiply is that of number.glsl.
#ifndef CURVES_GLSL
#define CURVES_GLSL

#include "pieces.glsl"
#include "wide.glsl"

const uint INF_BITS = 0x7f800000u, ONE = 0x3f800000u;

// f * v
uint scaled_by(Wide f, uint v) {
  if (is_nan(v)) return NAN_BITS;
  if (is_infinite(v)) return f.m == 0u ? NAN_BITS : v ^ f.sign;
  return bits_of(times(f, wide_of(v)));
}

// 1 / (1 + e^-x), without cancellation on either side, given e^-|x| and the inverse of 1 more.
Wide logistic(Wide x, Wide e, Wide r) { return x.sign != 0u ? times(e, r) : r; }

// The same of e^-2|x|.
Wide hyperbolic_tangent(Wide x, Wide e, Wide r) {
  if (x.e >= -5) {
    Wide t = times(plus(power(0), negative(e)), r);
    return wide(x.sign, t.e, t.m);
  }
  // 1 - v/3 + 2v^2/15 - 17v^3/315, where v = x^2
  int v = in_units(times(x, x)), p = -57947803;
  p = next_term(p, v, 143165577);
  p = next_term(p, v, -357913941);
  p = next_term(p, v, 1073741824);
  return times(x, normal(0u, 1, uint(p)));
}

// The integral of the normal distribution up to x, given b = e^(-x^2 / 2).
Wide normal_integral(Wide x, Wide b) {
  // That up to -|x| is b * t * g(t), t = 1 / (1 + |x| / 4); g by 2t - 1.2, in units of 2^-31. Beyond
  // 15, b is 0.
  Wide t = inverse(plus(power(0), scaled(magnitude(x), -2)));
  int w = int((t.e < -30 ? 0u : t.m >> uint(-t.e)) - 0x4ccccccdu);
  int g = -7924;
  g = next_term(g, w, -26094);
  g = next_term(g, w, 82568);
  g = next_term(g, w, 263687);
  g = next_term(g, w, -592053);
  g = next_term(g, w, -2931517);
  g = next_term(g, w, 1127174);
  g = next_term(g, w, 35119893);
  g = next_term(g, w, 127351555);
  g = next_term(g, w, 275981073);
  g = next_term(g, w, 422581748);
  g = next_term(g, w, 479930884);
  Wide tail = times(times(b, t), normal(0u, 0, uint(max(g, 1))));
  return x.sign != 0u ? tail : plus(power(0), negative(tail));
}

// sqrt(2/pi) * (x + c * x^3)
Wide gelu_argument(Wide x, Wide c) {
  Wide k = wide(0u, -1, 0xcc42299fu);
  return times(times(k, x), plus(power(0), times(c, times(x, x))));
}

// 2 * sqrt(2/pi) * (x + 0.044715 x^3): tanh of half of it is 2 * logistic(it) - 1.
Wide gelu_logit(Wide x) { return scaled(gelu_argument(x, wide(0u, -5, 0xb727136au)), 1); }

// e * (e + 2), e = e^x; divided by 2 more it is tanh(ln(1 + e^x)).
Wide mish_ratio(Wide e) { return times(e, plus(e, power(1))); }

// What f is a function of, where it is not s but a multiple or a polynomial of it.
Wide argument_of(uint algorithm, Wide s, uint alpha) {
  if (algorithm == LOGSIGMOID) return negative(s);
  if (algorithm == SWISH) return times(wide_of(alpha), s);
  if (algorithm == GELU_TANH) return gelu_logit(s);
  return s;
}

// The power of e that f and f' are made of, of an argument `k`: e^-|k|, and of some another.
Wide power_of_e(uint algorithm, Wide k) {
  if (algorithm == EXP || algorithm == ELU || algorithm == MISH) return exponential(k);
  if (algorithm == GELU_ERF) return exponential(negative(scaled(times(k, k), -1)));
  return exponential(wide(MINUS, algorithm == TANH ? k.e + 1 : k.e, k.m));
}

// What gates a source, f(s) = s * gate: 0 on one side, 1 on the other.
bool is_gated(uint algorithm) {
  return algorithm == SWISH || algorithm == GELU_TANH || algorithm == GELU_ERF ||
         algorithm == MISH || algorithm == HARDSWISH;
}

// Of an infinity, the gate.
uint gate_at_infinity(uint algorithm, uint v, uint alpha) {
  if (algorithm != SWISH) return int(v) > 0 ? ONE : 0u;
  return is_zero(alpha) ? 0x3f000000u : int(v ^ alpha) > 0 ? ONE : 0u;
}

uint curve_at_infinity(uint algorithm, uint v, uint alpha) {
  bool up = int(v) > 0;
  if (is_gated(algorithm)) return gate_at_infinity(algorithm, v, alpha) == 0u ? 0u : v;
  if (algorithm == TANH) return ONE | (v & MINUS);
  if (algorithm == LOGISTIC) return up ? ONE : 0u;
  if (algorithm == ELU) return up ? v : alpha ^ MINUS;
  if (algorithm == LOGSIGMOID) return up ? 0u : v;
  if (algorithm == SQRT || algorithm == LOG) return up ? v : NAN_BITS;
  return up ? v : 0u;
}

// f'(v) of an infinity.
uint slope_at_infinity(uint algorithm, uint v, uint alpha) {
  bool up = int(v) > 0;
  if (is_gated(algorithm)) return gate_at_infinity(algorithm, v, alpha);
  if (algorithm == TANH || algorithm == LOGISTIC || algorithm == LOG) return 0u;
  if (algorithm == SQRT) return up ? 0u : NAN_BITS;
  if (algorithm == EXP) return up ? v : 0u;
  if (algorithm == LOGSIGMOID) return up ? 0u : ONE;
  return up ? ONE : 0u;
}

// Of a number: 0 it is no integer, 1 it is an odd one, 2 it is an even one.
uint parity(Wide a) {
  if (a.m == 0u || a.e > 31) return 2u;
  if (a.e < 0) return 0u;
  uint below = uint(31 - a.e);
  if ((a.m & ((1u << below) - 1u)) != 0u) return 0u;
  return ((a.m >> below) & 1u) != 0u ? 1u : 2u;
}

// c * v^exponent * gradient, the power by the rules of C. The exponent is not 0, and `c` is that
// nearest to wide_c.
uint scaled_power(uint v, Wide exponent, uint c, Wide wide_c, uint gradient) {
  uint kind = parity(exponent), sign = kind == 1u ? v & MINUS : 0u;
  if (is_zero(v) || is_infinite(v)) {
    bool large = is_zero(v) == (exponent.sign != 0u);
    return multiply(multiply(c, sign | (large ? INF_BITS : 0u)), gradient);
  }
  if ((v & MINUS) != 0u && kind == 0u) return NAN_BITS;
  Wide p = exponential_of_two(times(exponent, log_of_two(wide_of(v & 0x7fffffffu))));
  return scaled_by(times(wide(sign, p.e, p.m), wide_c), gradient);
}

// Whether `beta` is infinite or NaN; then v^beta is 1, 0, infinite or NaN.
bool is_endless(uint beta) { return (beta & 0x7fffffffu) >= INF_BITS; }

uint endless_power(uint v, uint beta) {
  if (v == ONE || (v == (ONE | MINUS) && !is_nan(beta))) return ONE;
  if (is_nan(beta)) return NAN_BITS;
  return ((v & 0x7fffffffu) > ONE) == (int(beta) > 0) ? INF_BITS : 0u;
}

uint power_curve(uint v, uint alpha, uint beta) {
  if (is_zero(beta)) return alpha;
  if (is_nan(v)) return NAN_BITS;
  if (is_endless(beta)) return multiply(alpha, endless_power(v, beta));
  return scaled_power(v, wide_of(beta), ONE, power(0), alpha);
}

uint power_backward(uint v, uint gradient, uint alpha, uint beta) {
  if (is_zero(beta)) return 0u;
  if (is_nan(v)) return NAN_BITS;
  uint c = multiply(alpha, beta);
  if (is_endless(beta)) return multiply(multiply(c, endless_power(v, beta)), gradient);
  Wide exponent = plus(wide_of(beta), negative(power(0)));
  if (exponent.m == 0u) return multiply(c, gradient);
  return scaled_power(v, exponent, c, times(wide_of(alpha), wide_of(beta)), gradient);
}

// v * min(max(v + 3, 0), 6) / 6
Wide hard_swish(Wide s) {
  Wide three = wide(0u, 1, 0xc0000000u), sum = plus(s, three);
  if (sum.sign != 0u) return wide(0u, 0, 0u);
  if (s.sign == 0u && (s.e > 1 || (s.e == 1 && s.m >= three.m))) return s;
  return times(s, times(sum, wide(0u, -3, 0xaaaaaaabu)));
}

// f(v).
uint curve(uint algorithm, uint v, uint alpha, uint beta) {
  if (algorithm == POW) return power_curve(v, alpha, beta);
  if (is_nan(v)) return NAN_BITS;
  if (is_infinite(v)) return curve_at_infinity(algorithm, v, alpha);
  if (algorithm == SWISH && is_nan(alpha)) return NAN_BITS;
  Wide s = wide_of(v);
  bool below = s.sign != 0u && s.m != 0u;
  if ((algorithm == SQRT || algorithm == LOG) && below) return NAN_BITS;
  if (algorithm == LOG && s.m == 0u) return INF_BITS | MINUS;
  if (algorithm == ELU && !below) return v;
  if (algorithm == SQRT) return bits_of(root(s));
  if (algorithm == HARDSWISH) return bits_of(hard_swish(s));
  Wide k = argument_of(algorithm, s, alpha), e = power_of_e(algorithm, k);
  if (algorithm == EXP) return bits_of(e);
  if (algorithm == ELU) return scaled_by(exponential_less_one(k, e), alpha);
  if (algorithm == GELU_ERF) return bits_of(times(s, normal_integral(k, e)));
  if (algorithm == LOG || algorithm == SOFT_RELU || algorithm == LOGSIGMOID) {
    // ln(1 + e^k) = max(k, 0) + ln(1 + e^-|k|)
    bool direct = algorithm == LOG;
    Wide l = !direct && is_little(e) ? log_one_plus(e) : natural_log(direct ? s : plus(power(0), e));
    if (!direct && k.sign == 0u) l = plus(k, l);
    return bits_of(algorithm == LOGSIGMOID ? negative(l) : l);
  }
  Wide n = mish_ratio(e);
  Wide r = inverse(algorithm == MISH ? plus(n, power(1)) : plus(power(0), e));
  if (algorithm == TANH) return bits_of(hyperbolic_tangent(k, e, r));
  Wide gate = algorithm == MISH ? times(n, r) : logistic(k, e, r);
  return bits_of(algorithm == LOGISTIC ? gate : times(s, gate));
}

Wide hard_swish_slope(Wide s) {
  Wide three = wide(0u, 1, 0xc0000000u);
  bool far = s.e > 1 || (s.e == 1 && s.m >= three.m);
  if (far) return s.sign != 0u ? wide(0u, 0, 0u) : power(0);
  return times(plus(scaled(s, 1), three), wide(0u, -3, 0xaaaaaaabu));
}

// f'(s) of a number that has one.
Wide slope(uint algorithm, Wide s, uint alpha) {
  if (algorithm == HARDSWISH) return hard_swish_slope(s);
  Wide k = argument_of(algorithm, s, alpha), e = power_of_e(algorithm, k), n = mish_ratio(e);
  if (algorithm == EXP) return e;
  if (algorithm == ELU) return times(e, wide_of(alpha));
  if (algorithm == GELU_ERF) {
    return plus(normal_integral(k, e), times(s, times(e, wide(0u, -2, 0xcc42299fu))));
  }
  Wide below = plus(power(0), e);
  if (algorithm == LOG) below = s;
  if (algorithm == SQRT) below = scaled(root(s), 1);
  if (algorithm == MISH) below = plus(n, power(1));
  Wide r = inverse(below);
  if (algorithm == LOG || algorithm == SQRT) return r;
  if (algorithm == MISH) {
    // n / (n + 2) + 4 * s * e * (1 + e) / (n + 2)^2
    Wide bend = times(times(s, times(e, r)), times(plus(power(0), e), r));
    return plus(times(n, r), scaled(bend, 2));
  }
  // 4e / (1 + e)^2, where e = e^-2|s|
  if (algorithm == TANH) return scaled(times(e, times(r, r)), 2);
  if (algorithm == LOGISTIC) return times(e, times(r, r));
  Wide gate = logistic(k, e, r);
  if (algorithm == SOFT_RELU || algorithm == LOGSIGMOID) return gate;
  // s * gate has the slope gate * (1 + k' * (1 - gate)), where k' = s * dk/ds.
  Wide rise = k;
  if (algorithm == GELU_TANH) rise = scaled(gelu_argument(s, wide(0u, -3, 0x895d4e90u)), 1);
  return times(gate, plus(power(0), times(rise, logistic(negative(k), e, r))));
}

// f'(v) * gradient.
uint curve_backward(uint algorithm, uint v, uint gradient, uint alpha, uint beta) {
  if (algorithm == POW) return power_backward(v, gradient, alpha, beta);
  if (is_nan(v) || (algorithm == SWISH && is_nan(alpha))) return NAN_BITS;
  if (is_infinite(v)) return multiply(slope_at_infinity(algorithm, v, alpha), gradient);
  Wide s = wide_of(v);
  bool below = s.sign != 0u && s.m != 0u;
  if (algorithm == ELU && s.sign == 0u && s.m != 0u) return gradient;
  if (algorithm == SQRT && below) return NAN_BITS;
  if ((algorithm == SQRT || algorithm == LOG) && s.m == 0u) {
    return multiply(INF_BITS | s.sign, gradient);
  }
  return scaled_by(slope(algorithm, s, alpha), gradient);
}

// f'(s) * gradient, given v = f(s).
uint curve_backward_by_result(uint algorithm, uint v, uint gradient, uint alpha) {
  if (algorithm == EXP) return multiply(v, gradient);
  if (is_nan(v)) return NAN_BITS;
  if (algorithm == ELU && is_positive(v)) return gradient;
  if (is_infinite(v)) return multiply(algorithm == SQRT ? 0u : INF_BITS | MINUS, gradient);
  Wide d = wide_of(v);
  if (algorithm == SQRT) {
    if (d.m == 0u) return multiply(INF_BITS | d.sign, gradient);
    return scaled_by(inverse(scaled(d, 1)), gradient);
  }
  if (algorithm == ELU) return scaled_by(plus(d, wide_of(alpha)), gradient);
  Wide rest = plus(power(0), negative(algorithm == TANH ? times(d, d) : d));
  return scaled_by(algorithm == TANH ? rest : times(d, rest), gradient);
}

#endif
