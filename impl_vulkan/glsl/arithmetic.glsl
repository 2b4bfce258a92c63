// f32 multiplication and addition in integers: nearest even, gradual underflow, infinities, and one
// NaN (0x7fc00000) for every operation without a value.
#ifndef ARITHMETIC_GLSL
#define ARITHMETIC_GLSL

#include "convert.glsl"

const uint NAN_BITS = 0x7fc00000u;

// v / 2^n; what is shifted out leaves a 1 in the last bit, so that rounding later still sees it.
uint shift_right_sticky(uint v, uint n) {
  if (n == 0u) return v;
  if (n > 31u) return uint(v != 0u);
  return (v >> n) | uint((v & ((1u << n) - 1u)) != 0u);
}

// The number m / 2^31 * 2^(e - 127), bit 31 of m set, last bit sticky; e may be 0 or less.
uint round_and_pack(uint sign, int e, uint m) {
  if (e >= 255) return sign | 0x7f800000u;
  if (e <= 0) {
    m = shift_right_sticky(m, uint(1 - e));
    e = 0;
  }
  uint r = shift_right_nearest(m, 8u);
  return sign | ((uint(e) << 23) + (e > 0 ? r - 0x800000u : r));  // carries end at infinity
}

uint exact_multiply(uint a, uint b) {
  uint sign = (a ^ b) & 0x80000000u, ma = a & 0x7fffffffu, mb = b & 0x7fffffffu;
  if (ma > 0x7f800000u || mb > 0x7f800000u) return NAN_BITS;
  if (ma == 0x7f800000u || mb == 0x7f800000u) {
    return ma == 0u || mb == 0u ? NAN_BITS : sign | 0x7f800000u;
  }
  if (ma == 0u || mb == 0u) return sign;
  int ea = int(ma >> 23), eb = int(mb >> 23);
  ma &= 0x7fffffu;
  mb &= 0x7fffffu;
  if (ea == 0) {
    int k = 23 - findMSB(ma);
    ma <<= uint(k);
    ea = 1 - k;
  } else {
    ma |= 0x800000u;
  }
  if (eb == 0) {
    int k = 23 - findMSB(mb);
    mb <<= uint(k);
    eb = 1 - k;
  } else {
    mb |= 0x800000u;
  }
  uint high, low;
  umulExtended(ma << 8, mb << 8, high, low);  // in [2^62, 2^64)
  int e = ea + eb - 126;
  if ((high & 0x80000000u) == 0u) {
    high = (high << 1) | (low >> 31);
    low <<= 1;
    e--;
  }
  return round_and_pack(sign, e, high | uint(low != 0u));
}

uint exact_add(uint a, uint b) {
  uint ma = a & 0x7fffffffu, mb = b & 0x7fffffffu;
  if (ma > 0x7f800000u || mb > 0x7f800000u) return NAN_BITS;
  if (ma < mb) {
    uint t = a;
    a = b;
    b = t;
    t = ma;
    ma = mb;
    mb = t;
  }
  uint sign = a & 0x80000000u;
  bool subtract = ((a ^ b) & 0x80000000u) != 0u;
  if (ma == 0x7f800000u) return subtract && mb == 0x7f800000u ? NAN_BITS : a;
  if (mb == 0u) return ma == 0u ? (a & b) : a;  // (+0) + (-0) = +0
  if (subtract && ma == mb) return 0u;
  int ea = max(int(ma >> 23), 1), eb = max(int(mb >> 23), 1);
  uint fa = (ma & 0x7fffffu) | (ma >= 0x800000u ? 0x800000u : 0u);
  uint fb = (mb & 0x7fffffu) | (mb >= 0x800000u ? 0x800000u : 0u);
  fa <<= 7;
  fb = shift_right_sticky(fb << 7, uint(ea - eb));
  uint f = subtract ? fa - fb : fa + fb;
  int k = 31 - findMSB(f);
  return round_and_pack(sign, ea + 1 - k, f << uint(k));
}

#endif
