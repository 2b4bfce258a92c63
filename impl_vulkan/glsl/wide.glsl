// Numbers of 32 significant bits with exponents that do not end, in integers alone: what functions
// that f32 cannot compute to its last place are made of. A result is rounded to f32 once. No rounding
// mode, no flushing of denormals and no accuracy of a driver's own functions can show.
//
// Each step is within 2^-30 of what it stands for, relative to that, unless a comment says otherwise.
#ifndef WIDE_GLSL
#define WIDE_GLSL

#include "arithmetic.glsl"

// m / 2^31 * 2^e, negative if sign is 0x80000000. Bit 31 of m is set, or m is 0 and so is the number.
struct Wide {
  uint sign;
  int e;
  uint m;
};

const uint MINUS = 0x80000000u;

Wide wide(uint sign, int e, uint m) {
  Wide w;
  w.sign = sign;
  w.e = e;
  w.m = m;
  return w;
}

// The same number for any m.
Wide normal(uint sign, int e, uint m) {
  if (m == 0u) return wide(sign, 0, 0u);
  int k = 31 - findMSB(m);
  return wide(sign, e - k, m << uint(k));
}

// A power of two.
Wide power(int e) { return wide(0u, e, 0x80000000u); }

Wide whole(int i) { return normal(i < 0 ? MINUS : 0u, 31, uint(i < 0 ? -i : i)); }

// Of bits of a finite f32: exact.
Wide wide_of(uint u) {
  uint a = u & 0x7fffffffu, m = a & 0x7fffffu;
  if (a < 0x800000u) return normal(u & MINUS, -118, m);
  return wide(u & MINUS, int(a >> 23) - 127, (m | 0x800000u) << 8);
}

// The nearest f32.
uint bits_of(Wide w) {
  if (w.m == 0u) return w.sign;
  return round_and_pack(w.sign, clamp(w.e, -400, 400) + 127, w.m);
}

Wide negative(Wide a) { return wide(a.sign ^ MINUS, a.e, a.m); }

Wide magnitude(Wide a) { return wide(0u, a.e, a.m); }

// a * 2^n
Wide scaled(Wide a, int n) { return wide(a.sign, a.e + n, a.m); }

uint high_of(uint a, uint b) {
  uint high, low;
  umulExtended(a, b, high, low);
  return high;
}

Wide times(Wide a, Wide b) {
  uint high, low;
  umulExtended(a.m, b.m, high, low);
  uint sign = a.sign ^ b.sign;
  if (high == 0u) return wide(sign, 0, 0u);
  if ((high & 0x80000000u) != 0u) return wide(sign, a.e + b.e + 1, high);
  return wide(sign, a.e + b.e, (high << 1) | (low >> 31));
}

// Within 2^-31 of the larger one.
Wide plus(Wide a, Wide b) {
  if (b.m == 0u) return a;
  if (a.m == 0u) return b;
  if (a.e < b.e || (a.e == b.e && a.m < b.m)) {
    Wide t = a;
    a = b;
    b = t;
  }
  int d = a.e - b.e;
  if (d > 31) return a;
  uint m = b.m >> uint(d);
  if (a.sign != b.sign) return normal(a.sign, a.e, a.m - m);
  uint sum = a.m + m;
  return sum < m ? wide(a.sign, a.e + 1, (sum >> 1) | 0x80000000u) : wide(a.sign, a.e, sum);
}

// 1 / a, of a that is not 0. The first guess is the device's, whatever its last bits are.
Wide inverse(Wide a) {
  if (a.m == 0x80000000u) return wide(a.sign, -a.e, a.m);
  uint r = min(uint(4611686018427387904.0 / float(a.m)), 0x7fffffffu);  // 2^62 / m
  uint high, low;
  umulExtended(a.m, r, high, low);
  // 2^62 - m * r, in units of 2^16: a step of Newton's.
  int rest = int((0x40000000u - high - uint(low != 0u)) << 16) | int((0u - low) >> 16);
  int more, unused;
  imulExtended(int(r), rest, more, unused);
  r = min(uint(int(r) + (more >> 14)), 0x7fffffffu);
  return normal(a.sign, -1 - a.e, r << 1);
}

// The f32 nearest to the square root of one, which is not negative; as a wide number that rounds to
// it. The guess is the device's.
Wide root(Wide a) {
  if (a.m == 0u) return a;
  bool odd = (a.e & 1) != 0;
  uint m = a.m >> 8;
  // Of n = m * 2^25, or twice that: 25 bits, and whether something is left.
  uint n = m << (odd ? 26u : 25u);
  uint r = uint(sqrt(float(m) * (odd ? 67108864.0 : 33554432.0)));
  int rest = int(n - r * r);  // small, so that the bits above do not matter
  for (uint i = 0u; i < 32u; i++) {
    if (rest < 0) {
      r--;
      rest += int(2u * r + 1u);
    } else if (rest > int(2u * r)) {
      rest -= int(2u * r + 1u);
      r++;
    } else {
      break;
    }
  }
  return wide(0u, a.e >> 1, (r << 7) | uint(rest != 0));
}

