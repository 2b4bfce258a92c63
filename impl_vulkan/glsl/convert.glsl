// Conversions between data types in integer arithmetic alone: no rounding mode, no flushing of
// denormals, no treatment of NaN by a driver can show.
//
// Nearest even; integers saturate; NaN to an integer is 0; NaN to a float is quiet, with its sign
// and the top of its payload.
#ifndef CONVERT_GLSL
#define CONVERT_GLSL

#include "types.glsl"

// v / 2^n to nearest even, 1 <= n <= 31.
uint shift_right_nearest(uint v, uint n) {
  uint q = v >> n;
  uint rest = v & ((1u << n) - 1u);
  uint half_way = 1u << (n - 1u);
  return q + uint(rest > half_way || (rest == half_way && (q & 1u) != 0u));
}

uint bf16_to_f32(uint h) {
  uint u = h << 16;
  return u | ((u & 0x7fffffffu) > 0x7f800000u ? 0x400000u : 0u);
}

uint f32_to_bf16(uint u) {
  if ((u & 0x7fffffffu) > 0x7f800000u) return (u >> 16) | 0x40u;
  return (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
}

uint f16_to_f32(uint h) {
  uint sign = (h & 0x8000u) << 16, exponent = (h >> 10) & 31u, m = h & 0x3ffu;
  if (exponent == 31u) return sign | 0x7f800000u | (m << 13) | (m != 0u ? 0x400000u : 0u);
  if (exponent != 0u) return sign | ((exponent + 112u) << 23) | (m << 13);
  if (m == 0u) return sign;
  uint top = uint(findMSB(m));
  return sign | ((top + 103u) << 23) | ((m << (23u - top)) & 0x7fffffu);
}

uint f32_to_f16(uint u) {
  uint sign = (u >> 16) & 0x8000u, a = u & 0x7fffffffu;
  if (a > 0x7f800000u) return sign | 0x7e00u | ((a >> 13) & 0x1ffu);
  if (a >= 0x47800000u) return sign | 0x7c00u;  // 65536 and more
  if (a >= 0x38800000u) {                       // from 65520 on the carry reaches infinity
    uint r = a - 0x38000000u;
    return sign | ((r + 0xfffu + ((r >> 13) & 1u)) >> 13);
  }
  if (a <= 0x33000000u) return sign;  // 2^-25 and less
  return sign | shift_right_nearest((a & 0x7fffffu) | 0x800000u, 126u - (a >> 23));
}

uint s32_to_f32(uint i) {
  uint sign = i & 0x80000000u;
  uint a = sign != 0u ? ~i + 1u : i;
  if (a == 0u) return 0u;
  uint top = uint(findMSB(a));
  uint m = top <= 23u ? a << (23u - top) : shift_right_nearest(a, top - 23u);
  return sign | (((top + 127u) << 23) + (m - 0x800000u));  // a carry out of m raises the exponent
}

int f32_to_s32(uint u) {
  uint a = u & 0x7fffffffu, exponent = a >> 23;
  bool negative = (u >> 31) != 0u;
  if (a > 0x7f800000u || exponent < 126u) return 0;
  if (exponent >= 158u) return negative ? int(0x80000000u) : 0x7fffffff;
  uint m = (a & 0x7fffffu) | 0x800000u;
  uint r = exponent >= 150u ? m << (exponent - 150u) : shift_right_nearest(m, 150u - exponent);
  return negative ? -int(r) : int(r);
}

// The integer that the bits of an S32, S8 or U8 stand for.
int integer_of(uint type, uint v) {
  return type == S32 ? int(v) : type == S8 ? bitfieldExtract(int(v), 0, 8) : int(v & 0xffu);
}

uint saturate_to(uint type, int i) {
  if (type == S32) return uint(i);
  if (type == S8) return uint(clamp(i, -128, 127)) & 0xffu;
  return uint(clamp(i, 0, 255));
}

uint exact_to_f32(uint type, uint v) {
  if (type == F32) return v;
  if (type == BF16) return bf16_to_f32(v & 0xffffu);
  if (type == F16) return f16_to_f32(v & 0xffffu);
  return s32_to_f32(uint(integer_of(type, v)));
}

uint exact_from_f32(uint type, uint u) {
  if (type == F32) return u;
  if (type == BF16) return f32_to_bf16(u);
  if (type == F16) return f32_to_f16(u);
  return saturate_to(type, f32_to_s32(u));
}

#endif