// 2^a, and 0 or the like of infinity where f32 has nothing else for any multiple of it. `a` counts to
// 32 bits, so that of 2^100 the 25th is the last that is right.
Wide exponential_of_two(Wide a) {
  if (a.m == 0u) return power(0);
  if (a.e > 11) return a.sign != 0u ? wide(0u, 0, 0u) : power(5000);
  int n = a.e < 0 ? 0 : int(a.m >> uint(31 - a.e));
  uint f = a.e >= 0 ? a.m << uint(a.e + 1) : (a.e < -32 ? 0u : a.m >> uint(-1 - a.e));
  if (a.sign != 0u) {
    n = f == 0u ? -n : -n - 1;
    f = 0u - f;
  }
  // (2^f - 1) / f for f in [0, 1), both in units of 2^-32.
  uint p = 0x15bd3u;
  p = 0x99317u + high_of(p, f);
  p = 0x57bf1au + high_of(p, f);
  p = 0x2763464u + high_of(p, f);
  p = 0xe3589f8u + high_of(p, f);
  p = 0x3d7f7ba6u + high_of(p, f);
  p = 0xb17217f9u + high_of(p, f);
  return wide(0u, n, 0x80000000u + (high_of(p, f) >> 1));
}

const uint LOG2_E = 0xb8aa3b29u, LN_2 = 0xb17217f8u;  // units of 2^-31 and 2^-32

Wide exponential(Wide a) { return exponential_of_two(times(a, wide(0u, 0, LOG2_E))); }

// c + a * x, where x counts units of 2^-30 and is less than 2 in magnitude.
int next_term(int a, int x, int c) {
  int high, low;
  imulExtended(a, x, high, low);
  return c + int((uint(high) << 2) | (uint(low) >> 30));
}

// A number below 1 in magnitude in units of 2^-30.
int in_units(Wide a) {
  int k = 1 - a.e;
  int i = k > 31 ? 0 : int(a.m >> uint(k));
  return a.sign != 0u ? -i : i;
}

// e^a - 1, relative to that too, given e = e^a.
Wide exponential_less_one(Wide a, Wide e) {
  if (a.e >= -5) return plus(e, negative(power(0)));
  // 1 + a/2 + a^2/6 + a^3/24 + a^4/120
  int x = in_units(a), p = 8947849;
  p = next_term(p, x, 44739243);
  p = next_term(p, x, 178956971);
  p = next_term(p, x, 536870912);
  p = next_term(p, x, 1073741824);
  return times(a, normal(0u, 1, uint(p)));
}

// ln((1 + z) / (1 - z)), |z| <= 0.172
Wide twice_artanh(Wide z) {
  Wide square = times(z, z);
  // z^2, and then what the series has beside its first term, in units of 2^-32.
  uint v = square.m == 0u || square.e < -32 ? 0u : square.m >> uint(-1 - square.e);
  uint p = 0x1ddcf710u;
  p = 0x248b8816u + high_of(p, v);
  p = 0x33333d6cu + high_of(p, v);
  p = 0x55555553u + high_of(p, v);
  return times(z, wide(0u, 1, 0x80000000u + (high_of(p, v) >> 1)));
}

// Of a number above 0 the power of two that is nearest, by quotient: that of sqrt(2) is 0.
int nearest_power(Wide a) { return a.m > 0xb504f333u ? a.e + 1 : a.e; }

// ln(a / 2^nearest_power(a)), relative to that too.
Wide log_of_rest(Wide a) {
  // (m - 1) / (m + 1), of m from sqrt(1/2) to sqrt(2).
  bool above = a.m > 0xb504f333u;
  Wide less = normal(above ? MINUS : 0u, above ? -1 : 0, above ? 0u - a.m : a.m - 0x80000000u);
  uint more = (a.m >> 1) + (above ? 0x80000000u : 0x40000000u);
  return twice_artanh(times(less, inverse(wide(0u, above ? 0 : 1, more))));
}

Wide natural_log(Wide a) {
  return plus(times(whole(nearest_power(a)), wide(0u, -1, LN_2)), log_of_rest(a));
}

Wide log_of_two(Wide a) {
  return plus(whole(nearest_power(a)), times(log_of_rest(a), wide(0u, 0, LOG2_E)));
}

// Whether a number from 0 to 1 is at most sqrt(2) - 1.
bool is_little(Wide a) { return a.e < -2 || (a.e == -2 && a.m <= 0xd413cccfu); }

// ln(1 + a) where `a` is so, relative to that too.
Wide log_one_plus(Wide a) { return twice_artanh(times(a, inverse(plus(power(1), a)))); }

#endif
